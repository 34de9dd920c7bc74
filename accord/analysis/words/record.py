"""Utterances of a run and the facts that its log shows, gathered line by line.

A fact says who did, held, paid or agreed on what, and which players had seen it. Utterances and facts of an attempt
that the infrastructure broke do not count.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from accord.analysis.words.facts import ALL, AgreedDeal, HeardUtterance, WorldFact
from accord.analysis.words.lives import TAKING, Surroundings, taken_items, work_of
from accord.analysis.words.rules import KnownWords
from accord.analysis.words.scenario_truth import ScenarioTruth, read_scenario_truth
from dilemmas.records import events as log
from dilemmas.records.events.base import EventModel
from voyager_agents.adversaries.kinds import adversaries
from voyager_agents.hidden_roles.turns import INSIDER

MAX_CONDITION = 200
MAX_TEXT = 2000
"""Maximum length of an utterance that is read, in characters; the rest of a longer one is left out."""


@dataclass
class WordsRecord:
    """Utterances, facts and deals of a run; `add_line` takes the lines of the log in order."""

    players: tuple[str, ...] = ()
    utterances: list[HeardUtterance] = field(default_factory=list)
    facts: dict[str, list[WorldFact]] = field(default_factory=lambda: defaultdict(list))
    """Kind of fact -> facts in the log's order."""
    deals: dict[int, AgreedDeal] = field(default_factory=dict)
    acts: dict[tuple[int, int], dict[str, str]] = field(default_factory=dict)
    """(episode, round) -> player -> its act in that round."""
    payoffs: dict[tuple[int, int], dict[str, float]] = field(default_factory=dict)
    """(episode, round) -> player -> payoff."""
    items: set[str] = field(default_factory=set)
    """Items with a price."""
    shows: set[str] = field(default_factory=set)
    """Kinds of facts that the log would show if there were any."""
    all_see_attacks: bool = False
    """True if every player sees every attack, also one on others."""
    objectives: dict[str, str] = field(default_factory=dict)
    """Player -> its secret objective, in games that draw one."""
    directory: Path | None = None
    """Directory of the record, whose config.yaml has the scenario; None for events alone."""
    scenario: ScenarioTruth | None = None
    """Hidden facts, goals and roles, places and stocks; None if the record does not have them."""
    planted: dict[str, str] = field(default_factory=dict)
    """Player -> adversary that it was made."""
    lived: bool = False
    """True if players live, and are no crowd, so that their works, places and items are facts."""
    _cooperation: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    _held: dict[str, dict[str, dict[str, int]]] = field(default_factory=lambda: {"holds": {}, "mined": {}})
    _ended: int = 0
    _round: int = 0
    _line: int = 0
    _spoken: bool = False
    """True if the episode has `speech`, whose words `chat` repeats."""
    _crowd: bool = False
    _acted: bool = False
    _until: dict[int, float] = field(default_factory=dict)
    """Episode -> last second of its facts."""
    _surroundings: Surroundings | None = None
    _items: dict[str, dict[str, int]] = field(default_factory=dict)
    """Player -> its items as they were last reported."""
    _at: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Player -> places where it is."""
    _found: tuple[tuple[str, str, bool], ...] = ()
    """(party, obligation, kept) in the last verdict on a contract of all players."""
    _begun: tuple[int, dict[str, int], dict[int, AgreedDeal]] | None = None
    """Utterances, facts and deals before the first attempt at the current episode."""

    @property
    def vocabulary(self) -> KnownWords:
        """Words that the rules need to know."""
        scenario = self.scenario or ScenarioTruth()
        # "Bo is a liar" says that Bo lied.
        planted = (name for name in adversaries() if name != "liar")
        roles = (*scenario.role_names, *scenario.hidden_roles, *planted)
        return KnownWords(self.players, self.options, tuple(dict.fromkeys(roles)), tuple(scenario.places))

    @property
    def options(self) -> tuple[str, ...]:
        """Options of the stage games that were chosen or could be."""
        return tuple(self._cooperation)

    def is_selfish(self, option: str) -> bool | None:
        """Return True if the option is uncooperative on average, or None if the log does not say."""
        told = self._cooperation.get(option)
        return sum(told) / len(told) < 0.5 if told else None

    def take_options(self, other: WordsRecord) -> None:
        """Take the options of games and the number of finished episodes from another record."""
        self._cooperation, self._ended = other._cooperation, other._ended

    def is_over(self, episode: int) -> bool:
        """Return True if the episode has ended."""
        return episode <= self._ended

    def is_in_force(self, fact: WorldFact, line: int) -> bool:
        """Return True if the deal of a fact had not ended before a line of the log."""
        deal = None if fact.number is None else self.deals.get(int(fact.number))
        return deal is not None and (deal.ended is None or deal.ended > line)

    def add_line(self, line: log.LogLine) -> None:
        """Handle the next line of the log."""
        self._line = line.seq
        add = _HANDLERS.get(type(line.event))
        if add is not None:
            add(self, line.event)

    @property
    def needs_bodies(self) -> bool:
        """True while items and changed ground may matter: players live, or may still begin to."""
        return not self._crowd and (self.lived or not self._acted)

    def until_s(self, episode: int) -> float:
        """Return the last second of an episode of lives that its facts show; 0 without any."""
        return self._until.get(episode, 0.0)

    def facts_of(
        self, what: str, *, who: str = "", episode: int | None = None, before: int | None = None
    ) -> Iterator[WorldFact]:
        """Yield facts of a kind in the log's order.

        Args:
            what: Kind of the facts.
            who: Player that they are about; empty for all.
            episode: Number of their episode; None for all.
            before: Line of the log before which they stand; None for all.
        """
        for fact in self.facts.get(what, ()):
            if before is not None and fact.line >= before:
                return
            if (not who or fact.who == who) and (episode is None or fact.episode == episode):
                yield fact

    def _fact(self, what: str, who: str, seen_by: Collection[str] | None = ALL, **more: Any) -> None:  # noqa: ANN401
        seen = None if seen_by is None else frozenset(seen_by)
        if (t_s := more.get("t_s")) is not None:
            self._until[self._ended + 1] = max(t_s, self.until_s(self._ended + 1))
        self.facts[what].append(WorldFact(what, who, self._line, self._ended + 1, seen_by=seen, **more))

    def _say(self, speaker: str, hearers: Collection[str], channel: str, text: str, **more: Any) -> None:  # noqa: ANN401
        if not text.strip() and more.get("deal") is None:
            return
        # In a crowd nearly all words reach a few, which their number tells already.
        public = len(hearers) >= len(self.players) - 1 and {*hearers, speaker} >= {*self.players}
        self.utterances.append(
            HeardUtterance(
                self._line, self._ended + 1, self._round, speaker, tuple(hearers), channel, text[:MAX_TEXT],
                public=public, **more,
            )
        )  # fmt: skip

    def _others(self, speaker: str) -> tuple[str, ...]:
        return tuple(name for name in self.players if name != speaker)

    def _started(self, event: log.RunStarted) -> None:
        self.players = tuple(event.players)
        self.items = {item for terms in event.players.values() for item in terms.prices}
        for player, terms in event.players.items():
            # The author ends with the adversary, as `reference/greedy (free-rider)`.
            adversary = terms.author.rpartition("(")[2].rstrip(")")
            if adversary in adversaries():
                self.planted[player] = adversary
        if self.directory is not None:
            self.scenario = read_scenario_truth(self.directory, event.condition[:MAX_CONDITION])
        if self.scenario is not None and self.scenario.places:
            self._surroundings = Surroundings(self.scenario)

    def _episode(self, event: log.EpisodeStarted) -> None:
        if event.attempt == 1 or self._begun is None:
            counts = {what: len(each) for what, each in self.facts.items()}
            self._begun = len(self.utterances), counts, dict(self.deals)
        else:
            said, counts, self.deals = self._begun[0], self._begun[1], dict(self._begun[2])
            del self.utterances[said:]
            for what, each in self.facts.items():
                del each[counts.get(what, 0) :]
            for table in (self.acts, self.payoffs):
                for key in [key for key in table if key[0] == self._ended + 1]:
                    del table[key]
        self._round, self._spoken = 0, False
        self._held = {"holds": {}, "mined": {}}
        self._at = {}
        if self._surroundings is not None:
            self._surroundings.begin()

    def _episode_over(self, event: log.EpisodeEnded) -> None:
        self._ended += 1
        self._round = 0

    def _game(self, event: log.GameBegun) -> None:
        self.shows.update(("chose", "earned"))
        for options in event.options.values():
            for option in options:
                self._cooperation.setdefault(option, [])

    def _round_played(self, event: log.RoundPlayed) -> None:
        self._acted = True
        self._round = event.round
        key = (self._ended + 1, event.round)
        roles = event.roles
        # In games of pairs a player sees its own round, and that of its partner.
        paired = any(" of " in role for role in roles.values())

        def seen_by(player: str) -> Collection[str] | None:
            if not paired:
                return ALL
            own = roles.get(player, "").partition(" of ")[2]
            return {player, own, *(name for name, role in roles.items() if role.partition(" of ")[2] == player)}

        acts: dict[str, list[str]] = defaultdict(list)
        for number, choices in enumerate(event.choices):
            absent = event.absent[number] if number < len(event.absent) else []
            meant = event.trembled[number] if number < len(event.trembled) else {}
            for player, option in choices.items():
                if player in absent:
                    continue
                acts[player].append(option)
                self._cooperation.setdefault(option, [])
                self._fact("chose", player, seen_by(player), value=option, round=event.round)
                self._fact("meant", player, {player}, value=meant.get(player, option), round=event.round)
        for player, options in acts.items():
            if len(options) == 1 and player in event.cooperation:
                self._cooperation[options[0]].append(event.cooperation[player])
        self.acts[key] = {player: "/".join(options) for player, options in acts.items()}
        self.payoffs[key] = dict(event.payoffs)
        for player, amount in event.payoffs.items():
            self._fact("earned", player, seen_by(player), number=amount, round=event.round)
        for player, private in event.types.items():
            self.shows.add("type")
            self._fact("type", player, {player}, number=private, round=event.round)

    def _talk(self, event: log.TalkMessageSent) -> None:
        if event.act == "pass" and not event.message:
            return
        self.shows.add("deal")
        self._say(
            event.speaker, tuple(event.arrives), "talk", event.message, deal=event.deal, act=event.act,
        )  # fmt: skip

    def _negotiation(self, event: log.NegotiationTurn) -> None:
        act = "accept" if event.accepts else "offer" if event.offer is not None else "say"
        self._say(event.speaker, self._others(event.speaker), "negotiation", event.message, act=act)

    def _speech(self, event: log.Speech) -> None:
        self._spoken = True
        self._say(event.speaker, event.hearers, event.voice, event.text, t_s=event.t_s)

    def _chat(self, event: log.ChatEvent) -> None:
        # In societies `speech` has the words that `chat` repeats.
        if self._spoken or event.sender not in self.players:
            return
        to = (event.model_extra or {}).get("to")
        hearers = (str(to),) if to else self._others(event.sender)
        self._say(event.sender, hearers, "whisper" if to else "chat", event.text, t_s=event.t_s)

    def _crowd_settled(self, event: log.PeopleSettled) -> None:
        self._crowd = True

    def _life(self, event: log.LifeBegan) -> None:
        if self._crowd:
            return
        self.lived = True
        self.shows.update(("holds", "works", "took"))
        if self._surroundings is not None:
            self.shows.update(("at", "left"))
        self._holding("holds", event.player, self._items.get(event.player, {}))

    def _inventory(self, event: log.InventoryEvent) -> None:
        if event.bot in self.players and not self._crowd:
            self._items[event.bot] = dict(event.items)
            if self.lived:
                self._holding("holds", event.bot, event.items)

    def _action(self, event: log.ActionEvent) -> None:
        self._acted = True
        args = (event.model_extra or {}).get("args")
        if not self.lived or not event.ok or event.bot not in self.players or not isinstance(args, list):
            return
        if work := work_of(event.name, args):
            self._fact("works", event.bot, {event.bot}, value=work, t_s=event.t_s)
        if event.name == TAKING:
            for item in taken_items(args):
                self._fact("took", event.bot, {event.bot}, value=item, t_s=event.t_s)

    def _places(self, event: log.PlacesSeen) -> None:
        if self._surroundings is None or self._crowd:
            return
        for player, (x, _, z) in event.at.items():
            near = self._surroundings.near(x, z)
            if player in self.players and self._at.get(player) != near:
                self._at[player] = near
                self._fact("at", player, {player}, value=" ".join(near), t_s=event.t_s)

    def _ground(self, event: log.GroundChanged) -> None:
        if self._surroundings is None:
            return
        if event.left_out:
            self.shows.discard("left")
        for changes in event.changed.values():
            for x, y, z, block in changes:
                if (found := self._surroundings.change((x, y, z), block)) is not None:
                    seen = {player for player, near in self._at.items() if found[0] in near}
                    self._fact("left", "", seen, value=found[0], number=float(found[1]), t_s=event.t_s)

    def _dealt(self, event: log.RolesDealt) -> None:
        names = self.scenario.hidden_roles if self.scenario is not None else ()
        odd_role, usual = names or ("undercover" if event.odd_word else "chameleon", INSIDER)
        self.shows.add("role")
        for player in event.order:
            # With a similar word nobody is told a role; else the odd player knows all roles.
            seen = () if event.odd_word else {player, event.odd}
            self._fact("role", player, seen, value=odd_role if player == event.odd else usual, number=float(event.game))

    def _word(self, event: log.WordSaid) -> None:
        if event.fault:
            return
        if event.stage == "clue":
            self._say(event.player, self._others(event.player), "clue", event.clue)
        elif event.stage == "vote" and event.vote in self.players:
            self._say(event.player, self._others(event.player), "vote", event.vote, act="vote")

    def _decided(self, event: log.Decided) -> None:
        self._round = event.round - 1
        self._say(event.player, self._others(event.player), "decision", event.said)
        if not event.fault and not event.stood_in:
            self.acts.setdefault((self._ended + 1, event.round), {})[event.player] = event.move

    def _council(self, event: log.CouncilEntry) -> None:
        what, ground = event.entry.get("what"), event.entry.get("ground")
        if what in ("kept", "broken") and ground == "agreement":
            self.shows.add("broke")
            term = f"agreement {event.entry.get('id')}"
            self._fact("kept" if what == "kept" else "broke", str(event.entry.get("player")), value=term)
        speaker, text = str(event.entry.get("player") or ""), event.entry.get("text")
        if speaker in self.players and isinstance(text, str):
            self._say(speaker, self._others(speaker), "council", text)

    def _assembly(self, event: log.AssemblyEntry) -> None:
        speaker, text = str(event.entry.get("member") or ""), event.entry.get("text")
        if speaker in self.players and isinstance(text, str):
            self._say(speaker, self._others(speaker), "council", text, t_s=event.t_s)

    def _order(self, event: log.OrderGiven) -> None:
        self._round = event.round - 1
        if not event.fault and not event.stood_in:
            acted = f"{event.act} {event.target}".strip()
            self.acts.setdefault((self._ended + 1, event.round), {})[event.player] = acted

    def _battle(self, event: log.BattleFought) -> None:
        for attacker in event.attackers:
            self._fact("attacked", attacker, other=event.defender, value=event.at, round=event.round)

    def _support(self, event: log.SupportGiven) -> None:
        self._fact("gave", event.player, other=event.receiver, value=event.at, number=event.troops, round=event.round)

    def _deed(self, event: log.DeedSeen) -> None:
        if event.deed == "attack":
            seen = {event.player, event.target}
            self._fact("attacked", event.player, seen, other=event.target, round=event.round or 0)

    def _field(self, event: log.FieldPlanted | log.MapDrawn) -> None:
        self.shows.add("attacked")
        if isinstance(event, log.MapDrawn):
            self.all_see_attacks = True
            self.objectives.update({name: ", ".join(regions) for name, regions in event.objectives.items()})

    def _state(self, event: log.StateSeen | log.EndStateRead) -> None:
        self.shows.update(("holds", "mined"))
        for player, held in event.players.items():
            for what, now in (("holds", held.items), ("mined", held.mined)):
                self._holding(what, player, now)

    def _holding(self, what: str, player: str, now: Mapping[str, int]) -> None:
        """Add the numbers that have changed."""
        before = self._held[what].get(player, {})
        for thing in dict.fromkeys((*before, *now)):
            if before.get(thing, 0) != now.get(thing, 0) or player not in self._held[what]:
                self._fact(what, player, {player}, value=thing, number=float(now.get(thing, 0)))
        self._held[what][player] = dict(now)

    def _shown(self, event: log.Shown) -> None:
        for player, items in event.inventories.items():
            for item, count in items.items():
                self._fact("shown", player, {event.player}, value=item, number=float(count))

    def _season(self, event: log.SeasonClosed) -> None:
        self.shows.add("taxed")
        for player, state in event.state.items():
            self._fact("taxed", player, {player}, value=state, round=event.season)

    def _transfer(self, event: log.TransferBooked) -> None:
        if event.amount:
            self._fact(
                "paid", event.payer, self._knowing(event.deal), other=event.payee, number=event.amount,
                value=event.term if event.deal is None else f"deal {event.deal}: {event.term}",
            )  # fmt: skip

    def _knowing(self, deal: int | None) -> Collection[str] | None:
        """Return the players that know of a deal: its parties if it is secret, else all."""
        known = None if deal is None else self.deals.get(deal)
        return known.parties if known is not None and known.secret else ALL

    def _deal(self, event: log.DealChanged) -> None:
        entry = event.entry
        number, change = int(entry["deal"]), str(entry["change"])
        if change == "offered":
            terms = dict(entry.get("contract") or {})
            parties = tuple(str(each) for each in terms.get("parties") or ())
            self.deals[number] = AgreedDeal(number, str(entry.get("by", "")), parties, bool(entry.get("secret")), terms)
        elif change == "agreed" and number in self.deals:
            deal = self.deals[number]
            self.deals[number] = replace(deal, agreed=True)
            for one in deal.parties:
                for other in deal.parties:
                    if one != other:
                        self._fact("deal", one, self._knowing(number), other=other, number=float(number))
        elif change == "ended" and number in self.deals:
            self.deals[number] = replace(self.deals[number], ended=self._line)

    def _enforced(self, event: log.AgreementEnforced) -> None:
        self.shows.update(("broke", "paid"))
        if event.deal is None:
            self._found = ()
        seen = self._knowing(event.deal)
        number = None if event.deal is None else float(event.deal)
        for each in event.breaches:
            self._fact("broke", each.party, seen, value=each.term, number=number, round=self._round)
        for party, due in event.promises.items():
            broken = sum(each.party == party for each in event.breaches)
            for _ in range(due - broken):
                self._fact("kept", party, seen, number=number, round=self._round)

    def _verdict(self, event: log.VerdictGiven) -> None:
        if event.deal is None:
            found = [each for each in event.findings if each.get("kind") == "obligation"] if event.readable else []
            self._found = tuple((str(each["party"]), str(each["subject"]), bool(each["ok"])) for each in found)

    def _contract(self, event: log.ContractEvent) -> None:
        # A contract that binds has no event of its enforcement.
        if event.state == "settled":
            self.shows.update(("broke", "paid"))
            for party, subject, kept in self._found:
                self._fact("kept" if kept else "broke", party, value=subject, round=self._round)
            self._found = ()

    def _settled(self, event: log.PeriodSettled) -> None:
        self._round = event.played


_HANDLERS: Mapping[type[EventModel], Any] = {
    log.RunStarted: WordsRecord._started,
    log.EpisodeStarted: WordsRecord._episode,
    log.EpisodeEnded: WordsRecord._episode_over,
    log.GameBegun: WordsRecord._game,
    log.RoundPlayed: WordsRecord._round_played,
    log.TalkMessageSent: WordsRecord._talk,
    log.NegotiationTurn: WordsRecord._negotiation,
    log.Speech: WordsRecord._speech,
    log.ChatEvent: WordsRecord._chat,
    log.PeopleSettled: WordsRecord._crowd_settled,
    log.LifeBegan: WordsRecord._life,
    log.InventoryEvent: WordsRecord._inventory,
    log.ActionEvent: WordsRecord._action,
    log.PlacesSeen: WordsRecord._places,
    log.GroundChanged: WordsRecord._ground,
    log.RolesDealt: WordsRecord._dealt,
    log.WordSaid: WordsRecord._word,
    log.Decided: WordsRecord._decided,
    log.CouncilEntry: WordsRecord._council,
    log.AssemblyEntry: WordsRecord._assembly,
    log.OrderGiven: WordsRecord._order,
    log.BattleFought: WordsRecord._battle,
    log.SupportGiven: WordsRecord._support,
    log.DeedSeen: WordsRecord._deed,
    log.FieldPlanted: WordsRecord._field,
    log.MapDrawn: WordsRecord._field,
    log.Shown: WordsRecord._shown,
    log.StateSeen: WordsRecord._state,
    log.EndStateRead: WordsRecord._state,
    log.SeasonClosed: WordsRecord._season,
    log.TransferBooked: WordsRecord._transfer,
    log.DealChanged: WordsRecord._deal,
    log.AgreementEnforced: WordsRecord._enforced,
    log.PeriodSettled: WordsRecord._settled,
    log.VerdictGiven: WordsRecord._verdict,
    log.ContractEvent: WordsRecord._contract,
}
KINDS = frozenset(each.model_fields["kind"].default for each in _HANDLERS)
"""Kinds of events that `WordsRecord` uses."""
