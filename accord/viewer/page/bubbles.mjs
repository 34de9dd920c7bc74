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

/** Minimum duration of a bubble, in real seconds and in seconds of the record. */
const BUBBLE_S = 4
const BUBBLES = 40

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

/** @typedef {{name: string, colour: string, left: number, top: number, depth?: number}} Speaker */
/**
 * Canvas on which bubbles are drawn.
 * @typedef {{pen: CanvasRenderingContext2D, dots: Speaker[], camera: {width: number, height: number}, tools: number[],
 *   sprites: import('./sprites.mjs').Sprites}} Board
 */

/**
 * Draw the bubbles of what players have said lately.
 * @param {Board} board
 * @param {{scene: any, at: number, speed: number, chosen: string}} view
 */
export function drawBubbles ({ pen, dots, camera, tools, sprites }, { scene, at, speed, chosen }) {
  const age = BUBBLE_S * Math.max(1, speed / 4)
  const { width, height } = camera
  const said = dots.filter(({ name, left, top }) => {
    const words = scene.say?.[name]
    return words && words.at <= at && at - words.at < age && left > -60 && top > -20 && left < width + 60 &&
      top < height + 60
  }).sort((one, other) => scene.say[one.name].at - scene.say[other.name].at).slice(-BUBBLES)
  // The latest words get the best positions, after those of the selected player.
  const ordered = said.reverse().sort((one, other) => Number(other.name === chosen) - Number(one.name === chosen))
  const bubbles = ordered.map((dot) =>
    ({ dot, whole: dot.name === chosen,
    sprite: sprites.bubble(scene.say[dot.name].text, dot.colour, dot.name === chosen) }))
  const places = placeBubbles(
    bubbles.map(({ dot, whole, sprite }) =>
    ({ spot: dot, width: sprite.width - 2, height: sprite.height - 2, whole })), dots, camera, tools)
  const placed = bubbles.flatMap(({ dot, sprite }, number) => {
    const place = places[number]
    return place ? [{ dot, sprite, left: place[0], top: place[1] }] : []
  })
  // Lines are drawn first, so that none crosses another bubble's words.
  pen.lineWidth = 1.3
  for (const { dot, sprite, top } of placed) {
    pen.strokeStyle = dot.colour
    pen.beginPath()
    pen.moveTo(dot.left, dot.top - 6)
    pen.lineTo(dot.left, top + sprite.height - 2)
    pen.stroke()
  }
  for (const { sprite, left, top } of placed) sprites.put(pen, sprite, left - 1, top - 1)
}
