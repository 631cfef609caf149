"""Skills: how to do things, as YAML files, and the tools that they name."""
