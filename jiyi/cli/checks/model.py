"""The models: which are chosen, and whether the endpoint is there and knows them. No prompt is sent for that."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from graph.settings import OFFLINE, REMOTE, Settings
from jiyi.cli.checks.addresses import shown_address
from jiyi.cli.checks.check import Check
from jiyi.cli.checks.endpoint import Answer, ask_for_models, found_in
from store.embed.endpoint import OPENAI_BASE_URL

NOT_ASKED = "it was not asked (--offline)"


def check_models(chosen: Settings, *, ask: bool) -> Iterator[Check]:
    """Look at the model that answers and at that of side calls.

    Args:
        chosen: The settings.
        ask: Whether the endpoint may be asked which models it has (once for both).
    """
    named = {"model": chosen.chosen_model, "small model": chosen.small_model}
    answer = _answer(chosen) if ask and any(_can_be_asked(name, chosen) for name in named.values()) else None
    for what, name in named.items():
        yield _check(what, name, chosen, answer)


def _check(what: str, name: str, chosen: Settings, answer: Answer | None) -> Check:
    if what != "model" and not name:
        return Check(name=what, status="ok", found="the same as the model")
    if name == OFFLINE:
        return Check(name=what, status="ok", found="offline: replies by rules, no model is asked")
    if not name.startswith(REMOTE) or name == REMOTE:
        variable = what.upper().replace(" ", "_")
        advice = f"Set {variable} to {OFFLINE} or {REMOTE}<name>."
        return Check(name=what, status="fail", found=f"there is no model {name!r}", advice=advice)
    if not _can_be_asked(name, chosen):
        advice = "Set OPENAI_API_KEY, or OPENAI_BASE_URL to an endpoint that needs no key."
        return Check(name=what, status="fail", found=f"{name} has no key", advice=advice)
    return _judged(what, name, chosen, answer)


def _judged(what: str, name: str, chosen: Settings, answer: Answer | None) -> Check:
    place = f"{name} at {shown_address(_base_url(chosen))}"
    if answer is None:
        return Check(name=what, status="ok", found=f"{place}; {NOT_ASKED}")
    status, found, advice = found_in(answer, name.removeprefix(REMOTE))
    return _without(_key(chosen), Check(name=what, status=status, found=f"{place}: {found}", advice=advice))


def _answer(chosen: Settings) -> Answer:
    return ask_for_models(_base_url(chosen), _key(chosen))


def _can_be_asked(name: str, chosen: Settings) -> bool:
    """Tell whether a model has all that asking takes; an endpoint of the user's own may need no key."""
    return name.startswith(REMOTE) and name != REMOTE and bool(_key(chosen) or chosen.openai_base_url)


def _base_url(chosen: Settings) -> str:
    return chosen.openai_base_url or OPENAI_BASE_URL


def _key(chosen: Settings) -> str:
    return chosen.openai_api_key.get_secret_value() if chosen.openai_api_key else ""


def _without(key: str, check: Check) -> Check:
    """Leave the key out, should the endpoint have sent it back in what is told."""
    if len(key) < SHORTEST_KEY:
        return check
    return replace(check, found=check.found.replace(key, "(key)"), advice=check.advice.replace(key, "(key)"))


SHORTEST_KEY = 8  # "none" or "x", where an endpoint asks for none, are words like others
