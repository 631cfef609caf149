"""Canonical: one writing of a number, equal however it was written."""

from __future__ import annotations

import ipaddress
import re

from memory.detectors.detector import PrivateKind
from memory.detectors.folding import digits_folded

_AREA_CODE = re.compile(r"1[ .-]?(?:\([2-9][0-9]{2}\)|[ .-][2-9][0-9]{2}[ .-])")
_CHINA_MOBILE = re.compile(r"1[3-9][0-9]{9}")
_WRITTEN_AT = re.compile(r"\s*[\[(]\s*at\s*[\])]\s*|\s+at\s+|\s*艾特\s*|%40", re.IGNORECASE)
_WRITTEN_DOT = re.compile(r"\s*[\[(]\s*dot\s*[\])]\s*|\s+dot\s+|\s*[点。]\s*", re.IGNORECASE)
_EXTENSION = re.compile(r"(?:x|ext\.?|转|分机) ?([0-9]{1,6})$", re.IGNORECASE)


def canonical(kind: PrivateKind, text: str) -> str:
    """Give what was found as it is compared: without what groups it, without a country code that is understood.

    A Chinese or North American number is the same with and without its country code; another country's is not, because the
    number alone does not say which country is meant.
    """
    plain = digits_folded(text).strip()
    if kind == "phone":
        return _phone(plain)
    if kind == "email":
        return re.sub(r"\s", "", _WRITTEN_DOT.sub(".", _WRITTEN_AT.sub("@", plain))).casefold()
    if kind == "ip":
        return _address(plain)
    if kind in ("secret", "street"):
        return " ".join(plain.split())
    if kind == "im_id":
        return plain.casefold()
    return "".join(char for char in plain if char.isalnum()).upper()


def _phone(plain: str) -> str:
    said = _EXTENSION.search(plain)
    extension = f"x{said[1]}" if said else ""
    number = (plain[: said.start()] if said else plain).replace("(0)", "")
    digits = re.sub(r"[^0-9]", "", number)
    if number.lstrip("( ").startswith("+"):
        return _national(digits) + extension
    if digits.startswith("00"):
        return _national(digits[2:]) + extension
    if digits.startswith("86") and _CHINA_MOBILE.fullmatch(digits[2:]):
        return digits[2:] + extension
    return (digits[1:] if _AREA_CODE.match(number) and len(digits) == len("14155550100") else digits) + extension


def _national(digits: str) -> str:
    """Give a number that has its country's code as it is dialled in China or North America; else with the code."""
    if digits.startswith("86"):
        rest = digits[2:].lstrip("0")
        return rest if _CHINA_MOBILE.fullmatch(rest) else f"0{rest}"
    return digits[1:] if digits.startswith("1") and len(digits) == len("14155550100") else digits


def _address(plain: str) -> str:
    try:
        return str(ipaddress.ip_address(plain))
    except ValueError:
        return plain.casefold()
