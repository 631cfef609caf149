"""Diet rules: what somebody does not eat, or eats alone, stands beside their diet, and does not take its place."""

from __future__ import annotations

import re
from dataclasses import replace

from memory.kinds import Draft
from memory.same.meaning import known, tables_of

DIET, RULE = "user.diet", "user.diet.rule"
_EATING = re.compile(
    r"吃|喝|沾|忌|戒|\b(?:eat|eats|eating|drink|drinks|drinking|have|has|touch|avoids?|off|gave up|given up|giving up|cut out|quit|stopped|no)\b",
    re.I,
)


def beside_the_diet(draft: Draft) -> Draft:
    """Put a draft of a diet that is but a rule (不吃猪肉, "only drink tea") under the key of such rules; any other as it is."""
    is_rule = draft.key == DIET and _EATING.search(draft.value) and not known(draft.value, tables_of("diet"))
    return replace(draft, key=RULE) if is_rule else draft
