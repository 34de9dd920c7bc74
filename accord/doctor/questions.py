"""Questions of `accord doctor --model`: the real prompt of every role of every family, made without a call to a model.

Most prompts are those that the estimate of a study's cost measures. A few roles are asked only if a game takes a
certain course (a contract is signed, a letter arrives); their parts ask a stand-in here.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from accord.doctor.bargaining import bargaining_questions
from accord.studies.agreement import examples
from accord.studies.models import read_prompts
from accord.studies.players import context_of, seating
from accord.studies.prompt_samples import hear_prompts, prompt_length
from accord.studies.settings import StudySettings
from contracts import Contract, library_contract
from contracts.errors import ContractError
from dilemmas.errors import UsageError
from dilemmas.scenarios.compliance import VERDICTS
from dilemmas.scenarios.registry import load_scenario
from dilemmas.skills.docs import skill_docs
from voyager_agents import AgentError, Observation, load_prices
from voyager_agents.agent import LastRun
from voyager_agents.asking import PROMPT_LISTENER, AskedPrompt, Asker
from voyager_agents.budget import Budget
from voyager_agents.compliance_rater import RATE_COMPLIANCE, ComplianceRater
from voyager_agents.context import AgentContext
from voyager_agents.cost import ImaginedRun, Sizing
from voyager_agents.errors import IndexUnusable
from voyager_agents.grid.options import PREFIX, ROLE
from voyager_agents.models.paying import PaidModels
from voyager_agents.moment_answerer import MomentAnswerer
from voyager_agents.personas.generator import generate
from voyager_agents.personas.persona import Spot
from voyager_agents.personas.written import BATCH, PERSONAS, write_traits
from voyager_agents.piano.cost import CITIZEN, TRADER, ask_for_letter
from voyager_agents.piano.role_classifier import cost as rating_cost
from voyager_agents.piano.sample_letters import market_letter
from voyager_agents.piano.topic_rater import TopicRater
from voyager_agents.realtime_agent import Letter
from voyager_agents.registry import FAMILIES
from voyager_agents.roles import ANSWERER, MOMENT, RATER
from voyager_agents.thought_events import CRITIC, CURRICULUM
from voyager_agents.voyager.agent import negotiator_part, part_asker
from voyager_agents.voyager.critic import CriticPart
from voyager_agents.voyager.curriculum import WARM_UP, CurriculumPart, TaskHistory
from voyager_agents.voyager.judge import language_judge, language_typist
from voyager_agents.voyager.learner import Describer
from voyager_agents.word_reader import READ_WORDS, WordReader, WordsToRead

SCENARIO, SOCIETY, MARKET_SOCIETY, GRID_GAME = "double-vein", "taxation", "village-market", "ada-contract"
"""Scenarios of the questions that no estimate asks."""
MARKET_PEOPLE = 6
"""Number of people at the market of the question to a trader."""
CONTRACT = "double_vein_1"
PLAYER = "Gizmo"
"""Player whose models are asked."""
SEED = 0
ANY = "openai/any"
"""Model of the sampled studies, which is never asked."""
STUDY = "study"
"""Family column of roles that belong to no family: judge, typist, rater, writer of personas."""
SET_UPS: Mapping[str, Mapping[str, Any]] = {
    "paper": {"scenario": SCENARIO, "contracts": ("negotiate",)},
    "chooser": {"scenario": "prisoners-dilemma"},
    "text": {"scenario": GRID_GAME, "contracts": ("negotiate",), "world": "none"},
    "planner": {"scenario": GRID_GAME, "contracts": ("negotiate",), "world": "none"},
    "generative": {
        "scenario": "commons-harvest",
        "agents_options": {"modules": "understanding,communication,constitution,reputation", "reputation": "judged"},
    },
    "piano": {"scenario": "perception-chef"},
    "marshal": {"scenario": "conquest", "contracts": ("negotiate",)},
    "speaker": {"scenario": "chameleon", "world": "none"},
}
"""Family -> study whose estimate asks for the prompts of the family's roles."""
RATED_S = 600.0
"""Length of a life whose roles are rated, in seconds."""
_PROGRAM = "async function play(bot) {\n  await mineBlock(bot, 'iron_ore', 3)\n}\n"
_GOALS = [(60.0 * minute, "You plant trees with the others, so that the eco club grows.") for minute in range(10)]
_SUMMARY = "Plants trees for the eco club.\n- 00:00:00 - 00:10:00: Plants trees with the others, again and again."
_MOMENT = ("Which player holds bread?", ("Gizmo", "Glitch"), {"players hold": {"Gizmo": {}, "Glitch": {"bread": 2}}})
_SAID = (
    WordsToRead("Gizmo", ("Glitch",), 0, "I will mine 4 iron ore, and you will get half of it."),
    WordsToRead("Glitch", ("Gizmo",), 0, "Good. I have 2 diamonds."),
)
_CLAUSE, _ACTS = "Do not attack anybody.", [(3.0, "Gizmo", "attacks Glitch, and hits")]
_LAST_RUN = LastRun(_PROGRAM, "threw", "Error: no path to the target", 2)


@dataclass(frozen=True)
class RoleQuestion:
    """Question to the model of one role."""

    family: str
    part: str
    """Part of the agent that asks; in most families the role."""
    asked: AskedPrompt

    @property
    def role(self) -> str:
        """Role whose model is asked."""
        return self.asked.role


@dataclass(frozen=True)
class RoleQuestions:
    """Questions of all roles and parts, and the families that cannot be asked on this machine."""

    asked: list[RoleQuestion]
    lacking: dict[str, str]
    """Family -> the package that it lacks, and the command that installs it."""


async def role_questions(settings: StudySettings, variants: int = 1) -> RoleQuestions:
    """Return the questions of all roles and parts, by family.

    Args:
        settings: Settings with the prompts and the place of the reasoning.
        variants: Maximum number of different prompts for a part, the longest first.

    Raises:
        UsageError: The prompts cannot be used.
    """
    found: list[RoleQuestion] = []
    lacking: dict[str, str] = {}
    for family, set_up in SET_UPS.items():
        study = {"world": "mock", **set_up, "prompts": settings.prompts, "reasoning": settings.reasoning}
        try:
            heard = await _different_prompts(StudySettings(agents=family, model=ANY, **study))
        except IndexUnusable as error:
            lacking[family] = str(error)
            continue
        roles, known = FAMILIES[family].roles, {each.part for each in found if each.family == STUDY}
        for part, prompts in heard.items():
            for asked in _spread(prompts, variants):
                # Several studies ask the judge; one of them is enough.
                if asked.role in roles or part not in known:
                    found.append(RoleQuestion(family if asked.role in roles else STUDY, part, asked))
    found += [each async for each in _other_questions(settings)]
    order = [*SET_UPS, "voyager", STUDY]
    return RoleQuestions(sorted(found, key=lambda each: order.index(each.family)), lacking)


async def _different_prompts(settings: StudySettings) -> dict[str, list[AskedPrompt]]:
    """Return part -> the different prompts that the estimate of a study's cost asks for, the longest first."""
    heard: dict[str, dict[tuple[str, str], AskedPrompt]] = {}

    def hear(asked: AskedPrompt) -> None:
        heard.setdefault(asked.part, {}).setdefault((asked.system, asked.user), asked)

    await hear_prompts(settings, hear)
    return {part: sorted(each.values(), key=prompt_length, reverse=True) for part, each in heard.items()}


def _spread(prompts: Sequence[AskedPrompt], count: int) -> list[AskedPrompt]:
    """Return `count` of the prompts at equal distances, the first one included."""
    step = max(1, len(prompts) // count)
    return list(prompts[::step][:count])


def choose_questions(questions: Sequence[RoleQuestion], names: Sequence[str]) -> list[RoleQuestion]:
    """Return the questions of these roles and parts; all without a name.

    Args:
        questions: All questions.
        names: Names of roles and parts.

    Raises:
        UsageError: A name is no role and no part.
    """
    legal = list(dict.fromkeys(name for each in questions for name in (each.role, each.part)))
    if unknown := [name for name in names if name not in legal]:
        raise UsageError(f"--roles {unknown[0]!r}: no model is asked in it; choose from {', '.join(legal)}")
    return [each for each in questions if not names or {each.role, each.part} & {*names}]


async def _other_questions(settings: StudySettings) -> AsyncIterator[RoleQuestion]:
    """Yield the questions of the roles that no estimate asks."""
    scenario, prompts = load_scenario(SCENARIO), read_prompts(settings.prompts)
    context = _context(settings, SCENARIO, "voyager")
    contract = library_contract(CONTRACT)
    outcomes = examples(scenario, list(scenario.spec.players))
    seen = _observation(context, contract)
    judge = language_judge(Sizing("", 0), prompts=prompts, reasoning=settings.reasoning)
    typist = language_typist(judge, tuple(next(iter(outcomes.values()))), prompts)
    curriculum = part_asker(context, CURRICULUM)
    planning = CurriculumPart(curriculum, prompts=prompts)
    learned = TaskHistory([f"Mine {count} iron ore" for count in range(1, WARM_UP["questions"] + 1)])
    critic = CriticPart(part_asker(context, CRITIC), prompt="critic_task", prompts=prompts)
    people = generate(BATCH, SEED, [Spot(x=0, y=64, z=0)])
    topics = TopicRater(Asker(Sizing("", 0), RATER, reasoning=settings.reasoning), prompts)
    words = WordReader(Asker(Sizing("", 0), RATER, reasoning=settings.reasoning), prompts)
    compliance = ComplianceRater(Asker(Sizing("", 0), RATER, reasoning=settings.reasoning), VERDICTS, prompts)
    budget = Budget({}, load_prices(None))
    steps: list[tuple[str, str, Callable[[], Awaitable[object]]]] = [
        *(("paper", name, ask) for name, ask in bargaining_questions(scenario, seen, negotiator_part(context)).items()),
        *(("text", name, ask) for name, ask in _grid_bargaining(settings).items()),
        ("voyager", CRITIC, lambda: critic.review(replace(seen, last_run=_LAST_RUN, reward=0.0))),
        ("voyager", CURRICULUM, lambda: planning.propose(seen, TaskHistory(), "")),
        ("voyager", "questions", lambda: planning.ask(seen, learned)),
        ("voyager", "describe", lambda: Describer(curriculum, prompts).describe("Mine 3 iron ore", _PROGRAM)),
        ("piano", CITIZEN, lambda: _ask_for_ballot(settings)),
        ("piano", TRADER, lambda: _ask_for_trade(settings)),
        (STUDY, "typist", lambda: typist.type_terms(contract, "")),
        (STUDY, "rate_roles", lambda: rating_cost(RATED_S, 1, prompts)),
        (STUDY, "rate_coherence", lambda: rating_cost(RATED_S, 1, prompts)),
        (STUDY, "summarize_goals", lambda: topics.summarize({PLAYER: _GOALS})),
        (STUDY, "name_topics", lambda: topics.name_topics({PLAYER: _SUMMARY})),
        (STUDY, MOMENT, lambda: MomentAnswerer(Asker(Sizing("", 0), ANSWERER), prompts).choose(*_MOMENT)),
        (STUDY, RATE_COMPLIANCE, lambda: compliance.rate(_CLAUSE, tuple(scenario.spec.players), _ACTS)),
        (STUDY, READ_WORDS, lambda: words.read(_SAID, tuple(scenario.spec.players), {})),
        (STUDY, PERSONAS, lambda: write_traits(people, PaidModels("", {"": Sizing("", 0)}, budget, PERSONAS), prompts)),
    ]
    for family, part, ask in steps:
        # The stand-in's answer is unusable, which the part may report after its question.
        with _listening() as heard, contextlib.suppress(AgentError, ContractError):
            await ask()
        yield RoleQuestion(family, part, next(asked for asked in heard if asked.part == part))


@contextlib.contextmanager
def _listening() -> Iterator[list[AskedPrompt]]:
    """Collect the questions that are asked meanwhile."""
    heard: list[AskedPrompt] = []
    token = PROMPT_LISTENER.set(heard.append)
    try:
        yield heard
    finally:
        PROMPT_LISTENER.reset(token)


def _context(
    settings: StudySettings, scenario: str, family: str, condition: str = "none", world: str = "mock"
) -> AgentContext:
    """Return the context of the first player of a scenario, whose models are stand-ins."""
    given: dict[str, Any] = {"model": ANY, "prompts": settings.prompts, "reasoning": settings.reasoning}
    study, loaded = StudySettings(scenario, agents=family, world=world, **given), load_scenario(scenario)
    player, place = next(iter(seating(study, loaded).items()))
    context = context_of(study, loaded, player, place, (condition, SEED), read_prompts(settings.prompts))
    return replace(context, model=lambda _role: Sizing("", 0), docs=skill_docs())


def _observation(context: AgentContext, contract: Contract) -> Observation:
    """Return the player's observation before the first episode."""
    return ImaginedRun(context, load_scenario(SCENARIO).facts(), contract, (1, 1)).first_observation()


def _grid_bargaining(settings: StudySettings) -> Mapping[str, Callable[[], Awaitable[object]]]:
    """Return part -> function that asks the negotiator of a text player in a grid game."""
    context, scenario = _context(settings, GRID_GAME, "text", world="none"), load_scenario(GRID_GAME)
    seen = ImaginedRun(context, None, None, (1, 1)).first_observation()
    return bargaining_questions(scenario, seen, negotiator_part(context, usual=ROLE, prefix=PREFIX))


async def _ask_for_ballot(settings: StudySettings) -> None:
    amendment = {"amendment": "A1", "clause": "rate", "value": [5, 10], "says": "the tax rate is 5 to 10 percent"}
    data = {"law": {"rate": "10 to 20 percent"}, "amendments": [amendment], "form": {"votes": {"A1": "yes"}}}
    letter = Letter(1, 0.0, "ballot", "Vote yes, no or abstain on each amendment.", data, until_s=60.0)
    await ask_for_letter(
        ImaginedRun(_context(settings, SOCIETY, "piano", "pro-amendable"), None, None, (60, 60)), letter
    )


async def _ask_for_trade(settings: StudySettings) -> None:
    context = _context(settings, MARKET_SOCIETY, "piano", "auction")
    await ask_for_letter(
        ImaginedRun(context, None, None, (60, 60)), market_letter(context.player, context.players[:MARKET_PEOPLE])
    )
