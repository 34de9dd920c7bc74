from __future__ import annotations

from typing import Any

import pytest

from voyager_agents.generative import MODULES, GenerativeSettings, GenerativeSettingsError


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"modules": ["telepathy"]}, r"modules: 'telepathy' is unknown: choose from understanding, communication"),
        ({"modules": ["communication", "communication"]}, "name each once"),
        ({"modules": ["reputation"]}, "add communication or constitution"),
        ({"modules": 3}, r"modules: 3: give a list such as"),
        ({"perceive": "smell"}, "perceive: 'smell': choose one of model, rule"),
        ({"importance": "some"}, "importance: 'some': choose one of rated, uniform"),
        ({"preset": "park"}, "preset: 'park': choose one of accord, paper"),
        ({"reputation": "felt"}, "reputation: 'felt': choose one of counted, judged"),
        (
            {"modules": ["constitution", "reputation"], "reputation": "judged"},
            "reputation: 'judged' comes from agreements alone: add communication",
        ),
        ({"voting": "lot"}, "voting: 'lot': choose one of majority, unanimity"),
        ({"attention": 0}, "attention: 0: give a whole number from 1"),
        ({"phases": True}, "phases: True"),
        ({"talk_every": "soon"}, "talk_every: 'soon' is no number"),
        ({"highest_penalty": -1}, "highest_penalty: -1"),
        ({"similarity": -0.5}, "similarity: -0.5: give a weight"),
        ({"similarity": 0, "recency": 0, "poignancy": 0}, "all weights are 0"),
        ({"decay": 0}, "decay: 0: give a number above 0"),
        ({"decay": float("nan")}, "decay: nan"),
        ({"longest_agreement": 2}, r"longest_agreement: 2: give agreement_rounds \(3\) or more"),
        ({"colour": "red"}, "colour: unknown setting of generative agents: known are preset, modules"),
    ],
)
def test_a_wrong_setting_is_told_in_one_line(given: dict[str, Any], told: str) -> None:
    with pytest.raises(GenerativeSettingsError, match=told) as caught:
        GenerativeSettings.from_mapping(given)
    assert "\n" not in str(caught.value)


def test_settings_come_as_data_or_as_text_and_go_into_records_and_back() -> None:
    as_text = {"modules": "understanding, communication", "talk_every": "4", "decay": "0.5", "voting": "unanimity"}
    found = GenerativeSettings.from_mapping(as_text)
    assert found.modules == ("understanding", "communication")
    assert (found.talk_every, found.decay, found.voting) == (4, 0.5, "unanimity")
    assert GenerativeSettings.from_mapping(found.to_dict()) == found


@pytest.mark.parametrize("module", [each for each in MODULES if each != "reputation"])
def test_each_module_can_be_switched_on_by_itself(module: str) -> None:
    assert GenerativeSettings(modules=(module,)).meets is (module != "understanding")
