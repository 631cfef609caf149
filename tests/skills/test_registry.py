from __future__ import annotations

import re
from datetime import datetime

import pytest
from pydantic import BaseModel, ConfigDict

from memory.namespaces import BlankIdError
from skills.bilingual import same
from skills.registry import (
    Caller,
    NaiveTimeError,
    NeedsConsent,
    Passed,
    Refused,
    Settled,
    Tool,
    ToolNameError,
    ToolOutcome,
    Verdict,
    attempt,
    find,
    registered,
    schemas,
)


class Wish(BaseModel):
    model_config = ConfigDict(extra="forbid")
    title: str
    copies: int = 1


class Press:
    """A tool's act and checks that write down what happened."""

    def __init__(self, *verdicts: Verdict) -> None:
        self.verdicts = list(verdicts)
        self.log: list[str] = []

    async def check(self, wish: Wish, caller: Caller) -> Verdict:
        self.log.append("check")
        return self.verdicts[0]

    async def second_check(self, wish: Wish, caller: Caller) -> Verdict:
        self.log.append("second check")
        return self.verdicts[-1]

    async def run(self, wish: Wish, caller: Caller) -> ToolOutcome:
        self.log.append(f"run for {caller.user}")
        return ToolOutcome(ok=True, text=f"{wish.title} x{wish.copies}")


def printer(press: Press, *, write: bool, name: str = "press.print") -> Tool:
    return Tool(
        name=name,
        description=same("Print something."),
        arguments=Wish,
        effect="write" if write else "read",
        checks=(press.check, press.second_check) if press.verdicts else (),
        run=press.run,
    )


async def test_a_reading_tool_runs_without_asking(caller: Caller) -> None:
    press = Press(Passed())
    outcome = await attempt(printer(press, write=False), {"title": "a", "copies": "2"}, caller, consent=None)
    assert outcome == ToolOutcome(ok=True, text="a x2")
    assert press.log == ["check", "second check", "run for 小王"]


async def test_a_writing_tool_asks_first_even_without_a_check_that_asks(caller: Caller) -> None:
    press = Press()
    asked = await attempt(printer(press, write=True), {"title": "a"}, caller, consent=None)
    assert isinstance(asked, NeedsConsent)
    assert asked.question.zh == "可以执行 press.print（title=a, copies=1）吗？"
    assert asked.question.en == "May I run press.print (title=a, copies=1)?"
    assert press.log == []


async def test_a_writing_tool_runs_with_consent_and_its_checks_run_again(caller: Caller) -> None:
    press = Press(Passed())
    tool = printer(press, write=True)
    await attempt(tool, {"title": "a"}, caller, consent=None)
    outcome = await attempt(tool, {"title": "a"}, caller, consent=True)
    assert outcome == ToolOutcome(ok=True, text="a x1")
    assert press.log == ["check", "second check", "check", "second check", "run for 小王"]


async def test_without_consent_nothing_runs(caller: Caller) -> None:
    press = Press()
    outcome = await attempt(printer(press, write=True), {"title": "a"}, caller, consent=False)
    assert isinstance(outcome, ToolOutcome)
    assert (outcome.ok, outcome.data) == (False, {"refused": "user"})
    assert "没有同意" in outcome.text
    assert "did not agree" in outcome.text
    assert press.log == []


@pytest.mark.parametrize("consent", [None, True, False])
async def test_a_check_that_refuses_stands_above_consent(caller: Caller, consent: bool | None) -> None:
    press = Press(Refused(same("the press is broken")))
    outcome = await attempt(printer(press, write=True), {"title": "a"}, caller, consent=consent)
    assert outcome == ToolOutcome(ok=False, text="the press is broken", data={"refused": "check"})
    assert press.log == ["check"]


async def test_a_later_refusal_wins_over_an_earlier_question(caller: Caller) -> None:
    press = Press(NeedsConsent(same("really?")), Refused(same("no paper")))
    outcome = await attempt(printer(press, write=True), {"title": "a"}, caller, consent=None)
    assert outcome == ToolOutcome(ok=False, text="no paper", data={"refused": "check"})


async def test_a_check_may_ask_about_a_reading_tool_too(caller: Caller) -> None:
    press = Press(NeedsConsent(same("really?")))
    tool = printer(press, write=False)
    assert await attempt(tool, {"title": "a"}, caller, consent=None) == NeedsConsent(same("really?"))
    declined = await attempt(tool, {"title": "a"}, caller, consent=False)
    assert isinstance(declined, ToolOutcome)
    assert not declined.ok
    assert press.log.count("run for 小王") == 0


async def test_what_is_settled_needs_no_consent_and_does_not_run_again(caller: Caller) -> None:
    done = ToolOutcome(ok=True, text="printed before")
    press = Press(Settled(done))
    assert await attempt(printer(press, write=True), {"title": "a"}, caller, consent=None) == done
    assert press.log == ["check"]


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        ({}, "title: missing"),
        ({"titles": "a"}, "titles: unknown, did you mean title?"),
        ({"title": "a", "copies": "many"}, "copies: Input should be a valid integer"),
        ({"title": None}, "title: Input should be a valid string"),
        ({"title": "a", "user": "小李"}, "user: unknown"),
    ],
)
async def test_wrong_arguments_are_told_to_the_model(caller: Caller, raw: dict[str, object], said: str) -> None:
    press = Press(Passed())
    outcome = await attempt(printer(press, write=True), raw, caller, consent=True)
    assert isinstance(outcome, ToolOutcome)
    assert (outcome.ok, outcome.data["refused"]) == (False, "arguments")
    assert said in outcome.text
    assert "press_print 的参数不对" in outcome.text
    assert "Expected: title, copies?" in outcome.text
    assert press.log == []


def test_a_tool_is_offered_under_a_name_that_providers_take() -> None:
    tool = printer(Press(), write=False)
    assert tool.offered_as == "press_print"
    assert find([tool], "press_print") is tool
    assert find([tool], "press.print") is tool
    assert find([tool], "press") is None


@pytest.mark.parametrize("name", ["", "打印", "a b", ".a", "a..b", "a" * 65])
def test_a_name_that_cannot_be_offered_is_refused(name: str) -> None:
    with pytest.raises(ToolNameError, match="Cannot offer"):
        printer(Press(), write=False, name=name)


def test_two_tools_cannot_be_offered_under_one_name() -> None:
    with pytest.raises(ToolNameError, match=re.escape("'press.print' is offered as 'press_print' already")):
        registered([printer(Press(), write=False), printer(Press(), write=False, name="press_print")])


def test_a_schema_is_a_function_without_titles_and_keeps_an_argument_called_title() -> None:
    [schema] = schemas([printer(Press(), write=False)])
    assert schema == {
        "type": "function",
        "function": {
            "name": "press_print",
            "description": "Print something.",
            "parameters": {
                "type": "object",
                "additionalProperties": False,
                "properties": {"title": {"type": "string"}, "copies": {"type": "integer", "default": 1}},
                "required": ["title"],
            },
        },
    }


def test_a_caller_has_a_name_and_a_time_with_its_zone(caller: Caller) -> None:
    with pytest.raises(BlankIdError):
        Caller(user=" ", thread_id="t", now=caller.now)
    with pytest.raises(NaiveTimeError, match="no time zone"):
        Caller(user="小王", thread_id="t", now=datetime(2026, 1, 1))  # noqa: DTZ001 - that is the point
