"""chroma: the vector index of large partitions; derived from SQLite, and made again where it is lost."""
