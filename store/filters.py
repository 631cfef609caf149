"""Filters as SQL: what a search asks of an item's values, with every name and value passed as a parameter."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from store.errors import FilterError

COMPARISONS = {"$gt": ">", "$gte": ">=", "$lt": "<", "$lte": "<="}
MAX_DEPTH = 12
MAX_MEMBERS = 500


@dataclass(frozen=True, kw_only=True)
class Condition:
    """A piece of a WHERE clause and its parameters, in order."""

    sql: str
    parameters: tuple[object, ...] = ()


EVERYTHING = Condition(sql="1")


def condition_of(wanted: Mapping[str, Any] | None) -> Condition:
    """Translate a filter over `items.value`; no filter means everything.

    Raises:
        FilterError: An operator is unknown, or a name or value cannot be compared.
    """
    if not wanted:
        return EVERYTHING
    return _all_of(_parts(wanted, depth=0))


def either_of(names: Iterable[str], *, in_list: str) -> Condition:
    """Ask that a list of texts in an item's value has one of these in it."""
    return Condition(
        sql="EXISTS (SELECT 1 FROM json_each(items.value, ?) AS held WHERE held.value IN (SELECT value FROM json_each(?)))",
        parameters=(_path(in_list), json.dumps(list(names))),
    )


def _parts(wanted: Mapping[str, Any], *, depth: int) -> Iterator[Condition]:
    if depth > MAX_DEPTH:
        raise FilterError(wanted, f"it is nested deeper than {MAX_DEPTH} levels")
    for name, value in wanted.items():
        if name in ("$and", "$or"):
            yield _group(name, value, depth)
        elif name == "$not":
            yield _negated(_all_of(_parts(_mapping(value), depth=depth + 1)))
        elif name.startswith("$"):
            raise FilterError({name: value}, "this operator is unknown")
        else:
            yield from _field(_path(name), value, depth)


def _group(name: str, value: object, depth: int) -> Condition:
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise FilterError({name: value}, "a list of filters is needed")
    if len(value) > MAX_MEMBERS:
        raise FilterError(name, f"it joins {len(value)} filters, more than {MAX_MEMBERS}")
    members = [_all_of(_parts(_mapping(one), depth=depth + 1)) for one in value]
    if name == "$and":
        return _all_of(members)
    return _joined(members, " OR ", empty="0")


def _field(path: str, value: object, depth: int) -> Iterator[Condition]:
    if not isinstance(value, Mapping):
        yield _equal(path, value)
        return
    for name, operand in value.items():
        if name in COMPARISONS:
            yield _compared(path, COMPARISONS[name], operand)
        elif name == "$eq":
            yield _equal(path, operand)
        elif name == "$ne":
            yield _negated(_equal(path, operand))
        elif name == "$in":
            yield _one_of(path, operand)
        elif name == "$not":
            yield _negated(_all_of(_field(path, operand, depth + 1)))
        elif name.startswith("$"):
            raise FilterError({name: operand}, "this operator is unknown")
        else:
            yield from _field(f"{path}.{_quoted(name)}", operand, depth + 1)


def _equal(path: str, value: object) -> Condition:
    if value is None:
        return Condition(sql="coalesce(json_type(value, ?), 'null') = 'null'", parameters=(path,))
    if isinstance(value, bool):
        return Condition(sql="json_type(value, ?) = ?", parameters=(path, str(value).lower()))
    if isinstance(value, int | float):
        return Condition(
            sql="(json_type(value, ?) IN ('integer', 'real') AND json_extract(value, ?) = ?)",
            parameters=(path, path, value),
        )
    if isinstance(value, str):
        return Condition(
            sql="(json_type(value, ?) = 'text' AND json_extract(value, ?) = ?)",
            parameters=(path, path, value),
        )
    if isinstance(value, Sequence):
        length = Condition(sql="json_array_length(value, ?) = ?", parameters=(path, len(value)))
        return _all_of([length, *(_equal(f"{path}[{at}]", one) for at, one in enumerate(value))])
    raise FilterError(value, f"a {type(value).__name__} cannot be compared")


def _compared(path: str, operator: str, value: object) -> Condition:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise FilterError(value, "only numbers and texts have an order")
    kinds = "('text')" if isinstance(value, str) else "('integer', 'real')"
    return Condition(
        sql=f"(json_type(value, ?) IN {kinds} AND json_extract(value, ?) {operator} ?)",
        parameters=(path, path, value),
    )


def _one_of(path: str, operand: object) -> Condition:
    if not isinstance(operand, Sequence) or isinstance(operand, str):
        raise FilterError({"$in": operand}, "a list of values is needed")
    if len(operand) > MAX_MEMBERS:
        raise FilterError("$in", f"it names {len(operand)} values, more than {MAX_MEMBERS}")
    return _joined([_equal(path, one) for one in operand], " OR ", empty="0")


def _all_of(members: Iterator[Condition] | Sequence[Condition]) -> Condition:
    return _joined(list(members), " AND ", empty="1")


def _joined(members: Sequence[Condition], word: str, *, empty: str) -> Condition:
    return Condition(
        sql="(" + (word.join(member.sql for member in members) or empty) + ")",
        parameters=tuple(parameter for member in members for parameter in member.parameters),
    )


def _negated(condition: Condition) -> Condition:
    return Condition(sql=f"NOT coalesce({condition.sql}, 0)", parameters=condition.parameters)


def _mapping(value: object) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise FilterError(value, "a filter (a mapping) is needed here")
    return value


def _path(name: str) -> str:
    return "$" + "".join(f".{_quoted(label)}" for label in name.split("."))


def _quoted(label: str) -> str:
    """Quote one field name for a JSON path; the path itself is a parameter, so nothing reaches the SQL text."""
    if not label or '"' in label or "\\" in label or "\x00" in label:
        raise FilterError(label, "a field name is blank or has a quote, a backslash or NUL")
    return f'"{label}"'
