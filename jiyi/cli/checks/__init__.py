"""checks: what `jiyi doctor` looks at, a subject a file; each function gives what it found and changes nothing."""
