"""The chart of an ablation, as SVG: a bar for each signal and measure, readable on light and dark backgrounds alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from jiyi.evals.ablation import MEASURES
from jiyi.evals.recall_report import Report

WIDTH = 720
LEFT, RIGHT = 130, 110
BAR, GAP = 9, 10
ROW = BAR * len(MEASURES) + GAP
HEAD, FOOT, KEY = 30, 26, 34
LEAST_SPAN = 0.01
COLOURS = ("#2f81f7", "#2da44e", "#bf8700")
STYLE = (
    "text{font:12px system-ui,sans-serif;fill:#6e7781}.title{font-weight:600}.axis{stroke:#8c959f;stroke-width:1}"
    ".reach{stroke:#6e7781;stroke-width:1.4}"
    "@media (prefers-color-scheme:dark){text{fill:#adbac7}}"
)


@dataclass(frozen=True, kw_only=True)
class _Scale:
    """Where a value stands between the left and the right edge; zero is always between them."""

    low: float
    high: float

    def at(self, value: float) -> float:
        """Give the place of a value, in pixels."""
        return LEFT + (value - self.low) / (self.high - self.low) * (WIDTH - LEFT - RIGHT)


def ablation_chart(files: Mapping[str, Report]) -> str:
    """Draw what each signal is worth, a panel for each file; the thin line is the 95 % interval.

    Args:
        files: Reports with an `ablation`, by the file's stem.
    """
    panels: list[str] = []
    top = KEY
    for stem, found in files.items():
        panels.extend(_panel(stem, found["ablation"], top))
        top += _height(found["ablation"])
    return "\n".join([_opening(top), *_key(), *panels, "</svg>", ""])


def _opening(height: int) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
        f'height="{height}">\n<title>What each signal of recall is worth</title>\n<style>{STYLE}</style>'
    )


def _key() -> Iterator[str]:
    """Name the measures in their colours."""
    for number, (name, colour) in enumerate(zip(MEASURES, COLOURS, strict=True)):
        x = LEFT + number * 110
        yield f'<rect x="{x}" y="10" width="{BAR}" height="{BAR}" fill="{colour}"/>'
        yield f'<text x="{x + BAR + 5}" y="19">{name}</text>'


def _height(ablation: Report) -> int:
    return HEAD + ROW * len(ablation) + FOOT


def _panel(stem: str, ablation: Report, top: int) -> Iterator[str]:
    scale = _scale(ablation)
    base = top + HEAD + ROW * len(ablation)
    zero = scale.at(0)
    yield f'<text class="title" x="10" y="{top + 18}">{escape(stem)}</text>'
    yield f'<line class="axis" x1="{zero:.1f}" y1="{top + HEAD - 6}" x2="{zero:.1f}" y2="{base}"/>'
    yield f'<text x="{zero:.1f}" y="{base + 14}" text-anchor="middle">0</text>'
    for number, (signal, worth) in enumerate(ablation.items()):
        yield from _row(signal, worth, top + HEAD + number * ROW, scale)


def _row(signal: str, worth: Report, top: int, scale: _Scale) -> Iterator[str]:
    middle = top + BAR * len(MEASURES) / 2 + 4
    yield f'<text x="{LEFT - 12}" y="{middle:.1f}" text-anchor="end">{escape(signal)}</text>'
    yield f'<text x="{WIDTH - RIGHT + 14}" y="{middle:.1f}">{worth[MEASURES[0]]:+.3f}</text>'
    for number, (name, colour) in enumerate(zip(MEASURES, COLOURS, strict=True)):
        yield from _bar(worth[name], worth["intervals"][name], top + number * BAR, scale, colour)


def _bar(value: float, reach: Sequence[float], top: int, scale: _Scale, colour: str) -> Iterator[str]:
    left, right = sorted((scale.at(0), scale.at(value)))
    low, high = (scale.at(end) for end in reach)
    middle = top + BAR / 2
    yield f'<rect x="{left:.1f}" y="{top}" width="{right - left:.1f}" height="{BAR - 1}" fill="{colour}"/>'
    yield f'<line class="reach" x1="{low:.1f}" y1="{middle:.1f}" x2="{high:.1f}" y2="{middle:.1f}"/>'


def _scale(ablation: Report) -> _Scale:
    """Take in every bar with its interval, and never so little that noise looks like something."""
    ends = [end for worth in ablation.values() for name in MEASURES for end in (*worth["intervals"][name], worth[name])]
    low, high = min(0.0, *ends), max(0.0, *ends)
    return _Scale(low=low, high=max(high, low + LEAST_SPAN))
