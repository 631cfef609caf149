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
_PRODUCT = re.compile(
    r"(?:(?<![A-Za-z])(?!(?:IP|IPV4|IPv4|DNS|SSH|VPN|NAT|LAN|WAN|Ip|Dns|Ping|Host|Server|Client|Gateway|Address|Addr|From|To|At|On|"
    r"Via|The|My|Our|Use|Try|Block|Allow|Deny|Ban|Connect|Visit|Open|User|Peer|Source|Target|Proxy|Router|Subnet|Check|"
    r"Telnet|Curl|And|Or|Is|Was|Then)(?![A-Za-z]))[A-Z][A-Za-z+#]{1,20} ?|(?:微信|支付宝|钉钉|抖音|淘宝|飞书|安卓|鸿蒙)\s?)$"
)
"""A product, which a version follows."""
_COMPUTER = re.compile(
    r"\s?(?:[这那]台|的?(?:机器|服务器|主机|节点|电脑)|:[0-9]{2,5}(?![0-9])|(?:server|host|machine|box|node)(?![a-z]))",
    re.IGNORECASE,
)
_IS_ADDRESS = re.compile(
    r"(?![节章条款])[^0-9\n,.，。]{0,16}?(?:(?<![a-z])(?:dns|ip|nameserver|resolver)(?![a-z])|服务器|网关|地址)",
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
    yield detector(
        "ip",
        rf"(?i:(?<![a-z])(?:ip|ipv4|dns|host|server|ping|ssh|addr|gateway|login|from|is|to|at))(?P<hit>(?:{_OCTET}\.){{3}}{_OCTET})"
        r"(?![0-9A-Za-z_])(?!\.[0-9A-Za-z])",
        _is_somebodys,
        unless=_is_numbered,
        needs=("ip", "dns", "host", "server", "ping", "ssh", "addr", "gateway", "login", "from", "is", "to", "at"),
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
    if _COMPUTER.match(folded, end):
        return False
    if _NUMBERED.search(before) or (_PRODUCT.search(before) and _counts_up(folded[start:end])):
        return True
    has_single_digits = end - start == len("1.2.3.4")
    return has_single_digits and not (_ADDRESSED.search(before) or _IS_ADDRESS.match(folded, end))


def _counts_up(hit: str) -> bool:
    """Tell whether it may be a version: its first number is small and one of the next two has a single digit."""
    first, second, third, _ = hit.split(".")
    return len(first) <= 2 and 1 in (len(second), len(third))  # noqa: PLR2004


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
