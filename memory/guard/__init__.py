"""guard: whether a text, should it ever be remembered and shown to a model, tries to give the model orders."""
