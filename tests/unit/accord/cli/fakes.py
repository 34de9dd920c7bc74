"""Fake `run_study` that writes records without a world and records its arguments."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from accord.analysis.scoring import combine_conditions
from accord.studies.study import StudyResult, StudySettings
from bridge.types import Address
from bridge.worlds import World, open_world
from dilemmas.records.events import LogLine
from dilemmas.records.progress_events import ProgressEvent
from dilemmas.records.record import read_events, to_json
from dilemmas.records.results import read_result, worst
from tests.unit.accord.analysis.report.synthetic import FAIR, GREEDY, Story, write_run

Listen = Callable[[LogLine], None]
Hold = Callable[[Address | None], Awaitable[None]]


@dataclass
class FakeStudy:
    """Replacement of `run_study`. It raises `error` if set; otherwise its runs end with `status`."""

    error: BaseException | None = None
    story: Story = field(default_factory=Story)
    settings: StudySettings | None = None
    held: bool = False

    async def __call__(
        self,
        settings: StudySettings,
        *,
        listen: Listen | None = None,
        hold: Hold | None = None,
        worlds: Callable[..., World] = open_world,
        watch: Callable[[ProgressEvent], None] | None = None,
        placed: Callable[[Path], None] | None = None,
        seated: Callable[[object], None] | None = None,
    ) -> StudyResult:
        self.settings = settings
        if self.error is not None:
            raise self.error
        found = {}
        directory = settings.out / "study"
        for contract in settings.contracts:
            items = GREEDY if contract == "none" else FAIR
            place = directory / contract
            write_run(place, replace(self.story, condition=contract, items=items, seed=settings.seed))
            found[contract] = read_result(place / "result.json")
            for line in read_events(place / "events.jsonl") if listen else ():
                assert listen is not None
                listen(line)
        (directory / "result.json").write_text(to_json(combine_conditions(found)))
        if hold is not None:
            self.held = True
            await hold(None)
        statuses = [result["status"] for result in found.values()]
        return StudyResult(directory, list(found.values()), worst(statuses))
