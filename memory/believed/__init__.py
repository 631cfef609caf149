"""What a message says of what is already believed: that it has ended, or that another value took its place.

A rule must know how every ending and every change is worded; who knows that somebody plays tennis understands "sold the
racket and gave up tennis" from the ending alone. So the believed values are looked for in what is told, and the words
around them are read (memory/believed/signs.yaml). What the rules understood by themselves stays as they did.
"""

from __future__ import annotations

from memory.believed.changes import in_view_of
from memory.believed.naming import names_in

__all__ = ["in_view_of", "names_in"]
