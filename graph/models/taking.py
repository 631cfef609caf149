"""Taking: which kinds of content a model takes."""

from __future__ import annotations

from collections.abc import Mapping

from langchain_core.language_models import BaseChatModel

from graph.models.offline import OfflineModel
from graph.settings import Settings

_TOLD_AS: Mapping[str, str] = {
    "image_inputs": "image",
    "audio_inputs": "audio",
    "video_inputs": "video",
    "pdf_inputs": "file",
}


def kinds_taken(model: BaseChatModel, chosen: Settings) -> frozenset[str] | None:
    """Say what a model takes: as the settings say, else as LangChain's profile of it does; None where neither tells."""
    if isinstance(model, OfflineModel):
        return frozenset({"text"})
    if chosen.kinds_taken is not None:
        return chosen.kinds_taken
    told = {kind: bool(value) for name, value in (model.profile or {}).items() if (kind := _TOLD_AS.get(name))}
    return frozenset({"text", *(kind for kind, takes in told.items() if takes)}) if told else None
