"""Accounts: e-mail addresses, bank cards, IBANs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from memory.detectors.detector import HAN, LEFT, RIGHT, Detector, detector, label
from memory.detectors.ordering import is_ordered
from memory.digits import has_issuer, is_account, is_card, is_date, only_digits

_LOCAL = r"A-Za-z0-9\u00c0-\u052f._%+-"
_HOST = r"(?:[A-Za-z0-9\u00c0-\u052f-]{1,63}\.){1,8}[A-Za-z]{2,24}"
_KNOWN = (
    r"(?i:com|net|org|edu|gov|mil|info|biz|io|ai|co|me|dev|app|xyz|top|name|cn|hk|tw|mo|sg|my|jp|kr|in|vn|th|id|ph|au|nz|us|ca|mx|"
    r"br|ar|cl|uk|ie|de|at|ch|fr|be|nl|lu|es|pt|it|gr|pl|cz|sk|hu|ro|bg|hr|si|rs|ru|ua|by|lt|lv|ee|fi|se|no|dk|is|tr|il|ae|sa|eg|"
    r"za|ke|ng|eu|example|test)(?![A-Za-z0-9])"
)
"""Ends of hosts, for where the rest alone does not tell that it is one."""
_FILE_OR_VERSION = re.compile(
    r"^\s*[0-9]+x\.|^\s*v?[0-9]+\.[0-9]+[.-]|"
    r"\.(?:png|jpe?g|gif|svg|webp|bmp|ico|pdf|jsx?|tsx?|s?css|html?|json|ya?ml|toml|txt|log|csv|zip|gz|tar|tgz|mp[34]|exe|dll|jar|"
    r"whl|alpha|beta)$",
    re.IGNORECASE,
)
_PLAIN = re.compile("[0-9]{2}00|(?:19|20)[0-9]{2}|1024|4096|8192")
"""Round numbers, years, powers of two."""
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
    at = ("@", "%40")
    # `git@host:path` is where a repository lies, not where a person is written to.
    local = rf"(?<![{_LOCAL}])(?!git@)[{_LOCAL}]['{_LOCAL}]{{0,63}}"
    yield detector("email", rf"{local}(?:@|%40){_HOST}", _is_mailbox, needs=at, digits=False)
    yield detector(
        "email", rf"{local}@(?:[A-Za-z0-9-]{{1,63}}[.。]){{1,4}}{_KNOWN}", _is_mailbox, needs=at, digits=False
    )
    # Not where a bracket opens behind it: `a @ b.dot(c)` multiplies.
    yield detector(
        "email",
        rf"{local}[ \t]{{0,2}}@[ \t]{{0,2}}{_HOST}(?![0-9A-Za-z_(])",
        _is_mailbox,
        needs=at,
        digits=False,
    )
    yield detector("email", rf"[{HAN}]{{1,4}}[ \t]{{0,2}}@[ \t]{{0,2}}{_HOST}", _is_mailbox, needs=at, digits=False)
    yield detector(
        "email",
        rf"(?<![{_LOCAL}])[{_LOCAL}]{{2,64}} ?[\[(] ?(?i:at) ?[\])] ?{_HOST}",
        needs=("(at)", "[at]", "( at )", "[ at ]"),
        digits=False,
    )
    said_at = r"(?: ?[\[(] ?(?i:at) ?[\])] ?| (?i:at) | ?艾特 ?|@)"
    said_dot = r"(?: ?[\[(] ?(?i:dot) ?[\])] ?| (?i:dot) | ?点 ?)"
    said_end = r"(?i:com|net|org|edu|gov|cn|hk|tw|jp|uk|de|fr|es|it)(?![A-Za-z0-9])"
    yield detector(
        "email",
        rf"(?<![{_LOCAL}])(?!(?i:me|us|him|her|them|it|you|mail|email|is|arrive|look|meet) )[{_LOCAL}]{{2,64}}{said_at}"
        rf"(?:[A-Za-z0-9-]{{1,63}}(?:{said_dot}|\.)){{1,4}}{said_end}",
        needs=("dot", "点", "艾特"),
        digits=False,
    )


def _is_mailbox(hit: str) -> bool:
    """Tell whether it is no picture for two screens, no version of a package, no product of two matrices."""
    name, _, host = hit.replace("%40", "@").partition("@")
    if _FILE_OR_VERSION.search(host):
        return False
    is_apart = name.endswith((" ", "\t")) or host.startswith((" ", "\t")) or re.match(rf"[{HAN}]", name)
    return not is_apart or re.search(rf"\.{_KNOWN}$", host) is not None


def _cards() -> Iterator[Detector]:
    yield detector("bank_card", rf"{LEFT}{_GROUPED}{RIGHT}", _of_digits(is_card), unless=is_ordered)
    # Behind a hash sign, which numbers of orders have too: they are introduced as such.
    yield detector("bank_card", rf"(?<![0-9A-Za-z_&]#)(?<=#){_GROUPED}{RIGHT}", _of_digits(is_card), unless=is_ordered)
    gap = r"[\s._·/|,，~—-]{1,3}"
    yield detector(
        "bank_card",
        rf"{LEFT}[0-9]{{4}}(?:{gap}[0-9]{{4}}){{2,3}}(?:{gap}[0-9]{{1,4}})?{RIGHT}",
        _of_digits(is_card),
        unless=is_ordered,
    )
    # In fours it is a card even where a digit was mistyped.
    yield detector(
        "bank_card",
        rf"{LEFT}[0-9]{{4}}(?:(?P<gap>[ -]| [-|] )[0-9]{{4}})(?:(?P=gap)[0-9]{{4}}){{2}}(?:(?P=gap)[0-9]{{1,3}})?{RIGHT}",
        _is_mistyped_card,
        unless=is_ordered,
    )
    yield detector(
        "bank_card", rf"{_CARD_WORD}{label(16)}(?P<hit>{_GROUPED}){RIGHT}", _is_card_by_name, needs=_CARD_WORDS
    )
    yield detector(
        "bank_card",
        r"(?i:(?<![a-z])(?:bank )?account (?:number|no\.?)|(?<!QQ)(?<!微信)(?<!游戏)账[号户])"
        rf"{label(12)}(?P<hit>(?!1[3-9][0-9]{{9}}(?![0-9]))[0-9]{{8,19}}){RIGHT}",
        _is_no_day,
        unless=is_ordered,
        needs=("account n", "账"),
    )
    yield detector(
        "bank_card",
        rf"(?<![打门饭贺点])卡(?:\s?(?:是|为|:)\s?|\s)?(?P<hit>{_GROUPED}){RIGHT}",
        _is_mistyped_card,
        unless=is_ordered,
        needs=("卡",),
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


def _is_mistyped_card(hit: str) -> bool:
    """Tell whether groups of four are a card's, not four prices, years or coordinates in a row."""
    digits = only_digits(hit)
    plain = [group for group in re.findall("[0-9]{4}", digits) if _PLAIN.fullmatch(group)]
    has_other_issuer = digits.startswith("3") and not digits.startswith("35")
    return is_card(digits) or (has_issuer(digits) and not has_other_issuer and len(plain) <= 1)


def _is_card_by_name(hit: str) -> bool:
    """Twelve to nineteen digits that are called a card; not a time stamp such as 20240301 102030."""
    digits = only_digits(hit)
    return not (digits[:2] in ("19", "20") and is_date(digits[:8]))


def _is_no_day(hit: str) -> bool:
    return len(hit) != len("20240301") or not is_date(hit)
