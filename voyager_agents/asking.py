"""Questions to language models: one way of asking for all families.

Every question is a system message that stays the same, a user message, and a reader of the answer. An unusable answer
is returned to the model with its fault; after the last one the caller decides what the player does without an answer.
Each unusable answer is recorded with its kind: unreadable, refused, or cut off.
"""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from common.answers.faults import AnswerFault, FaultKind, TypedAnswer, refuses
from common.answers.fitting import Build, ShrinkRule, fit_prompt
from common.answers.form import AnswerForm
from common.answers.reading import Strict
from common.answers.reasoning import Reasoning
from common.answers.spoken import spoken
from contracts.errors import ContractError
from voyager_agents.errors import ReplyError
from voyager_agents.eyes import View, images_of, no_views, with_captions
from voyager_agents.models.base import ChatMessage, Model, ModelTool, Reply, RequestedForm, Settings
from voyager_agents.models.cascade import CascadeModel, added_text
from voyager_agents.models.images import ModelImage
from voyager_agents.prompts.fitting import CHARS_A_TOKEN
from voyager_agents.thought_events import PromptShortened, Tell, Unusable, silent

TRIES = 2
"""Maximum answers to one question, the corrected one included."""
PROGRAM_TRIES = 3
"""Maximum answers to a question for a program or a verdict."""
MAX_SHOWN = 1000
"""Maximum characters of an unusable answer that the model is shown again."""
T = TypeVar("T", bound=Strict)
U = TypeVar("U")
_KINDS: dict[str, FaultKind] = {"length": "cut-off", "filter": "refused", "refusal": "refused"}
"""`Reply.ended` -> kind of the fault of an unusable answer."""


@dataclass(frozen=True)
class AskedPrompt:
    """First prompt of a question, for whoever inspects prompts."""

    role: str
    part: str
    system: str
    """System message, with the form of the answer."""
    user: str
    values: Mapping[str, str]
    """Values of the prompt in the order in which they were filled in, and the form as `answer form`."""
    shortened: Mapping[str, int]
    """Value -> number of steps that it was shortened by."""
    settings: Settings
    """Sampling settings and the form of the answer."""
    read: Callable[[str], object]
    """Reader of the answer; raises ReplyError, ContractError or ValueError if it is unusable."""
    images: tuple[ModelImage, ...] = ()
    """Images of the user message, whose captions are its last lines."""


PROMPT_LISTENER: ContextVar[Callable[[AskedPrompt], None] | None] = ContextVar("PROMPT_LISTENER", default=None)
"""Listener for all questions that are asked in a context (`accord prompts show`)."""


class Asker:
    """One role's access to its model (`common.answers.faults.FormAsker`)."""

    def __init__(
        self,
        model: Model,
        role: str,
        *,
        settings: Settings | None = None,
        reasoning: Reasoning = "field",
        tell: Tell = silent,
        tries: int = TRIES,
        limit: int | None = None,
        look: Callable[[], Awaitable[Sequence[View]]] = no_views,
        look_tokens: int = 0,
        drawn: bool = False,
    ) -> None:
        """Create the access.

        Args:
            model: Model to ask.
            role: Role of the agent, for records.
            settings: Sampling settings.
            reasoning: Place of the reasoning in typed answers.
            tell: Records unusable answers.
            tries: Maximum answers to one question.
            limit: Maximum tokens of a prompt; None for no limit.
            look: Returns the pictures that go with the next question.
            look_tokens: Estimated tokens of these pictures.
            drawn: True if prompts leave out the words for what these pictures show.
        """
        self.drawn = drawn
        self.role = role
        self._look, self._look_tokens = look, look_tokens
        self._model = model
        self._settings = settings or Settings()
        self._reasoning = reasoning
        self._tell = tell
        self._tries = tries
        self._limit = limit
        self._tokens_a_char = 1 / CHARS_A_TOKEN
        self._billed = 0.0
        self._filled: tuple[Mapping[str, Any], Mapping[str, int]] = {}, {}
        """Values of the last prompt that was fitted, and the steps by which they were shortened."""

    def fit(
        self,
        values: Mapping[str, Any],
        rules: Sequence[ShrinkRule],
        build: Build,
        form: AnswerForm[Any] | None = None,
        tools: Sequence[ModelTool] = (),
    ) -> tuple[str, str]:
        """Return system and user message of a prompt, shortened by the rules if it exceeds the limit of tokens.

        Tokens are estimated from what the endpoint has billed this role so far. A shortened prompt is recorded.

        Args:
            values: Values of the prompt.
            rules: Rules that shorten values, in the order in which they apply.
            build: Makes the messages from the values.
            form: Form of the answer that will be asked for.
            tools: Tools that the model may call.
        """
        if self._limit is None:
            self._filled = values, {}
            return build(values)
        left = self._limit - (0 if form is None else self._tokens(form.instructions(self._reasoning)))
        left -= self._tool_tokens(tools) + self._look_tokens + self._tokens(added_text(self._model))
        fitted = fit_prompt(values, rules, build, left, self._tokens)
        self._filled = fitted.values, fitted.shortened
        if fitted.shortened or fitted.tokens > left:
            over = max(0, fitted.tokens - left)
            self._tell(PromptShortened(fitted.shortened, fitted.tokens, self._limit, over, role=self.role))
        return fitted.system, fitted.user

    def fit_tools(self, levels: Sequence[Sequence[ModelTool]]) -> int:
        """Return the index of the first list of tools that leaves half of the limit of tokens, or of the last one.

        A shortened list is recorded.

        Args:
            levels: Lists of tools, the longest first.
        """
        if self._limit is None:
            return 0
        sizes = [self._tool_tokens(tools) for tools in levels]
        level = next((index for index, size in enumerate(sizes) if 2 * size <= self._limit), len(levels) - 1)
        if level:
            over = max(0, sizes[level] - self._limit)
            self._tell(PromptShortened({"tools": level}, sizes[level], self._limit, over, role=self.role))
        return level

    def _tool_tokens(self, tools: Sequence[ModelTool]) -> int:
        return math.ceil(sum(tool.size for tool in tools) * self._tokens_a_char)

    def _tokens(self, text: str) -> int:
        return math.ceil(len(text) * self._tokens_a_char)

    def _learn_length(self, messages: Sequence[ChatMessage], reply: Reply) -> None:
        """Take the largest number of tokens per character that the endpoint has billed for a prompt."""
        chars = sum(len(each.content) for each in messages)
        billed = reply.usage.prompt_tokens - sum(image.tokens for each in messages for image in each.images)
        if billed > 0 and chars:
            self._billed = max(self._billed, billed / chars)
            self._tokens_a_char = self._billed

    async def ask(
        self,
        system: str,
        user: str,
        form: AnswerForm[T],
        check: Callable[[T], object] | None = None,
        *,
        part: str = "",
    ) -> TypedAnswer[T]:
        """Ask for a typed answer.

        Args:
            system: System message without the form of the answer, which is added.
            user: User message.
            form: Form of the answer.
            check: Validator of a well-formed answer; raises ReplyError, ContractError or ValueError if it is illegal.
            part: Part of the agent that asks, for the record; by default the role.

        Returns:
            The answer; its value is None if all tries were unusable.

        Raises:
            ModelError: The model failed.
            BudgetExhausted: The budget is used up.
        """

        def read(text: str) -> T:
            value = form.parse(text, self._reasoning)
            if check is not None:
                check(value)
            return value

        settings = self._settings
        if self._reasoning != "free":
            settings = replace(settings, form=RequestedForm(form.name, form.schema(self._reasoning)))
        instructions = form.instructions(self._reasoning)
        self._filled = {**self._filled[0], "answer form": instructions}, self._filled[1]
        told = f"{system.strip()}\n\n{instructions}"
        unreasoned = {form.reasoning} if form.reasoning else None
        return await self._ask(
            told, user, read, settings, part, MAX_SHOWN, key=lambda value: value.model_dump(exclude=unreasoned)
        )

    async def ask_text(
        self, system: str, user: str, read: Callable[[str], U], *, part: str = "", shown: int = MAX_SHOWN
    ) -> TypedAnswer[U]:
        """Ask for a text, such as a program.

        Args:
            system: System message.
            user: User message.
            read: Parser of the answer; raises ReplyError, ContractError or ValueError if it is unusable.
            part: Part of the agent that asks, for the record; by default the role.
            shown: Maximum characters of an unusable answer that the model is shown again.

        Returns:
            The answer; its value is None if all tries were unusable.

        Raises:
            ModelError: The model failed.
            BudgetExhausted: The budget is used up.
        """
        return await self._ask(system, user, read, self._settings, part, shown)

    async def call_tools(
        self, messages: Sequence[ChatMessage], tools: Sequence[ModelTool], read: Callable[[Reply], U], *, part: str = ""
    ) -> TypedAnswer[U]:
        """Ask for calls of tools, as the next answer of a conversation; pictures of now end it.

        Args:
            messages: The conversation so far.
            tools: Tools that the model may call.
            read: Checker of the answer's calls; raises ReplyError or ValueError if they are unusable.
            part: Part of the agent that asks, for the record; by default the role.

        Returns:
            The answer; its value is None if all tries were unusable.

        Raises:
            ToolsRefused: The endpoint takes no tools.
            ModelError: The model failed.
            BudgetExhausted: The budget is used up.
        """
        if views := await self._look():
            # Earlier pictures are out of date, so that the conversation itself holds none.
            messages = [*messages, ChatMessage("user", with_captions("", views).strip(), images=images_of(views))]

        def key(reply: Reply) -> object:
            read(reply)
            return [(call.name, call.arguments) for call in reply.calls] or reply.text

        settings = replace(self._settings, tools=tuple(tools))
        return await self._converse(messages, read, settings, part, MAX_SHOWN, key)

    async def _ask(
        self,
        system: str,
        user: str,
        read: Callable[[str], U],
        settings: Settings,
        part: str,
        shown: int,
        *,
        key: Callable[[U], object] = lambda value: value,
    ) -> TypedAnswer[U]:
        views = await self._look()
        user, images = with_captions(user, views), images_of(views)
        messages = [ChatMessage("system", system), ChatMessage("user", user, images=images)]
        (values, shortened), self._filled = self._filled, ({}, {})
        if (listener := PROMPT_LISTENER.get()) is not None:
            texts = {key: str(value) for key, value in values.items()}
            listener(AskedPrompt(self.role, part or self.role, system, user, texts, shortened, settings, read, images))
        return await self._converse(
            messages, lambda reply: read(reply.text), settings, part, shown, lambda reply: key(read(reply.text))
        )

    async def _converse(
        self,
        asked: Sequence[ChatMessage],
        read: Callable[[Reply], U],
        settings: Settings,
        part: str,
        shown: int,
        key: Callable[[Reply], object],
    ) -> TypedAnswer[U]:
        """Ask until an answer can be read; `key` is equal for answers that say the same (`CascadeModel`)."""
        messages = list(asked)
        faults: list[AnswerFault] = []
        raw = ""
        while len(faults) < self._tries:
            if isinstance(self._model, CascadeModel):
                reply = await self._model.complete_read(messages, settings, key, corrects=bool(faults))
            else:
                reply = await self._model.complete(messages, settings)
            raw = reply.text
            if not settings.tools:
                self._learn_length(messages, reply)
            try:
                return TypedAnswer(read(reply), raw, tuple(faults))
            except (ReplyError, ContractError, ValueError) as error:
                faults.append(fault_of(reply, error))
            final = len(faults) == self._tries
            self._tell(Unusable(part or self.role, faults[-1].text, final=final, kind=faults[-1].kind, role=self.role))
            told = f"That answer cannot be used: {faults[-1].text}. Answer again, in the form that was asked for."
            messages = [
                *messages,
                ChatMessage("assistant", _answer_text(reply)[:shown].strip() or "(empty)"),
                ChatMessage("user", told),
            ]
        return TypedAnswer(None, raw, tuple(faults))


def _answer_text(reply: Reply) -> str:
    """Return an answer as text; unusable calls too, since some endpoints take no message with them."""
    calls = "".join(f"\n{call.name} {call.arguments}" for call in reply.calls)
    return f"{spoken(reply.text)}{calls}"


def fault_of(reply: Reply, error: Exception) -> AnswerFault:
    """Return the fault of an unusable answer, with the cause of an early end before it."""
    kind = _KINDS.get(reply.ended) or ("refused" if refuses(reply.text) else "unreadable")
    code = getattr(error, "code", "")
    return AnswerFault(kind, f"{reply.cause}: {error}" if reply.cause else str(error), code)


def require_answer(answer: TypedAnswer[U]) -> U:
    """Return the value of an answer. Raises ReplyError with the last fault if there is none."""
    if answer.value is None:
        raise ReplyError("no-answer", answer.faults[-1].text)
    return answer.value
