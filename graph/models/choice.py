"""The choice of a model by its name."""

from __future__ import annotations

from functools import lru_cache

from langchain_core.language_models import BaseChatModel
from langgraph.constants import TAG_NOSTREAM

from graph.models.offline import OfflineModel
from graph.settings import OFFLINE, REMOTE, Settings


class UnknownModelError(ValueError):
    """A model was named that there is not."""

    def __init__(self, name: str) -> None:
        super().__init__(f"Cannot answer with model {name!r}: use `{OFFLINE}`, or `{REMOTE}<name>` and OPENAI_API_KEY.")


class MissingKeyError(UnknownModelError):
    """OpenAI's own endpoint was chosen, and there is no key for it."""


def model_named(name: str, *, chosen: Settings) -> BaseChatModel:
    """Give the model of a name, or the one that the settings choose when the name is blank.

    Raises:
        UnknownModelError: There is no such kind of model.
        MissingKeyError: It is OpenAI's, and there is no key.
    """
    wanted = name or chosen.chosen_model
    if wanted == OFFLINE:
        return OfflineModel()
    if wanted.startswith(REMOTE) and wanted != REMOTE:
        if not (chosen.openai_api_key or chosen.openai_base_url):
            raise MissingKeyError(wanted)
        return _remote(wanted.removeprefix(REMOTE), chosen)
    raise UnknownModelError(wanted)


def small_model_named(name: str, *, chosen: Settings) -> BaseChatModel:
    """Give the model for side calls: the one named, `SMALL_MODEL`, or the one that answers."""
    return unheard(model_named(name or chosen.small_model, chosen=chosen))


def unheard(model: BaseChatModel) -> BaseChatModel:
    """Give a model whose words never reach the user's stream: what it says to us is none of the conversation."""
    return model.model_copy(update={"tags": [*(model.tags or []), TAG_NOSTREAM], "disable_streaming": True})


@lru_cache(maxsize=8)
def _remote(name: str, chosen: Settings) -> BaseChatModel:
    from graph.models.remote import remote_model  # noqa: PLC0415  (3 s: imported where it is used)

    return remote_model(name, chosen)
