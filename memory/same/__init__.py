"""When two wordings are the same value: one canonical form for each, in either language.

Only values with one form are equal, so nothing is joined through a third (A like B like C), and a change of the tables
splits what they had joined: evidence keeps the words.

* `identity.py`  the form of a value under a key
* `meaning.py`   what words stand for in a slot: `slots.yaml`, `frames.yaml` and the bilingual tables
* `wording.py`   one wording: letters, punctuation, plurals, spelling
* `numbers.py`   number words and units
* `measures.py`  heights, weights, ages
* `calendar.py`  days and times of day
"""

from memory.same.identity import identity

__all__ = ["identity"]
