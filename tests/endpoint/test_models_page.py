"""docs/models.md: a section for each kind of endpoint that is tried, whose settings are settings."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from graph.models.sentences import host_of
from graph.settings import REMOTE, Settings
from tests.endpoint.dialects import DIALECTS
from tests.endpoint.failing import PAGE

SETTING = re.compile(r"^    ([A-Z][A-Z_]*)=(\S+)$", re.MULTILINE)


def sections() -> Mapping[str, str]:
    """Give what stands under each heading, by its first words in lower case."""
    parts = PAGE.read_text(encoding="utf-8").split("\n## ")[1:]
    return {part.partition("\n")[0].partition(" (")[0].casefold(): part for part in parts}


@pytest.mark.parametrize("name", DIALECTS)
def test_each_kind_of_endpoint_has_a_block_that_the_settings_understand(name: str) -> None:
    given = {variable.lower(): value for variable, value in SETTING.findall(sections()[name])}
    assert set(given) <= set(Settings.model_fields)
    assert given["model"].startswith(REMOTE)
    assert host_of(Settings.model_validate(given))
    assert ("openai_base_url" in given) is (name != "openai")


def test_what_each_can_do_stands_beside_it() -> None:
    for name, dialect in DIALECTS.items():
        row = next(line for line in sections()[name].splitlines() if line.startswith("| ") and "Tools" not in line)
        _, schema, json_object, thinking = (cell.strip() for cell in row.strip("|").split("|"))
        assert schema.startswith("no") is ("json_schema" not in dialect.formats), name
        assert json_object.startswith("no") is ("json_object" not in dialect.formats), name
        assert ("prompt says" in json_object) is (dialect.word_json is not None), name
        assert ("between tags" in thinking) is (dialect.thinking == "tags" and name != "openai"), name
