"""models: what can answer: the offline model, or one behind an OpenAI-compatible endpoint."""
