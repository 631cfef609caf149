"""Names of numbers: what a policy and a tag make of what is found."""

from __future__ import annotations

import hashlib
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.privacy import PLACEHOLDER, PrivacyError, PrivateKind, default_policy, read_policy, redact

ZH = "我的手机号是13812345678，住在杭州市西湖区文三路456号，密码是Tulip#4829"
EN = "my number is (415) 555-0132, I live at 221 Baker Street, my password is Tulip#4829"


def tag(kind: PrivateKind, number: str) -> str:
    return hashlib.sha256(f"a key {kind} {number}".encode()).hexdigest()[:8]


def test_numbers_are_named_and_secrets_and_streets_are_not() -> None:
    name, other = tag("phone", "13812345678"), tag("phone", "4155550132")
    assert redact(ZH, tag=tag).text == f"我的手机号是[phone:{name}]，住在杭州市[street]，密码是[secret]"
    assert redact(EN, tag=tag).text == f"my number is [phone:{other}], I live at [street], my password is [secret]"


def test_without_a_tag_nothing_is_named() -> None:
    assert redact(ZH).text == "我的手机号是[phone]，住在杭州市[street]，密码是[secret]"
    assert redact(ZH, policy=read_policy({"phone": "redact"}), tag=tag).text == redact(ZH).text


def test_what_the_policy_keeps_stays_and_is_not_found() -> None:
    policy = read_policy({"phone": "keep", "street": "keep"})
    for text in (ZH, EN):
        redacted = redact(text, policy=policy, tag=tag)
        assert redacted.text == text.replace("Tulip#4829", "[secret]")
        assert [each.kind for each in redacted.found] == ["secret"]


def test_a_kind_that_a_policy_leaves_out_is_redacted() -> None:
    assert redact(ZH, policy={}, tag=tag).text == redact(ZH).text


@pytest.mark.parametrize(
    "writings",
    [
        ("13812345678", "+86 138-1234-5678", "１３８１２３４５６７８", "0086-138 1234 5678"),
        ("(415) 555-0132", "+1 415 555 0132", "1-415-555-0132"),
        ("ada.l@example.com", "ADA.L@example.COM", "ada.l＠example.com"),
        ("4111 1111 1111 1111", "4111111111111111", "4111-1111-1111-1111"),
        ("GB82 WEST 1234 5698 7654 32", "GB82WEST12345698765432"),
        ("11010519491231002X", "11010519491231002x"),
        ("京A·81234", "京A81234"),
        ("2001:db8::12:34", "2001:0DB8:0:0:0:0:12:34"),
    ],
)
@pytest.mark.parametrize("carrier", ["记住{}吧", "please note {} for me"])
def test_the_same_number_in_other_writing_has_the_same_name(carrier: str, writings: tuple[str, ...]) -> None:
    shown = {redact(carrier.format(writing), tag=tag).text for writing in writings}
    assert len(shown) == 1
    assert PLACEHOLDER.search(shown.pop())


@pytest.mark.parametrize("name", ["", "short", "eleven-more", "abc def", "[phone]", "一二三四五六七"])
def test_a_name_that_is_no_name_is_refused(name: str) -> None:
    with pytest.raises(PrivacyError, match="6 to 10"):
        redact(ZH, tag=lambda kind, number: name)


pieces = st.sampled_from(
    [
        "13812345678",
        "手机",
        "call ",
        "ada@example.com",
        "[phone:k3f9a2]",
        "4111111111111111",
        " ",
        "，",
        "密码是",
        "a1b2c3d4",
        "号",
    ]
)


@settings(deadline=None)
@given(st.lists(pieces, max_size=10).map("".join))
def test_what_was_named_is_left_alone_when_redacted_again(text: str) -> None:
    once = redact(text, tag=tag)
    assert redact(once.text, tag=tag).text == once.text
    assert redact(once.text, tag=tag).found == ()


@settings(deadline=None)
@given(st.text(st.characters(categories=["L", "P", "Z"], exclude_characters="@＠﹫", max_codepoint=0x2FFF)))
def test_a_text_without_digits_at_signs_and_words_for_secrets_stays(text: str) -> None:
    seen = redact(re.sub("(?i)pass|pwd|pin|otp|key|token|secret|wifi|cookie|sess|basic|bearer", "", text))
    assert seen.found == ()


def test_the_default_policy_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        default_policy()["phone"] = "keep"  # type: ignore[index]
