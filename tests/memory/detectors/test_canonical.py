"""Canonical: the same number has one writing, and so one name, however it was written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.detectors.canonical import canonical
from memory.detectors.detector import PrivateKind

SAME: dict[PrivateKind, tuple[tuple[str, ...], ...]] = {
    "phone": (
        (
            "13812345678",
            "+86 138-1234-5678",
            "0086 13812345678",
            "１３８１２３４５６７８",
            "138 1234 5678",
            "138—1234—5678",
            "138(1234)5678",
            "一三八一二三四五六七八",
        ),
        ("01062345678", "+86 10 6234 5678", "(010)62345678", "010-6234 5678"),
        ("4155550132", "+1 (415) 555-0132", "415.555.0132", "1-415-555-0132", "001-415-555-0132"),
        ("41625555190", "+41 (0)62 555 51 90", "+41 62 555 51 90", "0041 62 555 51 90"),
        ("4155550132x12", "(415) 555-0132 ext. 12", "415-555-0132x12"),
    ),
    "email": (
        (
            "ada.l@example.com",
            "Ada.L@Example.COM",
            "ada.l @ example.com",
            "ada.l＠example.com",
            "ada.l [at] example.com",
            "ada.l%40example.com",
            "ada.l at example dot com",
            "ada.l(at)example(dot)com",
            "ada.l@example。com",
            "ada.l艾特example点com",
        ),
    ),
    "bank_card": (("4111111111111111", "4111 1111 1111 1111", "4111-1111-1111-1111", "4111 | 1111 | 1111 | 1111"),),
    "iban": (("GB82WEST12345698765432", "gb82 west 1234 5698 7654 32"),),
    "national_id": (("11010519491231002X", "110105 19491231 002x"),),
    "passport": (("E12345678", "E 12345678", "e12345678"),),
    "plate": (("京A81234", "京A·81234", "京a 81234"),),
    "ip": (("2001:db8::1", "2001:0db8:0:0:0:0:0:1", "2001:DB8::1"),),
    "im_id": (("lihua_2020", "LiHua_2020"),),
}


@pytest.mark.parametrize(("kind", "writings"), [(kind, each) for kind, groups in SAME.items() for each in groups])
def test_every_writing_of_a_number_is_the_same(kind: PrivateKind, writings: tuple[str, ...]) -> None:
    assert {canonical(kind, writing) for writing in writings} == {writings[0]}


@given(st.sampled_from(["bank_card", "iban", "national_id", "plate", "passport"]), st.text(), st.sampled_from(" -·"))
def test_what_groups_an_identifier_is_no_part_of_it(kind: PrivateKind, text: str, gap: str) -> None:
    assert canonical(kind, gap.join(text)) == canonical(kind, canonical(kind, text))


@given(st.from_regex(r"1[3-9][0-9]{9}", fullmatch=True), st.from_regex(r"1[3-9][0-9]{9}", fullmatch=True))
def test_different_numbers_stay_different(one: str, other: str) -> None:
    assert (canonical("phone", f"+86 {one}") == canonical("phone", other)) is (one == other)
