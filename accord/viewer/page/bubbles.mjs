/** Where speech bubbles stand: above their speakers, over no player and no other bubble, and over little of the map. */

/** Share of the map that bubbles may cover, so that a crowd that speaks at once stays to be seen. */
const COVERED = 0.12
/** Pixels from a speaker to the upper edge of its bubble at most. */
const FAR = 220
/** Pixels between a bubble and the edges of the map. */
const EDGE = 4
/** Pixels around a player that stay free: its dot, and its name below it. */
const DOT = 8
const NAME = 17

/** @typedef {{left: number, top: number}} Spot */
/** @typedef {{spot: Spot, width: number, height: number, whole: boolean}} Wanted a bubble of that size; a whole one is always shown */

/**
 * Places of bubbles, the most important first: left and top of each, or null where it has no room.
 * @param {Wanted[]} wanted
 * @param {Spot[]} players all that are on the map
 * @param {{width: number, height: number}} map
 * @param {number[]} [tools] left, top, right, bottom of the buttons on the map
 * @returns {([number, number] | null)[]}
 */
export function placeBubbles (wanted, players, map, tools = [0, 0, 0, 0]) {
  const free = [tools, ...players.map(({ left, top }) => [left - DOT, top - DOT, left + DOT, top + NAME])]
  /** @type {number[][]} left, top, right, bottom of bubbles that have a place */
  const taken = []
  let room = map.width * map.height * COVERED
  return wanted.map(({ spot, width, height, whole }) => {
    room -= width * height
    if (room < 0 && !whole) return null
    const left = Math.min(Math.max(EDGE, spot.left - width / 2), map.width - width - EDGE)
    const top = topOf(spot, left, width, height, [...free, ...taken]) ?? (whole ? topOf(spot, left, width, height, taken) : null)
    if (top === null) return null
    taken.push([left, top, left + width, top + height])
    return [left, top]
  })
}

/**
 * The lowest place above a speaker that covers nothing; null where there is none near by.
 * @param {Spot} spot
 * @param {number} left
 * @param {number} width
 * @param {number} height
 * @param {number[][]} boxes left, top, right, bottom of what must stay free
 */
function topOf (spot, left, width, height, boxes) {
  let top = spot.top - 14 - height
  const beside = boxes.filter(([l, , r]) => left < r + 2 && l < left + width + 2).sort((one, other) => other[3] - one[3])
  for (const [, t, , b] of beside) if (top < b + 2 && t < top + height + 2) top = t - height - 3
  return top < spot.top - FAR || top < EDGE ? null : top
}
