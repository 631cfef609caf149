"""Pasted: a letter in quotation marks is not the user's own words; what they say around it, and what they quote in a line, is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.extraction import propose
from memory.gate import Refused, judge
from memory.keys import default_keys
from memory.kinds import Draft
from memory.pasted import own_words

LETTER_EN = '"Dear Ms Cole,\nmy name is Rupert Vale, I live in Truro.\nI am allergic to wool.\nKind regards"'
LETTER_ZH = '"尊敬的校长：\n我叫马建国，住在兰州，我对海鲜过敏。\n此致"'


@pytest.mark.parametrize(
    ("before", "letter", "after", "key", "value"),
    [
        ("Is this too stiff?\n", LETTER_EN, "\nI live in Bath.", "user.name", "Rupert Vale"),
        ("Too long? ", LETTER_EN, "", "user.lives_in", "Truro"),
        ("Too long?\n", LETTER_EN.replace('"', "“", 1).replace('"', "”"), "", "user.allergy", "wool"),
        ("语气合适吗？\n", LETTER_ZH, "\n我住在西宁。", "user.name", "马建国"),
        ("这样写行不行？", LETTER_ZH, "", "user.lives_in", "兰州"),
        ("这样写行不行？", LETTER_ZH.replace('"', "「", 1).replace('"', "」"), "", "user.allergy", "海鲜"),
    ],
)
def test_a_letter_in_quotation_marks_is_not_the_users_own(
    before: str, letter: str, after: str, key: str, value: str
) -> None:
    text = before + letter + after
    quote = next(line for line in letter.splitlines() if value in line)
    drafts = [Draft(key=key, value=value, confidence=0.9, quote=quote), *propose(text, said_at=None)]
    judged = [judge(each, keys=default_keys(), heard=[text]) for each in drafts if each.value in letter]

    assert judged
    assert all(isinstance(each, Refused) for each in judged)
    assert own_words(text).startswith(before.strip())
    assert own_words(text).endswith(after)


@pytest.mark.parametrize(
    "text",
    [
        'I call it "home".\nI live in "Leeds."\nMy cat is "Tea".',
        'A 6" pipe and\na 5" pipe, I live in York',
        '我叫"小周"。\n我住在"苏州"，在"华为"上班。',
        '他说"好"我\n就去了"苏州"',
        'It begins with "\nand I live in York',
    ],
)
def test_what_is_quoted_within_a_line_stays(text: str) -> None:
    assert own_words(text) == text


@given(st.text(alphabet='a我 ":“”「」\n.', max_size=80))
def test_own_words_are_as_long_as_the_message_or_end_early_and_keep_its_lines(text: str) -> None:
    own = own_words(text)

    assert len(own) <= len(text)
    assert all(mine == theirs or (mine == "\ufffc" and theirs != "\n") for mine, theirs in zip(own, text, strict=False))


@pytest.mark.timeout(20)
@pytest.mark.parametrize("piece", ['"', '"\n', "“", "「\n", 'a" '])
def test_many_quotation_marks_are_gone_through(piece: str) -> None:
    assert len(own_words(piece * 20_000)) <= len(piece) * 20_000
