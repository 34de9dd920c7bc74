"""Support of an endpoint for images, told by its refusals and by its answer to a question about a picture."""

from __future__ import annotations

from collections.abc import Mapping

from common.answers.spoken import spoken
from common.png import encode_png
from voyager_agents.models.base import ChatMessage, Model, Settings
from voyager_agents.models.images import ModelImage, image_tokens

_REFUSED = frozenset({400, 404, 415, 422, 500, 501})
"""Statuses with which endpoints refuse images."""
_WORDS = ("image", "vision", "multimodal", "multi-modal", "mmproj", "content type", "content must be a string")
"""Words of which an endpoint's refusal of images has at least one, in lower case."""
NO_IMAGES = "leave out --see, or choose a model and an endpoint that take images"
"""Remedy where images are refused, for messages."""
SIDE = 224
"""Side of the picture of the question, in pixels."""
COLOURS: Mapping[str, tuple[int, int, int]] = {
    "red": (214, 36, 36), "green": (36, 166, 60), "blue": (40, 70, 214), "yellow": (240, 212, 40),
}  # fmt: skip
"""Colours that the question is about, by the word for them."""
ASKED = ("blue", "yellow", "red")
"""Colours of the three stripes in the picture, from left to right: one answer of 64 that a guess could give."""
QUESTION = (
    "The picture has three vertical stripes. Which colours do they have, from left to right? Answer with three words, "
    f"each of {', '.join(COLOURS)}, and nothing else."
)


def refuses_images(status: int, error: str) -> bool:
    """Return True if an endpoint's error refuses images."""
    return status in _REFUSED and any(word in error.lower() for word in _WORDS)


def stripes(colours: tuple[str, ...] = ASKED, side: int = SIDE) -> bytes:
    """Return a square picture with vertical stripes of these colours, as a PNG file."""
    row = bytes(part for i in range(side) for part in COLOURS[colours[i * len(colours) // side]])
    return encode_png(side, side, row * side)


async def sees_pictures(model: Model, settings: Settings) -> bool:
    """Ask a model which colours a picture shows, and return True if it names them in order.

    Args:
        model: Model to ask.
        settings: Sampling settings.

    Raises:
        ImagesRefused: The endpoint takes no images.
        ModelError: The call failed for another reason.
    """
    image = ModelImage.of(stripes())
    tokens = image_tokens(model.name, image.width, image.height)
    shown = ModelImage(image.sha256, image.width, image.height, image.detail, image.data, tokens)
    reply = await model.complete([ChatMessage("user", QUESTION, images=(shown,))], settings)
    return named_colours(spoken(reply.text)) == ASKED


def named_colours(text: str) -> tuple[str, ...]:
    """Return the colours that a text names, in order."""
    words = "".join(letter if letter.isalpha() else " " for letter in text.lower()).split()
    return tuple(word for word in words if word in COLOURS)
