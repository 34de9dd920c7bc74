"""Models of a study by player and role, each opened once, and the budget for their calls."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from accord.studies.option_groups import ModelOptions, PlayerOptions, SeatingOptions
from dilemmas.errors import UsageError
from dilemmas.records.replaying import PREFIX, Replay
from dilemmas.skills.docs import skill_docs
from voyager_agents import AgentError, Budget, Model, ModelError, PromptError, load_prices, open_model
from voyager_agents.budget import Caps
from voyager_agents.models import Settings, is_local
from voyager_agents.models.answer_cache import CachedRole, open_cache
from voyager_agents.models.cascade import CascadeModel, CascadeSpec, StageModel, is_cascade, stages_of
from voyager_agents.models.form_support import FormNegotiation
from voyager_agents.models.learner import SPEC, LearnerModel
from voyager_agents.models.local.settings import EngineOptions
from voyager_agents.models.sampling import Sampling, applied, chosen
from voyager_agents.models.tool_support import NO_TOOLS, calls_tools
from voyager_agents.models.vision_support import NO_IMAGES, sees_pictures
from voyager_agents.prompts.folder import STANDARD, Prompts

Draw = tuple[str | int, ...]
"""Name of a run's random draws."""
BATCHES = "batches.jsonl"
"""File of a study with the batches that its calls were sent in."""


def model_for(settings: ModelOptions, player: str, role: str) -> str | None:
    """Return the spec of the model for a player's role, such as `openai/gpt-4o`; None without a model."""
    return chosen(settings.models, player, role) or settings.model


def specs_of(settings: ModelOptions) -> list[str]:
    """Return the specs of all models in the settings, those of a cascade's stages too, without duplicates.

    Raises UsageError for an illegal cascade.
    """
    given = [settings.model, *settings.models.values()]
    try:
        return list(dict.fromkeys(stage for spec in given if spec is not None for stage in stages_of(spec)))
    except ModelError as error:
        raise UsageError(str(error)) from None


def endpoint(settings: ModelOptions, spec: str) -> tuple[str | None, Path | None]:
    """Return the endpoint of a model and the file with its API key; None for the provider's and the environment's."""
    return settings.base_urls.get(spec, settings.base_url), settings.api_key_files.get(spec, settings.api_key_file)


def _open(spec: str, settings: ModelOptions, answers: Path | None) -> Model | Replay | LearnerModel:
    if answers is not None:
        return Replay(answers, renamed=False)
    if spec.startswith(PREFIX):
        return Replay(Path(spec.removeprefix(PREFIX)))
    base_url, api_key_file = endpoint(settings, spec)
    model = open_model(spec, base_url=base_url, api_key_file=api_key_file, engine=EngineOptions.parse(settings.local))
    if isinstance(forms := getattr(model, "forms", None), FormNegotiation):
        forms.strictest = settings.answers
    return _batched(spec, model) if settings.batch else model


def _batched(spec: str, model: Model) -> Model:
    """Return the model with its calls sent through the provider's batch API. Raises UsageError."""
    from voyager_agents.models.batch import BatchModel
    from voyager_agents.models.openai_chat import OpenAIModel

    if type(model) is not OpenAIModel:
        raise UsageError(f"batch: {spec} has no batch API: leave out --batch")
    return BatchModel(model)


def read_prompts(folder: Path | None) -> Prompts:
    """Return the prompts of a folder, or Accord's own without a folder. Raises UsageError."""
    try:
        return STANDARD if folder is None else Prompts.read(folder)
    except PromptError as error:
        raise UsageError(str(error)) from None


class Models:
    """Models of a study, each opened once, and the budget for their calls. Call `close` in the end."""

    def __init__(
        self,
        variants: Sequence[SeatingOptions],
        caps: Caps,
        make_budget: Callable[..., Budget] = Budget,
        answers: Path | None = None,
        learner: LearnerModel | None = None,
    ) -> None:
        """Open the models of all variants of a study.

        Args:
            variants: Players and models of each variant; endpoints, keys and prices are the same in all.
            caps: Limits of the study's budget.
            make_budget: Creates the budget from caps and prices.
            answers: Record of the same study; its recorded answers replace calls to models.
            learner: Model of the players whose answers a trainer gives; None without any.

        Raises:
            UsageError: A model cannot be used: unknown kind, no key, an illegal base URL, or no price.
        """
        settings = variants[0]
        specs = sorted({spec for one in variants for spec in specs_of(one)})
        _check_endpoints(settings, specs)
        try:
            self._open = {
                spec: learner if spec == SPEC and learner is not None else _open(spec, settings, answers)
                for spec in specs
            }
            self.budget = make_budget(caps, load_prices(settings.prices))
            self._cache = None if answers is not None else open_cache(settings.cache)
        except ModelError as error:
            raise UsageError(str(error)) from None
        self._embeddings: dict[str, Model] = {}
        embedding = [name for one in variants for name in _embedding(one)]
        check_prices(self.budget, [*(model.name for model in self._open.values()), *embedding])
        self.docs = skill_docs() if specs else ""
        """Documentation of the skill primitives for agents that write programs; empty without models."""

    def keep_batches(self, study: Path) -> None:
        """Keep the ledgers of batches in the directory of a study; called once before its first run."""
        for model in self._open.values():
            if hasattr(model, "ledger"):
                model.ledger = study / BATCHES

    @property
    def opened(self) -> dict[str, Model]:
        """Spec -> model, for models that call an endpoint."""
        return {spec: model for spec, model in self._open.items() if not isinstance(model, Replay | LearnerModel)}

    def asked(
        self,
        settings: ModelOptions,
        role: str,
        player: str,
        run: tuple[str, int],
        metered: Callable[[str, Model], StageModel],
    ) -> Model | None:
        """Return the model that a player's role asks in a run, each of its stages metered; None without a model.

        Args:
            settings: Settings of the run.
            role: Role of the model.
            player: Name of the player.
            run: Condition and seed.
            metered: Wraps a model of a spec so that its calls are recorded and paid for.
        """
        spec = model_for(settings, player, role)
        if spec is None:
            return None
        opened = [self._open[stage] for stage in stages_of(spec)]
        if isinstance(opened[0], Replay):
            replayed = opened[0].stages(*run, player, role)
            if replayed:
                rule = CascadeSpec(())
                if is_cascade(spec):
                    rule = CascadeSpec.parse(spec)
                elif any(each.states_confidence for each in replayed):
                    rule = CascadeSpec((), "confidence")
                return CascadeModel([metered(spec, each) for each in replayed], rule)
        models = [each.part(*run, player, role) if isinstance(each, Replay | LearnerModel) else each for each in opened]
        stages = [metered(*each) for each in zip(stages_of(spec), models, strict=True)]
        return CascadeModel(stages, CascadeSpec.parse(spec)) if is_cascade(spec) else stages[0]

    def cached_role(self, settings: ModelOptions, spec: str, role: str, player: str, draw: Draw) -> CachedRole | None:
        """Return the cache for a player's role in a run; None without a cache, and for a role that is replayed.

        Args:
            settings: Settings of the run.
            spec: Spec of the model.
            role: Role of the model.
            player: Name of the player.
            draw: Name of the run's random draws (`accord.studies.answer_draws`).
        """
        if self._cache is None or isinstance(self._open.get(spec), Replay | None):
            return None
        return CachedRole(self._cache, _source(settings, spec), (*draw, player, role))

    def cached_embedding(self, settings: ModelOptions, name: str) -> CachedRole | None:
        """Return the cache for the vectors of an embedding model, or None without a cache."""
        return None if self._cache is None else CachedRole(self._cache, _source(settings, name), None)

    def replay_of(self, settings: ModelOptions, player: str, roles: Iterable[str]) -> Replay | None:
        """Return the record that all of a player's roles repeat; None if one asks a model, or repeats another record.

        Args:
            settings: Settings of the run.
            player: Name of the player.
            roles: Roles of the player's family; those without a model do not count.
        """
        given = [spec for role in roles if (spec := model_for(settings, player, role)) is not None]
        specs = {stage for spec in given for stage in stages_of(spec)}
        found = [self._open[spec] for spec in specs]
        replays = [each for each in found if isinstance(each, Replay)]
        return replays[0] if len(replays) == len(found) and len({each.name for each in replays}) == 1 else None

    def embedding(self, name: str, opened: Callable[[], Model]) -> Model:
        """Return an embedding model, opened once.

        Args:
            name: Name of the embedding model.
            opened: Opens the model on first use.

        Raises:
            UsageError: The model has no price and the budget is in dollars.
            ModelError: The model cannot be opened.
        """
        check_prices(self.budget, [name])
        if name not in self._embeddings:
            self._embeddings[name] = opened()
        return self._embeddings[name]

    def check(self, runs: Iterable[tuple[str, int]]) -> None:
        """Check that recorded models have answers for these runs (condition, seed). Raises UsageError."""
        wanted = list(runs)
        for model in self._open.values():
            if isinstance(model, Replay):
                model.check(wanted)

    async def check_tools(self, settings: ModelOptions, callers: Mapping[str, str], checked: set[str]) -> None:
        """Ask the models of players who act by tool calls for a tool call, each model once.

        Args:
            settings: Settings of the players.
            callers: Player -> role of its model.
            checked: Specs of models that were asked already; the asked ones are added.

        Raises:
            UsageError: A model makes no tool call, or cannot be asked.
        """
        for player, role in callers.items():
            given = model_for(settings, player, role)
            for spec in () if given is None else stages_of(given):
                if spec in checked or (model := self.opened.get(spec)) is None:
                    continue
                checked.add(spec)
                sampling = applied(Settings(), sampling_of(settings, player, role, 0, spec))
                try:
                    if not await calls_tools(model, sampling):
                        raise UsageError(f"act: model {spec} was asked for a tool call and made none: {NO_TOOLS}")
                except ModelError as error:
                    raise UsageError(f"act: {error}") from None

    async def check_sight(self, settings: ModelOptions, seers: Mapping[str, Mapping[str, str]], done: set[str]) -> None:
        """Ask the models of players who see what a picture shows, each model once.

        Args:
            settings: Settings of the players.
            seers: Player -> role that sees -> spec of its model.
            done: Specs of models that were asked already; the asked ones are added.

        Raises:
            UsageError: A model does not see what the picture shows, or cannot be asked.
        """
        for player, roles in seers.items():
            for role, spec in ((role, stage) for role, given in roles.items() for stage in stages_of(given)):
                if spec in done or (model := self.opened.get(spec)) is None:
                    continue
                done.add(spec)
                sampling = applied(Settings(), sampling_of(settings, player, role, 0, spec))
                try:
                    if not await sees_pictures(model, sampling):
                        raise UsageError(
                            f"see: model {spec} was shown a picture of coloured stripes and named others: {NO_IMAGES}"
                        )
                except ModelError as error:
                    raise UsageError(f"see: {error}") from None

    async def close(self) -> None:
        """Close the connections of all models."""
        for model in (*self._open.values(), *self._embeddings.values()):
            await model.close()
        if self._cache is not None:
            self._cache.close()


def sampling_of(
    settings: ModelOptions, player: str, role: str, seed: int | str, spec: str | None = None
) -> dict[str, Any]:
    """Return the sampling parameters that a study sets for a player's role.

    Args:
        settings: Settings of the run.
        player: Name of the player.
        role: Role of the model.
        seed: Seed of the run, or a placeholder for it.
        spec: Spec of the model; None for that of the role.
    """
    found = Sampling.parse(settings.sampling).of(player, role, seed)
    spec = spec or model_for(settings, player, role)
    # An engine of our own repeats its answers, so a run's answers follow from its seed unless the user says otherwise.
    return {"seed": seed, **found} if spec is not None and is_local(spec) else found


def _source(settings: ModelOptions, spec: str) -> dict[str, Any]:
    """Return all that decides a model's answers besides the question: name, endpoint, options and weights."""
    source: dict[str, Any] = {"model": spec, "endpoint": endpoint(settings, spec)[0], "answers": settings.answers}
    if is_local(spec):
        weights = Path(spec.partition(":")[2])
        stat = weights.stat() if weights.is_file() else None
        source |= {"engine": dict(settings.local), "weights": [stat.st_size, stat.st_mtime_ns] if stat else None}
    return source


def _check_endpoints(settings: ModelOptions, specs: Sequence[str]) -> None:
    if settings.base_url is not None and specs and all(map(is_local, specs)):
        raise UsageError(f"--base-url {settings.base_url}: {specs[0]} is on this machine; leave out one of the two")
    for option, named in (("--base-url", settings.base_urls), ("--api-key-file", settings.api_key_files)):
        for spec in named:
            if spec not in specs:
                raise UsageError(f"{option} {spec}=...: no {spec!r} plays; models are {', '.join(specs) or 'none'}")


def _embedding(settings: PlayerOptions) -> list[str]:
    """Return the model of the agents' embedding option in a list; empty for embeddings without a model."""
    if "embedding" not in settings.agents_options:
        return []
    from voyager_agents.index import model_of

    try:
        name = model_of(str(settings.agents_options["embedding"]))
    except AgentError:
        return []
    return [] if name is None else [name]


def check_prices(budget: Budget, models: Iterable[str]) -> None:
    """Check that the price of every model is known if the budget is in dollars. Raises UsageError."""
    unknown = [name for name in models if budget.prices.of(name) is None]
    if unknown and "usd" in budget.caps:
        raise UsageError(
            f"no price is known for {unknown[0]}, so --max-usd cannot hold: give --prices FILE or use --max-tokens"
        )
