"""memory: how is it judged? The nouns and the pure rules; no I/O, no clock, no randomness, no graph."""
