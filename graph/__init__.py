"""graph: when does what happen? Wiring, state, context, identity, settings."""
