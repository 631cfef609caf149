"""Plain YAML: read the data files that stand beside the rules, where `yes` and `no` are words, not truth values."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import yaml

_BOOL = "tag:yaml.org,2002:bool"


_FAST: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The C one where PyYAML was built with it: the rules take a tenth of the time to read."""


class _Loader(_FAST):  # type: ignore[misc]
    """YAML 1.1 reads yes, no, on and off as truth values; here only true and false are."""

    yaml_implicit_resolvers = {  # noqa: RUF012
        first: [row for row in rows if row[0] != _BOOL or first in "tTfF"]
        for first, rows in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }


class _Strict(_Loader):
    """Refuses a key that stands twice in one mapping, of which YAML would take the last without a word."""

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        """Read one mapping."""
        seen: set[str] = set()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise yaml.constructor.ConstructorError(None, None, "a key that is no plain word", key.start_mark)
            if key.value in seen:
                raise yaml.constructor.ConstructorError(None, None, f"{key.value!r} stands twice", key.start_mark)
            seen.add(key.value)
        return dict(super().construct_mapping(node, deep=deep))


def parse_yaml(text: str) -> Any:
    """Read YAML that a user wrote.

    Raises:
        yaml.YAMLError: It is no YAML, or a mapping has a key twice.
    """
    return yaml.load(text, Loader=_Strict)  # noqa: S506  (it is a safe loader)


def read_yaml(package: str, name: str) -> Any:
    """Read a YAML file that is shipped in a package."""
    text = files(package).joinpath(name).read_text("utf-8")
    return yaml.load(text, Loader=_Loader)  # noqa: S506  (it is a safe loader)
