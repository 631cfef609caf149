"""`jiyi recall`: order, filters, times, and what is printed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from memory.ranking.table import GROUPS
from memory.surrogates import visible
from tests.jiyi.command_line import corpus, jiyi, told, turn, written

PARTS = {"lexical", "semantic", "recency", "frequency"}


@pytest.fixture
def birds(tmp_path: Path) -> None:
    """Ingest three sightings of birds of two years and one of an unknown time."""
    told("ada", tmp_path / "birds.jsonl", "I saw a red kite", "I saw a red robin", "I saw a red crow", days=("2025-03-01T10:00:00", "2026-04-01T23:30:00"))  # fmt: skip


def found(*args: str) -> list[str]:
    done = jiyi("recall", "red", "--user", "ada", "--json", *args)
    assert done.status == 0
    return sorted(one["text"].rpartition(" ")[2] for one in done.json["memories"])


@pytest.mark.usefixtures("birds")
def test_the_best_comes_first_with_its_parts_and_its_reason() -> None:
    done = jiyi("recall", "where was the robin?", "--user", "ada", "--json")

    assert (done.json["query"], done.json["user"]) == ("where was the robin?", "ada")
    best = done.json["memories"][0]
    assert {name: best[name] for name in ("id", "kind", "thread_id", "speaker", "text", "said_at")} == {
        "id": "birds-1",
        "kind": "episodes",
        "thread_id": "birds",
        "speaker": "user",
        "text": "I saw a red robin",
        "said_at": "2026-04-01T23:30:00Z",
    }
    assert set(best["parts"]) == PARTS
    assert all(0 <= value <= 1 for value in (best["score"], *best["parts"].values()))
    assert best["turn_id"]
    assert best["why"].startswith("same words: robin")
    assert set(best["signals"]) == set(GROUPS)
    assert best["signals"]["words"] > 0


@pytest.mark.usefixtures("birds")
def test_for_people_there_is_a_line_for_each_and_with_explain_the_reason_and_what_each_signal_adds() -> None:
    plain = jiyi("recall", "robin", "--user", "ada").out.splitlines()
    explained = jiyi("recall", "robin", "--user", "ada", "--explain").out.splitlines()

    assert plain[0].startswith("1. ")
    assert plain[0].endswith("  2026-04-01 23:30  user  I saw a red robin")
    assert explained[0] == plain[0]
    assert explained[1].startswith("   same words: robin")
    assert re.fullmatch(
        r"   (?:[a-z]+ [+-]\d+\.\d\d  ){9}\(lexical \d\.\d\d  semantic \d\.\d\d  recency \d\.\d\d  frequency \d\.\d\d\)"
        r"  birds birds-1",
        explained[2],
    )
    assert len(explained) == 3 * len(plain)


def test_a_chinese_query_is_given_its_reasons_in_chinese(tmp_path: Path) -> None:
    told("ada", tmp_path / "a.jsonl", "昨天和同事去爬香山", "今天在家看书")

    explained = jiyi("recall", "香山怎么样", "--user", "ada", "--explain").out.splitlines()
    as_json = jiyi("recall", "香山怎么样", "--user", "ada", "--json").json["memories"]

    assert explained[1].startswith("   用词相同：香山")
    assert as_json[0]["why"].startswith("用词相同：香山")


@pytest.mark.usefixtures("birds")
def test_only_what_fits_so_many_tokens_of_a_prompt_is_recalled() -> None:
    whole = jiyi("recall", "red", "--user", "ada", "--json").json["memories"]
    some = jiyi("recall", "red", "--user", "ada", "--json", "--max-tokens", "60").json["memories"]

    assert 0 < len(some) < len(whole)
    assert some == whole[: len(some)]
    assert found("--max-tokens", "0") == []


@pytest.mark.usefixtures("birds")
def test_since_and_until_take_the_whole_day() -> None:
    assert found() == ["crow", "kite", "robin"]
    assert found("--since", "2026-04-01") == ["robin"]
    assert found("--until", "2026-04-01") == ["kite", "robin"]
    assert found("--until", "2026-04-01T12:00:00") == ["kite"]
    assert found("--since", "2025-03-01T10:00:00Z", "--until", "2025-03-01T10:00:00Z") == ["kite"]
    assert found("--since", "2025-03-01T19:00:00+08:00") == ["robin"]


@pytest.mark.usefixtures("birds")
def test_as_of_a_day_only_what_had_been_said_is_recalled_as_fresh_as_it_was() -> None:
    assert found("--as-of", "2025-12-31") == ["kite"]
    then = jiyi("recall", "kite", "--user", "ada", "--as-of", "2025-03-01", "--json").json["memories"][0]
    now = jiyi("recall", "kite", "--user", "ada", "--json").json["memories"][0]
    assert then["parts"]["recency"] > now["parts"]["recency"]


def test_days_are_meant_in_the_time_zone_that_is_set(tmp_path: Path) -> None:
    told("ada", tmp_path / "a.jsonl", "red moon", days=("2026-04-01T20:00:00Z",))
    zone = {"JIYI_TIMEZONE": "Asia/Shanghai"}

    done = jiyi("recall", "red moon", "--user", "ada", "--since", "2026-04-02", "--json", env=zone)

    assert len(done.json["memories"]) == 1


@pytest.mark.usefixtures("birds")
def test_limit_and_thread_narrow_it() -> None:
    assert len(found("--limit", "2")) == 2
    assert found("--thread", "birds") == ["crow", "kite", "robin"]
    assert found("--thread", "elsewhere") == []


def test_facts_are_recalled_by_kind(tmp_path: Path) -> None:
    told("ada", tmp_path / "a.jsonl", "我对花生过敏")

    done = jiyi("recall", "过敏", "--user", "ada", "--kind", "facts", "--json")

    assert [(one["kind"], one["text"]) for one in done.json["memories"]] == [("facts", "user.allergy: 花生")]


def test_two_chinese_characters_find_what_holds_them(tmp_path: Path) -> None:
    told("ada", tmp_path / "a.jsonl", "昨天和同事去爬香山", "今天在家看书")

    found_texts = [one["text"] for one in jiyi("recall", "香山", "--user", "ada", "--json").json["memories"]]

    assert found_texts == ["昨天和同事去爬香山"]


@pytest.mark.usefixtures("birds")
@pytest.mark.parametrize("query", ["谢谢", "2+2", '"; DROP TABLE items; --', "AND OR NOT", "\ud83d", "%", "*"])
def test_any_query_is_answered(query: str) -> None:
    assert jiyi("recall", query, "--user", "ada", "--json").status == 0


@pytest.mark.usefixtures("birds")
def test_nothing_found_is_no_fault_and_leaves_standard_output_empty() -> None:
    done = jiyi("recall", "helicopter", "--user", "ada")

    assert (done.status, done.out) == (0, "")
    assert "Nothing" in done.err


@pytest.mark.parametrize(
    "args",
    [("--since", "soon"), ("--limit", "0"), ("--kind", "dreams"), ("--kind", "facts", "--as-of", "2026-01-01"), ("--until", "9999-99-99")],
)  # fmt: skip
def test_wrong_usage_is_told_with_status_two(args: tuple[str, ...]) -> None:
    done = jiyi("recall", "x", "--user", "ada", *args)

    assert (done.status, done.out) == (2, "")
    assert args[0] in done.err or args[2] in done.err


def test_reading_makes_no_home(tmp_path: Path) -> None:
    for command in (("recall", "x"), ("facts",), ("export",), ("stats",)):
        assert jiyi(*command, "--user", "ada").status == 0
    assert not (tmp_path / "jiyi-home").exists()


def test_control_codes_of_a_memory_never_reach_the_terminal(tmp_path: Path) -> None:
    nasty = "red \x1b[2Jscreen \u202eturned\r\nand a line"
    jiyi("ingest", written(tmp_path / "a.jsonl", corpus("c", turn("1", nasty))), "--user", "ada")

    done = jiyi("recall", "red screen", "--user", "ada")

    assert done.out.count("\n") == 1
    assert not {"\x1b", "\u202e", "\r"} & set(done.out)
    assert jiyi("recall", "red screen", "--user", "ada", "--json").json["memories"][0]["text"] == visible(nasty)
