"""detectors: what is private in a text, one family a file; `memory.privacy` is their face."""
