"""nodes: one step of the graph a file."""
