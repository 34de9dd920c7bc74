"""Letters that ask for an answer, for modules that answer them by rules or by a model."""

from __future__ import annotations

from voyager_agents.realtime_agent import Letter


def is_open(letter: Letter, answered: tuple[int, ...], now: float) -> bool:
    """Return True if a letter has a deadline that is not over, and no answer yet.

    Args:
        letter: The letter.
        answered: Numbers of the answered letters.
        now: Game time, in seconds.
    """
    return letter.number not in answered and letter.until_s is not None and now < letter.until_s


def letter_number(letter: Letter | None) -> int | None:
    """Return the letter's number, which is the purpose of a question about it."""
    return None if letter is None else letter.number


def is_time_to_ask(letter: Letter, now: float, every_s: float) -> bool:
    """Return True in the second in which a model is asked about the letter: at first, and every `every_s` seconds."""
    return (now - letter.t_s) % every_s < 1.0
