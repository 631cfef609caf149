"""The whitelist of keys: what may be remembered, how many values it holds, how fast it fades."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from memory.kinds import Sensitivity
from memory.plain_yaml import parse_yaml
from memory.values import normalised

ANY = "*"
ASKED_FOR = "user.remember"
"""Under it stands whatever the user asked to remember, in their own words."""
LAST_TURN = "turn.last"
"""No key of a fact: what the user said just before, when they ask to forget it."""
MAX_KEY_CHARS = 160
MAX_VALUE_CHARS = 200
Language = Literal["zh", "en"]

_PATTERN = re.compile(r"[a-z_]+(\.([a-z_]+|\*))+")
_PLACE = re.compile(r"\{(\d+)\}")
_SEGMENT = re.compile(r"[^\s.](?:[^.\x00-\x1f\x7f]*[^\s.])?")


class KeysError(ValueError):
    """A list of key families cannot be read; whoever wrote it must mend it."""

    def __init__(self, found: object) -> None:
        super().__init__(
            f"Cannot read the key families: {found}. Each needs a `pattern` such as 'user.name' or "
            "'person.*.*', `holds: one` or `holds: many`, and a `label` in zh and en."
        )


class Label(BaseModel):
    """One wording in each language."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    zh: str
    en: str


class Relating(BaseModel):
    """Who stands how to whom, as templates over the key's segments (`{0}`) and the value (`{value}`)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    subject: str
    predicate: str
    object: str


class KeySpec(BaseModel):
    """What holds for every key of one family; `half_life_days` None means that it never fades.

    `seen_as` says what else its facts are: dated ones an event, or something to come back to. `relates` says which
    relation they state.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    pattern: str
    holds: Literal["one", "many"]
    label: Label
    half_life_days: Annotated[float, Field(gt=0)] | None = None
    sensitivity: Sensitivity = "normal"
    always: bool = False
    values: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    verbatim: bool = False
    seen_as: Literal["event", "followup"] | None = None
    relates: Relating | None = None
    max_chars: Annotated[int, Field(gt=0)] = MAX_VALUE_CHARS

    @field_validator("pattern")
    @classmethod
    def _is_a_pattern(cls, pattern: str) -> str:
        if not _PATTERN.fullmatch(pattern):
            raise ValueError("segments are lower-case words or `*`, joined by dots, and the first is a word")
        return pattern

    @model_validator(mode="after")
    def _names_only_what_it_has(self) -> KeySpec:
        places = _PLACE.findall(self.label.zh + self.label.en)
        if any(int(place) >= self.pattern.split(".").count(ANY) for place in places):
            raise ValueError("the label names more segments than the pattern has `*`")
        return self

    @property
    def single(self) -> bool:
        """Say whether a new value takes the old one's place."""
        return self.holds == "one"

    def canonical(self, value: str) -> str | None:
        """Give the value as it is kept, None where a closed vocabulary does not know it."""
        if not self.values:
            return value.strip()
        meant = normalised(value)
        ways = ((kept, {kept, *others}) for kept, others in self.values.items())
        return next((kept for kept, said in ways if meant in map(normalised, said)), None)


class _Document(BaseModel):
    model_config = ConfigDict(extra="forbid")

    families: list[KeySpec]
    words: dict[str, Label] = Field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Keys:
    """The families of keys, the most specific first, and the words that their labels use."""

    specs: tuple[KeySpec, ...]
    words: dict[str, Label]

    def spec(self, key: str) -> KeySpec | None:
        """Find the most specific family of a key; None when nothing of the kind may be kept."""
        if not _is_key(key):
            return None
        segments = key.split(".")
        alike = self._by_length.get(len(segments), ())
        return next((spec for wanted, spec in alike if _matches(wanted, segments)), None)

    @cached_property
    def _by_length(self) -> dict[int, tuple[tuple[list[str], KeySpec], ...]]:
        """Give the families by how many segments they have, each with its own."""
        split = [(spec.pattern.split("."), spec) for spec in self.specs]
        return {
            length: tuple((wanted, spec) for wanted, spec in split if len(wanted) == length)
            for length in {len(wanted) for wanted, _ in split}
        }

    def label(self, key: str, language: Language) -> str:
        """Say what a key is called in a language; an unknown key is called by its own name."""
        spec = self.spec(key)
        if spec is None:
            return key
        pairs = zip(spec.pattern.split("."), key.split("."), strict=True)
        named = [self._word(segment, language) for pattern, segment in pairs if pattern == ANY]
        text: str = getattr(spec.label, language)
        return _filled(text, named)

    def extended(self, text: str) -> Keys:
        """Add the families of another document; one with a known pattern takes the old one's place.

        Raises:
            KeysError: The document cannot be read.
        """
        more = load_keys(text)
        return _keys((*self.specs, *more.specs), {**self.words, **more.words})

    def _word(self, segment: str, language: Language) -> str:
        known = self.words.get(segment)
        word: str = getattr(known, language) if known else segment
        return word


def load_keys(text: str) -> Keys:
    """Read key families from YAML.

    Raises:
        KeysError: It is not YAML, or a family is incomplete, unknown in a field or named twice.
    """
    try:
        document = _Document.model_validate(_mapping(text))
    except ValidationError as error:
        raise KeysError(_told(error)) from error
    _refuse_twins(document.families)
    return _keys(tuple(document.families), document.words)


@cache
def default_keys() -> Keys:
    """Give the families that come with Jiyi."""
    return load_keys(files("memory").joinpath("keys.yaml").read_text(encoding="utf-8"))


def _mapping(text: str) -> dict[str, Any]:
    try:
        read = parse_yaml(text)
    except yaml.YAMLError as error:
        raise KeysError(f"it is not YAML ({error})") from error
    if not isinstance(read, dict):
        raise KeysError(f"expected a mapping with `families`, found {type(read).__name__}")
    return read


def _told(error: ValidationError) -> str:
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"])
    return f"at `{where}`: {first['msg']} (found {first['input']!r})"


def _refuse_twins(families: list[KeySpec]) -> None:
    patterns = [family.pattern for family in families]
    twins = sorted({pattern for pattern in patterns if patterns.count(pattern) > 1})
    if twins:
        raise KeysError(f"named more than once: {', '.join(twins)}")


def _keys(specs: tuple[KeySpec, ...], words: dict[str, Label]) -> Keys:
    latest = {spec.pattern: spec for spec in specs}
    return Keys(specs=tuple(sorted(latest.values(), key=_looseness)), words=words)


def _looseness(spec: KeySpec) -> tuple[int, list[bool]]:
    wild = [segment == ANY for segment in spec.pattern.split(".")]
    return sum(wild), wild


def _is_key(key: str) -> bool:
    return len(key) <= MAX_KEY_CHARS and all(map(_SEGMENT.fullmatch, key.split(".")))


def _matches(wanted: list[str], segments: list[str]) -> bool:
    return all(want in (ANY, segment) for want, segment in zip(wanted, segments, strict=True))


def _filled(text: str, named: list[str]) -> str:
    """Put the names in their places; a name with braces in it is left as it is."""
    return _PLACE.sub(lambda place: named[int(place[1])], text)
