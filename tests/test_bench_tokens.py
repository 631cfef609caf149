"""The measurement of the estimate of tokens: its texts, its figures, and what it says of a file that is no vocabulary."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from bench.token_error import error_of, texts_by_script
from memory.tokens import count_tokens

ROOT = Path(__file__).parents[1]


def test_each_script_has_texts_of_its_own() -> None:
    texts = texts_by_script()
    assert list(texts) == ["Chinese", "English", "mixed", "code", "JSON", "emoji"]
    assert all(len(found) > 10 for found in texts.values())
    assert all(len(text) == 10 for text in texts["emoji"][:-1])


def test_an_estimate_is_compared_text_by_text() -> None:
    same = error_of(["你好", "hello"], count_tokens)
    assert (same.percent, same.too_few, same.texts) == (0, 0, 2)

    twice = error_of(["你好", "记忆"], lambda text: 2 * count_tokens(text))
    assert twice.percent == pytest.approx(-50)
    assert (twice.too_few, twice.real, twice.estimated) == (100, 8, 4)


def test_a_file_that_is_no_vocabulary_is_refused(tmp_path: Path) -> None:
    (tmp_path / "o200k_base.tiktoken").write_text("IQ== 0\n", encoding="utf-8")
    for path in (tmp_path / "o200k_base.tiktoken", tmp_path / "nowhere"):
        done = subprocess.run(
            [sys.executable, "-m", "bench.token_error", path], cwd=ROOT, capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stdout) == (1, "")
        assert path.name in done.stderr
