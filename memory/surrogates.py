"""What a text holds that nobody sees: halves of characters, characters without shape, letters in disguise."""

from __future__ import annotations

import re
import unicodedata

_HALF = re.compile("[\ud800-\udfff]")
REPLACEMENT = "\ufffd"

_SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
_JOINER = "\u200d"
_UNSEEN = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160"
    "\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff0-\ufffb"
    "\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e007f"
    f"{_SELECTORS}]"
)
_KEYCAP = "\u20e3"

_HAN = r"\u3400-\u9fff"
_BETWEEN_HAN = re.compile(rf"(?<=[{_HAN}])[\s.·_*|/-]{{1,3}}(?=[{_HAN}])")
_SPELLED_OUT = re.compile(r"(?<![^\W_])[^\W\d_](?:[\s.·_*|/-][^\W\d_]){3,}(?![^\W_])")
_NO_LETTER = re.compile(r"[\W_]+")
_CONFUSABLE = str.maketrans("аеорсухіјѕһԁԛԝαεορνικτυχγ", "aeopcyxijshdqwaeopviktuxy")


def without_halves(text: str) -> str:
    """Replace halves of characters, so that the text can be written as UTF-8; every position stays what it was."""
    return _HALF.sub(REPLACEMENT, text)


def visible(text: str) -> str:
    """Remove what cannot be seen; what holds an emoji together stays, and halves are shown."""
    return _UNSEEN.sub(lambda match: match[0] if _in_emoji(match) else "", without_halves(text))


def unmasked(text: str) -> str:
    """Give a folded text without disguise, to be searched and not to be kept.

    Letters spelled out one by one are joined and letters of other alphabets become the Latin ones they look like.
    """
    seen = unicodedata.normalize("NFKC", visible(text)).casefold()
    plain = seen.translate(_CONFUSABLE) if re.search("[a-z]", seen) else seen
    return _SPELLED_OUT.sub(lambda spelled: _NO_LETTER.sub("", spelled[0]), _BETWEEN_HAN.sub("", plain))


def _in_emoji(match: re.Match[str]) -> bool:
    """Tell whether a joiner stands between two emoji, or a selector behind one."""
    text, start, end = match.string, match.start(), match.end()
    before, after = text[max(0, start - 1) : start], text[end : end + 1]
    if match[0] == _JOINER:
        chosen = re.match(f"[{_SELECTORS}]", before) is not None
        return _is_picture(text[max(0, start - 2) : start - 1] if chosen else before) and _is_picture(after)
    is_selector = re.match(f"[{_SELECTORS}]", match[0]) is not None
    return is_selector and (_is_picture(before) or (after == _KEYCAP and before.isascii()))


def _is_picture(char: str) -> bool:
    return (
        bool(char)
        and not char.isascii()
        and unicodedata.category(char) in {"So", "Sk", "Sm"}
        and not _UNSEEN.match(char)
    )
