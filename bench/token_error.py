"""Measure how far the estimate of tokens is from a real vocabulary, per script.

    python -m bench.token_error o200k_base.tiktoken

The file is one that tiktoken publishes (in its cache it has the SHA-1 of its address for a name); nothing is fetched. Texts
are those of `jiyi/evals/data`, Chinese, English or mixed by their letters; as code stand this project's own Python, YAML and JSON, in
pieces of 20 lines; as emoji those of Unicode, ten a text. An error of 10 % is a tenth too many.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from graph.counting import CL100K, O200K, counter_from
from memory.tokens import TextCounter, TokenCounter, count_tokens

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "jiyi" / "evals" / "data"
CODE = (("memory", "*.py"), ("store", "*.py"), ("skills/library", "*.yaml"), ("memory/same", "*.yaml"))
LINES_A_TEXT, EMOJI_A_TEXT = 20, 10
MOSTLY, HARDLY = 0.8, 0.2
EMOJI = ((0x1F300, 0x1F650), (0x1F680, 0x1F6FD), (0x1F900, 0x1FA00))


@dataclass(frozen=True, kw_only=True)
class Error:
    """How far off the estimate is for one script, in per cent of the real count; the spread is over its texts."""

    texts: int
    real: int
    estimated: int
    lowest: float
    p5: float
    p95: float
    too_few: float

    @property
    def percent(self) -> float:
        """Give the error of all texts together."""
        return 100 * (self.estimated / self.real - 1)


def error_of(texts: Sequence[str], real: TextCounter) -> Error:
    """Compare the estimate with a real count, text by text."""
    exact = np.array([real(text) for text in texts])
    estimated = np.array([count_tokens(text) for text in texts])
    errors = 100 * (estimated / exact - 1)
    return Error(
        texts=len(texts),
        real=int(exact.sum()),
        estimated=int(estimated.sum()),
        lowest=float(errors.min()),
        p5=float(np.percentile(errors, 5)),
        p95=float(np.percentile(errors, 95)),
        too_few=100 * float((estimated < exact).mean()),
    )


def texts_by_script() -> dict[str, list[str]]:
    """Collect the texts that are measured."""
    found: dict[str, list[str]] = {"Chinese": [], "English": [], "mixed": []}
    for text in dict.fromkeys(text for path in sorted(DATA.glob("*.jsonl")) for text in _texts_in(path)):
        found[_script_of(text)].append(text)
    lines = [line for path in DATA.glob("*.recall.jsonl") for line in path.read_text(encoding="utf-8").splitlines()]
    return {**found, "code": list(_code()), "JSON": [line[:2_000] for line in lines], "emoji": list(_emoji())}


def _texts_in(path: Path) -> Iterator[str]:
    for line in path.read_text(encoding="utf-8").splitlines():
        yield from _texts_of(json.loads(line))


def _texts_of(value: Any) -> Iterator[str]:
    """Give what stands under `text` at any depth."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if name == "text" and isinstance(inner, str) and inner.strip():
                yield inner
            else:
                yield from _texts_of(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts_of(inner)


def _script_of(text: str) -> str:
    letters = [char for char in text if char.isalpha()]
    share = sum("\u4e00" <= char <= "\u9fff" for char in letters) / max(len(letters), 1)
    return "Chinese" if share > MOSTLY else "English" if share < HARDLY else "mixed"


def _code() -> Iterator[str]:
    for folder, pattern in CODE:
        for path in sorted((ROOT / folder).glob(pattern)):
            lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
            yield from ("".join(lines[at : at + LINES_A_TEXT]) for at in range(0, len(lines), LINES_A_TEXT))


def _emoji() -> Iterator[str]:
    named = [chr(code) for low, high in EMOJI for code in range(low, high) if unicodedata.name(chr(code), "")]
    yield from ("".join(named[at : at + EMOJI_A_TEXT]) for at in range(0, len(named), EMOJI_A_TEXT))


def table(errors: Iterable[tuple[str, Error]]) -> str:
    """Write a line for each script."""
    head = f"{'script':<10}{'texts':>7}{'real':>9}{'estimated':>11}{'error':>8}{'lowest':>9}{'p5':>8}{'p95':>8}{'too few':>9}"
    return "\n".join(
        [
            head,
            *(
                f"{script:<10}{one.texts:>7}{one.real:>9}{one.estimated:>11}{one.percent:>+7.1f}%{one.lowest:>+8.1f}%"
                f"{one.p5:>+7.1f}%{one.p95:>+7.1f}%{one.too_few:>8.1f}%"
                for script, one in errors
            ),
        ]
    )


def _counter(path: Path) -> TokenCounter | None:
    held = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
    published = next((one for one in (O200K, CL100K) if one.sha256 == held), None)
    return counter_from(path, published) if published else None


def main() -> int:
    """Print the table; 1 where the file is no vocabulary that is known."""
    reading = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reading.add_argument("vocabulary", type=Path, help="a file of o200k_base or cl100k_base")
    path = reading.parse_args().vocabulary
    if not path.is_file():
        sys.stderr.write(f"There is no file {str(path)!r}; docs/window.md says where tiktoken keeps one.\n")
        return 1
    counter = _counter(path)
    if counter is None:
        sys.stderr.write(f"Cannot measure with {str(path)!r}: it is not o200k_base or cl100k_base as published.\n")
        return 1
    errors = [(script, error_of(texts, counter.text)) for script, texts in texts_by_script().items()]
    sys.stdout.write(f"{counter.name}\n{table(errors)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
