"""Entry point of `python -m accord.cli`, an alternative to the console script `accord`."""

from __future__ import annotations

import sys

from accord.cli import main

if __name__ == "__main__":
    sys.exit(main())
