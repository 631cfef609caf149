"""docs/features.md: every seed has its rows, and what is said to be built can be looked up."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SEEDS = ("000", "001", "002", "003", "004")
STATES = ("built", "comes with", "left out")
COLUMNS = 7


@dataclass(frozen=True, kw_only=True)
class Row:
    """One line of a table in docs/features.md."""

    number: str
    what: str
    where: str
    command: str
    test: str
    state: str
    departs: str


def rows() -> list[Row]:
    """Read the rows whose first cell is a number such as 003-07."""
    text = (ROOT / "docs" / "features.md").read_text(encoding="utf-8")
    lines = re.findall(r"^\| (\d{3}-\d{2}) \|(.*)\|$", text, flags=re.MULTILINE)
    return [row_of(number, cells) for number, cells in lines]


def row_of(number: str, cells: str) -> Row:
    what, where, command, test, state, departs = (cell.strip() for cell in re.split(r"(?<!\\)\|", cells))
    return Row(number=number, what=what, where=where, command=command, test=test, state=state, departs=departs)


def paths_in(cell: str) -> list[str]:
    """Give the files that a cell names in backticks, without `:name` or `::test` behind them."""
    quoted = re.findall(r"`([^`]+)`", cell)
    return [text.partition(":")[0] for text in quoted if "/" in text or "." in text]


def unkept(column: str) -> list[str]:
    """Say of each built row whose column names no file, or one that is not there, what is wrong."""
    faults = []
    for row in rows():
        paths = paths_in(getattr(row, column))
        if row.state == "built" and not paths:
            faults.append(f"{row.number} is built but names no file under {column}")
        if row.state == "built":
            faults += [f"{row.number} names {path}, which is not there" for path in paths if not (ROOT / path).exists()]
    return faults


def test_every_line_of_a_table_is_a_whole_row() -> None:
    text = (ROOT / "docs" / "features.md").read_text(encoding="utf-8")
    numbered = [line for line in text.splitlines() if re.match(r"\| \d{3}-", line)]

    cells = [len(re.split(r"(?<!\\)\|", line)) - 2 for line in numbered]

    assert set(cells) == {COLUMNS}
    assert len(rows()) == len(numbered)


def test_each_seed_has_rows_numbered_without_gaps() -> None:
    numbers = [row.number for row in rows()]

    for seed in SEEDS:
        of_seed = [number for number in numbers if number.startswith(seed)]
        assert of_seed == [f"{seed}-{index:02}" for index in range(1, len(of_seed) + 1)]
        assert of_seed, f"docs/features.md has no row for seed {seed}"


def test_each_state_is_a_known_word() -> None:
    strange = {row.number: row.state for row in rows() if not row.state.startswith(STATES)}

    assert strange == {}


def test_what_is_built_lives_in_files_that_exist() -> None:
    assert unkept("where") == []


def test_what_is_built_is_proved_by_tests_that_exist() -> None:
    assert unkept("test") == []


def test_what_is_left_out_says_why() -> None:
    assert [row.number for row in rows() if row.state == "left out" and not row.departs] == []
