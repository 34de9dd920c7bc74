"""Cost estimates for agents that write programs: the contracts paper's agents and learning agents.

The imagined episode has failed, with a program and a few lines of chat to review.
"""

from __future__ import annotations

import contextlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from voyager_agents.agent import LastRun
from voyager_agents.asking import PROGRAM_TRIES
from voyager_agents.budget import CHARS_A_TOKEN
from voyager_agents.cost import CallCost, ImaginedRun, Range, Sizing, corrected, repeated
from voyager_agents.errors import ReplyError
from voyager_agents.eyes import no_tokens, no_views
from voyager_agents.models import Model
from voyager_agents.roles import NEGOTIATOR
from voyager_agents.thought_events import ACTION, CRITIC, CURRICULUM
from voyager_agents.tool_calls.outcome import MAX_RESULT
from voyager_agents.tool_calls.session import MAX_CALLS
from voyager_agents.voyager.action import MAX_SHOWN_PROGRAM
from voyager_agents.voyager.agent import WORKS, VoyagerAgent, negotiator_part, paper_parts, stop_of
from voyager_agents.voyager.learner import ROUNDS, warm_up
from voyager_agents.voyager.negotiator import ModelNegotiator, NegotiatorPart

ANSWERS = {ACTION: 900, CRITIC: 150, NEGOTIATOR: 200}
"""Usual completion tokens by role."""
CALL_TOKENS = 80
"""Usual completion tokens of a tool call."""
_LINE = "  await mineBlock(bot, 'iron_ore', 12) // and what else a program of usual length says\n"
_PROGRAM = f"async function play(bot) {{\n{_LINE * 25}}}\n"
_REVIEW = '{"reasoning": "", "success": false, "critique": "Mine what is worth most to you first."}'
_CONTRACT = "1. %s pays %s 5 emeralds if it mined all diamonds."


@dataclass(frozen=True)
class ProgramCosts:
    """Costs of a player's calls per program."""

    first: CallCost
    """Cost of the first program."""
    later: CallCost
    """Cost of a later program."""
    review: CallCost
    """Cost of a review."""
    task: CallCost
    """Cost of a question of the curriculum, which reads what a review reads, without pictures."""


async def estimate_paper_cost(run: ImaginedRun) -> dict[str, Range]:
    """Estimate the calls of one agent of the contracts paper.

    Minimum: the first program is well-formed, and a critic, asked only if more programs could follow, approves it.
    Maximum: every answer takes all tries, and every episode but the last is reviewed.
    """
    episodes = run.extent[1]
    reviews = 0 if stop_of(run.context.options) == WORKS else episodes - 1
    counts = {
        ACTION: (1, episodes),
        CRITIC: (reviews if run.anew else min(1, reviews), reviews),
    }
    return _writing(await _programs(run), counts, by_calls=run.context.by_calls)


async def estimate_learner_cost(run: ImaginedRun) -> dict[str, Range]:
    """Estimate the calls of one learning agent, which writes a program for every episode and reviews every episode.

    Minimum: no task is ever done, so that a new task is proposed only after one is given up. Maximum: every task is
    done at once, so that every episode has a skill to describe and a new task, and every answer takes all tries.
    """
    episodes, known = run.extent[1], warm_up(run.context.options)["questions"]
    few = run.extent[0] if run.within else episodes
    asking = 0 if known > 0 else 1
    tasks = math.ceil(few / ROUNDS)
    counts = {
        ACTION: (few, episodes),
        CRITIC: (few, episodes),
        CURRICULUM: (tasks * (1 + asking), 2 * episodes + max(0, episodes - known)),
    }
    return _writing(await _programs(run), counts, by_calls=run.context.by_calls)


def _writing(
    programs: ProgramCosts, counts: Mapping[str, tuple[int, int]], *, by_calls: bool = False
) -> dict[str, Range]:
    """Return role -> (minimum, maximum) cost of one player in one run, from the numbers of questions.

    Args:
        programs: Costs of one question each.
        counts: Role -> (minimum, maximum) number of questions; for `action` of programs or of conversations.
        by_calls: True if the player acts by tool calls.
    """
    found = {}
    for role, (few, many) in counts.items():
        if role == ACTION:
            first, later = (
                corrected(each, PROGRAM_TRIES, MAX_SHOWN_PROGRAM) for each in (programs.first, programs.later)
            )
            if by_calls:
                first, later = conversation(programs.first), conversation(programs.later)
            found[role] = (programs.first.times(few), repeated(first, later, many))
        else:
            asked = programs.task if role == CURRICULUM else programs.review
            found[role] = (asked.times(few), corrected(asked).times(many))
    return found


def conversation(first: CallCost) -> CallCost:
    """Return the maximum cost of a conversation by tool calls.

    Args:
        first: Cost of its first question.
    """
    questions = MAX_CALLS + 1
    growth = MAX_RESULT // CHARS_A_TOKEN + first.completion
    grown = questions * (questions - 1) // 2 * growth
    once = first.times(questions)
    return corrected(CallCost(once.calls, once.prompt + grown, once.completion, once.stable))


async def _programs(run: ImaginedRun) -> ProgramCosts:
    acting, review = await _measured(run)
    by_words = replace(run.context, see="words", look=no_views, look_tokens=no_tokens)
    task = review if run.context.see == "words" else (await _measured(replace(run, context=by_words)))[1]
    # A tool call is asked for twice, since the stand-in makes none.
    return ProgramCosts(acting[0], acting[len(acting) // 2], review, task)


async def _measured(run: ImaginedRun) -> tuple[list[CallCost], CallCost]:
    """Return the costs of the questions for two programs, and of a review."""
    tokens = CALL_TOKENS if run.context.by_calls else ANSWERS[ACTION]
    acting, reviewing = Sizing(f"```javascript\n{_PROGRAM}```\n", tokens), Sizing(_REVIEW, ANSWERS[CRITIC])
    agent = _agent(run, acting, reviewing)
    seen = run.first_observation()
    agent.observe(seen)
    await _act(agent)
    past = LastRun(_PROGRAM, "threw", "Error: no path to the target", 3, ("mining", "no path"))
    chat = tuple((name, "I am on my way") for name in run.context.players) * 3
    agent.observe(replace(seen, last_run=past, chat=chat, reward=12.0))
    await _act(agent)
    return acting.asked, reviewing.asked[0]


async def _act(agent: VoyagerAgent) -> None:
    """Let the agent ask for its program, or for its first tool call, of which the stand-in makes none."""
    await agent.act()
    if agent.by_calls:
        with contextlib.suppress(ReplyError):
            await agent.begin_calls().next_call(None)


class ImaginedNegotiator(ModelNegotiator):
    """Player at a negotiating table whose prompts are measured."""

    def __init__(self, name: str, part: NegotiatorPart) -> None:
        super().__init__(name)
        self._part = part

    @property
    def negotiator(self) -> NegotiatorPart:
        """The negotiator part."""
        return self._part


def negotiators(
    imagined: Mapping[str, ImaginedRun], prefixes: Mapping[str, str]
) -> tuple[Sizing, list[ImaginedNegotiator]]:
    """Return players with observations at a negotiating table, and the stand-in that measures their prompts.

    Args:
        imagined: Player -> the run as imagined for its estimate.
        prefixes: Player -> beginning of the names of its prompts.
    """
    contract = _CONTRACT % tuple(list(imagined)[:2])
    offer = {"thinking": "", "message": "This.", "act": "propose", "contract": contract}
    sizing = Sizing(json.dumps(offer), ANSWERS[NEGOTIATOR])
    contexts = [replace(run.context, model=lambda _role: sizing) for run in imagined.values()]
    agents = [ImaginedNegotiator(each.player, negotiator_part(each, prefix=prefixes[each.player])) for each in contexts]
    for agent in agents:
        agent.observe(imagined[agent.name].first_observation())
    return sizing, agents


def _agent(run: ImaginedRun, action: Model, critic: Model) -> VoyagerAgent:
    # Without options, so that there is always a critic whose prompts can be measured.
    context = replace(run.context, model=lambda role: critic if role == CRITIC else action, options={})
    return VoyagerAgent(context.player, paper_parts(context))
