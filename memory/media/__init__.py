"""Media: pictures, audio, video and files in messages: what they are, where their bytes go, what a model sees of them.

A *block* is one part of a message's content, in LangChain's standard form, in a provider's (`image_url`, `input_audio`,
`file`, a `source`) or in one that nobody knows. Its bytes, where there are many, are *shelved*: put into a file, with a
reference in their place that is as long as a line. What a model sees has them back, exactly as they came.
"""

from memory.media.about import Media, blocks_of, kind_of, media_in, media_of
from memory.media.labels import (
    captioned,
    is_caption,
    label,
    left_out_told,
    note,
    remembered,
    still_told,
    text_with_media,
    text_without_notes,
)
from memory.media.seen import KINDS_TAKEN, LeftOut, Seen, seen
from memory.media.shelving import references_in, restored, shelved

__all__ = [
    "KINDS_TAKEN",
    "LeftOut",
    "Media",
    "Seen",
    "blocks_of",
    "captioned",
    "is_caption",
    "kind_of",
    "label",
    "left_out_told",
    "media_in",
    "media_of",
    "note",
    "references_in",
    "remembered",
    "restored",
    "seen",
    "shelved",
    "still_told",
    "text_with_media",
    "text_without_notes",
]
