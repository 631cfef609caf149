"""Tests of the choice of a compressor, and of LLMLingua behind the seam: its call, its errors, its real self."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from graph.compression import (
    DEFAULT_MODEL,
    KEPT,
    LLMLinguaCompressor,
    MissingExtraError,
    compressor_named,
    made_with,
    options_for,
    without_contractions,
)
from graph.parts import make_parts
from graph.settings import Settings
from memory.compression import ExtractiveCompressor
from memory.seams import CompressionError, Compressor

HERE = find_spec("llmlingua")
installed = pytest.mark.skipif(HERE is None, reason="the extra llmlingua is not installed")
absent = pytest.mark.skipif(HERE is not None, reason="the extra llmlingua is installed")


class Recorder:
    """Stands where the package's PromptCompressor stands, and writes down how it is called."""

    def __init__(self) -> None:
        self.calls: list[tuple[Sequence[str], dict[str, Any]]] = []

    def compress_prompt(self, context: Sequence[str], **options: Any) -> dict[str, Any]:
        self.calls.append((context, options))
        return {"compressed_prompt": "不 吃 香菜", "origin_tokens": 9, "compressed_tokens": 5}


class Failing:
    """A model that fails on each text."""

    def compress_prompt(self, context: Sequence[str], **options: Any) -> dict[str, Any]:
        raise RuntimeError("out of memory")


def arguments_of(path: Path, name: str) -> list[str]:
    """Read from a file of the package which arguments a method of PromptCompressor takes; torch is not imported."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    (made,) = [one for one in ast.walk(tree) if isinstance(one, ast.ClassDef) and one.name == "PromptCompressor"]
    (method,) = [one for one in made.body if isinstance(one, ast.FunctionDef) and one.name == name]
    return [argument.arg for argument in method.args.args]


def test_the_rules_compress_unless_another_is_chosen() -> None:
    assert Settings().compressor == "rules"
    assert isinstance(compressor_named("rules"), ExtractiveCompressor)


def test_without_its_package_the_error_names_the_extra() -> None:
    with pytest.raises(MissingExtraError, match=r"pip install 'jiyi\[llmlingua\]'"):
        compressor_named("llmlingua", installed=lambda _: False)


@absent
def test_a_start_without_the_package_says_so(tmp_path: Path) -> None:
    chosen = Settings(jiyi_home=tmp_path, embeddings="none", compressor="llmlingua")
    with pytest.raises(MissingExtraError, match="COMPRESSOR=llmlingua"):
        make_parts(chosen)


def test_a_compressor_that_there_is_not_is_refused() -> None:
    for name in ("llm", "llmlingua2", "llmlingua:", "llmlingua:gpt2"):
        with pytest.raises(ValidationError, match="bert-base-multilingual-cased"):
            Settings(compressor=name)
    assert Settings(compressor="llmlingua:/models/my-xlm-roberta-large").compressor


def test_the_model_is_loaded_once_and_only_for_a_text() -> None:
    recorder, loads = Recorder(), list[str]()

    def load(model: str) -> Recorder:
        loads.append(model)
        return recorder

    chosen: Compressor = LLMLinguaCompressor(load=load)
    assert (chosen.compress("", 5), chosen.compress("一", 0), loads) == ("", "", [])
    assert chosen.compress("我不吃香菜\nI don't eat nuts", 5) == "不 吃 香菜"
    chosen.compress("二", 7)
    assert loads == [DEFAULT_MODEL]
    assert [call[0] for call in recorder.calls] == [["我不吃香菜\nI do not eat nuts"], ["二"]]
    assert recorder.calls[1][1] == options_for(7)


def test_a_folder_may_hold_the_model() -> None:
    chosen = compressor_named("llmlingua:/models/xlm-roberta-large", installed=lambda _: True)
    assert isinstance(chosen, LLMLinguaCompressor)


def test_what_fails_in_the_package_is_an_error_of_the_seam() -> None:
    def no_model(model: str) -> Failing:
        raise OSError("cannot reach the hub")

    with pytest.raises(CompressionError, match="out of memory"):
        LLMLinguaCompressor(load=lambda _: Failing()).compress("一", 5)
    with pytest.raises(CompressionError, match="cannot reach the hub"):
        LLMLinguaCompressor(load=no_model).compress("一", 5)


@pytest.mark.parametrize(
    ("said", "spelt"),
    [
        ("I don't, can't and won't; Mustn’t", "I do not, can not and will not; Must not"),
        ("want cannot ant's", "want cannot ant's"),
    ],
)
def test_a_negation_is_a_word_of_its_own(said: str, spelt: str) -> None:
    assert without_contractions(said) == spelt


def test_no_more_words_are_kept_than_the_package_takes() -> None:
    assert len(KEPT) <= 100


@installed
def test_the_call_is_one_that_the_real_package_takes() -> None:
    assert HERE is not None
    assert HERE.origin is not None
    source = Path(HERE.origin).parent / "prompt_compressor.py"
    takes = arguments_of(source, "compress_prompt")
    assert takes[:2] == ["self", "context"]
    assert set(options_for(5)) <= set(takes)
    assert set(options_for(5)) <= set(arguments_of(source, "compress_prompt_llmlingua2"))
    made = arguments_of(source, "__init__")
    assert made[:2] == ["self", "model_name"]
    assert set(made_with()) <= set(made)
    assert '"compressed_prompt"' in source.read_text(encoding="utf-8")


@installed
@pytest.mark.slow
def test_the_real_package_compresses() -> None:
    package = pytest.importorskip("llmlingua", exc_type=ImportError)
    inspect.signature(package.PromptCompressor.compress_prompt).bind(None, ["一"], **options_for(5))
    text = "请记住：我不吃香菜，订单号是 8842。今天的天气真的非常好，我们一起去公园里走了走。"
    try:
        short = LLMLinguaCompressor().compress(text, 24)
    except CompressionError as error:  # tests leave this machine for nothing: the model must be in the hub's cache
        pytest.skip(str(error))
    assert 0 < len(short) < len(text)
    assert "8842" in short
    assert "不" in short
