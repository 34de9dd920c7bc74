"""`python -m dilemmas.cli` is `accord`, for whoever knows the interpreter but not where the console script is."""

from __future__ import annotations

import sys

from dilemmas.cli import main

if __name__ == "__main__":
    sys.exit(main())
