/** Placement of speech bubbles above their speakers, overlapping neither players nor other bubbles. */

/** Maximum share of the map covered by bubbles, so that a talking crowd stays visible. */
const COVERED = 0.12
/** Maximum distance from a speaker to the upper edge of its bubble, in pixels. */
const FAR = 220
/** Margin between a bubble and the edges of the map, in pixels. */
const EDGE = 4
/** Free space around a player in pixels: its dot, and its name below. */
const DOT = 8
const NAME = 17

/** @typedef {{left: number, top: number}} Spot */
/**
 * @typedef {{spot: Spot, width: number, height: number, whole: boolean}} Wanted a bubble of that size; a whole one is
 *   always shown
 */

/**
* Return the positions of bubbles, given by decreasing importance: [left, top] of each, or null if it has no room.
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
    const top = topOf(spot, left, width, height, [...free, ...taken]) ??
      (whole ? topOf(spot, left, width, height, taken) : null)
    if (top === null) return null
    taken.push([left, top, left + width, top + height])
    return [left, top]
  })
}

/**
* Return the lowest position above a speaker that covers nothing, or null if there is none nearby.
 * @param {Spot} spot
 * @param {number} left
 * @param {number} width
 * @param {number} height
 * @param {number[][]} boxes left, top, right, bottom of what must stay free
 */
function topOf (spot, left, width, height, boxes) {
  let top = spot.top - 14 - height
  const beside = boxes.filter(([l, , r]) => left < r + 2 && l < left + width + 2)
    .sort((one, other) => other[3] - one[3])
  for (const [, t, , b] of beside) if (top < b + 2 && t < top + height + 2) top = t - height - 3
  return top < spot.top - FAR || top < EDGE ? null : top
}
