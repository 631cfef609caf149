"""Witness: what a tagger makes of given words of a message, asked whether they say what somebody claims that they say."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from memory.tagging.marks import Owner

OUR_NAMES = {"likes": "pref.likes", "dislikes": "pref.dislikes", "preference": "pref.other"}
"""Under which keys of the user's stands what a tagger calls so; all else stands under `user.…`."""
_ITS_NAMES = {key: name for name, key in OUR_NAMES.items()}
SOMEBODY_ELSES, ENDED, TAKEN_BACK, SURELY_TAKEN_BACK = 0.95, 0.9, 0.2, 0.7
BORNE_OUT, BORNE_OUT_BESIDE_A_NOT, STILL, OPPOSED = 0.02, 0.05, 0.3, 0.25
OPPOSITES = {"likes": "dislikes", "dislikes": "likes"}
"""Far lower than what a mark needs to be believed by itself (memory/tagging/proposing.py): here a model claims it too."""


@dataclass(frozen=True, kw_only=True)
class Witness:
    """What words say, in shares from 0 to 1.

    `lasting`: that they say a lasting fact at all. `owners`: whose it would be. `attributes`: which, by the last part of a key. `ended`:
    that it holds no more, or is denied.
    """

    lasting: float
    owners: Mapping[Owner, float]
    attributes: Mapping[str, float]
    ended: float

    def is_anothers(self, key: str, *, ended: bool = False) -> bool:
        """Say whether the words speak of somebody else than the key does; what `ended` of the user's may have been a pet."""
        owner, _ = _meant(key)
        known = {owner, "thing"} if owner == "user" else {owner, "user"} if owner == "thing" else {owner}
        known |= {"pet"} if ended and owner == "user" else set()
        return (
            owner is not None and sum(share for one, share in self.owners.items() if one not in known) > SOMEBODY_ELSES
        )

    def bears_out(self, key: str, *, beside_a_not: bool = False) -> bool:
        """Say whether the words say what the key means; `beside_a_not`: in spite of a "not" near them."""
        _, attribute = _meant(key)
        says_so = self.lasting * self.attributes.get(attribute, 0.0)
        return says_so > BORNE_OUT_BESIDE_A_NOT and self.ended < STILL if beside_a_not else says_so > BORNE_OUT

    def takes_back(self, key: str, *, surely: bool) -> bool:
        """Say whether the words say that something ended, or the opposite of it; `surely`: to lose it could do harm."""
        opposite = OPPOSITES.get(_meant(key)[1], "")
        if self.lasting * self.attributes.get(opposite, 0.0) > OPPOSED:
            return True
        return self.ended > (SURELY_TAKEN_BACK if surely else TAKEN_BACK)

    @property
    def has_ended(self) -> bool:
        """Say whether what the words say holds no more."""
        return self.ended > ENDED


Ask = Callable[[int, int], Witness | None]
"""Asks a witness of the words from one place of a message to another; None where it knows nothing of them."""


def knows_nothing(_start: int, _end: int) -> None:
    """Be the witness where there is no tagger."""


def _meant(key: str) -> tuple[Owner | None, str]:
    """Give of whom and of what a key tells, as a tagger names it."""
    first, _, attribute = key.partition(".")[0], "", key.rpartition(".")[2]
    owner: Owner | None = None
    match first:
        case "user" | "pref":
            owner = "user"
        case "person" | "pet" | "thing":
            owner = first
        case _:
            pass
    return owner, _ITS_NAMES.get(key, attribute)
