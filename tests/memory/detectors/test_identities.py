"""Identities: what an authority gave, plates and names in messengers are found, and what only resembles them stays."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.digits import RESIDENT_CHECKS, RESIDENT_WEIGHTS
from memory.privacy import redact


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("身份证110101 19900307 8515", "身份证[national_id]"),
        ("身份证号码是11010119900307851x。", "身份证号码是[national_id]。"),
        ("her ID card number is 758008197401179120", "her ID card number is [national_id]"),
        ("香港身份证A123456(7)", "香港身份证[national_id]"),
        ("护照EJ2345678丢了", "护照[passport]丢了"),
        ("港澳通行证号码：C91234567", "港澳通行证号码：[passport]"),
        ("passport no. 533401728", "passport no. [passport]"),
        ("passport no. E 12345678", "passport no. [passport]"),
        ("护照号 E 12345678", "护照号 [passport]"),
        ("E12345678是我的护照", "[passport]是我的护照"),
        ("E12345678 is my passport", "[passport] is my passport"),
        ("我微信是zhangwei", "我微信是[im_id]"),
        ("WeChat: zhangwei", "WeChat: [im_id]"),
        ("12345678是我的QQ", "[im_id]是我的QQ"),
        ("12345678 is my QQ", "[im_id] is my QQ"),
        ("lihua_2020是我的微信", "[im_id]是我的微信"),
        ("lihua_2020 is my WeChat", "[im_id] is my WeChat"),
        ("SSN 457 55 5462", "SSN [us_ssn]"),
        ("驾照档案编号330100456789", "驾照档案编号[driver_license]"),
        ("driving licence MORGA753116SM9IJ", "driving licence [driver_license]"),
        ("京A·81234停在楼下", "[plate]停在楼下"),
        ("新能源沪AD80123", "新能源[plate]"),
        ("my license plate is 7KLM432", "my license plate is [plate]"),
        ("number plate: AB12 CDE", "number plate: [plate]"),
        ("加我微信：lihua_2020", "加我微信：[im_id]"),
        ("微信号是xiaomingtongxue", "微信号是[im_id]"),
        ("QQ 123456789", "QQ [im_id]"),
        ("my wechat is sunny_day77", "my wechat is [im_id]"),
        ("telegram username is @ada_reads", "telegram username is [im_id]"),
    ],
)
def test_what_identifies_somebody_is_replaced(text: str, redacted: str) -> None:
    assert redact(text).text == redacted


@pytest.mark.parametrize(
    "text",
    [
        "order id: 299748346901287905",
        '"id": 123456789012345',
        "工号 110101900307",
        "passport office, 护照办好了",
        "the plates are dirty, 车牌很旧",
        "最新A12345款，北京A12345",
        "微信 android 版，微信 8.0.49",
        "WeChat is amazing",
        "护照 20340315 到期",
        "passport 20340315",
        "订单E12345678是我的",
        "E12345678 is my order",
        "我微信是android版",
        "微信：payment失败",
        "WeChat: payment failed",
        "WeChat: updated",
        "12345678是我的QQ音乐歌单",
        "12345678 is my favourite number",
        "QQ音乐，QQ 9.9.1",
        "part 457-55-54621",
    ],
)
def test_what_only_resembles_an_identity_stays(text: str) -> None:
    assert redact(text).text == text


@settings(deadline=None)
@given(
    st.sampled_from(["110101", "310104", "440106"]),
    st.dates(),
    st.integers(0, 999),
    st.sampled_from(["订单{}", "{}是我", "id {}"]),
)
def test_a_resident_id_with_its_check_is_found_even_where_it_is_called_an_order(
    place: str, born: object, number: int, carrier: str
) -> None:
    digits = str(born).replace("-", "")
    body = f"{place}{digits}{number:03d}"
    total = sum(weight * int(char) for weight, char in zip(RESIDENT_WEIGHTS, body, strict=True))
    redacted = redact(carrier.format(body + RESIDENT_CHECKS[total % 11]))
    is_recent = 1880 <= int(digits[:4]) <= 2100
    assert not is_recent or redacted.text == carrier.format("[national_id]")
