"""ranking: how well each thing that was said answers a question, by signals whose weights are data."""
