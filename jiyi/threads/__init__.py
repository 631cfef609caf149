"""Threads as their user sees them: which there are, what was said in them, and how one goes back, branches off or deletes."""
