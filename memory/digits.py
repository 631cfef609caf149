"""Digits: whether a run of them can be a card, an account or a resident's id."""

from __future__ import annotations

import re
from datetime import date

RESIDENT_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
RESIDENT_CHECKS = "10X98765432"
CARD_PREFIXES = {
    13: ("4",),
    14: ("30", "36", "38", "39"),
    15: ("34", "37", "1800", "2131"),
    16: ("22", "23", "24", "25", "26", "27", "3", "4", "5", "6", "9"),
    17: ("6",),
    18: ("6",),
    19: ("4", "5", "6", "9"),
}
PROVINCES = frozenset(
    (*range(11, 16), *range(21, 24), *range(31, 38), *range(41, 47), *range(50, 55), *range(61, 66), 71, 81, 82)
)
"""The first two digits of a resident's id of China."""
FIRST_YEAR, LAST_YEAR = 1880, 2100


def only_digits(text: str) -> str:
    """Keep the ASCII digits (and a final X) of an identifier, without what groups them."""
    return re.sub(r"[^0-9Xx]", "", text).upper()


def passes_luhn(digits: str) -> bool:
    """Tell whether the last digit is the check digit that card numbers carry."""
    doubled = [int(char) * (2 if place % 2 else 1) for place, char in enumerate(reversed(digits))]
    return sum(value - 9 if value > 9 else value for value in doubled) % 10 == 0  # noqa: PLR2004


def is_card(digits: str) -> bool:
    """Tell whether 13 to 19 digits can be a bank card: issuer's prefix, length and check digit."""
    prefixes = CARD_PREFIXES.get(len(digits), ())
    return digits.startswith(prefixes) and passes_luhn(digits) if prefixes else False


def has_issuer(digits: str) -> bool:
    """Tell whether 16 or 19 digits begin as an issuer's cards do, whatever their check digit."""
    return len(digits) in (16, 19) and digits.startswith(("22", "23", "24", "25", "26", "27", "3", "4", "5", "6"))


def is_account(text: str) -> bool:
    """Tell whether an IBAN's two check digits are right."""
    compact = re.sub(r"[\s-]", "", text).upper()
    moved = compact[4:] + compact[:4]
    return int("".join(str(int(char, 36)) for char in moved)) % 97 == 1


def is_resident_id(digits: str) -> bool:
    """Tell whether 18 or 15 characters hold a birth date where a resident's id of China has it."""
    if len(digits) == 18:  # noqa: PLR2004
        return digits[0] != "0" and is_date(digits[6:14])
    return len(digits) == 15 and int(digits[:2]) in PROVINCES and is_date("19" + digits[6:12])  # noqa: PLR2004


def has_resident_check(digits: str) -> bool:
    """Tell whether the 18th character of a resident's id is the right check character."""
    if not re.fullmatch(r"\d{17}[\dX]", digits, re.ASCII):
        return False
    total = sum(weight * int(char) for weight, char in zip(RESIDENT_WEIGHTS, digits[:17], strict=True))
    return RESIDENT_CHECKS[total % 11] == digits[17]


def is_date(digits: str) -> bool:
    """Tell whether eight digits are a day of 1880 to 2100, year first."""
    year, month, day = int(digits[:4]), int(digits[4:6]), int(digits[6:8])
    if not FIRST_YEAR <= year <= LAST_YEAR:
        return False
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True
