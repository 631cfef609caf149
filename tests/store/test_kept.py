"""KeptEmbedder: our own texts are embedded once per home; nobody's words are kept."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from jiyi.testing import HashEmbedder
from memory.seams import EmbeddingError, Vector
from store.embed.kept import KeptEmbedder

TEXTS = ["the weather is nice", "今天天气不错"]


class CountingEmbedder(HashEmbedder):
    def __init__(self, dimensions: int = 8) -> None:
        super().__init__(dimensions)
        self.embedded: list[str] = []
        self.down = False

    async def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        if self.down:
            raise EmbeddingError("down")
        self.embedded += texts
        return await super().embed_passages(texts)


def files_in(folder: Path) -> list[Path]:
    return list(folder.iterdir())


async def close_to_its_own(vectors: list[Vector], texts: Sequence[str], dimensions: int = 8) -> bool:
    wanted = await HashEmbedder(dimensions).embed_passages(texts)
    return all(list(one) == pytest.approx(list(other), abs=1e-6) for one, other in zip(vectors, wanted, strict=True))


async def test_a_text_is_embedded_once_in_all_processes_of_a_home(tmp_path: Path) -> None:
    first, second = CountingEmbedder(), CountingEmbedder()
    await KeptEmbedder(first, tmp_path).embed_passages(TEXTS)
    kept = KeptEmbedder(second, tmp_path)
    assert await close_to_its_own(await kept.embed_passages([*TEXTS, TEXTS[0]]), [*TEXTS, TEXTS[0]])
    assert (first.embedded, second.embedded) == (TEXTS, [])
    await kept.embed_passages(["one more", *TEXTS])
    assert second.embedded == ["one more"]


async def test_what_is_searched_for_is_not_kept(tmp_path: Path) -> None:
    kept = KeptEmbedder(CountingEmbedder(), tmp_path)
    await kept.embed_queries(["somebody's words"])
    assert files_in(tmp_path) == []


async def test_another_embedder_has_another_file(tmp_path: Path) -> None:
    await KeptEmbedder(CountingEmbedder(8), tmp_path).embed_passages(TEXTS)
    other = CountingEmbedder(16)
    assert await close_to_its_own(await KeptEmbedder(other, tmp_path).embed_passages(TEXTS), TEXTS, 16)
    assert other.embedded == TEXTS
    assert len(files_in(tmp_path)) == 2


@pytest.mark.parametrize("damage", [b"", b"no zip at all", b"PK\x03\x04 cut"])
async def test_a_broken_file_is_written_anew(tmp_path: Path, damage: bytes) -> None:
    await KeptEmbedder(CountingEmbedder(), tmp_path).embed_passages(TEXTS)
    (file,) = files_in(tmp_path)
    file.write_bytes(damage)
    again = CountingEmbedder()
    assert await close_to_its_own(await KeptEmbedder(again, tmp_path).embed_passages(TEXTS), TEXTS)
    assert again.embedded == TEXTS
    await KeptEmbedder(again, tmp_path).embed_passages(TEXTS)
    assert again.embedded == TEXTS


async def test_a_file_that_is_cut_anywhere_is_no_error(tmp_path: Path) -> None:
    await KeptEmbedder(CountingEmbedder(), tmp_path).embed_passages(TEXTS)
    (file,) = files_in(tmp_path)
    whole = file.read_bytes()
    for length in range(0, len(whole), 37):
        file.write_bytes(whole[:length])
        assert await close_to_its_own(await KeptEmbedder(CountingEmbedder(), tmp_path).embed_passages(TEXTS), TEXTS)


async def test_a_failure_is_not_kept(tmp_path: Path) -> None:
    embedder = CountingEmbedder()
    kept = KeptEmbedder(embedder, tmp_path)
    embedder.down = True
    with pytest.raises(EmbeddingError):
        await kept.embed_passages(TEXTS)
    embedder.down = False
    assert await close_to_its_own(await kept.embed_passages(TEXTS), TEXTS)


async def test_many_who_ask_at_once_embed_once(tmp_path: Path) -> None:
    embedder = CountingEmbedder()
    kept = KeptEmbedder(embedder, tmp_path)
    await asyncio.gather(*(kept.embed_passages(TEXTS) for _ in range(10)))
    assert embedder.embedded == TEXTS


async def test_the_file_is_for_its_owner_only_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    await KeptEmbedder(CountingEmbedder(), tmp_path / "cache").embed_passages(TEXTS)
    (file,) = files_in(tmp_path / "cache")
    assert file.stat().st_mode & 0o077 == 0
    assert file.suffix == ".npz"
