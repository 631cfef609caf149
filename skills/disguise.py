"""Disguise: a text as a model reads it, whatever letters it is written in."""

from __future__ import annotations

import re
import unicodedata

from memory.surrogates import unmasked

_LOOK_ALIKES = str.maketrans(
    "АВЕКМНОРСТУХІЈЅԚԜаверсухкмнтіјѕһԁԛԝоΑΒΕΖΗΙΚΜΝΟΡΤΥΧαεικνορτυχγɑɡıɩ",
    "ABEKMHOPCTYXIJSQWabepcyxkmhtijshdqwoABEZHIKMNOPTYXaeikvoptuxyagii",
)
_LATIN = re.compile("[A-Za-z]")
_SPELLED_OUT = re.compile(r"(?<![^\W_])[^\W\d_](?:[ .·_*|/-]{1,3}[^\W\d_]){3,}(?![^\W_])")
_NO_LETTER = re.compile(r"[\W_]+")


def undisguised(text: str) -> str:
    """Give a text to search in: in lower case, in Latin letters where it looks so, without accents and gaps in words."""
    plain = _without_accents(unicodedata.normalize("NFKC", text))
    latin = plain.translate(_LOOK_ALIKES) if _LATIN.search(plain) else plain
    return unmasked(_SPELLED_OUT.sub(lambda spelled: _NO_LETTER.sub("", spelled[0]), latin.casefold()))


def _without_accents(text: str) -> str:
    return "".join(char for char in unicodedata.normalize("NFD", text) if unicodedata.category(char) != "Mn")
