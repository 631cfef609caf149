"""Network: addresses of computers are found; versions, sections, times and names in code stay."""

from __future__ import annotations

import ipaddress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.privacy import redact


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("服务器139.196.12.123连不上", "服务器[ip]连不上"),
        ("login from 203.0.113.77:8080", "login from [ip]:8080"),
        ("http://192.168.1.105/admin", "http://[ip]/admin"),
        ("DNS是1.2.3.4", "DNS是[ip]"),
        ("ping 9.9.9.9", "ping [ip]"),
        ("我的ip203.0.113.7", "我的ip[ip]"),
        ("my ip is203.0.113.7", "my ip is[ip]"),
        ("升级到203.0.113.7这台机器", "升级到[ip]这台机器"),
        ("moved on to 203.0.113.7:22", "moved on to [ip]:22"),
        ("1.1.1.1是我的DNS", "[ip]是我的DNS"),
        ("1.1.1.1 is my DNS", "[ip] is my DNS"),
        ("Ping 10.0.0.5", "Ping [ip]"),
        ("地址：2001:db8:85a3::8a2e:370:7334", "地址：[ip]"),
        ("fe80:0:0:0:1ff:fe23:4567:890a was me", "[ip] was me"),
    ],
)
def test_an_address_of_a_computer_is_replaced(text: str, redacted: str) -> None:
    assert redact(text).text == redacted


@pytest.mark.parametrize(
    "text",
    [
        "version 10.2.3.4",
        "升级到10.21.31.41",
        "v14.0.30.19",
        "Photoshop 25.1.0.120",
        "JDK 11.0.22.7",
        "微信 8.0.47.25",
        "支付宝10.5.8.30",
        "1.2.3.4节讲IP地址",
        "升级到10.2.3.4之后",
        "v4.0.30319.1",
        "第1.2.3.4节",
        "see 1.2.3.4 in the manual",
        "section 12.13.14.15",
        "app-1.20.30.40.jar",
        "监听 0.0.0.0:8080，本机 127.0.0.1",
        "mask 255.255.255.0",
        "1.2.3 and 300.400.500.600",
        "at 12:30:45",
        "00:1a:2b:3c:4d:5e",
        "dead::beef, std::vector, a::b::c",
        "::1",
    ],
)
def test_what_is_no_address_of_a_person_stays(text: str) -> None:
    assert redact(text).text == text


@settings(deadline=None)
@given(
    st.integers(min_value=0x2001 << 112, max_value=(0x2002 << 112) - 1), st.sampled_from(["地址{}吧", "from {}", "{}"])
)
def test_every_long_address_is_found_short_and_in_full(number: int, carrier: str) -> None:
    address = ipaddress.IPv6Address(number)
    for written in (address.exploded, str(address), str(address).upper()):
        assert redact(carrier.format(written)).text == carrier.format("[ip]")
