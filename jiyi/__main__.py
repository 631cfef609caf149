"""`python -m jiyi`: the same as the command `jiyi`."""

from __future__ import annotations

from jiyi.cli.main import run

if __name__ == "__main__":
    run()
