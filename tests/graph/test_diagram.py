"""The diagram in the READMEs is the graph that runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from graph.agent import graph

ROOT = Path(__file__).parents[2]
MERMAID = re.compile(r"^```mermaid\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("name", ["README.md", "README.zh-CN.md"])
def test_a_readme_draws_the_graph_that_runs(name: str) -> None:
    drawn = [block.strip() for block in MERMAID.findall((ROOT / name).read_text(encoding="utf-8"))]
    assert graph.get_graph().draw_mermaid().strip() in drawn
