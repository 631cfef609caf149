"""Parts: what the process owns and gives once: model, clock, settings, skills with their tools."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path

from langchain_core.language_models import BaseChatModel

from graph.clock import utc_now
from graph.compression import compressor_named
from graph.counting import CounterNamed, counter_for, counter_named
from graph.models.choice import model_named, small_model_named, unheard
from graph.models.offline import OfflineModel
from graph.policies import policies_of
from graph.settings import MEDIA_FOLDER, OFFLINE, ORDERS_FILE, Settings, settings
from memory.compression import ExtractiveCompressor
from memory.keys import Keys
from memory.policies import Policies
from memory.seams import Clock, Compressor, Embedder, Tagger
from skills.loader import SkillLibrary
from skills.order_desk import OrderDesk, order_desk_tools
from skills.registry import Tool, registered
from skills.similarity import EmbeddedSimilarity, Similarity
from store.checkpoint_media import Shelf
from store.connect import connect
from store.embed.choice import embedder_named
from store.embed.kept import KeptEmbedder
from store.media_files import MediaFiles
from store.tag.choice import tagger_named

ModelNamed = Callable[[str], BaseChatModel]
"""Gives the chat model of a name; "" is the one that the settings choose."""


@dataclass(frozen=True, kw_only=True)
class Parts:
    """Everything that nodes need besides the state, the run's context and the store.

    `counter` gives what counts tokens for a model, by the same name: one for the window and for what is remembered.
    `extractor` gives the model that extracts memories besides the rules; None: the rules do it alone.
    """

    settings: Settings
    clock: Clock
    model: ModelNamed
    small_model: ModelNamed
    counter: CounterNamed
    extractor: ModelNamed | None = None
    skills: SkillLibrary
    tools: tuple[Tool, ...]
    policies: Policies
    embedder: Embedder | None = None
    own_texts: Embedder | None = None
    similarity: Similarity | None = None
    tagger: Tagger | None = None
    compressor: Compressor = field(default_factory=ExtractiveCompressor)
    persona: str = ""
    desk: OrderDesk

    @property
    def shelf(self) -> Shelf:
        """Say where the bytes of media go that are longer than a thread keeps."""
        kept_bytes = self.settings.media_kept_kb * 1024
        return Shelf(files=MediaFiles(self.settings.jiyi_home / MEDIA_FOLDER), most_bytes=kept_bytes)

    @property
    def keys(self) -> Keys:
        """Say which facts may be kept."""
        return self.policies.keys

    async def aclose(self) -> None:
        """Close what is open."""
        await self.desk.aclose()


PartsSource = Callable[[], Parts]
"""Gives the parts; a server's graph is built before anything is read or opened, so it asks at first use."""


def make_parts(
    chosen: Settings,
    *,
    clock: Clock = utc_now,
    model: BaseChatModel | None = None,
    small_model: BaseChatModel | None = None,
    embedder: Embedder | None = None,
    tagger: Tagger | None = None,
    tools: Sequence[Tool] = (),
    skills_dirs: Sequence[Path] = (),
    persona: str = "",
    keys_files: Sequence[Path] = (),
) -> Parts:
    """Put the parts together.

    Args:
        chosen: The settings.
        clock: The time, for everything.
        model: Answers every run, whatever it chooses; None: by name.
        small_model: For side calls, and to extract memories besides the rules; None: by name, or the same (a
            `model` that is given here for the answers extracts nothing).
        embedder: None: the one that the settings name.
        tagger: None: the one that the settings name.
        tools: Besides those of the order desk.
        skills_dirs: Before those of the settings, the home's own, and the skills that come with Jiyi; theirs win.
        persona: Who the agent is, in a few sentences.
        keys_files: YAML files with further families of facts that may be kept, besides those of the settings.

    Raises:
        MissingExtraError: The compressor that the settings name is not installed.
        PolicyFileError: A keys, privacy or guard file cannot be used.
        ToolNameError: Two tools have one name.
    """
    desk = OrderDesk(chosen.jiyi_home / ORDERS_FILE, connect=connect)
    known = registered([*order_desk_tools(desk), *tools])
    endpoint = chosen.embeddings_endpoint
    chosen_embedder = embedder if embedder is not None else embedder_named(chosen.embeddings, endpoint=endpoint)
    own_texts = KeptEmbedder(chosen_embedder, chosen.jiyi_home / "cache") if chosen_embedder else None
    return Parts(
        settings=chosen,
        clock=clock,
        model=_given(model) or partial(model_named, chosen=chosen),
        small_model=_given_small(small_model or model) or partial(small_model_named, chosen=chosen),
        counter=_counter(chosen, model),
        extractor=_extractor(chosen, model=model, small_model=small_model),
        skills=SkillLibrary.of_home(chosen.jiyi_home, [*skills_dirs, *chosen.skill_folders], tools=known),
        tools=tuple(known.values()),
        policies=policies_of(chosen, keys_files=keys_files),
        embedder=chosen_embedder,
        own_texts=own_texts,
        similarity=EmbeddedSimilarity(own_texts) if own_texts else None,
        tagger=tagger if tagger is not None else tagger_named(chosen.tagger),
        compressor=compressor_named(chosen.compressor),
        persona=persona,
        desk=desk,
    )


@cache
def process_parts() -> Parts:
    """Give the parts of this process as its settings say, made at first use."""
    return make_parts(settings())


def _given(model: BaseChatModel | None) -> ModelNamed | None:
    return None if model is None else lambda _: model


def _counter(chosen: Settings, model: BaseChatModel | None) -> CounterNamed:
    """Count for the model that answers: the one that is given whatever a run chooses, else the one it names."""
    return partial(counter_named, chosen=chosen) if model is None else lambda _: counter_for(model, chosen=chosen)


def _given_small(model: BaseChatModel | None) -> ModelNamed | None:
    return None if model is None else _given(unheard(model))


def _extractor(
    chosen: Settings, *, model: BaseChatModel | None, small_model: BaseChatModel | None
) -> ModelNamed | None:
    """Give the model that extracts: only one that was chosen for side calls, here or by the settings."""
    if small_model is not None:
        return None if isinstance(small_model, OfflineModel) else _given_small(small_model)
    if model is not None or (chosen.small_model or chosen.chosen_model) == OFFLINE:
        return None
    return partial(small_model_named, chosen=chosen)
