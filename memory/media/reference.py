"""References: what stands in a message in the place of bytes that are kept in a file."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, cast

Written = Literal["base64", "data", "text"]
"""How the bytes stood there: in base64, in a `data:` address of it, or as a text that is neither."""

SCHEME = "jiyi-media:"
_TYPE = r"[A-Za-z0-9][A-Za-z0-9.+/-]{0,99}"
_FORM = re.compile(
    rf"{SCHEME}(?P<sha256>[0-9a-f]{{64}})\?as=(?P<as>base64|data|text)&size=(?P<size>\d{{1,12}})&type=(?P<type>{_TYPE})?"
)


@dataclass(frozen=True, kw_only=True)
class Reference:
    """Where bytes are, and how they were written: by their SHA-256; `size` counts them."""

    sha256: str
    written: Written
    size: int
    media_type: str = ""

    def __str__(self) -> str:
        """Write the reference."""
        return f"{SCHEME}{self.sha256}?as={self.written}&size={self.size}&type={self.media_type}"


def read_reference(text: str) -> Reference | None:
    """Read a reference; None where the text is none."""
    found = _FORM.fullmatch(text)
    if found is None:
        return None
    return Reference(
        sha256=found["sha256"],
        written=cast("Written", found["as"]),
        size=int(found["size"]),
        media_type=found["type"] or "",
    )


def is_media_type(text: str) -> bool:
    """Tell whether a text may stand for a media type."""
    return re.fullmatch(_TYPE, text) is not None
