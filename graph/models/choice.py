"""The choice of a model by its name."""

from __future__ import annotations

from functools import lru_cache

from langchain_core.language_models import BaseChatModel

from graph.models.offline import OfflineModel
from graph.settings import OFFLINE, REMOTE, Settings

MAX_RETRIES = 2


class UnknownModelError(ValueError):
    """A model was named that there is not."""

    def __init__(self, name: str) -> None:
        super().__init__(f"Cannot answer with model {name!r}: use `{OFFLINE}`, or `{REMOTE}<name>` and OPENAI_API_KEY.")


def model_named(name: str, *, chosen: Settings) -> BaseChatModel:
    """Give the model of a name, or the one that the settings choose when the name is blank.

    Raises:
        UnknownModelError: There is no such kind of model.
    """
    wanted = name or chosen.chosen_model
    if wanted == OFFLINE:
        return OfflineModel()
    if wanted.startswith(REMOTE) and wanted != REMOTE:
        return _remote(wanted.removeprefix(REMOTE), chosen)
    raise UnknownModelError(wanted)


def small_model_named(name: str, *, chosen: Settings) -> BaseChatModel:
    """Give the model for side calls: the one named, `SMALL_MODEL`, or the one that answers."""
    return model_named(name or chosen.small_model, chosen=chosen)


@lru_cache(maxsize=8)
def _remote(name: str, chosen: Settings) -> BaseChatModel:
    """Make the client once; it keeps its connections."""
    from langchain_openai import ChatOpenAI  # noqa: PLC0415  (3 s: imported where it is used)

    return ChatOpenAI(
        model=name,
        api_key=chosen.openai_api_key,
        base_url=chosen.openai_base_url or None,
        timeout=chosen.model_timeout_s,
        max_retries=MAX_RETRIES,
    )
