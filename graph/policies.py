"""Policies from files: what may be kept, as the settings' files say; a file that cannot be understood stops the start."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import yaml

from graph.linear_patterns import linear
from graph.settings import Settings
from memory.guard.guard import Guard, default_guard, guard_of
from memory.keys import Keys, default_keys
from memory.plain_yaml import parse_yaml
from memory.policies import Policies
from memory.privacy import Policy, default_policy, read_policy

Made = TypeVar("Made")


class PolicyFileError(ValueError):
    """A policy file cannot be used: nothing is kept by half a policy."""

    def __init__(self, what: str, path: Path, found: object) -> None:
        super().__init__(
            f"Cannot use the {what} file {str(path)!r}: {found} "
            "Mend the file, or take it out of the settings; nothing starts without it."
        )


def policies_of(chosen: Settings, *, keys_files: Sequence[Path] = ()) -> Policies:
    """Read the policies that the settings name, on top of those that come with Jiyi.

    Args:
        chosen: The settings.
        keys_files: Further files with families of facts, after those of the settings.

    Raises:
        PolicyFileError: A file is not there, is no YAML, or says something that means nothing.
    """
    return Policies(
        keys=_keys([*chosen.keys_paths, *keys_files]),
        privacy=_privacy(chosen.privacy_path),
        guard=_guard(chosen.guard_paths),
    )


def _keys(paths: Iterable[Path]) -> Keys:
    keys = default_keys()
    for path in paths:
        keys = _made("keys", path, keys.extended)
    return keys


def _privacy(path: Path | None) -> Policy:
    return default_policy() if path is None else _made("privacy", path, lambda text: read_policy(_mapping(text)))


def _guard(paths: Sequence[Path]) -> Guard:
    rows = [row for path in paths for row in _made("guard", path, _checked_rows)]
    return guard_of(rows, compiles=linear) if rows else default_guard()


def _checked_rows(text: str) -> list[Any]:
    """Give the rows of one file, each of which can be used, so that an error names its file."""
    rows = parse_yaml(text)
    if not isinstance(rows, list) or not rows:
        raise ValueError("expected a list of rows, each with `family`, `pattern`, `yes` and `no`.")
    guard_of(rows, compiles=linear)
    return rows


def _mapping(text: str) -> dict[str, Any]:
    read = parse_yaml(text)
    if not isinstance(read, dict) or not read:
        raise ValueError("expected lines such as `phone: redact`.")
    return read


def _made(what: str, path: Path, make: Callable[[str], Made]) -> Made:
    try:
        return make(_text_of(path))
    except OSError as error:
        raise PolicyFileError(what, path, f"it cannot be read ({error.strerror}).") from error
    except UnicodeDecodeError as error:
        raise PolicyFileError(what, path, "it is not UTF-8.") from error
    except yaml.YAMLError as error:
        raise PolicyFileError(what, path, f"it is not YAML ({error}).") from error
    except ValueError as error:
        raise PolicyFileError(what, path, error) from error
    except (TypeError, OverflowError, RecursionError) as error:
        raise PolicyFileError(what, path, f"it holds what cannot be read ({error}).") from error


def _text_of(path: Path) -> str:
    """Read a file that is one: a pipe would be waited for."""
    if path.exists() and not path.is_file():
        raise ValueError("it is no file.")
    return path.read_text(encoding="utf-8")
