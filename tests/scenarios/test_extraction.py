"""What users of other memory systems suffer, section A: each scenario of extraction.yaml, in each of its runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.scenarios.running import play
from tests.scenarios.told import Mode, Scenario, runs


@pytest.mark.parametrize(("scenario", "mode"), runs("extraction"))
async def test_it_holds(scenario: Scenario, mode: Mode, tmp_path: Path) -> None:
    await play(scenario, mode, tmp_path / "home")
