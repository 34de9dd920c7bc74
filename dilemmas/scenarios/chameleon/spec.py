"""Spec of a game of hidden roles by words: rules, cards, number of games. Text and rewards follow from them."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Self

from pydantic import Field, StringConstraints, ValidationError, field_validator, model_validator

from dilemmas.scenarios.fields import Frozen, Identifier, PlayerName, Slug
from dilemmas.scenarios.spec import PlayerSpec, ScenarioSpec
from voyager_agents.hidden_roles.cards import WordCard, standard_cards
from voyager_agents.hidden_roles.turns import INSIDER, TAKES, HiddenRoleRules

POINT = "point"
"""Item that counts a player's points."""
CardWord = Annotated[str, StringConstraints(pattern=r"^[^\W_](?:[\w' -]{0,38}[^\W_])?$")]
"""A word of a card, or an association: letters, digits, spaces, hyphens."""
TASK = "Get, over all games, as many points as you can."


class CardSpec(Frozen):
    """A card: a topic, its words, and what reference players associate with each."""

    topic: CardWord
    words: dict[CardWord, tuple[CardWord, ...]] = Field(min_length=3, max_length=30)

    @model_validator(mode="after")
    def _lower_case(self) -> Self:
        for word, associations in self.words.items():
            for each in associations:
                if each != each.casefold():
                    raise ValueError(f"words.{word}: {each!r} has capitals; write associations in lower case")
        if len({word.casefold() for word in self.words}) < len(self.words):
            raise ValueError("words: two words differ in capitals alone")
        return self


class WordGameSpec(Frozen):
    """Rules of a game."""

    odd: Slug = "chameleon"
    """Name of the role of the player who does not share the word."""
    similar: bool = False
    """True if that player gets a similar word, and nobody is told a role (Undercover)."""
    clue_rounds: int = Field(default=2, ge=1, le=10)
    """Number of clues of each player in a game."""
    clue_words: int = Field(default=1, ge=1, le=20)
    """Maximum number of words of a clue."""
    guess: bool = True
    """True if an accused odd player may still win by naming the secret word."""
    escaped: int = Field(default=2, ge=0, le=100)
    """Points of the odd player that is not accused."""
    guessed: int = Field(default=1, ge=0, le=100)
    """Points of the odd player that is accused and names the word."""
    caught: int = Field(default=2, ge=0, le=100)
    """Points of each insider if the odd player is accused and does not name the word."""
    cards: tuple[CardSpec, ...] | None = Field(default=None, min_length=1)
    """Cards; None for those that come with Accord."""

    @field_validator("odd")
    @classmethod
    def _another_role(cls, odd: str) -> str:
        if odd == INSIDER:
            raise ValueError(f"{odd!r} is the role of the others; choose another name")
        return odd

    def rules(self) -> HiddenRoleRules:
        """Return the rules as data for players."""
        return HiddenRoleRules(**{name: getattr(self, name) for name in HiddenRoleRules.__dataclass_fields__})

    def deck(self) -> tuple[WordCard, ...]:
        """Return the cards."""
        if self.cards is None:
            return standard_cards()
        return tuple(WordCard(each.topic, dict(each.words)) for each in self.cards)


class WordPlayerSpec(PlayerSpec):
    """Player of a game of hidden roles."""

    prices: dict[Identifier, float] = Field(default_factory=dict)
    """Value of a point."""


class ChameleonSpec(ScenarioSpec):
    """Model of the file of a game of hidden roles."""

    PRICED: ClassVar[bool] = False
    TURNS: ClassVar[str] = TAKES
    WORLDLESS: ClassVar[bool] = True
    DERIVED: ClassVar[frozenset[str]] = frozenset({"text"})

    game: WordGameSpec
    games: int = Field(ge=1, le=1000)
    """Number of games in a run."""
    # Narrower than in the base class, which is safe in a frozen spec.
    players: dict[PlayerName, WordPlayerSpec] = Field(min_length=3, max_length=12)  # type: ignore[assignment]

    @model_validator(mode="before")
    @classmethod
    def _filled(cls, data: Any) -> Any:  # noqa: ANN401 - whatever was given
        """Fill in what follows from the game."""
        if not isinstance(data, dict) or not isinstance(data.get("game"), dict):
            return data
        if "text" in data:
            raise ValueError("text: follows from the game, so that players read its rules")
        try:
            game = WordGameSpec.model_validate(data["game"])
        except ValidationError:
            # The fields' own checks name what is wrong.
            game = WordGameSpec()
        given = data.get("players")
        names = given if isinstance(given, dict) else {}
        players = {
            name: {"spawn": [2 * place, 0, 0], "yaw": 0, "prices": {POINT: 1.0}, **(own or {})}
            for place, (name, own) in enumerate(names.items())
        }
        games = data.get("games")
        stages = stages_of(game, len(players)) * (games if isinstance(games, int) else 1)
        return {
            "text": " ".join(rule_lines(game, list(players))),
            "task": TASK,
            "plays": ["rounds"],
            "needs": [],
            "world": {"origin": [0, -60, 0], "boxes": []},
            "observer": {"name": "Arbiter", "spawn": [0, 8, 8]},
            "rules": {"step_s": 1},
            "observables": ["scenario", "facts"],
            "conditions": {"none": {"contract": "none", "about": "No contract."}},
            **data,
            "players": players,
            "end": {
                "time_limit_s": min(36_000, max(1, stages)),
                "all_collected": False,
                "policies_returned": False,
                **(data.get("end") or {}),
            },
        }

    @model_validator(mode="after")
    def _without_contract(self) -> Self:
        for name, condition in self.conditions.items():
            if condition.contract != "none":
                raise ValueError(f"conditions.{name}.contract: {condition.contract!r} is not legal here; write none")
        return self


def stages_of(game: WordGameSpec, players: int) -> int:
    """Return the maximum number of stages of a game: clues one after the other, the vote, the guess."""
    return players * game.clue_rounds + 1 + game.guess


def rule_lines(game: WordGameSpec, players: list[str]) -> list[str]:
    """Return the rules in sentences."""
    odd, insiders = game.odd, f"{INSIDER}s"
    length = "one word" if game.clue_words == 1 else f"at most {game.clue_words} words"
    times = "once" if game.clue_rounds == 1 else f"{game.clue_rounds} times"
    if game.similar:
        secret = (
            f"Each player gets a secret word of the card. All get the same word but one, the {odd}, who gets a similar "
            f"one. The others are the {insiders}. Nobody is told its role."
        )
    else:
        secret = (
            f"All players but one get the same secret word of the card: they are the {insiders}. The other one is the "
            f"{odd}, who knows that it is, and does not know the word."
        )
    guess = (
        f" An accused {odd} then guesses the secret word, and gets {game.guessed} if it is right." if game.guess else ""
    )
    return [
        f"{len(players)} players ({', '.join(players)}) play games of hidden roles. In each game all see a card with a "
        "topic and some words.",
        secret,
        f"In turn, {times}, each player gives a clue to its word: {length}, which all others read; the secret word "
        "itself is no clue, and no clue is given twice in a game.",
        f"Then all vote at once, each for another player, for who is the {odd}. The player with the most votes is "
        "accused; in a tie nobody is.",
        f"If the {odd} is not accused, it gets {game.escaped} points.{guess} If the {odd} is caught, each "
        f"of the {insiders} gets {game.caught} points.",
        f"Each player is the {odd} equally often, in an order that nobody knows.",
    ]
