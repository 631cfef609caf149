"""Policy: what becomes of each kind of private thing.

ValueError
└── PrivacyError            a policy, or a name made for a number, cannot be used; the text says what to write
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, TypeAlias, get_args

from memory.detectors.detector import PrivateKind

Treatment: TypeAlias = Literal["redact", "hash", "keep"]
"""Replaced by its kind alone, by its kind and a stable name of the number, or not looked for at all."""
Policy: TypeAlias = Mapping[PrivateKind, Treatment]

KINDS: tuple[PrivateKind, ...] = get_args(PrivateKind)
TREATMENTS: tuple[Treatment, ...] = get_args(Treatment)
NAMELESS: frozenset[PrivateKind] = frozenset({"secret", "street"})
"""Replaced by their kind alone: that two secrets are the same is nobody's business, a street is no identifier."""
DEFAULT_POLICY: Policy = MappingProxyType({kind: "redact" if kind in NAMELESS else "hash" for kind in KINDS})


class PrivacyError(ValueError):
    """What was asked of redaction cannot be done, and nothing is kept unredacted because of it."""


def default_policy() -> Policy:
    """Give the policy where nobody chose another: numbers are named, secrets and streets only replaced."""
    return DEFAULT_POLICY


def read_policy(chosen: object) -> Policy:
    """Read a policy from a mapping of kinds to treatments; a kind that it does not name is treated as by default.

    Raises:
        PrivacyError: It is no mapping, names an unknown kind or treatment, or would keep secrets.
    """
    if not isinstance(chosen, Mapping):
        raise PrivacyError(
            f"Cannot read the privacy policy: {chosen!r} is no mapping. Write kinds and treatments, such as "
            "`phone: hash`, or leave it out."
        )
    return MappingProxyType(dict(DEFAULT_POLICY) | dict(_chosen(*item) for item in chosen.items()))


def _chosen(kind: object, treatment: object) -> tuple[PrivateKind, Treatment]:
    if kind not in KINDS:
        raise PrivacyError(
            f"Cannot read the privacy policy: there is no kind {kind!r}. Write one of {', '.join(KINDS)}."
        )
    if treatment not in TREATMENTS:
        raise PrivacyError(
            f"Cannot read the privacy policy: {kind} cannot be treated as {treatment!r}. Write one of {', '.join(TREATMENTS)}."
        )
    if kind == "secret" and treatment == "keep":
        raise PrivacyError(
            "Cannot read the privacy policy: secrets are never kept. Write `secret: redact`, or leave it out."
        )
    return kind, treatment
