"""Accounts: e-mail addresses, bank cards, IBANs."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from memory.detectors.detector import HAN, LEFT, RIGHT, Detector, detector, label
from memory.detectors.ordering import is_ordered
from memory.digits import has_issuer, is_account, is_card, is_date, only_digits

_LOCAL = r"A-Za-z0-9\u00c0-\u052f._%+-"
_HOST = r"(?:[A-Za-z0-9\u00c0-\u052f-]{1,63}\.){1,8}[A-Za-z]{2,24}"
_GROUPED = r"[0-9](?:[ -]?[0-9]){11,18}"
_CARD_WORD = (
    r"(?i:银行卡|信用卡|储蓄卡|借记卡|工资卡|卡号|银行账[号户]|收款账[号户]|"
    r"(?<![a-z])(?:credit |debit |bank )?cards?|(?<![a-z])cc|(?<![a-z])(?:visa|mastercard|amex|unionpay)|"
    r"(?<![a-z])(?:bank )?account number)(?![a-z])"
)
_CARD_WORDS = ("卡", "银行账", "收款账", "card", "cc", "visa", "amex", "unionpay", "account number")
_IBAN_COUNTRIES = {
    15: "NO",
    16: "BE",
    18: "DK FI FO GL NL SD FK",  # codespell:ignore fo
    19: "MK SI",
    20: "AT BA EE KZ LT LU XK MN",
    21: "CH HR LI LV",
    22: "BG BH CR DE GB GE IE ME RS VA",
    23: "AE GI IL IQ TL OM SO",
    24: "AD CZ ES MD PK RO SA SE SK TN VG",
    25: "LY PT ST",
    26: "IS TR",
    27: "BI DJ FR GR IT MC MR SM",
    28: "AL AZ BY CY DO GT HU LB NI PL SV",
    29: "BR EG PS QA UA",
    30: "JO KW MU YE",
    31: "MT SC",
    32: "LC",
    33: "RU",
}
"""How long an account's number is in each country that has them."""


def accounts() -> Iterator[Detector]:
    """Give what finds them."""
    yield from _emails()
    yield from _cards()
    yield from _ibans()


def _emails() -> Iterator[Detector]:
    at = ("@",)
    # `git@host:path` is where a repository lies, not where a person is written to.
    yield detector("email", rf"(?<![{_LOCAL}])(?!git@)[{_LOCAL}]['{_LOCAL}]{{0,63}}@{_HOST}", needs=at, digits=False)
    # Not where a bracket opens behind it: `a @ b.dot(c)` multiplies.
    yield detector(
        "email",
        rf"(?<![{_LOCAL}])(?!git@)[{_LOCAL}]['{_LOCAL}]{{0,63}}[ \t]{{0,2}}@[ \t]{{0,2}}{_HOST}(?![0-9A-Za-z_(])",
        needs=at,
        digits=False,
    )
    yield detector("email", rf"[{HAN}]{{1,4}}[ \t]{{0,2}}@[ \t]{{0,2}}{_HOST}", needs=at, digits=False)
    yield detector(
        "email",
        rf"(?<![{_LOCAL}])[{_LOCAL}]{{2,64}} ?[\[(] ?(?i:at) ?[\])] ?{_HOST}",
        needs=("(at)", "[at]", "( at )", "[ at ]"),
        digits=False,
    )


def _cards() -> Iterator[Detector]:
    yield detector("bank_card", rf"{LEFT}{_GROUPED}{RIGHT}", _of_digits(is_card), unless=is_ordered)
    gap = r"[\s._·/]{1,2}"
    yield detector(
        "bank_card",
        rf"{LEFT}[0-9]{{4}}(?:{gap}[0-9]{{4}}){{2,3}}(?:{gap}[0-9]{{1,4}})?{RIGHT}",
        _of_digits(is_card),
        unless=is_ordered,
    )
    # In fours it is a card even where a digit was mistyped.
    yield detector(
        "bank_card",
        rf"{LEFT}[0-9]{{4}}(?:(?P<gap>[ -])[0-9]{{4}})(?:(?P=gap)[0-9]{{4}}){{2}}(?:(?P=gap)[0-9]{{1,3}})?{RIGHT}",
        _of_digits(has_issuer),
        unless=is_ordered,
    )
    yield detector(
        "bank_card", rf"{_CARD_WORD}{label(16)}(?P<hit>{_GROUPED}){RIGHT}", _is_card_by_name, needs=_CARD_WORDS
    )
    yield detector(
        "bank_card",
        rf"{LEFT}(?P<hit>{_GROUPED}){RIGHT}\s?(?:(?:这|那|，|,)?(?:张|是)[^，。,.\n0-9]{{0,10}}卡|(?i:is (?:my|our|the|his|her) [a-z ]{{0,20}}card))",
        _is_card_by_name,
        unless=is_ordered,
        needs=("卡", "card"),
    )


def _ibans() -> Iterator[Detector]:
    shapes = "|".join(
        rf"(?:{'|'.join(countries.split())})[0-9]{{2}}(?:[ -]?[A-Za-z0-9]){{{length - 4}}}"
        for length, countries in _IBAN_COUNTRIES.items()
    )
    yield detector("iban", rf"{LEFT}(?i:{shapes})(?![0-9A-Za-z_])", is_account)
    yield detector(
        "iban",
        rf"(?i:iban){label(12)}(?P<hit>[A-Za-z]{{2}}[0-9]{{2}}(?=(?:[ -]?[A-Za-z]){{0,6}}[ -]?[0-9])"
        r"(?:[A-Za-z0-9]{10,30}|(?:[ -][A-Za-z0-9]{4}){2,7}(?:[ -][A-Za-z0-9]{1,3})?))(?![0-9A-Za-z_])",
        needs=("iban",),
    )


def _of_digits(holds: Callable[[str], bool]) -> Callable[[str], bool]:
    return lambda hit: holds(only_digits(hit))


def _is_card_by_name(hit: str) -> bool:
    """Twelve to nineteen digits that are called a card; not a time stamp such as 20240301 102030."""
    digits = only_digits(hit)
    return not (digits[:2] in ("19", "20") and is_date(digits[:8]))
