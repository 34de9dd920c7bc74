"""`python -m accord.cli` is `accord`, for whoever knows the interpreter but not where the console script is."""

from __future__ import annotations

import sys

from accord.cli import main

if __name__ == "__main__":
    sys.exit(main())
