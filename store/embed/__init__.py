"""embed: where vectors come from."""
