"""A run's context is checked before anything is done."""

from __future__ import annotations

from typing import Any

import pytest

from graph.context import Context
from graph.context_check import check_context
from graph.identity import RunError


def test_an_untouched_form_is_fine() -> None:
    check_context(Context())
    check_context(Context(memory="read_only", window="budget", layers=["profile"], memory_writes="background"))


@pytest.mark.parametrize(
    "wrong",
    [
        {"memory": "maybe"},
        {"window": "zzz"},
        {"window": -1},
        {"layers": None},
        {"layers": ["nope"]},
        {"layers": "profile"},
        {"run_kind": "zzz"},
        {"review": 1},
        {"timezone": 5},
        {"now": 7},
        {"model": None},
        {"memory_writes": "never"},
    ],
)
def test_a_value_that_means_nothing_is_refused_by_name(wrong: dict[str, Any]) -> None:
    (name,) = wrong
    with pytest.raises(RunError, match=name):
        check_context(Context(**wrong))
