"""What is proposed of a marked message, rightly and wrongly, and that the bench tells them apart."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.marked import read_marked
from bench.proposals import main, proposals

LINE = "my {{p.relation|sister}} {{who|Ada}} left {{no.p.lives_in|Bristol}}, I live in {{lives_in|Leeds}}. Any tips?"


def test_each_mark_is_proposed_as_it_is_and_in_the_ways_a_careless_model_takes_it(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(LINE + "\n", encoding="utf-8")
    (message,) = read_marked([path])
    proposed = {(one.kind, one.memory.key, one.memory.value, one.memory.act) for one in proposals(message)}
    assert ("stated", "user.lives_in", "Leeds", "state") in proposed
    assert ("ended", "person.Ada.lives_in", "Bristol", "retract") in proposed
    assert ("ended, as holding", "person.Ada.lives_in", "Bristol", "state") in proposed
    assert ("another's name", "user.name", "Ada", "state") in proposed
    assert ("stated, as ended", "user.lives_in", "Leeds", "retract") in proposed
    assert all(one.memory.quote == LINE_SAID for one in proposals(message))


LINE_SAID = "my sister Ada left Bristol, I live in Leeds. Any tips?"


def test_the_table_gives_a_share_for_each_kind(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.txt"
    path.write_text(LINE + "\n", encoding="utf-8")
    assert main([str(path), "--all"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "1 messages"
    shares = {line[:18].strip(): line.split("kept")[1].split()[0] for line in lines[1:]}
    assert shares["stated"] == "100.0%"
    assert shares["another's name"] == "0.0%"
    assert shares["stated, as ended"] == "0.0%"
