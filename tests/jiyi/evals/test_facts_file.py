"""Reading labelled messages: what is read, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from jiyi.evals.facts_file import Label, Line, read_facts_file
from jiyi.reading.said import FormatError
from tests.jiyi.command_line import written


def test_a_line_is_a_message_with_its_facts(tmp_path: Path) -> None:
    path = written(
        tmp_path / "a.facts.jsonl",
        {"user": 0, "id": "x-1", "text": "我养蜂", "facts": [["我", "职业", "养蜂"]]},
        {"text": "Thanks!", "facts": []},
    )
    assert read_facts_file(path) == (
        Line(number=1, text="我养蜂", labels=(Label("我", "职业", "养蜂"),), user="0", id="x-1"),
        Line(number=2, text="Thanks!", labels=()),
    )


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ({"facts": []}, "'text'"),
        ({"text": " ", "facts": []}, "blank"),
        ({"text": "a"}, "no list"),
        ({"text": "a", "facts": [["I", "diet"]]}, "fact 1"),
        ({"text": "a", "facts": [["I", "age", 3]]}, "no text"),
        ({"text": "a", "facts": [["I", "age", " "]]}, "blank"),
        ({"text": "a", "facts": ["abc"]}, "entity"),
        ({"text": "a", "facts": [], "user": []}, "'user'"),
        (["a"], "no object"),
    ],
)
def test_a_line_that_cannot_be_understood_is_told_with_its_place(tmp_path: Path, row: object, told: str) -> None:
    path = written(tmp_path / "a.facts.jsonl", {"text": "fine", "facts": []}, row)
    with pytest.raises(FormatError, match="line 2") as caught:
        read_facts_file(path)
    assert told in str(caught.value)
