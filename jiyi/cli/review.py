"""`jiyi review`: what is held back until somebody has looked at it."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

import typer

from jiyi.cli.failures import CommandError
from jiyi.cli.opening import store_to_read, store_to_write
from jiyi.cli.options import ANY_AGENT, AgentOption, JsonOption, UserOption
from jiyi.cli.output import day_and_time, iso, one_line, say, say_json, tell
from memory.kinds import Verdict
from memory.namespaces import Owner
from store.reviewing import ReviewError, Waiting, judge_review, reviews_of

review = typer.Typer(
    name="review",
    help="Look at what was held back from a user's memory, and let it in or not.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
SHOWN_CHARS = 200

WhichReview = Annotated[str, typer.Argument(metavar="ID", help="As `jiyi review list` gives it.")]


@review.command("list")
def list_(
    user: UserOption,
    agent: AgentOption = ANY_AGENT,
    everything: Annotated[bool, typer.Option("--all", help="Also what has its verdict.")] = False,
    as_json: JsonOption = False,
) -> None:
    """List what waits for a verdict, oldest first."""
    found = asyncio.run(_listed(Owner(user=user, agent=agent), judged_too=everything))
    if as_json:
        say_json({"user": user, "reviews": [_json(one) for one in found]})
        return
    if not found:
        tell("Nothing waits for review.")
    for one in found:
        _say(one)


@review.command()
def accept(review_id: WhichReview, user: UserOption, agent: AgentOption = ANY_AGENT) -> None:
    """Let in what was held back: it is remembered like anything else."""
    _judge(Owner(user=user, agent=agent), review_id, "accepted")


@review.command()
def reject(review_id: WhichReview, user: UserOption, agent: AgentOption = ANY_AGENT) -> None:
    """Leave out what was held back: it is never recalled."""
    _judge(Owner(user=user, agent=agent), review_id, "rejected")


async def _listed(owner: Owner, *, judged_too: bool) -> tuple[Waiting, ...]:
    async with store_to_read() as store:
        return await reviews_of(store, owner, judged_too=judged_too)


def _judge(owner: Owner, review_id: str, verdict: Verdict) -> None:
    async def judged() -> None:
        async with store_to_write() as store:
            await judge_review(store, owner, review_id, verdict)

    try:
        asyncio.run(judged())
    except ReviewError as error:
        raise CommandError(str(error)) from error
    say(f"{one_line(review_id)}  {verdict}")


def _json(one: Waiting) -> dict[str, Any]:
    draft = one.review.draft
    return {
        "id": one.review.id,
        "reason": one.review.reason,
        "why": one.review.why,
        "key": draft.key if draft else None,
        "value": draft.value if draft else None,
        "against": one.against.value if one.against else None,
        "speaker": one.said.speaker if one.said else None,
        "text": one.said.text if one.said else None,
        "thread_id": one.said.thread_id if one.said else None,
        "said_at": iso(one.said.said_at) if one.said else None,
        "noted_at": iso(one.review.noted_at),
        "verdict": one.review.verdict,
        "judged_at": iso(one.review.judged_at),
    }


def _say(one: Waiting) -> None:
    judged = f"  [{one.review.verdict}]" if one.review.verdict else ""
    say(f"{one.review.id}  {one.review.reason}: {one.review.why}  {_about(one)}{judged}")
    if one.said is not None:
        words = one_line(one.said.text)
        shown = words if len(words) <= SHOWN_CHARS else f"{words[:SHOWN_CHARS]}…"
        say(f"  {day_and_time(one.said.said_at)}  {one_line(one.said.speaker)}  “{shown}”")
    else:
        say("  (the words were forgotten)")


def _about(one: Waiting) -> str:
    """Say what waits: a value, beside the one that is believed where there is one, or what was said as a whole."""
    draft = one.review.draft
    if draft is None:
        return "what was said"
    if one.against is not None:
        return f"{one_line(draft.value)}, believed is {one_line(one.against.value)}"
    return f"{one_line(draft.key)}  {one_line(draft.value)}"
