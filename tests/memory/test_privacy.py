import re
from typing import cast, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.detectors.samples import filled
from memory.digits import has_resident_check, is_account, is_card, is_resident_id
from memory.privacy import PrivateKind, redact, secret_rows
from memory.surrogates import visible


def _samples(kind: str) -> list[tuple[str, str]]:
    return [(str(row["id"]), filled(each)) for row in secret_rows() for each in cast(list[str], row[kind])]


@pytest.mark.parametrize(("row", "sample"), _samples("yes"))
def test_a_secret_of_each_format_is_replaced(row: str, sample: str) -> None:
    redacted = redact(sample)
    assert "secret" in {found.kind for found in redacted.found}, row
    assert not any(filled(filler) in redacted.text for filler in ("{x11}", "{X12}", "{h16}", "{d12}", "{l16}"))


@pytest.mark.parametrize(("row", "sample"), _samples("no"))
def test_what_only_resembles_a_secret_stays(row: str, sample: str) -> None:
    assert redact(sample).text == sample, row


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("我的手机号 13800138000，请记住。", "我的手机号 [phone]，请记住。"),
        ("打我电话138-0013-8000或138 0013 8000", "打我电话[phone]或[phone]"),
        *(
            (number, "[phone]")
            for number in (
                "138.0013.8000",
                "138·0013·8000",
                "138/0013/8000",
                "138_0013_8000",
                "138,0013,8000",
                "138  0013\t8000",
                "138\n0013\n8000",
                "1 3 8 0 0 1 3 8 0 0 0",
                "13-80-01-38-00-0",
                "138\u200b0013\u200b8000",
                "\u0661\u0663\u0668\u0660\u0660\u0661\u0663\u0668\u0660\u0660\u0660",
                "①③⑧⓪⓪①③⑧⓪⓪⓪",
                "一三八零零一三八零零零",
                "幺三八〇〇幺三八〇〇〇",
            )
        ),
        ("13800138000.0", "[phone].0"),
        ("13800138000,13900139000", "[phone],[phone]"),
        ("4111.1111.1111.1111或4111_1111_1111_1111", "[bank_card]或[bank_card]"),
        ("jos\u00e9@example.com, 小王@example.com, ada @ example.com", "[email], [email], [email]"),
        ("我住建国路八十八号", "我住[street]"),
        ('{"password": "correct horse"}', '{"password": "[secret]"}'),
        ("password (work): hunter2", "password (work): [secret]"),
        ("password -> hunter2", "password -> [secret]"),
        ("密码，是 hunter2", "密码，是 [secret]"),
        ("密码是“芝麻 开门”", "密码是“[secret]”"),
        ("手机１３８００１３８０００", "手机[phone]"),
        ("+86 13800138000", "[phone]"),
        ("座机010-88888888，传真 (021) 6666 7777", "座机[phone]，传真 [phone]"),
        ("call +44 20 7946 0958 or (415) 555-0100", "call [phone] or [phone]"),
        ("415-555-0100x23", "[phone]"),
        ("身份证110101199003078515。", "身份证[national_id]。"),
        ("老身份证 110101900307851", "老身份证 [national_id]"),
        ("卡号6222 0210 0111 2345 678", "卡号[bank_card]"),
        ("pay with 4111-1111-1111-1111", "pay with [bank_card]"),
        ("发到ada.l@example.com吧", "发到[email]吧"),
        ("My SSN is 078-05-1120", "My SSN is [us_ssn]"),
        ("GB82 WEST 1234 5698 7654 32", "[iban]"),
        ("护照号E12345678", "护照号[passport]"),
        ("我住在杭州市西湖区文三路456号3号楼201室", "我住在杭州市[street]"),
        ("寄到浙江省杭州市西湖区文三路456号", "寄到浙江省杭州市[street]"),
        ("北京市朝阳区建国路88号", "北京市[street]"),
        ("I live at 221 Baker Street, London", "I live at [street], London"),
        ("密码是Tr0ub4dor&3，别说", "密码是[secret]，别说"),
        ("my password is hunter2", "my password is [secret]"),
    ],
)
def test_what_names_a_person_becomes_a_typed_placeholder(text: str, redacted: str) -> None:
    assert redact(text).text == redacted


@pytest.mark.parametrize(
    "text",
    [
        "我的订单号是 #8842，帮我查物流",
        "订单号 2024123456",
        "订单号是4111111111111111",
        "快递单号SF1234567890123",
        "快递单号：75312345678901",
        "ERR-4471 at 2024-03-01 10:20:30",
        "版本 3.11.2，价格 ￥1299.00，共 100000 件",
        "timestamp 1709251200, 1709251200000 ms",
        "我叫李雷，住在杭州，生日是1990年3月7日",
        "order number 2024010112345678",
        "ISO 8601, RFC 9110, port 11434, 3.14159265358979",
        "commit 85bb66c1234567890123456789012345678901ab",
        "一共 13800 元",
        "版本 13.8.0.0.1380",
        "价格 13,800,138,000",
        "地铁二号线，一九九八年，一二三四五六七",
        "7 June 2024, 12:30-13:45",
    ],
)
def test_what_names_no_person_stays(text: str) -> None:
    assert redact(text).text == text


def test_a_mobile_number_is_private_even_where_it_is_called_an_order() -> None:
    assert redact("我的订单号是13800138000").text == "我的订单号是[phone]"


def test_a_finding_says_where_it_stood() -> None:
    text = "邮箱a@example.com，手机13800138000"
    assert [(found.kind, text[found.start : found.end]) for found in redact(text).found] == [
        ("email", "a@example.com"),
        ("phone", "13800138000"),
    ]


def test_the_longer_of_two_findings_is_taken() -> None:
    assert redact("postgres://app:13800138000@db.example.com/x").text == "[secret]"


def test_check_digits_are_checked() -> None:
    assert has_resident_check("11010519491231002X")
    assert not has_resident_check("110105194912310021")
    assert is_resident_id("110101199003078515")
    assert is_card("4111111111111111")
    assert not is_card("4111111111111112")
    assert is_account("GB82WEST12345698765432")
    assert not is_account("GB83WEST12345698765432")
    assert not is_resident_id("110101199013078515")


pieces = st.sampled_from(
    [
        "手机",
        "phone ",
        "13800138000",
        "+86",
        "-",
        " ",
        "[phone]",
        "密码是",
        "password is ",
        "4111111111111111",
        "订单号",
        "a@b.co",
        "：",
        "1",
        "X",
        "sk-",
        "abcdefgh12345678",
        "[secret]",
        "路",
        "12号",
        "0",
        "\n",
        "�",
        "é",
        "—",
        " at ",
        " dot com",
        "@a。com",
        "是我的护照",
        "微信：",
        "zhangwei",
        "元",
        "是验证码",
        "账号",
        "1.1.1.1",
        "%40",
        "是我的QQ",
    ]
)


@given(st.one_of(st.text(), st.lists(pieces, max_size=12).map("".join)))
def test_redacting_twice_changes_nothing_more(text: str) -> None:
    once = redact(text)
    assert redact(once.text).text == once.text
    assert redact(once.text).found == ()


@given(st.one_of(st.text(), st.lists(pieces, max_size=12).map("".join)))
def test_only_what_was_found_is_replaced(text: str) -> None:
    redacted, text = redact(text), visible(text)
    rest, done = [], 0
    for found in redacted.found:
        assert done <= found.start < found.end <= len(text)
        rest += [text[done : found.start], f"[{found.kind}]"]
        done = found.end
    assert redacted.text == "".join([*rest, text[done:]])


@given(st.from_regex(r"1[3-9][0-9]{9}", fullmatch=True), st.sampled_from(["我的号码", "打", "手机号是", "，"]))
def test_every_mobile_number_is_found_beside_chinese(number: str, before: str) -> None:
    assert redact(f"{before}{number}吧").text == f"{before}[phone]吧"


def test_every_kind_has_a_placeholder_that_is_left_alone() -> None:
    for kind in get_args(PrivateKind):
        assert redact(f"[{kind}]").text == f"[{kind}]"
        assert re.fullmatch(r"[a-z_]+", kind)


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "piece",
    [
        *(
            "1",
            "1 ",
            "1.",
            "1:",
            "a-",
            "ab@",
            "x",
            " ",
            "sk-",
            "eyJ",
            "password ",
            "一",
            "路1号",
            "session=",
            "::",
            "A",
            "Ab ",
            "\n",
        ),
        *(
            "12 Ab ",
            "+86",
            "+8613800138000",
            "13800138000,",
            "4111-1111-1111-1111 ",
            "密码是",
            "key=",
            "Suite 1 ",
            "(1) ",
            "GB82",
            "@",
            "[",
            "a at b dot ",
            "a@b。",
            "文路 1 ",
            "1234 | ",
            "1234是",
            "微信:ab ",
        ),
    ],
)
def test_a_long_text_of_one_repeated_piece_is_redacted_in_time(piece: str) -> None:
    assert redact(piece * (20_000 // len(piece))).text


@pytest.mark.timeout(60)
@pytest.mark.parametrize("piece", ["1", "a", "中", " ", ".", "1 a中@"])
def test_the_longest_texts_are_redacted_in_time(piece: str) -> None:
    assert redact(piece * (100_000 // len(piece))).text


def test_what_a_replacement_uncovers_is_found_too() -> None:
    number = "+33184176022"
    assert redact(number * 300).text == "[phone]" * 300
