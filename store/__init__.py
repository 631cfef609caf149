"""store: where is it kept? The LangGraph store, its indexes, the checkpointer, migrations."""
