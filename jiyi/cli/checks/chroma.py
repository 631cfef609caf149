"""Chroma: does the server that the settings name answer; without one it works in the home, and the index tells of it."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urljoin

import httpx

from graph.settings import Settings
from jiyi.cli.checks.addresses import shown_address
from jiyi.cli.checks.check import Check

TIMEOUT_S = 5.0
HEARTBEAT = "api/v2/heartbeat"
ADVICE = "Start it (`chroma run`), or correct or unset CHROMA_URL; search is exact meanwhile, and nothing is lost."


def check_chroma(chosen: Settings, *, ask: bool) -> Iterator[Check]:
    """Ask the Chroma server for its heartbeat, where there is one."""
    if not chosen.chroma_url:
        return
    address = shown_address(chosen.chroma_url)
    if not ask:
        yield Check(name="chroma", status="ok", found=f"{address} was not asked")
    elif fault := _fault(chosen.chroma_url):
        yield Check(name="chroma", status="warn", found=f"{address} {fault}", advice=ADVICE)
    else:
        yield Check(name="chroma", status="ok", found=f"{address} answers")


def _fault(url: str) -> str:
    """Say what is wrong with a server; "" where nothing is."""
    try:
        answer = httpx.get(urljoin(f"{url}/", HEARTBEAT), timeout=TIMEOUT_S)
        beats = answer.status_code == httpx.codes.OK and "nanosecond heartbeat" in answer.json()
    except (httpx.HTTPError, ValueError) as error:
        return f"does not answer as a Chroma server ({type(error).__name__})"
    return "" if beats else f"is no Chroma server (it answers with {answer.status_code})"
