"""Context: what a run may choose, as Studio shows it."""

from __future__ import annotations

from dataclasses import fields

import pytest
from pydantic import TypeAdapter, ValidationError

from graph.agent import STEPS, graph
from graph.context import LAYERS, Context
from graph.sleep import graph as sleep
from graph.write import graph as write


def test_every_field_may_be_left_as_it_is() -> None:
    assert Context() == Context(user_id="", agent="_", memory="on", layers=list(LAYERS))


def test_every_field_says_what_it_is_and_which_nodes_use_it() -> None:
    nodes = {step.__name__ for step in STEPS}
    for field in fields(Context):
        extra = field.metadata["json_schema_extra"]
        assert field.metadata["description"].endswith(".")
        assert set(extra["langgraph_nodes"]) <= nodes, field.name


@pytest.mark.parametrize("one", [graph, write, sleep], ids=["agent", "write", "sleep"])
def test_studio_gets_a_form_with_every_field(one: object) -> None:
    schema = one.get_context_jsonschema()  # type: ignore[attr-defined]
    assert set(schema["properties"]) == {field.name for field in fields(Context)}
    assert not schema.get("required")


def test_a_value_that_cannot_be_chosen_is_refused() -> None:
    adapter = TypeAdapter(Context)
    for wrong in ({"memory": "sometimes"}, {"memory_writes": "later"}, {"window": "wide"}, {"run_kind": "robot"}):
        with pytest.raises(ValidationError):
            adapter.validate_python(wrong)


def test_no_two_contexts_share_their_layers() -> None:
    first = Context()
    first.layers.clear()
    assert Context().layers == list(LAYERS)
