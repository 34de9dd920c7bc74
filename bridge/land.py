"""The land of a world as data for a viewer that draws it itself."""

from __future__ import annotations

from typing import Literal

SurveyPart = Literal["facts", "columns", "news", "named", "bodies", "skies"]
"""Part of a survey, as `engine/view/survey.js` names it.

- `facts`: heights, time of day, signs
- `columns` (`columns`: pairs of column coordinates): blocks, as base64 of deflated bytes
- `news` (`look`, `texture`): looks of block states and painted textures from these numbers on
- `named` (`names`): looks of blocks in their usual states
- `bodies` (`players`, `items`): boxes of players, mobs and items
- `skies`: sky and light over a day
"""
