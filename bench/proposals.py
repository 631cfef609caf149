"""How much of what a model proposes rightly is kept, and how much of what it proposes wrongly: on messages marked by hand.

    python -m bench.proposals [FILES]        (a minute a thousand messages; with TAGGER=none by our signs alone)

Each mark is proposed as a model would that reads it rightly, and then wrongly in turn: of the user where it is somebody else's, as
the user's name, under another key, as ended where it holds, as holding where it ended. Each proposal goes through drafting and the
gate by itself. Of the messages only those are taken that the tagger was not trained on, unless all are asked for (`--all`).
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.marked import FOLDER, Marked, read_marked
from graph.settings import settings
from jiyi.evals.changes_model import CONFIDENCE, sentence_with
from memory.drafting import drafts_heard
from memory.drafting_heard import Heard, hear
from memory.extraction_schema import Extraction, ProposedAct, ProposedMemory
from memory.gate import Refused, judge
from memory.keys import default_keys
from memory.pasted import own_words
from memory.seams import Tagger
from memory.tagging.marks import NAMES, Mark
from memory.tagging.proposing import key_of
from memory.tagging.witness import OUR_NAMES, Ask
from store.tag.choice import tagger_named
from store.tag.marking import witness_in

MISTAKEN: Mapping[str, str] = {
    "from": "lives_in",
    "works_in": "lives_in",
    "employer": "school",
    "school": "employer",
    "major": "occupation",
    "plan": "habit",
    "goal": "habit",
    "hobby": "occupation",
    "project": "employer",
    "likes": "allergy",
    "dislikes": "allergy",
    "diet": "allergy",
    "health": "allergy",
    "occupation": "position",
}
"""As what a careless model may take it."""
RIGHT = ("stated", "ended")


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """A memory as it is proposed, and what is right or wrong with it."""

    kind: str
    memory: ProposedMemory


def main(arguments: Sequence[str]) -> int:
    """Print which share of each kind is kept, and why the rest is not."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, default=sorted(FOLDER.glob("*.txt")))
    parser.add_argument("--all", action="store_true", help="messages that the tagger was trained on too")
    chosen = parser.parse_args(arguments)
    messages = [one for one in read_marked(chosen.files) if chosen.all or one.is_held_out]
    tagger = tagger_named(settings().tagger)
    outcomes: dict[str, Counter[str]] = defaultdict(Counter)
    for message in messages:
        for kind, outcome in _judged(message, tagger):
            outcomes[kind][outcome] += 1
    print(f"{len(messages)} messages")  # noqa: T201
    for kind, counts in sorted(outcomes.items(), key=lambda each: (each[0] not in RIGHT, each[0])):
        whole = counts.total()
        why = ", ".join(f"{reason} {count / whole:.1%}" for reason, count in counts.most_common() if reason != "kept")
        print(f"{kind:18} {whole:5}  kept {counts['kept'] / whole:6.1%}   {why}")  # noqa: T201
    return 0


def _judged(message: Marked, tagger: Tagger | None) -> Iterator[tuple[str, str]]:
    heard, witness = hear(own_words(message.text)), witness_in(message.text, tagger)
    for proposal in proposals(message):
        yield proposal.kind, _outcome(proposal.memory, message.text, heard, witness)


def _outcome(memory: ProposedMemory, text: str, heard: Heard, witness: Ask) -> str:
    keys = default_keys()
    made = drafts_heard(Extraction(memories=[memory]), heard, keys=keys, said_at=None, timezone="UTC", witness=witness)
    if made.dropped:
        return made.dropped[0]
    judged = judge(made.drafts[0], keys=keys, heard=[text])
    return f"gate: {judged.reason}" if isinstance(judged, Refused) else "kept"


def proposals(message: Marked) -> Iterator[Proposal]:
    """Give what is proposed of a message, rightly and wrongly; keys that nobody knows are left out."""
    for mark in message.marks:
        for kind, key, act in _claimed(mark, message):
            if default_keys().spec(key) is not None:
                value = message.text[mark.start : mark.end]
                memory = ProposedMemory(
                    key=key, value=value, quote=sentence_with(value, message.text), confidence=CONFIDENCE, act=act
                )
                yield Proposal(kind=kind, memory=memory)


def _claimed(mark: Mark, message: Marked) -> Iterator[tuple[str, str, ProposedAct]]:
    if mark.attribute == NAMES:
        if not mark.ended and mark.owner in ("person", "pet"):
            yield "another's name", "user.name", "state"
        return
    key = key_of(message.text, mark, message.marks)
    if mark.ended:
        yield "ended", key, "retract"
        yield "ended, as holding", key, "state"
        return
    yield "stated", key, "state"
    yield "stated, as ended", key, "retract"
    if mark.owner == "person":
        yield "another's", OUR_NAMES.get(mark.attribute, f"user.{mark.attribute}"), "state"
    if mark.owner == "user" and mark.attribute in MISTAKEN:
        yield "another key", f"user.{MISTAKEN[mark.attribute]}", "state"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
