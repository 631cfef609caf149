"""Phones: numbers of China and of other countries are found in both languages, and other numbers stay."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.privacy import redact


@pytest.mark.parametrize(
    "number",
    [
        "13900139000",
        "139—0013—9000",
        "139——0013——9000",
        "139~0013~9000",
        "139 - 0013 - 9000",
        "139(0013)9000",
        "139 (0013) 9000",
        "0571.87654321",
        "0571 — 87654321",
        "021～62345678",
        "07700 900461",
        "+86 137-0013-7000",
        "1370013 7000",
        "021-62345678",
        "0755-8234 5678",
        "(020)83334444",
        "02162345678",
        "+852 2345 6789",
        "(415) 555-0132",
        "415.555.0132 ext. 12",
        "1-800-555-0199",
        "001-253-555-0181",
        "+44 20 7946 0321",
        "0044 20 7946 0321",
        "07700 900 461",
        "+49-30-1234567",
        "030/12345678",
        "01.84.17.60.22",
        "01 84 17 60 22",
        "+41 (0)62 555 51 90",
        "+91-71510 88649",
        "(87) 99830-5552",
    ],
)
@pytest.mark.parametrize("carrier", ["{}", "打{}找我", "call {} tonight", "（{}）"])
def test_a_telephone_number_is_replaced_whole(number: str, carrier: str) -> None:
    assert redact(carrier.format(number)).text == carrier.format("[phone]")


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("电话62345678", "电话[phone]"),
        ("my number's 4155550132", "my number's [phone]"),
        ("whatsapp me 4155550132", "whatsapp me [phone]"),
        ("WhatsApp us at 4155550132", "WhatsApp us at [phone]"),
        ("拨打 6234 5678转80", "拨打 [phone]"),
        ("Phone:\n555 0195", "Phone:\n[phone]"),
        ("call me on 9472 5516", "call me on [phone]"),
        ("they are not answering at 71-33-52-20", "they are not answering at [phone]"),
        ("555 437 108 office\n28-64-66-90 fax", "[phone] office\n[phone] fax"),
    ],
)
def test_a_word_beside_it_makes_a_short_number_a_telephone(text: str, redacted: str) -> None:
    assert redact(text).text == redacted


@pytest.mark.parametrize(
    "text",
    [
        "这批货值13812345678元",
        "浏览量13812345678",
        "文件有13812345678字节",
        "views: 13812345678",
        "a revenue of 13812345678",
        "it moved 13812345678 bytes",
        "微信 8.0.47.2560",
        "0571.8765",
        "快递单号：77312345678",
        "tracking 77312345678",
        "客服400-820-8820",
        "订单 0571-8888-6666",
        "call 3 times in 20 minutes",
        "2024/03/15 08:00 - 2024/03/16 18:00",
        "我2024-03-15打电话，12:30:45挂的",
        "[1, 3, 8, 0, 0, 1, 3, 8, 0, 0, 0]",
        "1709251200000",
        "单价13812345.67元",
        "ISBN 0-306-40615-2",
        "5000000 mobile users",
    ],
)
def test_another_number_stays(text: str) -> None:
    assert redact(text).text == text


@settings(deadline=None)
@given(
    st.from_regex(r"1[3-9][0-9]{9}", fullmatch=True),
    st.sampled_from(["{}", "+86{}", "+86 {}", "0086-{}", "手机{}吧", "text {} now"]),
    st.sampled_from(["", " ", "-"]),
)
def test_no_digit_of_a_mobile_number_remains(number: str, carrier: str, gap: str) -> None:
    text = carrier.format(gap.join((number[:3], number[3:7], number[7:])))
    redacted = redact(text)
    assert [each.kind for each in redacted.found] == ["phone"]
    assert not any(char.isdigit() for char in redacted.text)
