"""`jiyi reindex`: the indexes are made anew, and what was remembered is found as before."""

from __future__ import annotations

from tests.jiyi.command_line import jiyi

LOCAL = {"EMBEDDINGS": "local"}


def test_it_says_what_was_made_and_loses_nothing() -> None:
    jiyi("chat", "--user", "ada", "--message", "我对花生过敏", "--message", "我住在杭州")

    done = jiyi("reindex", "--json", env=LOCAL)

    told = done.json
    assert (done.status, told["missing"], told["collections"], told["by_another_process"]) == (0, 0, 0, False)
    assert told["words"] == told["embedded"] > 0
    assert "花生" in jiyi("recall", "过敏", "--user", "ada").out
    again = jiyi("reindex", env=LOCAL).out.splitlines()
    assert again[1] == f"vectors: 0 items embedded by {told['embedder']}; {told['words']} have theirs, 0 do not"


def test_without_an_embedder_only_words_are_written() -> None:
    jiyi("chat", "--user", "ada", "--message", "我住在杭州")

    done = jiyi("reindex")

    assert done.status == 0
    assert "EMBEDDINGS=none" in done.out
