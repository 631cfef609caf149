"""The lines inside the fences: how each remembered thing is written, and how it is read back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from memory.fence import escaped, unescaped
from memory.prompt_parts import ShownExchange, ShownFact, ShownSkill
from memory.prompt_texts import TEXTS, PromptTexts

TIME_FORMAT = "%Y-%m-%d %H:%M"
MAX_NAME_CHARS = 20
_NAME_MARKS = frozenset(" ·.-’'")
_JOINED = "; "
_BODY = "| "
_GROUND = "  > "
_MAX_INDENT = 12
_KEY_BREAKS = re.compile(r"[\s():：（）]+")
_FACT = re.compile(r"- (?P<label>.*?) \((?P<key>\S+?)\): (?P<value>.*)")
_HEAD = re.compile(r"\[(?P<head>[^\]]*)\](?: (?P<rest>.*))?")
_LINE = re.compile(r"- (?P<who>[^:]*): (?P<what>.*)")


def shown_name(name: str) -> str:
    """Give a name fit to stand in an instruction: letters, digits and a few marks, at most 20 characters."""
    kept = "".join(char for char in name if char.isalnum() or char in _NAME_MARKS or char.isspace())
    return " ".join(kept.split())[:MAX_NAME_CHARS].strip()


def fact_lines(facts: Iterable[ShownFact]) -> list[str]:
    """Write one line for each fact, and one below it for each of its grounds."""
    return [
        line for fact in facts for line in (_fact_line(fact), *(f"{_GROUND}{escaped(one)}" for one in fact.grounds))
    ]


def facts_of(lines: Iterable[str]) -> tuple[ShownFact, ...]:
    """Read facts back; what is no fact line is passed over."""
    found: list[ShownFact] = []
    for line in lines:
        if match := _FACT.fullmatch(line):
            label, value = unescaped(match["label"]), unescaped(match["value"])
            found.append(ShownFact(key=match["key"], label=label, value=value))
        elif line.startswith(_GROUND) and found:
            ground = unescaped(line.removeprefix(_GROUND))
            found[-1] = replace(found[-1], grounds=(*found[-1].grounds, ground))
    return tuple(found)


def exchange_lines(exchanges: Iterable[ShownExchange], texts: PromptTexts) -> list[str]:
    """Write a line with the number and time of each exchange, then its lines."""
    return [line for number, one in enumerate(exchanges, 1) for line in _exchange(number, one, texts)]


def exchanges_of(lines: Iterable[str]) -> tuple[ShownExchange, ...]:
    """Read exchanges back; their ids are the numbers they were shown under, their times taken as UTC."""
    return tuple(
        ShownExchange(id=head, said_at=_time_of(rest), lines=tuple(_spoken(body)))
        for head, rest, body in _groups(lines)
    )


def skill_lines(skills: Iterable[ShownSkill], texts: PromptTexts) -> list[str]:
    """Write a line with the id and description of each skill, then its steps, tools, checks and body."""
    return [line for skill in skills for line in _skill(skill, texts)]


def skills_of(lines: Iterable[str]) -> tuple[ShownSkill, ...]:
    """Read skills back."""
    return tuple(_skill_of(head, rest, body) for head, rest, body in _groups(lines))


def _fact_line(fact: ShownFact) -> str:
    key = _KEY_BREAKS.sub("_", escaped(fact.key)).strip("_")
    return f"- {escaped(fact.label) or key} ({key}): {escaped(fact.value)}"


def _exchange(number: int, exchange: ShownExchange, texts: PromptTexts) -> Iterator[str]:
    said_at = exchange.said_at.strftime(TIME_FORMAT) if exchange.said_at else texts.time_unknown
    yield f"[{number}] {said_at}"
    for speaker, text in exchange.lines:
        yield f"- {_speaker(speaker, texts)}: {escaped(text)}"


def _speaker(speaker: str, texts: PromptTexts) -> str:
    known = {"user": texts.user, "assistant": texts.assistant}
    return known.get(speaker, escaped(speaker).replace(":", " "))


def _skill(skill: ShownSkill, texts: PromptTexts) -> Iterator[str]:
    yield f"[{escaped(skill.id).replace(']', ' ')}] {escaped(skill.description)}"
    listed = (
        (texts.steps, skill.steps),
        (texts.tools, skill.tools),
        (texts.safety_checks, skill.safety_checks),
    )
    for label, items in listed:
        if items:
            yield f"- {label}: {_JOINED.join(escaped(item) for item in items)}"
    yield from _body_lines(skill.body)
    if skill.body_cut:
        yield f"- {texts.rest_in}: {escaped(skill.body_in)}"


def whole_lines(text: str, max_chars: int) -> str:
    """Cut a text to so many characters, where a line ends if it has more than one."""
    if len(text) <= max_chars:
        return text
    head = text[:max_chars]
    return (head[: head.rindex("\n")] if "\n" in head else head).rstrip()


def _body_lines(body: str) -> Iterator[str]:
    """Write a body line by line behind a bar, so that none of it is taken for a line of ours."""
    for line in body.splitlines():
        said = line.expandtabs(4).rstrip()
        indent = min(len(said) - len(said.lstrip()), _MAX_INDENT)
        yield f"{_BODY}{' ' * indent}{escaped(said)}".rstrip()


def _groups(lines: Iterable[str]) -> Iterator[tuple[str, str, list[str]]]:
    """Give each head line with the lines up to the next one."""
    head, rest, body = "", "", list[str]()
    for line in lines:
        if match := _HEAD.fullmatch(line):
            if head:
                yield head, rest, body
            head, rest, body = match["head"], unescaped(match["rest"] or ""), []
        else:
            body.append(line)
    if head:
        yield head, rest, body


def _spoken(body: Sequence[str]) -> Iterator[tuple[str, str]]:
    roles = {texts.user: "user" for texts in TEXTS.values()} | {
        texts.assistant: "assistant" for texts in TEXTS.values()
    }
    for line in body:
        if match := _LINE.fullmatch(line):
            yield roles.get(match["who"], unescaped(match["who"])), unescaped(match["what"])


def _time_of(text: str) -> datetime | None:
    try:
        return datetime.strptime(text, TIME_FORMAT).replace(tzinfo=UTC)
    except ValueError:
        return None


def _skill_of(head: str, rest: str, body: Sequence[str]) -> ShownSkill:
    listed = {match["who"]: match["what"] for line in body if (match := _LINE.fullmatch(line))}
    rest_in = _items(listed, {texts.rest_in for texts in TEXTS.values()})
    return ShownSkill(
        id=unescaped(head),
        description=rest,
        steps=_items(listed, {texts.steps for texts in TEXTS.values()}),
        tools=_items(listed, {texts.tools for texts in TEXTS.values()}),
        safety_checks=_items(listed, {texts.safety_checks for texts in TEXTS.values()}),
        body=_body_of(body),
        body_in="".join(rest_in),
        body_cut=bool(rest_in),
    )


def _body_of(lines: Iterable[str]) -> str:
    bar = _BODY.rstrip()
    return "\n".join(unescaped(line.removeprefix(bar).removeprefix(" ")) for line in lines if line.startswith(bar))


def _items(listed: dict[str, str], labels: set[str]) -> tuple[str, ...]:
    texts = [text for label, text in listed.items() if label in labels]
    return tuple(unescaped(item) for text in texts for item in text.split(_JOINED) if item)
