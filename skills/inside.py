"""Inside: whether a skill file lies in the folder that was given, wherever links lead."""

from __future__ import annotations

from skills.places import Found
from skills.skill_file import UnreadableError


def check_inside(found: Found) -> None:
    """See to it that the file is a file, and in the folder that was given.

    Raises:
        UnreadableError: It is not, or no longer.
    """
    place = (found.place if found.place.is_dir() else found.file.parent).resolve()
    try:
        real = found.file.resolve(strict=True)
    except (OSError, RuntimeError) as error:  # RuntimeError: links in a circle, before Python 3.13
        raise UnreadableError("is a link that leads nowhere" if found.file.is_symlink() else "is gone") from error
    if place not in real.parents:
        raise UnreadableError(f"leads out of {found.place}: copy it there, or name its own folder in SKILLS_DIRS")
    if not real.is_file():
        raise UnreadableError("is no file")
