"""Network: IP addresses of either version, and not versions, section numbers, times or names in code."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator

from memory.detectors.detector import Detector, detector

_OCTET = r"(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
_NUMBERED = re.compile(
    r"(?:版本号?|固件|升级到|更新到|降级到|第|章节?|条款?|小?节|(?<![a-z])(?:v|ver|version|release|build|firmware|driver|section|sec|chapter|"
    r"clause|paragraph|para|article|appendix|step|oid|kernel|update|upgrade|upgraded to|updated to|bumped to))"
    r"\.?(?:\s?(?:号|number|no\.?|is|was|:|=|是|为|到|to))*\s?[(\"']?$",
    re.IGNORECASE,
)
_ADDRESSED = re.compile(
    r"(?:(?<![a-z\[])(?:ip|ipv4|host|server|dns|ping|ssh|gateway|address|addr|from|client|proxy|router|curl|telnet|nameserver)"
    r"(?![a-z])|地址|服务器|主机|网关|路由器|代理|登录|域名)[^0-9\n]{0,16}$",
    re.IGNORECASE,
)
INTRODUCED_CHARS = 32
NOBODYS = ("0.", "127.", "255.")
"""This machine, any machine, and masks."""


def network() -> Iterator[Detector]:
    """Give what finds them."""
    yield detector(
        "ip",
        rf"(?<![0-9A-Za-z_.])(?<![A-Za-z]-)(?<![A-Za-z]/)(?:{_OCTET}\.){{3}}{_OCTET}(?![0-9A-Za-z_])(?!\.[0-9A-Za-z])(?!-[A-Za-z])",
        _is_somebodys,
        unless=_is_numbered,
        needs=(".",),
    )
    group = "[0-9A-Fa-f]{1,4}"
    yield detector(
        "ip",
        rf"(?<![0-9A-Za-z.])(?<![0-9A-Fa-f]:)(?<!::)(?:{group}:|::)(?:[0-9A-Fa-f]{{0,4}}:){{1,7}}"
        rf"(?:(?:{_OCTET}\.){{3}}{_OCTET}|[0-9A-Fa-f]{{0,4}})(?![0-9A-Za-z:])",
        _is_long_address,
        needs=(":",),
    )


def _is_somebodys(hit: str) -> bool:
    return not hit.startswith(NOBODYS)


def _is_numbered(folded: str, start: int, end: int) -> bool:
    """Tell whether it is a version or a section: introduced as one, or of single digits and not called an address."""
    before = folded[max(0, start - INTRODUCED_CHARS) : start]
    if _NUMBERED.search(before):
        return True
    has_single_digits = end - start == len("1.2.3.4")
    return has_single_digits and not _ADDRESSED.search(before)


def _is_long_address(hit: str) -> bool:
    """Tell whether it is an IPv6 address of somebody; `a::b` and what counts in pairs (a MAC, a fingerprint) is none."""
    try:
        address = ipaddress.IPv6Address(hit)
    except ValueError:
        return False
    if address.is_loopback or address.is_unspecified or address.is_multicast:
        return False
    first = hit.split(":", 1)[0]
    return re.search("[0-9]", hit) is not None and (len(first) >= 3 or "." in hit)  # noqa: PLR2004
