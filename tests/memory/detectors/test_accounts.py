"""Accounts: e-mail addresses, cards and IBANs are found in both languages, and what only looks like one stays."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.digits import passes_luhn
from memory.privacy import redact

CARRIERS = st.sampled_from(["{}", "记一下{}，谢谢", "卡是{}。", "please note {} for me", "({})", "它是：{}"])


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("发到li.lei+shop@mail.example.cn吧", "发到[email]吧"),
        ("write to o'neil@example.ie, please", "write to [email], please"),
        ("ADA＠EXAMPLE.COM", "[email]"),
        ("ada [at] example.com", "[email]"),
        ("ada%40example.com", "[email]"),
        ("write to ada at example dot com", "write to [email]"),
        ("ada(at)example(dot)com", "[email]"),
        ("ada艾特example点com", "[email]"),
        ("发到ada@example。com，谢谢", "发到[email]，谢谢"),
        ("4111 - 1111 - 1111 - 1111", "[bank_card]"),
        ("4111 | 1111 | 1111 | 1111", "[bank_card]"),
        ("4111，1111，1111，1111", "[bank_card]"),
        ("卡#4111111111111111", "卡#[bank_card]"),
        ("刷卡 4111111111111112", "刷卡 [bank_card]"),
        ("my card 4111111111111112", "my card [bank_card]"),
        ("5500 - 0000 - 1234 - 5678", "[bank_card]"),
        ("汇到账号 6222020012345678", "汇到账号 [bank_card]"),
        ("my account number is 123456789", "my account number is [bank_card]"),
        ("4111 1111 1111 1111和5500-0000-0000-0004", "[bank_card]和[bank_card]"),
        ("6222020012345678901是我的工资卡", "[bank_card]是我的工资卡"),
        ("银行卡号：6217001234567890123", "银行卡号：[bank_card]"),
        ("I pay with 3782 822463 10005", "I pay with [bank_card]"),
        ("my debit card is 4000 1234 5678 9011", "my debit card is [bank_card]"),
        ("two cards: 4111111111111111, 5500000000000004", "two cards: [bank_card], [bank_card]"),
        ("学费汇到DE89 3704 0044 0532 0130 00，谢谢", "学费汇到[iban]，谢谢"),
        ("NL91ABNA0417164300 belongs to her", "[iban] belongs to her"),
        ("IBAN: fr14 2004 1010 0505 0001 3m02 606", "IBAN: [iban]"),
    ],
)
def test_an_account_is_replaced(text: str, redacted: str) -> None:
    assert redact(text).text == redacted


@pytest.mark.parametrize(
    "text",
    [
        "git clone git@code.example.org:team/app.git",
        "npm i left-pad@1.3.0",
        "logo@2x.png",
        "图标@3x.png",
        "pkg@1.2.7.beta",
        "装饰器@app.get",
        "layers @ tf.nn",
        "meet me at noon dot",
        "在公司点外卖",
        "5000 6000 4500 3200",
        "3857 4326 2000 1984",
        "5120 - 4096 - 2048 - 1024",
        "订单 #4111111111111111",
        "账号数量 12345678",
        "account number of 20240315",
        "vectors @ np.asarray(matrix)",
        "订单4111111111111111已付款",
        "order 5500000000000004 was refunded",
        "card games on 20240315 102030",
        "1234567890123456",
        "DE00370400440532013000",
    ],
)
def test_what_only_resembles_an_account_stays(text: str) -> None:
    assert redact(text).text == text


@st.composite
def cards(draw: st.DrawFn) -> str:
    prefix, length = draw(st.sampled_from([("4", 16), ("55", 16), ("62", 19), ("6011", 16), ("35", 16)]))
    count = length - len(prefix) - 1
    body = prefix + draw(st.text("0123456789", min_size=count, max_size=count))
    return next(body + check for check in "0123456789" if passes_luhn(body + check))


@settings(deadline=None)
@given(cards(), st.sampled_from(["", " ", "-"]), CARRIERS)
def test_no_digit_of_a_card_remains_however_it_is_grouped(card: str, gap: str, carrier: str) -> None:
    grouped = gap.join(card[place : place + 4] for place in range(0, len(card), 4))
    redacted = redact(carrier.format(grouped))
    assert redacted.text == carrier.format(f"[{redacted.found[0].kind}]")
