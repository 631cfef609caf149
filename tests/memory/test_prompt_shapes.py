"""Lines of our own prompts, pasted without their tags, are nobody's telling."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage

from memory.extraction import propose
from memory.pasted import own_words
from memory.prompt import PromptParts, ShownExchange, ShownFact, ShownSkill, assemble
from memory.prompt_shapes import prompt_spans, without_prompt
from memory.summary import fold_summary

FEBRUARY = datetime(2026, 2, 3, 9, 30, tzinfo=UTC)
CHINESE = PromptParts(
    window=(HumanMessage("在吗"),),
    count=len,
    preferences={"style": "brief", "language": "zh"},
    name="小周",
    facts=(
        ShownFact(key="user.name", label="称呼", value="小周"),
        ShownFact(key="user.remember", label="用户要求记住", value="我住在杭州，我对花生过敏"),
    ),
    summary=fold_summary("", [HumanMessage("我叫小周，我是 2019 年搬到杭州的"), AIMessage("好的")], language="zh"),
    recalled=(
        ShownExchange(id="a", said_at=FEBRUARY, lines=(("user", "我叫小周，我住在杭州"), ("assistant", "我记住了"))),
        ShownExchange(id="b", said_at=None, lines=(("小李", "我是医生，我喜欢茶"),)),
    ),
    skills=(ShownSkill(id="trips", description="我喜欢坐火车", steps=("我住在杭州",), safety_checks=("我叫小周",)),),
)
ENGLISH = PromptParts(
    window=(HumanMessage("hello"),),
    count=len,
    preferences={"style": "detailed", "language": "en"},
    name="Zoe",
    facts=(
        ShownFact(key="user.name", label="name", value="Zoe"),
        ShownFact(key="user.remember", label="asked to remember", value="I live in Leeds, I am allergic to nuts"),
    ),
    summary=fold_summary(
        "", [HumanMessage("My name is Zoe, I moved to Leeds in 2019"), AIMessage("Fine")], language="en"
    ),
    recalled=(
        ShownExchange(id="a", said_at=FEBRUARY, lines=(("user", "My name is Zoe"), ("assistant", "I live in Leeds"))),
        ShownExchange(id="b", said_at=None, lines=(("Maria", "I am a doctor and I like tea"),)),
    ),
    skills=(ShownSkill(id="trips", description="I like trains", steps=("I live in Leeds",), tools=("I like tea",)),),
)
prompts = pytest.mark.parametrize("parts", [CHINESE, ENGLISH], ids=["zh", "en"])


def shown(parts: PromptParts) -> list[str]:
    """Give the lines of a prompt without its tags and without what the user said last."""
    *text, said = [line for message in assemble(parts) for line in message.text.splitlines()]
    assert said == parts.window[-1].text
    return [line for line in text if line and not line.startswith(("<memory", "</memory"))]


@prompts
def test_a_prompt_pasted_line_by_line_proposes_nothing(parts: PromptParts) -> None:
    for line in shown(parts):
        if not line.startswith("[trips]"):
            assert (line, propose(line, said_at=FEBRUARY)) == (line, [])


@prompts
def test_a_prompt_pasted_at_once_proposes_nothing(parts: PromptParts) -> None:
    assert propose("\n".join(shown(parts)), said_at=FEBRUARY) == []


@prompts
def test_a_prompt_pasted_without_its_beginning_proposes_nothing(parts: PromptParts) -> None:
    lines = shown(parts)
    for at in range(len(lines)):
        assert propose("\n".join(lines[at:]), said_at=FEBRUARY) == []


@prompts
def test_what_is_pasted_of_a_prompt_is_none_of_the_users_own_words(parts: PromptParts) -> None:
    pasted = own_words("\n".join(shown(parts)))
    assert "Zoe" not in pasted
    assert "小周" not in pasted


@pytest.mark.parametrize(
    "line",
    [
        "- User: My name is Zoe",
        "- 用户：我叫小周",
        "[2026-03-02] user: my name is Zoe",
        "[2026-03-02] 用户：我叫小周",
        "- Maria: I live in Leeds",
        "- 小李：我住在杭州",
        "  - name (user.name): I am Zoe",
    ],
)
def test_a_line_of_what_somebody_said_earlier_is_not_told_again(line: str) -> None:
    assert propose(line, said_at=FEBRUARY) == []


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("My name is Zoe", "user.name"),
        ("User: My name is Zoe", "user.name"),
        ("我叫小周", "user.name"),
        ("- User: My name is Max\nI live in Leeds", "user.lives_in"),
        ("- 用户：我叫小陈\n我住在杭州", "user.lives_in"),
    ],
)
def test_what_the_user_tells_themselves_is_read(text: str, key: str) -> None:
    assert [draft.key for draft in propose(text, said_at=FEBRUARY)] == [key]


@given(st.text())
def test_a_text_stays_as_long_and_what_is_no_line_of_ours_stays(text: str) -> None:
    left = without_prompt(text, text, "_")
    assert len(left) == len(text)
    kept = set(range(len(text))) - {at for start, end in prompt_spans(text) for at in range(start, end)}
    assert all(left[at] == text[at] for at in kept)


@pytest.mark.timeout(20)
@pytest.mark.parametrize("piece", ["- ", "- (", "): ", "[1] ", "\n- x: ", "- User: ", "用户", "[2026-03-02]"])
def test_a_long_text_of_one_repeated_piece_is_gone_through_in_time(piece: str) -> None:
    text = piece * (40_000 // len(piece))
    assert len(without_prompt(text, text, "_")) == len(text)
