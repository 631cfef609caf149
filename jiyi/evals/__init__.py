"""Evals: how well Jiyi does, measured through its own code on labelled files."""
