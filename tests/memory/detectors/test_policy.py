"""Policy: what is chosen is read strictly, and secrets are never kept."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.detectors.policy import KINDS, TREATMENTS
from memory.privacy import PrivacyError, default_policy, read_policy


def test_by_default_numbers_are_named_and_secrets_and_streets_only_replaced() -> None:
    assert {kind for kind, treatment in default_policy().items() if treatment == "redact"} == {"secret", "street"}
    assert set(default_policy()) == set(KINDS)
    assert "keep" not in default_policy().values()


def test_what_a_policy_does_not_name_is_treated_as_by_default() -> None:
    assert read_policy({"email": "keep"}) == {**default_policy(), "email": "keep"}
    assert read_policy({}) == default_policy()


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ({"person": "redact"}, "'person'"),
        ({"phone": "mask"}, "redact, hash, keep"),
        ({"phone": None}, "None"),
        ({"secret": "keep"}, "never kept"),
        ({1: "keep"}, "1"),
        (["phone"], "mapping"),
        ("keep", "mapping"),
        (None, "mapping"),
    ],
)
def test_a_policy_that_cannot_be_understood_is_refused_and_told_why(chosen: object, said: str) -> None:
    with pytest.raises(PrivacyError, match="Write") as refused:
        read_policy(chosen)
    assert said in str(refused.value)


@given(
    st.dictionaries(st.text() | st.sampled_from(KINDS), st.text() | st.sampled_from(TREATMENTS) | st.lists(st.text()))
)
def test_no_policy_that_is_read_keeps_secrets_or_leaves_a_kind_out(chosen: dict[str, object]) -> None:
    try:
        policy = read_policy(chosen)
    except PrivacyError:
        return
    assert set(policy) == set(KINDS)
    assert policy["secret"] in ("redact", "hash")
