"""A person in a browser who plays a game on its page."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from accord.cli.watch import Watching
from accord.studies.study import StudyResult, StudySettings, run_study
from tests.fakes.browser import Page, browser, save_picture
from voyager_agents.human.connection import IN_WORLD

BODY = "document.body.textContent"


def click(page: Page, selector: str) -> None:
    """Press a button once it is there."""
    button = f"document.querySelector({selector!r})"
    page.until(f"!{button}.disabled && {button}.getClientRects().length > 0 && ({button}.click(), true)")


async def in_the_browser(
    settings: StudySettings, act: Callable[[Page, str], Any], name: str, kind: str = IN_WORLD
) -> tuple[StudyResult, Any]:
    """Play a study whose person is in the browser; return its result and that of `act`.

    Args:
        settings: Settings of the study.
        act: What the person does, from the page and the seat's address.
        name: Name of the person's player.
        kind: Kind of play (`accord.viewer.watching.KINDS`).
    """
    with browser() as page:
        with Watching(people=[name], kind=kind) as watching:
            async with watching.hearing():
                study = asyncio.create_task(run_study(settings, placed=watching.placed, seated=watching.seated))
                person = asyncio.create_task(asyncio.to_thread(act, page, watching.seats[name]))
                await asyncio.wait({study, person}, return_when=asyncio.FIRST_EXCEPTION)
                if person.done() and person.exception():
                    study.cancel()
                    # It ends while its page is still there.
                    await asyncio.wait([study])
                elif study.done():
                    await study
                told = await person
                found = await study
        # The page's process has ended, and the page knows why.
        await asyncio.to_thread(page.until, f"{BODY}.includes('The study has ended') && !{BODY}.includes('is lost')")
        save_picture(page, "ended")
        return found, told
