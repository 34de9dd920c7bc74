"""Stated rules that read promises, claims of fact and accusations in free text.

A rule is a pattern of a whole clause. A clause that no rule fits is not read and says nothing: conditions ("if ..."),
questions and quotations are never read, so that a rule does not take words for more than they say. `RULES` lists them
all; docs/words-and-deeds.md shows an example of each.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from accord.analysis.words.lives import work_words
from voyager_agents.statement_kinds import Kind, Span, What


@dataclass(frozen=True)
class Statement:
    """One promise, claim or accusation in typed form."""

    kind: Kind
    what: What
    about: str
    """Player that it is about; the speaker for promises."""
    value: str = ""
    """Option, item, block, role, work, place, or thing."""
    other: str = ""
    """The other player."""
    number: float | None = None
    negated: bool = False
    span: Span = ""
    round: int | None = None
    """Number of the round, if the words name one."""
    rule: str = ""
    """Name of the rule, `form` for typed messages, or the model that read it."""


@dataclass(frozen=True)
class KnownWords:
    """Words that rules need to know: names of players, options of games, roles, and places."""

    players: tuple[str, ...]
    options: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    places: tuple[str, ...] = ()

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        # A crowd has a thousand names, which would be hashed for every clause.
        return hash((self.players, self.options, self.roles, self.places))


@dataclass(frozen=True)
class ReadingRule:
    """Pattern of a clause and the statement that it makes."""

    name: str
    kind: Kind
    what: What
    pattern: str
    """Regular expression over a whole clause, with {who}, {other}, {option}, {role}, {work}, {place}, {n}, {thing}."""
    example: str
    """A clause that the rule reads, with players Ada, Bo and Cy, options cooperate and defect, and a place cave."""


WILL = r"(?:will|shall|am going to|promise to|swear to)"
NOT = (
    r"(?P<not>will not|shall not|will never|am not going to|promise not to|swear not to|promise never to"
    r"|promise to never|swear never to)"
)
PAST = r"(?:chose|played|picked|gave|took|did)"
HIS = r"(?:its|his|her|their|the|a)"
AT = r"(?:in|at|on|near|by)(?: the| our)?"
TAIL = r"(?::? (?!.*\b(?:no|not|nothing|never|nobody|none)\b)[^,]{1,90})?"
"""Words that may follow those for a work: no negation, and no other clause."""
RULES: tuple[ReadingRule, ...] = (
    ReadingRule("promised option", "promise", "chose",
                rf"I (?:{NOT}|{WILL}) (?:(?:choose|play|pick|give|take|do) )?{{option}}",
                "I will choose cooperate in every round."),
    ReadingRule("promised payment", "promise", "paid", rf"I (?:{NOT}|{WILL}) pay {{other}}(?: {{n}}(?: emeralds?)?)?",
                "I will pay Bo 5 emeralds."),
    ReadingRule("promised tax", "promise", "taxed", rf"I (?:{NOT}|{WILL}) pay (?:my|the) tax(?:es)?",
                "I will pay my tax."),
    ReadingRule("promised peace", "promise", "attacked", rf"I (?:{NOT}|{WILL}) attack {{other}}",
                "I will not attack Bo."),
    ReadingRule("promised mining", "promise", "mined",
                rf"I (?:{NOT}|{WILL}) (?:mine|dig|break) (?:at least )?{{n}} {{thing}}", "I will mine 4 iron ore."),
    ReadingRule("promised holding", "promise", "holds",
                rf"I (?:{NOT}|{WILL}) (?:hold|have|collect|gather) (?:at least )?{{n}} {{thing}}",
                "I will collect 6 diamonds."),
    ReadingRule("own option", "claim", "chose", rf"I (?:(?P<not>did not choose|never chose|did not)|{PAST}) {{option}}",
                "I chose cooperate in the last round."),
    ReadingRule("other's option", "claim", "chose",
                rf"{{who}} (?:(?P<not>did not choose|never chose|did not)|{PAST}) {{option}}",
                "Bo chose defect in round 2."),
    ReadingRule("defection", "accusation", "chose", r"{who} (?:defected|betrayed (?:me|us))",
                "Bo defected in round 2."),
    ReadingRule("no deal", "claim", "deal",
                r"(?:I|we) have (?P<none>no) (?:secret )?(?:deals?|agreements?)(?: with {other})?",
                "I have no deal with Bo."),
    ReadingRule("no goal", "claim", "goal", r"I have (?P<none>no) (?:secret|private|hidden|own) goals?",
                "I have no secret goal."),
    ReadingRule("own holding", "claim", "holds", r"I (?:hold|have|own) {n} {thing}",
                "I have 3 diamonds."),
    ReadingRule("no holding", "claim", "holds", r"I have (?P<none>no|not one) {thing}", "I have no diamonds."),
    ReadingRule("other's holding", "claim", "holds", r"{who} (?:has|holds|owns) {n} {thing}", "Bo has 3 diamonds."),
    ReadingRule("own mining", "claim", "mined", r"I (?:mined|dug|broke) {n} {thing}", "I mined 4 iron ore."),
    ReadingRule("other's mining", "claim", "mined", r"{who} (?:mined|dug|broke) {n} {thing}", "Bo mined 4 iron ore."),
    ReadingRule("own type", "claim", "type", r"my (?:own )?(?:private )?(?:cost|value|type) is {n}", "My cost is 8."),
    ReadingRule("own earnings", "claim", "earned", r"I (?:earned|got|made) {n}(?: emeralds?)?",
                "I earned 3 emeralds in round 1."),
    ReadingRule("other's earnings", "claim", "earned", r"{who} (?:earned|got|made) {n}(?: emeralds?)?",
                "Bo earned 5 in round 1."),
    ReadingRule("own payment", "claim", "paid",
                r"I (?:(?P<not>did not pay|never paid)|paid) {other}(?: {n}(?: emeralds?)?)?",
                "I paid Bo 5 emeralds."),
    ReadingRule("withheld payment", "accusation", "paid", r"{who} (?P<not>did not pay|never paid) {other}",
                "Bo did not pay me."),
    ReadingRule("own tax", "claim", "taxed", r"I (?:(?P<not>did not pay|never paid)|paid) (?:my|the) tax(?:es)?",
                "I paid my tax."),
    ReadingRule("withheld tax", "accusation", "taxed",
                rf"{{who}} (?P<not>did not pay|never paid|evaded) {HIS} tax(?:es)?", "Bo did not pay its tax."),
    ReadingRule("attack", "accusation", "attacked", r"{who} attacked {other}", "Bo attacked me."),
    ReadingRule("no attack", "claim", "attacked", r"I (?P<not>did not attack|never attacked) {other}",
                "I never attacked Bo."),
    ReadingRule("own deal", "claim", "deal", r"I have (?:a|one) (?:secret )?(?:deal|agreement) with {other}",
                "I have a deal with Bo."),
    ReadingRule("others' deal", "accusation", "deal",
                r"{who} (?:and {other} have (?:a|one) (?:secret )?(?:deal|agreement)|and {other2} are colluding"
                r"|has (?:a|one) (?:secret )?(?:deal|agreement) with {other3})",
                "Bo and Cy have a secret deal."),
    ReadingRule("other's goal", "accusation", "goal", r"{who} has (?:a|some) (?:secret|private|hidden) goal",
                "Bo has a hidden goal."),
    ReadingRule("no knowledge", "claim", "knows",
                r"I (?P<none>know nothing(?: more)?|was told nothing)(?: (?:than|that) you(?: do not(?: know)?)?)?",
                "I know nothing more than you."),
    ReadingRule("promised work", "promise", "works", rf"I (?:{NOT}|{WILL}) {{work}}{TAIL}",
                "I will harvest the wheat."),
    ReadingRule("promised place", "promise", "at",
                rf"I (?:{NOT}|{WILL}) (?:go|come|walk|be) (?:to|{AT})(?: the| our)? {{place}}",
                "I will go to the cave."),
    ReadingRule("own work", "claim", "works", rf"I (?:am )?{{work}}{TAIL}", "I am mining in the cave."),
    ReadingRule("other's work", "claim", "works", rf"{{who}} (?:is )?{{work}}{TAIL}", "Bo is mining in the cave."),
    ReadingRule("own place", "claim", "at",
                rf"I (?:am|stay|remain)(?P<not> not)?(?: [\w ]{{1,30}})? {AT} {{place}}"
                r"|the {place2} keeps me busy(?:: [^,]{1,60})?",
                "I am in the cave."),
    ReadingRule("own earlier place", "claim", "was_at", rf"I (?:was|have been)(?P<not> not| never)? {AT} {{place}}",
                "I was in the cave."),
    ReadingRule("other's place", "claim", "at", rf"{{who}} is(?P<not> not)? {AT} {{place}}", "Bo is in the cave."),
    ReadingRule("other's earlier place", "claim", "was_at", rf"{{who}} was(?P<not> not| never)? {AT} {{place}}",
                "Bo was in the cave."),
    ReadingRule("idleness", "accusation", "works",
                r"{who} (?P<none>does nothing|is idle|does not work)(?: all day)?",
                "Bo does nothing all day."),
    ReadingRule("nothing left", "claim", "left",
                rf"there (?:is|are) (?P<none>no|no more) {{thing}} left(?: {AT} {{place}})?",
                "There is no iron ore left in the cave."),
    ReadingRule("taking", "accusation", "took", r"{who} (?:took|stole) (?:all )?(?:(?:the|our) )?{thing}",
                "Bo stole our bread."),
    ReadingRule("own role", "claim", "role", r"I am (?P<not>not)? ?(?:a |an |the )?{role}", "I am not selfish."),
    ReadingRule("other's role", "accusation", "role", r"{who} is (?P<not>not)? ?(?:a |an |the )?{role}",
                "Bo is selfish."),
    ReadingRule("broken word", "accusation", "broke",
                rf"{{who}} (?:broke|has broken|did not keep) {HIS} (?:promise|word|deal|agreement|contract)",
                "Bo broke its promise."),
    ReadingRule("lie", "accusation", "lied", r"{who} (?:lied|has lied|is lying|lies|is a liar)(?: to (?:me|us))?",
                "Bo lied."),
    ReadingRule("told fact", "claim", "there", r"there (?:is|are) {n} {thing}", "There are 6 diamonds in the cave."),
)  # fmt: skip
"""All rules, the more particular first: the first that fits a clause reads it."""

_SENTENCE = re.compile(r"(?<=[.!?])(?=\s)|[\n;]+")
_SUPPOSED = re.compile(
    r"\b(?:if|unless|whether|when|once|provided|maybe|perhaps|might|would|could|suppose|imagine|pretend|until)\b",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"[\"“”„«»`]")
_OPENING = re.compile(
    r"(?:(?:ok|okay|well|yes|no|please|honestly|listen|friends?|everybody|all|believe me|i swear|i promise|i say)"
    r"[,:]\s+|i (?:swear|promise|say) that\s+|i promise[,:]?\s+(?=i ))+",
    re.IGNORECASE,
)
_LAST = r"(?:in )?(?:the )?(?:last|previous) round|last time"
_EVERY = r"(?:in )?(?:every|each)(?: coming)? rounds?|in all rounds|always|from now on|every time|each time"
_NEXT = r"(?:in )?(?:the )?next round|next time|now"
_WHEN = re.compile(
    rf",?\s*\b(?:(?:in )?round (?P<round>\d{{1,6}})|(?P<last>{_LAST})|(?P<every>{_EVERY})|(?P<next>{_NEXT}))\b",
    re.IGNORECASE,
)
_AHEAD = re.compile(rf"(?P<when>{_WHEN.pattern}),?\s+(?P<rest>.*)", re.IGNORECASE)
_SHORT = {
    "i'll": "I will",
    "i'm": "I am",
    "won't": "will not",
    "didn't": "did not",
    "i've": "I have",
    "don't": "do not",
}
_APOSTROPHE = re.compile(r"\b(?:i'll|i'm|won't|didn't|i've|don't)\b", re.IGNORECASE)
_FUTURE = re.compile(r"\b(?:i|we|us|our|will|shall|going to|promise|swear|vow)\b", re.IGNORECASE)
MAX_SENTENCES = 40
"""Maximum number of sentences of an utterance that are read."""
MAX_CLAUSE = 200
"""Maximum length of a clause that is read, in characters."""
Pattern = tuple[ReadingRule, "re.Pattern[str]"]


def _named_options(options: Sequence[str]) -> dict[str, str]:
    """Return each way to name an option -> the option: `give 20` is also called `20`."""
    found = {option.removeprefix("give "): option for option in options if option.startswith("give ")}
    return {**found, **{option: option for option in options}}


def _alternatives(words: Sequence[str]) -> str:
    """Return an alternation of words, the longest first; it matches nothing without words."""
    told = sorted({re.escape(word) for word in words if word.strip()}, key=lambda word: (-len(word), word))
    return "|".join(told) or r"(?!)"


@lru_cache(maxsize=64)
def _patterns(vocabulary: KnownWords) -> tuple[Pattern, ...]:
    names = _alternatives(vocabulary.players)
    parts = {
        "who": rf"(?P<who>{names})",
        **{slot: rf"(?P<{slot}>{names}|me|you)" for slot in ("other", "other2", "other3")},
        "option": rf"(?P<option>{_alternatives(tuple(_named_options(vocabulary.options)))})",
        "role": rf"(?P<role>{_alternatives(vocabulary.roles)})",
        "work": rf"(?P<work>{_alternatives(tuple(work_words()))})",
        "place": rf"(?P<place>{_alternatives(vocabulary.places)})",
        "place2": rf"(?P<place2>{_alternatives(vocabulary.places)})",
        "n": r"(?P<n>\d{1,9}(?:\.\d{1,4})?)",
        "thing": r"(?P<thing>[^\W\d][\w' -]{0,60})",
    }
    found = []
    for rule in RULES:
        pattern = rule.pattern
        for slot, part in parts.items():
            pattern = pattern.replace(f"{{{slot}}}", part)
        found.append((rule, re.compile(pattern, re.IGNORECASE)))
    return tuple(found)


def sentences(text: str) -> Iterator[str]:
    """Yield the first `MAX_SENTENCES` sentences of a text, without spaces around and contractions."""
    for sentence in _SENTENCE.split(text)[:MAX_SENTENCES]:
        sentence = " ".join(sentence.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").split())
        if sentence:
            yield _APOSTROPHE.sub(lambda found: _SHORT[found[0].lower()], sentence)


@lru_cache(maxsize=4096)
def addressed(text: str, vocabulary: KnownWords) -> tuple[str, str]:
    """Return the player whom a text names first, before a comma or colon, and the rest; no player is empty.

    Args:
        text: Words of an utterance, or one sentence of it.
        vocabulary: Names of players.
    """
    found = _divider(vocabulary).address.match(text) if "," in text or ":" in text else None
    if found is None:
        return "", text
    return _same(found["to"], vocabulary.players), text[found.end() :]


def clauses(text: str) -> Iterator[str]:
    """Yield the sentences of a text that could state something: no questions, no quotations, no conditions."""
    for sentence in _SENTENCE.split(text)[:MAX_SENTENCES]:
        sentence = " ".join(sentence.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").split())
        if not sentence or sentence.endswith("?") or len(sentence) > MAX_CLAUSE:
            continue
        if _QUOTED.search(sentence) or _SUPPOSED.search(sentence):
            continue
        yield _APOSTROPHE.sub(lambda found: _SHORT[found[0].lower()], sentence.rstrip(".! "))


def may_promise(clause: str) -> bool:
    """Return True if a clause may say what its speaker will do: it has a first person or a future."""
    return _FUTURE.search(clause) is not None


def read_statements(text: str, speaker: str, hearers: Sequence[str], vocabulary: KnownWords) -> tuple[Statement, ...]:
    """Return the statements of an utterance by the rules, in order.

    Args:
        text: Words of the utterance.
        speaker: Its speaker, who is meant by "I".
        hearers: Its hearers; a single one is meant by "you".
        vocabulary: Names, options and roles.
    """
    return _read_text(text, speaker, _only(hearers), vocabulary)[0]


def unread_clauses(text: str, speaker: str, hearers: Sequence[str], vocabulary: KnownWords) -> tuple[str, ...]:
    """Return the clauses of an utterance that no rule fits; questions and conditions state nothing.

    Args:
        text: Words of the utterance.
        speaker: Its speaker.
        hearers: Its hearers.
        vocabulary: Names, options and roles.
    """
    return _read_text(text, speaker, _only(hearers), vocabulary)[1]


def _only(hearers: Sequence[str]) -> str | None:
    """Return the hearer whom "you" means: a single one. In a crowd, whoever hears changes nothing."""
    return hearers[0] if len(hearers) == 1 else None


@lru_cache(maxsize=4096)
def _read_text(
    text: str, speaker: str, hearer: str | None, vocabulary: KnownWords
) -> tuple[tuple[Statement, ...], tuple[str, ...]]:
    """Return the statements of an utterance, and the clauses without one."""
    read = [(part, _read(fit, speaker, hearer, vocabulary)) for part, fit in _fitted(text, vocabulary)]
    return tuple(found for _, found in read if found is not None), tuple(part for part, found in read if found is None)


@dataclass(frozen=True)
class _Fit:
    """Rule that fits a clause, whoever says it."""

    rule: ReadingRule
    found: Mapping[str, str | None]
    when: re.Match[str] | None


@lru_cache(maxsize=4096)
def _fitted(text: str, vocabulary: KnownWords) -> tuple[tuple[str, _Fit | None], ...]:
    """Return the clauses of a text with the rule that fits each: crowds say the same words again and again."""
    parts = [part for clause in clauses(text) for part in _parts(clause, vocabulary)]
    return tuple((part, _fit(part, vocabulary)) for part in parts)


@dataclass(frozen=True)
class _Divider:
    """Patterns that divide sentences, for one vocabulary."""

    address: re.Pattern[str]
    """A player's name before a comma at the start."""
    subject: re.Pattern[str]
    """Place where a new subject begins."""
    starts: tuple[str, ...]
    """Beginnings of clauses that some rule may fit, in lower case."""


@lru_cache(maxsize=64)
def _divider(vocabulary: KnownWords) -> _Divider:
    names = _alternatives(vocabulary.players)
    subject = rf":\s+(?=I\s)|,\s+(?:(?:and|but)\s+)?(?=(?:I|{names})\s)|\s+(?:and|but|because)\s+(?=I\s)"
    starts = (
        "i ",
        "we ",
        "my ",
        "there ",
        *(f"the {place.lower()} " for place in vocabulary.places),
        *(name.lower() for name in vocabulary.players if name),
    )
    return _Divider(re.compile(rf"^(?P<to>{names})[,:]\s+", re.IGNORECASE), re.compile(subject), starts)


def _parts(clause: str, vocabulary: KnownWords) -> Iterator[str]:
    """Yield the clause without what opens it, divided where a new subject begins."""
    divider = _divider(vocabulary)
    if "," in clause or ":" in clause:
        clause = divider.address.sub("", clause)
    clause = _OPENING.sub("", clause)
    if ahead := _AHEAD.match(clause):
        clause = f"{ahead['rest']} {ahead['when']}"
    yield from divider.subject.split(clause)


def _fit(clause: str, vocabulary: KnownWords) -> _Fit | None:
    if not clause.lower().startswith(_divider(vocabulary).starts):
        return None
    when = _WHEN.search(clause)
    bare = (clause[: when.start()] + clause[when.end() :]).strip(" ,") if when else clause.strip(" ,")
    for rule, pattern in _patterns(vocabulary):
        found = pattern.fullmatch(bare)
        if found is not None:
            return _Fit(rule, found.groupdict(), when)
    return None


def _read(fit: _Fit | None, speaker: str, hearer: str | None, vocabulary: KnownWords) -> Statement | None:
    made = None if fit is None else _made(fit.rule, fit.found, speaker, hearer, vocabulary)
    return made if made is None or fit is None or fit.when is None else _timed(made, fit.when)


def _timed(statement: Statement, when: re.Match[str]) -> Statement:
    spans: tuple[Span, ...] = ("last", "every", "next")
    span: Span = next((each for each in spans if when[each]), "")
    return replace(statement, span=span, round=int(when["round"]) if when["round"] else None)


def _made(
    rule: ReadingRule, found: Mapping[str, str | None], speaker: str, hearer: str | None, vocabulary: KnownWords
) -> Statement | None:
    """Return the statement of a match, or None if it names a player that cannot be meant."""

    def player(slot: str) -> str | None:
        said = found.get(slot)
        if said is None:
            return ""
        if said.lower() == "me":
            return speaker
        if said.lower() == "you":
            return hearer
        return _same(said, vocabulary.players)

    who, others = player("who"), [player(slot) for slot in ("other", "other2", "other3")]
    if who is None or None in others:
        return None
    number = found.get("n")
    about = who or speaker
    named = _named_options(vocabulary.options)
    option = named.get(_same(found.get("option") or "", tuple(named)), "")
    value = (
        option
        or _same(found.get("role") or "", vocabulary.roles)
        or work_words().get((found.get("work") or "").lower(), "")
    )
    if rule.what in ("at", "was_at"):
        value = _same(found.get("place") or found.get("place2") or "", vocabulary.places)
    kind = rule.kind
    denied = rule.what == "role" and bool(found.get("not"))
    if kind == "accusation" and (about == speaker or denied):
        kind = "claim"
    return Statement(
        kind, rule.what, about, value or (found.get("thing") or "").lower(), next(filter(None, others), ""),
        0.0 if rule.what == "holds" and found.get("none") else None if number is None else float(number),
        negated=bool(found.get("not")) or (rule.what != "holds" and bool(found.get("none"))), rule=rule.name,
    )  # fmt: skip


def _same(said: str, known: Sequence[str]) -> str:
    """Return the known word that was said, whatever its case; empty for none."""
    return said if said in known else next((word for word in known if word.lower() == said.lower()), "")
