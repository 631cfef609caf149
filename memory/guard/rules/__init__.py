"""Rules: the readable data by which the guard knows an order to the model, and the frames in which it is none.

A file holds `words` (pieces that patterns name as `{piece}`; they may name earlier ones), `frames` (what turns the words
of an order into talk about it) and `rules`. Every rule carries its own samples, `yes` and `no`. Patterns see folded text:
small letters, plain quotation marks, single blanks; a line break within a paragraph is a blank unless the rule reads `lines`.
"""
