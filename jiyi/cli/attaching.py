"""Attaching: files that are sent with a message, as content blocks."""

from __future__ import annotations

import mimetypes
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jiyi.cli.failures import CommandError
from memory.media.encoded import written_base64

MOST_BYTES = 50 * 1024 * 1024
KINDS = ("image", "audio", "video")


def with_files(text: str, paths: Sequence[Path]) -> str | list[str | dict[str, Any]]:
    """Give what is said with the files that go with it: the text alone where there are none.

    Raises:
        CommandError: A file cannot be read, or is larger than is sent.
    """
    return [{"type": "text", "text": text}, *map(_block, paths)] if paths else text


def _block(path: Path) -> dict[str, Any]:
    media_type = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    kind = media_type.partition("/")[0]
    block = {"type": kind if kind in KINDS else "file", "base64": written_base64(_bytes(path)), "mime_type": media_type}
    return {**block, "filename": path.name} if block["type"] == "file" else {**block, "extras": {"name": path.name}}


def _bytes(path: Path) -> bytes:
    try:
        size = path.stat().st_size
        if size > MOST_BYTES:
            most = MOST_BYTES // 1024 // 1024
            raise CommandError(f"Cannot attach {str(path)!r}: it has {size} bytes, and {most} MB at most are sent.")
        return path.read_bytes()
    except OSError as error:
        raise CommandError(f"Cannot attach {str(path)!r}: {error.strerror}.") from error
