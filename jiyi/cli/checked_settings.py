"""Checked settings: `make dev` looks at them first, since a server that fails to start waits for its code to change."""

from __future__ import annotations

import sys

from pydantic import ValidationError

from graph.compression import MissingExtraError, compressor_named
from graph.policies import PolicyFileError, policies_of
from graph.settings import settings
from jiyi.cli.failures import told
from jiyi.cli.output import tell


def main() -> int:
    """Read the settings and the files that they name; give 0, or 1 after one line on standard error that names what is wrong."""
    try:
        policies_of(settings())
        compressor_named(settings().compressor)
    except ValidationError as error:
        tell(f"jiyi: {told(error)}")
        return 1
    except (PolicyFileError, MissingExtraError) as error:
        tell(f"jiyi: {error}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
