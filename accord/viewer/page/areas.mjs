/** Areas of influence: the ground around each colour's players is tinted by their number and proximity. */

/** Radius of a player's influence, in blocks. */
const REACH = 11
/** Size of a cell in blocks, and maximum number of cells per direction; wide lands use larger cells. */
const CELL = 2
const CELLS = 240
/** Minimum radius of influence, in cells. */
const LEAST = 3
/** Tint per player at its position, and maximum tint, of 255. */
const TINT = 56
const STRONGEST = 115

/** @typedef {{colour: string, x: number, z: number}} Standing */

/**
* Return the dominant colour of each cell near the players, and its weight.
 * @param {Standing[]} players at least one
 * @returns {{west: number, north: number, cell: number, width: number, depth: number, colours: string[], best:
 *   Uint8Array, weights: Float32Array}}
 */
export function influence (players) {
  let [west, north, east, south] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const { x, z } of players) {
    west = Math.min(west, x); east = Math.max(east, x); north = Math.min(north, z); south = Math.max(south, z)
  }
  let cell = CELL
  while (Math.max(east - west, south - north) / cell > CELLS) cell *= 2
  const reach = Math.max(LEAST, Math.round(REACH / cell))
  const [column0, row0] = [Math.floor(west / cell) - reach, Math.floor(north / cell) - reach]
  const [width, depth] = [Math.floor(east / cell) + reach - column0 + 1, Math.floor(south / cell) + reach - row0 + 1]
  const colours = [...new Set(players.map(({ colour }) => colour))]
  const [best, weights] = [new Uint8Array(width * depth), new Float32Array(width * depth)]
  const { steps, parts } = disc(reach, width)
  const own = new Float32Array(width * depth)
  for (let number = 0; number < colours.length; number++) {
    own.fill(0)
    for (const player of players) {
      if (player.colour !== colours[number]) continue
      const middle = (Math.floor(player.z / cell) - row0) * width + Math.floor(player.x / cell) - column0
      for (let near = 0; near < steps.length; near++) own[middle + steps[near]] += parts[near]
    }
    for (let place = 0; place < own.length; place++) {
      if (own[place] <= weights[place]) continue
      weights[place] = own[place]
      best[place] = number
    }
  }
  return { west: column0 * cell, north: row0 * cell, cell, width, depth, colours, best, weights }
}

/**
* Return the cells within reach, as index offsets in rows of `width`, and their weights.
 * @param {number} reach
 * @param {number} width
 */
function disc (reach, width) {
  const [steps, parts] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])]
  for (let dx = -reach; dx <= reach; dx++) {
    for (let dz = -reach; dz <= reach; dz++) {
      const far = Math.hypot(dx, dz)
      if (far > reach) continue
      steps.push(dz * width + dx)
      parts.push(1 - far / (reach + 1))
    }
  }
  return { steps: Int32Array.from(steps), parts: Float32Array.from(parts) }
}

/** Image of the areas, one pixel per cell. */
export class Areas {
  constructor () {
    this.canvas = document.createElement('canvas')
    this.place = { west: 0, north: 0, cell: CELL }
  }

  /** @param {Standing[]} players as they stand now */
  paint (players) {
    const found = influence(players)
    this.place = found
    if (this.canvas.width !== found.width || this.canvas.height !== found.depth) {
      this.canvas.width = found.width
      this.canvas.height = found.depth
    }
    const pen = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext('2d'))
    const image = pen.createImageData(found.width, found.depth)
    const pixels = new DataView(image.data.buffer)
    const inks = found.colours.map((colour) => (parseInt(colour.slice(1, 7), 16) || 0) * 256)
    for (let place = 0; place < found.weights.length; place++) {
      const weight = found.weights[place]
      if (weight) pixels.setUint32(place * 4, inks[found.best[place]] + Math.min(STRONGEST, Math.round(weight * TINT)))
    }
    pen.putImageData(image, 0, 0)
  }

  /**
   * @param {CanvasRenderingContext2D} pen
   * @param {import('./camera.mjs').Camera} camera
   */
  draw (pen, camera) {
    const [left, top] = camera.toScreen(this.place.west, this.place.north)
    const side = this.place.cell * camera.zoom
    pen.imageSmoothingEnabled = false
    pen.drawImage(this.canvas, left, top, this.canvas.width * side, this.canvas.height * side)
  }
}
