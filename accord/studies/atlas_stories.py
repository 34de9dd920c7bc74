"""Stories of an atlas that a model writes: once for each game, kept with their hash in the study's folder.

A game for which the model writes no usable story is told as a story that comes with Accord.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from common.plain_files import read_text
from dilemmas.errors import DilemmaError, UsageError
from dilemmas.records.record import to_json, write_atomically
from voyager_agents import Budget, Model, ModelError, load_prices
from voyager_agents.asking import Asker
from voyager_agents.budget import ALL
from voyager_agents.errors import AgentError, BudgetExhausted
from voyager_agents.models import Settings, open_model
from voyager_agents.models.local.settings import EngineOptions
from voyager_agents.models.paying import PayingModel
from voyager_agents.prompts.folder import STANDARD, Prompts
from voyager_agents.stage_games.atlas import OrdinalGame
from voyager_agents.stage_games.atlas_table import Story, stories
from voyager_agents.stage_games.written_stories import STORY, write_story

FILE = "stories.json"
WRITTEN = "written"
"""Name of the form in which games are told as the model's stories."""
TEMPERATURE = 0.7
STORY_TRIES = 3
"""Maximum answers of the model for one story."""


@dataclass
class KeptStories:
    """Stories of the games of an atlas."""

    model: str
    prompt: str
    """SHA-256 of the prompt."""
    stories: dict[str, Story] = field(default_factory=dict)
    """Id of a game -> its story."""
    faults: dict[str, str] = field(default_factory=dict)
    """Id of a game without a usable story -> the fault of the last answer."""
    spent: dict[str, float] = field(default_factory=dict)
    """Cost of the stories: calls, tokens, usd (missing without a price)."""

    def story_of(self, game: OrdinalGame) -> Story | str:
        """Return the story of a game; the name of one that comes with Accord if the model wrote none."""
        return self.stories.get(game.id) or stand_in()

    def to_dict(self) -> dict[str, Any]:
        """Return the data of the file, with the hash of the rest."""
        told: dict[str, Any] = {
            "model": self.model,
            "prompt": self.prompt,
            "stories": {
                game: {"text": each.text, "rows": list(each.rows), "columns": list(each.columns)}
                for game, each in self.stories.items()
            },
            "faults": self.faults,
            "spent": self.spent,
        }
        return {**told, "sha256": _hash(told)}


def stand_in() -> str:
    """Return the name of the story that is told where a model wrote none."""
    return next(iter(stories()))


def _hash(data: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True, ensure_ascii=True).encode()).hexdigest()


def read_stories(path: Path) -> KeptStories | None:
    """Return the stories in a file; None without one. Raises UsageError if the file was changed."""
    try:
        data = json.loads(read_text(path))
        told = data.pop("sha256")
        if told != _hash(data):
            raise ValueError("the hash differs")
        found = {
            str(game): Story(str(each["text"]), tuple(each["rows"]), tuple(each["columns"]), by_model=True)
            for game, each in data["stories"].items()
        }
        return KeptStories(data["model"], data["prompt"], found, data["faults"], data["spent"])
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        told = " ".join(str(error).split())[:100]
        raise UsageError(f"{path}: is not as it was written ({told}); begin the atlas anew") from None


async def written_stories(
    model: str,
    games: Sequence[OrdinalGame],
    directory: Path,
    settings: Mapping[str, Any],
    budget: Mapping[str, float],
    opened: Callable[..., Model] = open_model,
) -> KeptStories:
    """Return the stories of these games; those that are missing are written by the model and kept.

    Args:
        model: Spec of the model.
        games: The games.
        directory: Directory of the study.
        settings: Settings of the studies in a world, such as endpoints and prices.
        budget: Caps of the atlas.
        opened: Opens the model.

    Raises:
        UsageError: The file of stories was changed, or the model cannot be used.
        DilemmaError: The model failed, or the budget is used up.
    """
    file = directory / FILE
    prompts = Prompts.read(Path(settings["prompts"])) if settings.get("prompts") else STANDARD
    kept = read_stories(file) or KeptStories(model, prompts.hashes([STORY])[STORY])
    missing = [each for each in games if each.id not in kept.stories and each.id not in kept.faults]
    if not missing:
        return kept
    try:
        purse = Budget({name: {ALL: cap} for name, cap in budget.items()}, load_prices(settings.get("prices")))
        endpoint = (settings.get("base_urls") or {}).get(model, settings.get("base_url"))
        key = (settings.get("api_key_files") or {}).get(model, settings.get("api_key_file"))
        engine = EngineOptions.parse(settings.get("local") or {})
        asked = opened(model, base_url=endpoint, api_key_file=None if key is None else Path(key), engine=engine)
    except (ModelError, AgentError) as error:
        raise UsageError(str(error)) from None
    paying = PayingModel(asked, purse, STORY)
    before = dict(kept.spent)
    try:
        for game in missing:
            asker = Asker(paying, STORY, settings=Settings(temperature=TEMPERATURE), tries=STORY_TRIES)
            found = await write_story(game, asker, prompts)
            if isinstance(found, Story):
                kept.stories[game.id] = found
            else:
                kept.faults[game.id] = found
            kept.spent = _added(before, paying)
            write_atomically(file, to_json(kept.to_dict()))
    except (ModelError, BudgetExhausted) as error:
        raise DilemmaError(f"stories: {error}; go on with: accord resume {directory}") from None
    finally:
        await asked.close()
    return kept


def _added(before: Mapping[str, float], paying: PayingModel) -> dict[str, float]:
    """Return the cost of the stories so far."""
    now = {"calls": paying.calls, "tokens": paying.tokens, "usd": paying.usd}
    return {name: before.get(name, 0) + value for name, value in now.items() if value is not None}
