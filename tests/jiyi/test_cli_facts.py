"""`jiyi facts`, `jiyi why`, `jiyi stats`, `jiyi export`: the profile, its history, its evidence."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.jiyi.command_line import corpus, jiyi, told, turn, written

MOVED = ("我住在北京", "我住在上海")
DAYS = ("2026-03-01T08:00:00", "2026-05-01T08:00:00")


@pytest.fixture
def moved(tmp_path: Path) -> None:
    """Ingest that somebody lived in one city, then in another."""
    told("ada", tmp_path / "a.jsonl", *MOVED, days=DAYS)


def values(*args: str) -> list[tuple[str, str]]:
    facts = jiyi("facts", "--user", "ada", "--json", *args).json["facts"]
    return sorted((fact["value"], fact["status"]) for fact in facts)


@pytest.mark.usefixtures("moved")
def test_the_profile_is_what_is_believed_now_and_with_all_what_was() -> None:
    assert values() == [("上海", "active")]
    assert values("--all") == [("上海", "active"), ("北京", "superseded")]


@pytest.mark.usefixtures("moved")
def test_as_of_a_day_it_is_what_was_believed_in_its_evening() -> None:
    assert values("--as-of", "2026-02-28") == []
    assert values("--as-of", "2026-03-01") == [("北京", "active")]
    assert values("--as-of", "2026-04-30") == [("北京", "active")]
    assert values("--as-of", "2026-05-01") == [("上海", "active")]


@pytest.mark.usefixtures("moved")
def test_a_fact_is_printed_with_all_that_is_known_of_it() -> None:
    done = jiyi("facts", "--user", "ada", "--json")

    (fact,) = done.json["facts"]
    assert done.json["user"] == "ada"
    assert (fact["value"], fact["status"], fact["valid_to"], fact["pinned"]) == ("上海", "active", None, False)
    assert fact["valid_from"] == fact["first_seen"] == fact["last_confirmed"] == "2026-05-01T08:00:00Z"
    assert 0 < fact["effective_confidence"] <= fact["confidence"] < 1
    assert len(fact["evidence"]) == 1
    assert fact["label"] != fact["key"]


@pytest.mark.usefixtures("moved")
def test_for_people_a_fact_is_a_line_of_key_value_and_confidence() -> None:
    (line,) = jiyi("facts", "--user", "ada").out.splitlines()
    key, value, confidence = line.split("  ")

    assert (value, confidence[0], confidence[-1]) == ("上海", "(", ")")
    assert key == jiyi("facts", "--user", "ada", "--json").json["facts"][0]["key"]
    assert "[superseded until 2026-05-01]" in jiyi("facts", "--user", "ada", "--all").out


@pytest.mark.usefixtures("moved")
def test_why_shows_the_words_the_time_and_the_source() -> None:
    (fact,) = jiyi("facts", "--user", "ada", "--json").json["facts"]

    by_id, by_key = jiyi("why", fact["id"], "--user", "ada"), jiyi("why", fact["key"], "--user", "ada", "--json")

    assert by_id.out.splitlines()[1] == "  2026-05-01 08:00  import  “我住在上海”  (0.75)  a"
    believed, before = by_key.json["facts"]
    assert (believed["value"], before["value"]) == ("上海", "北京")
    assert [piece["quote"] for piece in before["evidence"]] == ["我住在北京"]
    assert [piece["episode_id"] for piece in believed["evidence"]] == ["a-1"]


@pytest.mark.usefixtures("moved")
def test_what_is_not_known_cannot_be_explained() -> None:
    done = jiyi("why", "user.shoe_size", "--user", "ada")
    (fact,) = jiyi("facts", "--user", "ada", "--json").json["facts"]

    assert (done.status, done.out, "user.shoe_size" in done.err) == (1, "", True)
    assert jiyi("why", fact["id"], "--user", "bob").status == 1


def test_what_was_refused_is_counted_by_reason(tmp_path: Path) -> None:
    told("ada", tmp_path / "a.jsonl", "我叫小王", "谢谢")

    counted = jiyi("stats", "--user", "ada", "--json").json

    assert {kind: count for kind, count in counted["kept"].items() if count} == {
        "episodes": 2,
        "facts": 1,
        "evidence": 1,
    }
    assert isinstance(counted["refused"], dict)
    assert jiyi("stats", "--user", "bob", "--json").json["kept"]["episodes"] == 0


def test_an_export_holds_everything_of_one_user_in_the_same_order_whatever_came_first(tmp_path: Path) -> None:
    one, other = corpus("a", turn("a1", "我对花生过敏"), turn("a2", "好的呀")), corpus("b", turn("b1", "我叫小王"))
    for user, corpora in (("ada", (one, other)), ("bob", (other, one))):
        jiyi("ingest", written(tmp_path / f"{user}.jsonl", *corpora), "--user", user)

    ada, bob = (jiyi("export", "--user", user, "--json").json for user in ("ada", "bob"))

    assert set(ada) == {
        "version", "user", "episodes", "facts", "evidence", "events", "followups", "relations", "pending", "lessons", "sessions", "core"
    }  # fmt: skip
    assert (ada["version"], ada["user"]) == (1, "ada")
    assert ada["episodes"] == bob["episodes"]
    assert [episode["id"] for episode in ada["episodes"]] == ["a1", "a2", "b1"]
    assert {fact["value"] for fact in ada["facts"]} == {"花生", "小王"}
    assert all(item["agent"] == "_" for kind in ("episodes", "facts", "evidence") for item in ada[kind])
    assert jiyi("export", "--user", "ada").out == jiyi("export", "--user", "ada", "--json").out
    assert jiyi("export", "--user", "ad").json["episodes"] == []


@pytest.mark.parametrize(
    ("texts", "task"),
    [
        (("Help me plan a fair.", "That's done, thanks."), "Help me plan a fair"),
        (("帮我策划集市。", "搞定了，谢谢。"), "帮我策划集市"),
    ],
)
def test_an_export_holds_what_was_worked_on(texts: tuple[str, str], task: str) -> None:
    jiyi("chat", "--user", "ada", "--thread", "t", "--message", texts[0], "--message", texts[1])
    assert [session["task"] for session in jiyi("export", "--user", "ada").json["sessions"]] == [task]
    assert jiyi("export", "--user", "bob").json["sessions"] == []


@pytest.mark.parametrize("command", [("facts",), ("why", "user.name"), ("export",), ("stats",), ("recall", "x")])
def test_nobody_is_never_everybody(command: tuple[str, ...]) -> None:
    assert jiyi(*command).status == 2
    assert jiyi(*command, "--user", "  ").status == 2
    assert jiyi(*command, "--user", "\udcff").status == 2
