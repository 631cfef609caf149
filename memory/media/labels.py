"""Labels and notes: what is said in the place of a picture, a recording or a file, in both languages."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

from langchain_core.messages import BaseMessage

from memory.context_query import text_of
from memory.media.about import MAX_CAPTION_CHARS, Media, clean_line, media_in
from memory.prompt_texts import Language
from memory.words import has_cjk

Why = Literal["not_taken", "refused", "gone", "broken", "untyped", "too_large"]
"""Why a model does not see a block."""

_KINDS: Mapping[str, Mapping[Language, str]] = {
    "image": {"zh": "图片", "en": "image"},
    "audio": {"zh": "音频", "en": "audio"},
    "video": {"zh": "视频", "en": "video"},
    "file": {"zh": "文件", "en": "file"},
}
_PLURALS = {"image": "images", "file": "files"}
_WHY: Mapping[Why, Mapping[Language, str]] = {
    "not_taken": {"zh": "这个模型不接受{kind}", "en": "this model takes no {kinds}"},
    "refused": {"zh": "模型拒绝了它", "en": "the model refused it"},
    "gone": {"zh": "内容已经删除", "en": "its content was deleted"},
    "broken": {"zh": "内容损坏，读不出来", "en": "its content is broken and cannot be read"},
    "untyped": {
        "zh": "没有说明是什么格式（mime_type）",
        "en": "nothing tells its format (mime_type)",
    },
    "too_large": {"zh": "太大了，一次最多 {most}", "en": "too large, at most {most} at a time"},
}
_LEFT_OUT: Mapping[Language, str] = {
    "zh": "（模型没有看到你发的：{notes}）",
    "en": "(The model was not shown what you sent: {notes})",
}
_COMMA: Mapping[Language, str] = {"zh": "，", "en": ", "}
_COLON: Mapping[Language, str] = {"zh": "：", "en": ": "}
_GAP = re.compile(r"\\{\w+\\}")
_NOTE = re.compile(
    rf"\[[^\[\]\n]+(?:{'|'.join(_GAP.sub('.{1,60}', re.escape(_COLON[language] + text)) for why in _WHY.values() for language, text in why.items())})\]"
)
_NOTHING_SEEN = re.compile(
    r"\b(?:i )?(?:cannot|can't|can’t|am (?:not able|unable) to|unable to|do not|don't|don’t) (?:\w+ )?(?:see|view|hear|open|access|process|listen)"
    r"|(?:看|听|打)不(?:到|见|了|清|开)|(?:无法|不能|没法)(?:\w{0,2})(?:查看|看到|识别|处理|打开|收听|播放|访问)|没有(?:看到|收到|听到)",
    re.IGNORECASE,
)
MOST_TOLD = 5
_STEP = 1024
MOST_SHOWN_BYTES = 20 * _STEP * _STEP
"""All that a prompt takes along: endpoints take requests of 20 to 50 MB."""


def label(media: Media, language: Language) -> str:
    """Name a block within what is remembered: `[image: cat.png, a grey cat]`."""
    said = [clean_line(text, MAX_CAPTION_CHARS) for text in (media.name, media.caption) if text]
    kind = kind_word(media, language)
    return f"[{kind}{_COLON[language]}{_COMMA[language].join(said)}]" if said else f"[{kind}]"


def note(media: Media, why: Why, language: Language) -> str:
    """Say in the place of a block why it is not there: `[image, png, 34 KB: this model takes no images]`.

    A caption that came with it stands there too: it is all that such a model gets of a recording that was transcribed.
    """
    kind = kind_word(media, language)
    type_ = media.media_type.rpartition("/")[2]
    size = "" if media.size is None else shown_size(media.size)
    told = _WHY[why][language].format(
        kind=kind, kinds=_PLURALS.get(media.kind, kind), most=shown_size(MOST_SHOWN_BYTES)
    )
    facts = [text for text in (kind, type_, size, media.name, media.caption and f"“{media.caption}”") if text]
    return f"[{_COMMA[language].join(facts)}{_COLON[language]}{told}]"


def left_out_told(notes: Sequence[str], language: Language) -> str:
    """Tell the user what of their message the model did not see."""
    more = [f"… +{len(notes) - MOST_TOLD}"] if len(notes) > MOST_TOLD else []
    return _LEFT_OUT[language].format(notes=" ".join([*notes[:MOST_TOLD], *more]))


def remembered(text: str, media: Sequence[Media], language: Language | None = None) -> str:
    """Give what is remembered of a message: its text, and below it a label for each block."""
    spoken = language or spoken_in(text, media)
    labels = " ".join(label(one, spoken) for one in media)
    return "\n".join(part for part in (text, labels) if part)


def text_with_media(message: BaseMessage) -> str:
    """Give what a message says, and what it shows."""
    return remembered(text_of(message), media_in(message))


def text_without_notes(message: BaseMessage) -> str:
    """Give what a message says without the notes that stand in the place of blocks, which nobody said."""
    if isinstance(message.content, str):
        return message.content
    said = [block for block in message.content if isinstance(block, str) or not _NOTE.fullmatch(str(block.get("text")))]
    return text_of(message.model_copy(update={"content": said}))


def captioned(text: str, media: Sequence[Media], captions: Mapping[int, str]) -> tuple[str, tuple[Media, ...]]:
    """Give a remembered text, and its media, with captions for some of them (by their place); one that has its own keeps it.

    A medium whose label is no longer in the text, since it was forgotten, gets none.
    """
    known = list(media)
    for place, caption in sorted(captions.items()):
        if place >= len(known) or known[place].caption or not clean_line(caption, MAX_CAPTION_CHARS):
            continue
        told = replace(known[place], caption=clean_line(caption, MAX_CAPTION_CHARS))
        for language in _languages(text):
            plain = label(known[place], language)
            if plain in text:
                text, known[place] = text.replace(plain, label(told, language), 1), told
                break
    return text, tuple(known)


def is_caption(text: str) -> bool:
    """Tell whether a model described something: it said something, and not that it cannot see or hear it."""
    return bool(clean_line(text, MAX_CAPTION_CHARS)) and not _NOTHING_SEEN.search(text)


def still_told(text: str, media: Sequence[Media]) -> tuple[Media, ...]:
    """Give what is still known of media when something was forgotten of the text that names them; nothing with all of it."""
    if not text:
        return ()
    return tuple(
        one if any(label(one, language) in text for language in _languages(text)) else replace(one, name="", caption="")
        for one in media
    )


def kind_word(media: Media, language: Language) -> str:
    """Name a kind; one that nobody knows by its own name."""
    return _KINDS[media.kind][language] if media.kind in _KINDS else media.kind


def shown_size(size: int) -> str:
    """Say how large something is: 900 B, 34 KB, 5 MB."""
    if size < _STEP:
        return f"{size} B"
    return f"{size / _STEP:.0f} KB" if size < _STEP * _STEP else f"{size / _STEP / _STEP:.3g} MB"


def spoken_in(text: str, media: Sequence[Media] = ()) -> Language:
    """Say in which language a message is, by its words and, without any, by the names of what it shows."""
    words = text if any(char.isalpha() for char in text) else " ".join(one.name + one.caption for one in media)
    return "zh" if has_cjk(words) else "en"


def _languages(text: str) -> tuple[Language, Language]:
    return ("zh", "en") if has_cjk(text) else ("en", "zh")
