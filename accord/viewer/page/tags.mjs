/** Names over heads and words of signs, drawn as text over the picture in three dimensions. */
import { hasRoom } from './map.mjs'

/** Most names at once, and the distance from which only the chosen player has one, in blocks. */
const MAX_NAMES = 120
const NAME_REACH = 96
/** Distance up to which a sign can be read, and the most that are read at once. */
const SIGN_REACH = 12
const MAX_SIGNS = 12
/** Height of a town's name over the ground, in blocks. */
const TOWN_HEIGHT = 9
const SIGN_COLOUR = '#a5854f'

/** @typedef {import('./bubbles.mjs').Board} Board3 */

/**
 * Draw the names of players, the nearest first: names without room are left away.
 * @param {Board3} board @param {{chosen: string, scene: any, ahead: boolean}} view
 */
export function drawNames ({ pen, dots, camera, sprites }, { chosen, scene, ahead }) {
  /** @type {Map<number, number[]>} */
  const named = new Map()
  const near = dots.filter(({ name, left, top, depth = 0 }) => (depth < NAME_REACH || name === chosen) && left > -60 &&
    top > -20 && left < camera.width + 60 && top < camera.height + 20)
  const order = near.sort((one, other) =>
    Number(other.name === chosen) - Number(one.name === chosen) || (one.depth ?? 0) - (other.depth ?? 0))
  for (const dot of order.slice(0, MAX_NAMES)) {
    const label = sprites.label(dot.name)
    const [left, top] = [dot.left - label.width / 2, dot.top]
    if (!hasRoom(named, left, top, label.width) && dot.name !== chosen) continue
    pen.globalAlpha = ahead || scene.out?.[dot.name] ? 0.5 : 1
    sprites.put(pen, label, left, top)
    pen.fillStyle = dot.colour
    pen.fillRect(left + 2, top + label.height - 1, label.width - 4, 2)
    if (dot.name !== chosen) continue
    pen.strokeStyle = dot.colour
    pen.lineWidth = 1.5
    pen.strokeRect(left - 1.5, top - 1.5, label.width + 3, label.height + 4)
  }
  pen.globalAlpha = 1
}

/**
 * Draw the names of towns over their middles.
 * @param {Board3} board @param {import('./matrix.mjs').ViewOf} seen @param {any} scene
 */
export function drawTownNames ({ pen, sprites }, seen, scene) {
  const ground = scene.run?.origin?.[1] ?? 0
  for (const [name, [x, z]] of Object.entries(scene.run?.towns ?? {})) {
    const [left, top, depth] = seen.toScreen(x, ground + TOWN_HEIGHT, z)
    if (depth < 1 || depth > 2 * seen.far) continue
    const label = sprites.label(name)
    sprites.put(pen, label, left - label.width / 2, top - label.height)
  }
}

/**
 * Draw the words of signs nearby.
 * @param {Board3} board @param {import('./matrix.mjs').ViewOf} seen @param {[number, number, number, string[]][]} signs
 */
export function drawSigns ({ pen, camera, sprites }, seen, signs) {
  const near = signs.flatMap(([x, y, z, lines]) => {
    const [left, top, depth] = seen.toScreen(x + 0.5, y + 0.8, z + 0.5)
    return depth > 0 && depth < SIGN_REACH ? [{ left, top, depth, text: lines.join(' ') }] : []
  }).sort((one, other) => one.depth - other.depth)
  for (const { left, top, text } of near.slice(0, MAX_SIGNS).reverse()) {
    const sprite = sprites.bubble(text, SIGN_COLOUR, true)
    if (left < -sprite.width || left > camera.width + sprite.width) continue
    sprites.put(pen, sprite, left - sprite.width / 2, top - sprite.height)
  }
}
