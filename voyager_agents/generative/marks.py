"""What players said, are called or did goes into a prompt as one JSON document between two marks: never an instruction.

The mark is made from the document, so nobody who wrote a part of it could know it. Escaping to ASCII shows look-alike
letters for what they are and keeps every quotation on one line.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

MAX_TEXT = 300
"""Characters that are kept of one text that a player wrote."""


def marked(document: Mapping[str, Any]) -> str:
    """The document between its marks."""
    payload = json.dumps(document, ensure_ascii=True, indent=1)
    mark = "DATA-" + hashlib.sha256(payload.encode()).hexdigest()[:20]
    return f"{mark}\n{payload}\n{mark}"


def quoted(text: str) -> str:
    """A text of somebody else as a part of a sentence of ours: on one line, in quotation marks, cut to size."""
    return json.dumps(text[:MAX_TEXT], ensure_ascii=True)
