"""Images in messages to models: their bytes, their names by hash, and what they cost in tokens.

Providers bill an image by its size in pixels. `image_tokens` follows their published rules; what a call has really cost
is the provider's own count of tokens.
"""

from __future__ import annotations

import base64
import hashlib
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, Self

from common.png import png_size

Detail = Literal["low", "high", "auto"]
"""Detail in which a provider reads an image; those without such a setting ignore it."""
FOLDER = "images"
"""Folder of a run's record with the images of its calls, each once, as HASH.png."""
CHARS_A_TOKEN = 4
"""Characters per token, a rule of thumb for English."""


@dataclass(frozen=True)
class ModelImage:
    """PNG image of a message. Images are equal if their hashes, sizes and details are."""

    sha256: str
    width: int
    """Pixels."""
    height: int
    detail: Detail = "auto"
    data: bytes = field(default=b"", compare=False, repr=False)
    """The PNG file; empty for an image of a recorded call."""
    tokens: int = field(default=0, compare=False)
    """Estimated tokens for the model that gets it."""

    @classmethod
    def of(cls, data: bytes, detail: Detail = "auto") -> Self:
        """Return the image in a PNG file. Raises ValueError if the bytes are none."""
        width, height = png_size(data)
        return cls(hashlib.sha256(data).hexdigest(), width, height, detail, data)

    @cached_property
    def url(self) -> str:
        """The image as a data URL."""
        return f"data:image/png;base64,{base64.b64encode(self.data).decode('ascii')}"

    @property
    def size(self) -> int:
        """Characters that the image counts as, where tokens are estimated from characters."""
        return self.tokens * CHARS_A_TOKEN

    def to_dict(self) -> dict[str, Any]:
        """Image as a dict for records, without its bytes."""
        return {"sha256": self.sha256, "width": self.width, "height": self.height, "detail": self.detail}

    @classmethod
    def from_dict(cls, told: Mapping[str, Any]) -> Self:
        """Return the image of a dict by `to_dict`. Raises TypeError or KeyError for any other dict."""
        return cls(str(told["sha256"]), int(told["width"]), int(told["height"]), told["detail"])


TokenRule = Callable[[int, int, Detail], int]
"""Tokens of an image by width, height and detail."""
TILE = 512
"""Side of OpenAI's tiles, in pixels."""
_SQUARE, _SHORT = 2048, 768
PATCH = 32
"""Side of OpenAI's patches, in pixels."""
MAX_PATCHES = 1536


def _tiles(base: int, each: int) -> TokenRule:
    """Return OpenAI's rule by tiles: a base, and a price for each tile of the scaled image unless detail is low."""

    def tokens(width: int, height: int, detail: Detail) -> int:
        if detail == "low":
            return base
        scale = min(1.0, _SQUARE / max(width, height))
        scale *= min(1.0, _SHORT / (min(width, height) * scale))
        return base + each * math.ceil(width * scale / TILE) * math.ceil(height * scale / TILE)

    return tokens


def _patches(factor: float) -> TokenRule:
    """Return OpenAI's rule by patches, whose number is bounded, times a factor of the model."""

    def tokens(width: int, height: int, _detail: Detail) -> int:
        count = math.ceil(width / PATCH) * math.ceil(height / PATCH)
        return math.ceil(min(count, MAX_PATCHES) * factor)

    return tokens


def _area(width: int, height: int, _detail: Detail) -> int:
    """Return Anthropic's rule: a token for 750 pixels of an image scaled to at most 1568 pixels a side."""
    scale = min(1.0, 1568 / max(width, height))
    return min(1600, math.ceil(width * scale * height * scale / 750))


def _crops(width: int, height: int, _detail: Detail) -> int:
    """Return Google's rule: 258 tokens for a small image, or for each tile of 768 pixels of a larger one."""
    if max(width, height) <= 384:
        return 258
    return 258 * math.ceil(width / 768) * math.ceil(height / 768)


def _squares(side: int) -> TokenRule:
    """Return the rule of open models with one token for a square of this many pixels."""
    return lambda width, height, _detail: math.ceil(width / side) * math.ceil(height / side) + 2


OPENAI = "https://platform.openai.com/docs/guides/images-vision"
ANTHROPIC = "https://docs.anthropic.com/en/docs/build-with-claude/vision"
GOOGLE = "https://ai.google.dev/gemini-api/docs/tokens"
QWEN = "https://huggingface.co/docs/transformers/model_doc/qwen2_vl"
USUAL: TokenRule = _tiles(85, 170)
"""Rule for models without one of their own."""
RULES: tuple[tuple[re.Pattern[str], TokenRule, str], ...] = tuple(
    (re.compile(rf"(^|/)({pattern})"), rule, source)
    for pattern, rule, source in (
        (r"gpt-4o-mini", _tiles(2833, 5667), OPENAI),
        (r"gpt-4\.1-mini|gpt-5-mini", _patches(1.62), OPENAI),
        (r"gpt-4\.1-nano|gpt-5-nano", _patches(2.46), OPENAI),
        (r"o4-mini", _patches(1.72), OPENAI),
        (r"gpt-5", _tiles(70, 140), OPENAI),
        (r"o1|o3", _tiles(75, 150), OPENAI),
        (r"gpt-4o|gpt-4\.1|gpt-4\.5|gpt-4-turbo", USUAL, OPENAI),
        (r"claude", _area, ANTHROPIC),
        (r"gemini", _crops, GOOGLE),
        (r"qwen2(\.5)?-vl", _squares(28), QWEN),
        (r"qwen3-vl", _squares(32), QWEN),
    )
)
"""(pattern of the model's name in lower case, rule, source), the first that fits counts."""
_BLIND = re.compile(
    r"(^|/)(gpt-3\.5|gpt-4$|gpt-4-(0314|0613|32k)|o1-mini|o1-preview|o3-mini|claude-(instant|2)|text-embedding)"
)
"""Names of models whose providers say that they take no images."""


def _name(model: str) -> str:
    return model.partition("/")[2].lower() if "/" in model else model.lower()


def rule_of(model: str) -> tuple[TokenRule, str]:
    """Return the rule for the tokens of an image and its source; the usual rule and "" for an unknown model."""
    name = _name(model)
    return next(((rule, source) for pattern, rule, source in RULES if pattern.search(name)), (USUAL, ""))


def image_tokens(model: str, width: int, height: int, detail: Detail = "auto") -> int:
    """Return the estimated tokens of an image.

    Args:
        model: Spec of the model, such as `openai/gpt-4o`.
        width: Pixels.
        height: Pixels.
        detail: Detail in which the provider reads it.
    """
    return rule_of(model)[0](width, height, detail)


def is_blind(model: str) -> bool:
    """Return True for a model that is known to take no images; others have to be asked."""
    return model == "local" or model.startswith(("local:", "local/")) or bool(_BLIND.search(_name(model)))
