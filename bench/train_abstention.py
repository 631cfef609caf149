"""Learn when nothing in a memory helps, and write memory/ranking/abstention.yaml.

    python -m bench.train_abstention ../shared/bench/{locomo,memdaily-zh,madial-zh,madial-en}.recall.jsonl --write

A logistic model over the evidence (`memory.ranking.evidence`). Something helps with a question that has gold; nothing does with
what was never said, with small talk (both asked of the project's own corpora, small talk of some others too), and with the
questions of another corpus; each question of which a word stands in its gold also as its bare keywords, and as the longest of
those. Of what was never said and of small talk half is learned from, by a hash of the text, and the other half is reported; so
are the questions held out. Each file has an intercept of its own while the weights are learned, so
that they tell answered from unanswered questions of one memory, not one data set from another; written is the one of the
project's own corpora. Each kind of a file weighs alike, and as much speaks for as against.

A memory keeps silent below `least`: the highest at which 99 % of the questions with gold still get something, of each file
that is learned from (by words only: of those of which a word stands in what ranks best), and of each own corpus by what was
learned without it. No randomness. `--cache FILE` keeps the vectors between runs.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal
from zoneinfo import ZoneInfo

import numpy as np
import yaml

from bench.train_ranking import Kept, corpus_from, meant_of
from jiyi.evals.own_files import own_files
from jiyi.evals.recall_file import Query, read_recall_file, stem_of
from memory.context_query import EMPTY_WORDS, HAN, REQUESTS
from memory.ranking.abstention import WEIGHTS
from memory.ranking.corpus import Corpus, Floats
from memory.ranking.evidence import NAMES, Evidence, evidence
from memory.ranking.question import question_of
from memory.ranking.ranked import Kind, ranked
from memory.ranking.signals.meaning import nearness
from store.kept_episodes import searched_text

OWN, HELD_OUT = "own", "own-held-out"
OUT = Path(__file__).parents[1] / "memory" / "ranking" / WEIGHTS
KEPT = 0.99
OF_ANOTHER, SMALL_TALK_CORPORA = 4, 2
OF_OTHERS, IN_KEYWORDS = bytes([80]), bytes([20])
"""Which questions of other files are asked, by the hash of their text: a third; and which in keywords too: some."""
L2, STEPS, BINS = 1e-3, 60, 5

What = Literal[
    "with gold", "in keywords", "one keyword", "never said", "small talk", "of another", "of another, in keywords"
]
Vectors = np.ndarray[tuple[int, int], np.dtype[np.float32]]


@dataclass(frozen=True, kw_only=True)
class Asked:
    """One asking: of which corpus of which file, what it is, whether it is learned from, and its evidence."""

    text: str
    file: str
    corpus: str
    what: What
    lang: str
    kind: str
    learned: bool
    evidence: Evidence

    @property
    def helps(self) -> bool:
        """Say whether something in the memory helps."""
        return self.what in ("with gold", "in keywords", "one keyword")


@dataclass(frozen=True, kw_only=True)
class Model:
    """What was learned: by the raw values of the evidence."""

    names: tuple[str, ...]
    weights: Floats
    start: float

    def odds(self, asked: Sequence[Asked]) -> Floats:
        """Give the log odds that something helps."""
        found: Floats = _values(asked, self.names) @ self.weights + self.start
        return found


async def main(arguments: Sequence[str] | None = None) -> int:
    """Train with and without vectors, print what comes of it, and write the weights if wanted."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path, nargs="*")
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--write", action="store_true")
    chosen = parser.parse_args(arguments)
    kept = Kept(chosen.cache)
    table: dict[Kind, Mapping[str, Any]] = {}
    for kind in ("with_meaning", "words_only"):
        asked = await read(chosen.files, kept if kind == "with_meaning" else None)
        table[kind] = trained(kind, asked)
    kept.save()
    if chosen.write:
        learned_from = ", ".join([OWN, *(stem_of(file) for file in chosen.files)])
        head = f"# Learned by bench/train_abstention.py on {learned_from}, never-said and small-talk (half of each).\n"
        OUT.write_text(head + yaml.safe_dump(table, sort_keys=False), encoding="utf-8")
    return 0


async def read(development: Sequence[Path], kept: Kept | None) -> list[Asked]:
    """Measure the evidence of all that is asked."""
    asked = [one async for one in _own(OWN, kept)] + [one async for one in _own(HELD_OUT, kept)]
    small = list(_lines("small-talk.jsonl"))
    for file in development:
        for number, labelled in enumerate(read_recall_file(file, ZoneInfo("UTC"))):
            memory = await Memory.of(labelled, stem_of(file), kept)
            queries = [query for query in labelled.queries if query.gold and _hashed(query.text) < OF_OTHERS]
            asked += [await memory.query(query) for query in queries]
            asked += [
                one for query in queries if _hashed(query.text) < IN_KEYWORDS for one in await memory.in_keywords(query)
            ]
            if number < SMALL_TALK_CORPORA:
                asked += [await memory.line(line, "small talk") for line in small]
    return asked


async def _own(stem: str, kept: Kept | None) -> Any:
    """Ask the project's own corpora: their questions, those of the others, what was never said, and small talk."""
    corpora = read_recall_file(_data(f"{stem}.recall.jsonl"), ZoneInfo("UTC"))
    never, small = list(_lines("never-said.jsonl")), list(_lines("small-talk.jsonl"))
    for labelled in corpora:
        memory = await Memory.of(labelled, stem, kept)
        for query in labelled.queries:
            yield await memory.query(query)
            for one in await memory.in_keywords(query):
                yield one
        others = (sorted(one.queries, key=lambda query: _hashed(query.text)) for one in corpora if one is not labelled)
        for query in [query for queries in others for query in queries[:OF_ANOTHER]]:
            yield replace(await memory.query(query), what="of another")
            yield replace(await memory.query(query, keywords_of(query.text)), what="of another, in keywords")
        if stem == OWN:
            for line in (line for line in never if line["corpus"] == labelled.name):
                yield await memory.line(line, "never said")
            for line in small:
                yield await memory.line(line, "small talk")


@dataclass(frozen=True, kw_only=True)
class Memory:
    """A corpus that can be asked."""

    file: str
    name: str
    corpus: Corpus
    row_of: Mapping[str, int]
    kept: Kept | None
    rows: Vectors | None

    @classmethod
    async def of(cls, labelled: Any, file: str, kept: Kept | None) -> Memory:
        """Make it, with the vectors of its rows."""
        corpus, row_of = corpus_from(labelled)
        rows = (
            await kept.vectors("passage", [searched_text(said.speaker, said.text) for said in corpus.said])
            if kept
            else None
        )
        return cls(file=file, name=labelled.name, corpus=corpus, row_of=row_of, kept=kept, rows=rows)

    async def in_keywords(self, query: Query) -> list[Asked]:
        """Ask a question in its keywords, and by the longest that stands in its gold; a conversation is not asked so."""
        if "\n" in query.text:
            return []
        keywords = keywords_of(query.text)
        gold = " ".join(self.corpus.said[self.row_of[name]].text for name in query.gold).casefold()
        standing = [word for word in keywords.split() if word.casefold() in gold]
        if not standing:
            return []
        whole, longest = await self.query(query, keywords), await self.query(query, max(standing, key=len))
        return [replace(whole, what="in keywords"), replace(longest, what="one keyword")]

    async def query(self, query: Query, text: str | None = None) -> Asked:
        """Ask a question that has gold somewhere, in its words or in others."""
        text = text or query.text
        found = await self._evidence(text)
        return Asked(
            text=text,
            file=self.file,
            corpus=self.name,
            what="with gold",
            lang="zh" if HAN.search(text) else "en",
            kind=query.category,
            learned=self.file != HELD_OUT,
            evidence=found,
        )

    async def line(self, line: Mapping[str, str], what: What) -> Asked:
        """Ask what has no answer."""
        return Asked(
            text=line["text"],
            file=self.file,
            corpus=self.name,
            what=what,
            lang=line["lang"],
            kind=line.get("kind", what),
            learned=self.file != HELD_OUT and _hashed(line["text"])[0] % 2 == 0,
            evidence=await self._evidence(line["text"]),
        )

    async def _evidence(self, text: str) -> Evidence:
        question = question_of(text, self.corpus.names)
        if self.kept is None or self.rows is None:
            return evidence(self.corpus, question, ranked(self.corpus, question, None).scores)
        meant = await meant_of(question, self.rows, self.kept)
        return evidence(
            self.corpus,
            question,
            ranked(self.corpus, question, meant).scores,
            near=nearness(self.corpus, meant),
        )


def trained(kind: Kind, asked: Sequence[Asked]) -> Mapping[str, Any]:
    """Learn, choose from when on memories are shown, and print how it does on what was not learned from."""
    model = learned([one for one in asked if one.learned])
    least = operating_point(model, [one for one in asked if one.learned], by_words=kind == "words_only")
    tell(f"\n{kind}: silent below {_share(least):.2f}", asked, model.odds(asked), least)
    tell_calibration(asked, model)
    tell_left_out(asked, least)
    weights = {name: round(float(weight), 3) for name, weight in zip(model.names, model.weights, strict=True)}
    return {"weights": weights, "start": round(model.start, 3), "least": round(_share(least), 3)}


def learned(asked: Sequence[Asked]) -> Model:
    """Minimise the loss by Newton's method, with an intercept for each file; give the one of the own corpora."""
    names = tuple(name for name in NAMES if name in asked[0].evidence)
    values, helps = _values(asked, names), np.array([one.helps for one in asked], dtype=np.float64)
    mean, spread = values.mean(axis=0), np.maximum(values.std(axis=0), 1e-9)
    by_file = sorted({one.file for one in asked})
    files_of = np.array([[float(one.file == file) for file in by_file] for one in asked])
    table, share = np.hstack([(values - mean) / spread, files_of]), _shares(asked)
    small = np.diag([L2] * len(names) + [L2 / 100] * len(by_file))
    weights = np.zeros(table.shape[1])
    for _ in range(STEPS):
        expected = 1 / (1 + np.exp(-(table @ weights)))
        slope = table.T @ (share * (expected - helps)) + small @ weights
        curve = (table * (share * expected * (1 - expected))[:, None]).T @ table + small
        weights = weights - np.linalg.solve(curve, slope)
    raw = weights[: len(names)] / spread
    return Model(names=names, weights=raw, start=float(weights[len(names) + by_file.index(OWN)] - mean @ raw))


def operating_point(model: Model, asked: Sequence[Asked], *, by_words: bool) -> float:
    """Give the log odds below which memories are kept back."""
    odds: dict[str, list[float]] = {}
    for (file, corpus), part in _by_corpus(asked):
        wanted = [one for one in part if one.what == "with gold" and (one.evidence["matched"] > 0 or not by_words)]
        without = learned([one for one in asked if one.corpus != corpus]) if file == OWN else model
        odds.setdefault(file, []).extend(without.odds(wanted) if wanted else ())
    return min(float(np.quantile(one, 1 - KEPT)) for one in odds.values())


def _by_corpus(asked: Sequence[Asked]) -> list[tuple[tuple[str, str], list[Asked]]]:
    parts: dict[tuple[str, str], list[Asked]] = {}
    for one in asked:
        parts.setdefault((one.file, one.corpus), []).append(one)
    return list(parts.items())


def tell(title: str, asked: Sequence[Asked], odds: Floats, least: float) -> None:
    """Print what is kept of the questions with gold, and for how much of the rest nothing is recalled."""
    _say(title)
    judged = [Judged(asked=one, silent=bool(at < least)) for one, at in zip(asked, odds, strict=True)]
    for (what, file), ones in _grouped(judged, lambda one: (one.what, one.file)).items():
        if ones[0].asked.helps:
            _say(f"  {what}, {file}: {_share_of(ones, silent=False)} kept")
    unseen = [one for one in judged if not one.asked.learned]
    for (what, file), ones in _grouped(unseen, lambda one: (one.what, one.file)).items():
        if not ones[0].asked.helps:
            each = [f"{lang} {_share_of(part)}" for (lang,), part in _grouped(ones, lambda one: (one.lang,)).items()]
            _say(f"  {what}, {file}: nothing recalled for {_share_of(ones)} ({', '.join(each)})")
    small = [one for one in unseen if one.asked.what == "small talk" and one.asked.file == OWN]
    for (kind,), ones in _grouped(small, lambda one: (one.kind,)).items():
        _say(f"    {kind}: {_share_of(ones)}")
    for what in ("never said", "small talk", "of another"):
        rest = [one for one in unseen if one.asked.what == what and one.asked.file in (OWN, HELD_OUT)]
        _tell_scores(what, rest, [one for one in unseen if one.asked.what == "with gold"])


def _tell_scores(what: str, rest: Sequence[Judged], with_gold: Sequence[Judged]) -> None:
    """Print precision and recall of keeping silent, what is asked beside the questions held out."""
    right, wrong = sum(one.silent for one in rest), sum(one.silent for one in with_gold)
    _say(f"  keeping silent, {what}: precision {right / max(right + wrong, 1):.3f}, recall {right / len(rest):.3f}")


def tell_calibration(asked: Sequence[Asked], model: Model) -> None:
    """Print predicted and observed shares of help in the own corpora, as many with gold as without."""
    own = [one for one in asked if one.file in (OWN, HELD_OUT) and not one.learned]
    share, predicted = _shares(own), 1 / (1 + np.exp(-model.odds(own)))
    helps = np.array([one.helps for one in own], dtype=np.float64)
    for low in np.linspace(0, 1, BINS, endpoint=False):
        inside = (predicted >= low) & (predicted < low + 1 / BINS)
        weight = share * inside
        if inside.any():
            said, seen = (float((weight * of).sum() / weight.sum()) for of in (predicted, helps))
            _say(
                f"  calibration {low:.1f}..{low + 1 / BINS:.1f}: predicted {said:.2f}, observed {seen:.2f} (n={inside.sum()})"
            )


def tell_left_out(asked: Sequence[Asked], least: float) -> None:
    """Print what comes of each own corpus when nothing about it was learned."""
    for name in dict.fromkeys(one.corpus for one in asked if one.file == OWN):
        model = learned([one for one in asked if one.learned and one.corpus != name])
        part = [one for one in asked if one.corpus == name and (one.what == "with gold" or not one.learned)]
        judged = [Judged(asked=one, silent=bool(at < least)) for one, at in zip(part, model.odds(part), strict=True)]
        groups = _grouped(judged, lambda one: (one.what,)).items()
        each = [
            f"{what} {_share_of(ones)}" for (what,), ones in groups if what in ("with gold", "never said", "small talk")
        ]
        _say(f"  left out {name}: silent for {', '.join(each)}")


@dataclass(frozen=True, kw_only=True)
class Judged:
    """An asking, and whether nothing is recalled for it."""

    asked: Asked
    silent: bool


def _grouped(
    judged: Sequence[Judged], by: Callable[[Asked], tuple[str, ...]]
) -> Mapping[tuple[str, ...], Sequence[Judged]]:
    groups: dict[tuple[str, ...], list[Judged]] = {}
    for one in judged:
        groups.setdefault(by(one.asked), []).append(one)
    return groups


def _share_of(judged: Sequence[Judged], *, silent: bool = True) -> str:
    return f"{sum(one.silent == silent for one in judged) / len(judged):.1%} of {len(judged)}"


def _shares(asked: Sequence[Asked]) -> Floats:
    """Weigh each asking so that kinds weigh alike within a file, and as much speaks for as against in it."""
    kinds = Counter((_family(one), one.what) for one in asked)
    sides = {(_family(one), one.helps, one.what) for one in asked}
    times = Counter((family, helps) for family, helps, _ in sides)
    shares = np.array([1 / kinds[_family(one), one.what] / times[_family(one), one.helps] for one in asked])
    found: Floats = shares / shares.sum()
    return found


def _family(one: Asked) -> str:
    return OWN if one.file == HELD_OUT else one.file


def _values(asked: Sequence[Asked], names: Sequence[str]) -> Floats:
    return np.array([[one.evidence[name] for name in names] for one in asked])


def _share(odds: float) -> float:
    return 1 / (1 + float(np.exp(-odds)))


def keywords_of(text: str) -> str:
    """Give what is left of a question without function words and marks."""
    return " ".join(re.findall(r"[\w'’.-]+", EMPTY_WORDS.sub(" ", REQUESTS.sub(" ", text)))) or text


def _hashed(text: str) -> bytes:
    return hashlib.blake2b(text.encode(), digest_size=2).digest()


def _data(name: str) -> Path:
    (path,) = own_files(name)
    return path


def _lines(name: str) -> Iterator[Mapping[str, str]]:
    return (json.loads(line) for line in _data(name).read_text("utf-8").splitlines())


def _say(text: str) -> None:
    print(text)  # noqa: T201


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
