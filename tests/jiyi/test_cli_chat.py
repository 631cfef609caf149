"""`jiyi chat`: message by message, piped, and streamed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from graph import identity
from jiyi import open_agent
from jiyi.cli.options import LOCAL_USER
from jiyi.testing import HashEmbedder, ScriptedModel, tool_call
from tests.jiyi.command_line import jiyi, texts

ROOT = Path(__file__).resolve().parents[2]


def test_each_message_gets_its_reply_and_what_was_said_is_known_in_the_next_thread() -> None:
    first = jiyi("chat", "--user", "ada", "--thread", "one", "--message", "我叫小王", "--message", "我对花生过敏")
    second = jiyi("chat", "--user", "ada", "--thread", "two", "--message", "我叫什么名字？")
    other = jiyi("chat", "--user", "bob", "--thread", "two", "--message", "我叫什么名字？")

    assert (first.status, first.out.count("\n"), first.err) == (0, 2, "")
    assert "小王" in second.out
    assert "小王" not in other.out
    facts = jiyi("facts", "--user", "ada", "--json").json["facts"]
    assert {fact["value"] for fact in facts} == {"小王", "花生"}


def test_without_a_user_it_is_the_local_one_as_on_the_server() -> None:
    jiyi("chat", "--message", "I parked on level three")

    assert texts("local")[0] == "I parked on level three"
    assert identity.LOCAL_USER == LOCAL_USER


def test_as_json_messages_and_replies_are_one_document() -> None:
    done = jiyi("chat", "--user", "ada", "--message", "hello there", "--json")

    (turn,) = done.json["turns"]
    assert (done.json["user"], done.json["thread"], turn["message"]) == ("ada", "default", "hello there")
    assert turn["reply"]


def test_each_line_that_is_piped_in_is_a_message_until_quit() -> None:
    done = jiyi("chat", "--user", "ada", given="我叫小王\n\n  \n我叫什么？\n/quit\n我住在上海\n")

    assert (done.status, done.err) == (0, "")
    assert len(done.out.splitlines()) == 2
    assert "小王" in done.out.splitlines()[1]
    assert "我住在上海" not in texts("ada")


def test_a_thread_named_by_its_name_is_found_by_it() -> None:
    jiyi("chat", "--user", "ada", "--thread", "garden", "--message", "the roses need water")
    jiyi("chat", "--user", "ada", "--thread", "kitchen", "--message", "the sink needs water")

    found = jiyi("recall", "needs water", "--user", "ada", "--thread", "garden", "--json").json["memories"]

    said = [one["text"] for one in found if one["speaker"] == "user"]
    assert said == ["the roses need water"]


def test_a_file_goes_with_the_message_and_is_remembered_by_its_name(tmp_path: Path) -> None:
    for name, data in (("猫.png", b"\x89PNG"), ("notes.pdf", b"%PDF-"), ("data", b"x" * 9_000)):
        (tmp_path / name).write_bytes(data)
    attached = [part for name in ("猫.png", "notes.pdf", "data") for part in ("--attach", tmp_path / name)]

    done = jiyi("chat", "--user", "ada", "--message", "看看这些", "--message", "谢谢", *attached)

    assert (done.status, done.err) == (0, "")
    assert "猫.png：这个模型不接受图片" in done.out
    assert texts("ada")[0] == "看看这些\n[图片：猫.png] [文件：notes.pdf] [文件：data]"
    assert texts("ada").count("谢谢") == 1


def test_a_file_that_cannot_be_sent_is_told_and_nothing_is_said(tmp_path: Path) -> None:
    with (tmp_path / "huge.bin").open("wb") as huge:
        huge.truncate(60 * 1024 * 1024)
    for name, why in (("missing.png", "No such file"), ("huge.bin", "50 MB at most")):
        done = jiyi("chat", "--user", "ada", "--message", "看 look", "--attach", tmp_path / name)
        assert (done.status, done.out, done.err.count("\n")) == (1, "", 1)
        assert why in done.err
    assert jiyi("chat", "--attach", tmp_path / "huge.bin").status == 2


def test_what_cannot_be_answered_is_one_line_and_status_one() -> None:
    wrong = {"MODEL": "oracle:delphi"}

    done = jiyi("chat", "--user", "ada", "--message", "hello", env=wrong)

    assert (done.status, done.out, done.err.count("\n")) == (1, "", 1)
    assert "oracle:delphi" in done.err
    piped = jiyi("chat", "--user", "ada", env=wrong, given="hello\n")
    assert (piped.status, "oracle:delphi" in piped.err) == (1, True)


def test_an_endpoint_that_cannot_be_reached_is_told() -> None:
    nowhere = {"MODEL": "openai:x", "OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "http://127.0.0.1:9/v1"}

    done = jiyi("chat", "--user", "ada", "--message", "hello", env=nowhere)

    assert done.status == 1
    assert "127.0.0.1:9" in done.out
    assert "OPENAI_BASE_URL" in done.out


def test_wrong_usage_has_its_own_status() -> None:
    assert jiyi("chat", "--user", " ", "--message", "hello").status == 2
    assert jiyi("chat", "--thread", " ", "--message", "hello").status == 2
    assert jiyi("chat", "--message", " ").status == 2
    assert jiyi("chat", "--json").status == 2


async def test_a_reply_comes_piece_by_piece_and_other_nodes_are_not_heard(tmp_path: Path) -> None:
    script = ScriptedModel(replies=["Hello, ada!", tool_call("orderService_get_status", order_id="#8842"), "It is on its way."])  # fmt: skip
    async with open_agent(tmp_path / "home", model=script, embedder=HashEmbedder()) as agent:
        pieces = [piece async for piece in agent.stream("hello", user="ada", thread="t")]
        after_tool = [piece async for piece in agent.stream("where is #8842?", user="ada", thread="t")]

    assert len(pieces) > 1
    assert "".join(pieces) == "Hello, ada!"
    assert "".join(after_tool) == "It is on its way."


def test_before_something_is_cancelled_the_question_is_printed_and_its_answer_goes_on() -> None:
    streamed = jiyi("chat", "--user", "ada", given="cancel my order #8843\nyes\n").out.splitlines()
    whole = jiyi("chat", "--user", "bob", "--message", "cancel my order #8843", "--message", "yes").out.splitlines()

    assert streamed == whole
    assert len(streamed) == 2
    assert "Cancel order #8843" in streamed[0]
    assert "is cancelled" in streamed[1]


def test_as_a_module_it_prints_without_colour_even_when_asked_for_colour() -> None:
    for module, args in (("jiyi", ["--help"]), ("jiyi.cli.main", ["--version"]), ("jiyi", ["facts"])):
        done = subprocess.run(
            [sys.executable, "-m", module, *args], cwd=ROOT, capture_output=True, text=True, check=False
        )
        assert done.returncode == (2 if args == ["facts"] else 0)
        assert "\x1b" not in done.stdout + done.stderr


def test_commands_that_only_read_do_not_load_the_graph() -> None:
    script = (
        "import sys; from jiyi.cli.main import app\n"
        "for args in (['facts', '--user', 'u'], ['recall', 'x', '--user', 'u'], ['export', '--user', 'u']):\n"
        "    app(args, standalone_mode=False)\n"
        "heavy = ('langgraph.graph', 'graph.agent', 'openai', 'chromadb')\n"
        "sys.exit([name for name in heavy if name in sys.modules] or 0)"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr


def test_as_json_each_turn_says_what_its_prompt_took() -> None:
    done = jiyi("chat", "--user", "ada", "--message", "我叫小王", "--message", "what is my name?", "--json")

    for turn in done.json["turns"]:
        told = turn["usage"]
        assert {"current", "max", "remaining", "usage_percent"} < told.keys()
        assert {"system", "facts", "summary", "notes", "episodes", "skills", "window", "question"} < told[
            "parts"
        ].keys()
        assert (told["calls"], told["took"], told["counted_by"]) == (1, None, "estimate")
        assert told["current"] == sum(told["parts"].values())
    first, second = (turn["usage"]["parts"] for turn in done.json["turns"])
    assert (first["window"], second["window"] > 0) == (0, True)


def test_on_a_terminal_the_usage_is_a_line_after_each_reply_where_it_is_asked_for() -> None:
    said = ("chat", "--user", "ada", "--message", "hello there", "--message", "还在吗")

    silent, told = jiyi(*said), jiyi(*said, "--usage")
    piped = jiyi("chat", "--user", "ada", "--usage", given="hello\n")

    assert silent.err == ""
    assert [line.partition(" tokens (")[2] != "" for line in told.err.splitlines()] == [True, True]
    assert told.out.count("\n") == 2
    assert piped.err.startswith("[")
    assert "estimated" in piped.err


def test_the_budgets_are_settings_that_are_checked_when_it_starts() -> None:
    few = {"WINDOW_TOKENS": "500", "MEMORY_TOKENS": "60"}
    usage = jiyi("chat", "--user", "ada", "--message", "hello", "--json", env=few).json["turns"][0]["usage"]
    wrong = jiyi("chat", "--user", "ada", "--message", "hello", env={"WINDOW_TOKENS": "many"})

    assert (usage["window"]["max"], usage["memory"]["max"]) == (500, 60)
    assert (wrong.status, wrong.err.count("\n")) == (1, 1)
    assert "WINDOW_TOKENS" in wrong.err
