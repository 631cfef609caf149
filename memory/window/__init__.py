"""The window: which messages of a thread a model sees, and which are left to the thread's summary.

A *block* is a message, or a model's message with tool calls and all their results: it is shown whole or not at all.
A *turn* is a user message and the blocks that answer it. What is broken (a call without its result, a result without
its call, as an interrupted run leaves them) or says nothing is never shown: providers refuse a request that holds it.

One interface for all strategies: `cut` chooses what is shown, `to_fold` what is due to be folded into the summary.
"""

from memory.window.blocks import Block, Turn
from memory.window.cutting import cut, cut_by
from memory.window.folding import to_fold
from memory.window.policy import FOLDING, LAST_SIX, Strategy, Window, WindowPolicy, sized

__all__ = [
    "FOLDING",
    "LAST_SIX",
    "Block",
    "Strategy",
    "Turn",
    "Window",
    "WindowPolicy",
    "cut",
    "cut_by",
    "sized",
    "to_fold",
]
