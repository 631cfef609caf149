"""Keeping silent: for how much of what nothing answers nothing is recalled, and what that costs of the questions with gold."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from langchain_core.messages import HumanMessage

from graph.settings import STORE_FILE
from jiyi.evals.recall_file import Corpus, Query
from jiyi.evals.recall_run import AS_THE_NODE, OWNER, Bench, opened, refuse_failures
from jiyi.reading.fields import text_in
from jiyi.reading.keeping import keep_conversations
from jiyi.reading.said import FormatError
from memory.context_query import in_context
from memory.words import has_cjk
from store.memory_store import MemoryStore
from store.recall import recall

WITH_GOLD = "with gold"
DIGITS = 4
Report = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Line:
    """Something to which no memory has an answer; `corpus` is the one that it is asked of, "" where it is asked of all."""

    text: str
    lang: str
    kind: str
    corpus: str

    def is_asked_of(self, corpus: Corpus) -> bool:
        """Say whether a corpus is asked it."""
        return self.corpus in ("", corpus.name)


@dataclass(frozen=True, kw_only=True)
class Heard:
    """What came of one asking: of which file and kind it was, and whether anything was recalled."""

    file: str
    kind: str
    lang: str
    answered: bool
    silent: bool


def line_of(part: Any) -> Line:
    """Read a line: `text`, and where they are given `lang`, `kind` and `corpus`.

    Raises:
        FormatError: It cannot be understood.
    """
    text = text_in(part, "text", needed=True)
    if not text.strip():
        raise part.fault("'text' is blank")
    lang, kind, corpus = (text_in(part, name, needed=False).strip() for name in ("lang", "kind", "corpus"))
    return Line(text=text, lang=lang or language_of(text), kind=kind, corpus=corpus)


def refuse_strays(lines: Iterable[Line], corpora: Sequence[Corpus], where: str) -> None:
    """Refuse lines of a corpus that is not there: they would be left out in silence.

    Raises:
        FormatError: There is such a line.
    """
    names = {one.name for one in corpora}
    stray = next((one for one in lines if one.corpus and one.corpus not in names), None)
    if stray is not None:
        raise FormatError(where, f"{stray.text!r} is asked of {stray.corpus!r}", f"one of {', '.join(sorted(names))}")


def language_of(text: str) -> str:
    """Say in which language a text is taken to be."""
    return "zh" if has_cjk(text) else "en"


async def heard_of(
    corpus: Corpus,
    lines: Mapping[str, Sequence[Line]],
    bench: Bench,
    on_done: Callable[[int], None] = lambda steps: None,
) -> list[Heard]:
    """Write a corpus into a fresh store, ask its queries and the lines as the agent does, and leave nothing behind.

    Args:
        corpus: What was said, and what is asked that has gold.
        lines: What has no answer there, by file.
        bench: With what.
        on_done: Is told how many more turns and askings are done.

    Raises:
        EmbeddingError: The embedder failed: what was measured then would not be its recall.
    """
    with tempfile.TemporaryDirectory(prefix="jiyi-bench-", dir=bench.folder) as home:
        async with opened(Path(home) / STORE_FILE, bench) as store:
            await keep_conversations(store, OWNER, [corpus.conversation], timezone=bench.timezone, on_kept=on_done)
            found = []
            for file, line, answered in askings(corpus, lines):
                query = Query(id="", text=line.text, at=None, category=line.kind, gold=())
                silent = not await _recalled(store, corpus, query, bench)
                found.append(Heard(file=file, kind=line.kind, lang=line.lang, answered=answered, silent=silent))
                on_done(1)
    return found


def askings(corpus: Corpus, lines: Mapping[str, Sequence[Line]]) -> list[tuple[str, Line, bool]]:
    """Give all that a corpus is asked: under which name, what, and whether it holds an answer."""
    queries = [
        (WITH_GOLD, Line(text=one.text, lang=language_of(one.text), kind=one.category, corpus=""), True)
        for one in corpus.queries
        if one.gold
    ]
    rest = [(file, one, False) for file, ones in lines.items() for one in ones if one.is_asked_of(corpus)]
    return [*queries, *rest]


async def _recalled(store: MemoryStore, corpus: Corpus, query: Query, bench: Bench) -> bool:
    text = in_context([HumanMessage(query.text)])
    found = bool(await recall(store, OWNER, text, AS_THE_NODE, now=corpus.asked_at(query)))
    refuse_failures(bench)
    return found


def report(heard: Sequence[Heard]) -> Report:
    """Put the figures together: of each file how much nothing was recalled for, and how well silence was kept in all."""
    files = {file: [one for one in heard if one.file == file] for file in dict.fromkeys(one.file for one in heard)}
    return {
        "askings": len(heard),
        "files": {file: _silence(ones) for file, ones in files.items()},
        "keeping_silent": {
            file: scores([*files.get(WITH_GOLD, []), *files[file]]) for file in files if file != WITH_GOLD
        }
        | {"all": scores(heard)},
    }


def _silence(heard: Sequence[Heard]) -> Report:
    """Give the share for which nothing was recalled: of all, by language, and by kind where there are kinds."""
    kinds = sorted({one.kind for one in heard} - {""})
    return {
        "n": len(heard),
        "silent": _share(heard),
        "languages": {
            lang: _share([one for one in heard if one.lang == lang]) for lang in sorted({one.lang for one in heard})
        },
        "kinds": {kind: _share([one for one in heard if one.kind == kind]) for kind in kinds},
    }


def scores(heard: Sequence[Heard]) -> Mapping[str, float | None]:
    """Give precision, recall and F1 of keeping silent; None where nothing can be said of it."""
    right = sum(one.silent and not one.answered for one in heard)
    silent, unanswered = sum(one.silent for one in heard), sum(not one.answered for one in heard)
    return {
        "precision": round(right / silent, DIGITS) if silent else None,
        "recall": round(right / unanswered, DIGITS) if unanswered else None,
        "f1": round(2 * right / (silent + unanswered), DIGITS) if silent + unanswered else None,
    }


def _share(heard: Sequence[Heard]) -> float:
    return round(sum(one.silent for one in heard) / len(heard), DIGITS)
