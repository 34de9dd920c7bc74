/** The ground seen from above, drawn once: one pixel per column in its block's colour, shaded by height. */

/** Strength of the shading of slopes. */
const RELIEF = 0.16
/** Brightness added per block of height. */
const HIGHER = 0.02

/**
 * @typedef {{corner: [number, number], width: number, depth: number, names: string[], blocks: Int32Array, heights:
 *   Int32Array | null, low: number | null}} Ground `low`: the height 0, where the record tells it
 * @typedef {[string, string, number]} Top block, its colour, and height
 */

/**
* Return the columns of a `ground` event, whose rows are run-length encoded.
 * @param {any} told
 * @returns {Ground}
 */
export function readGround (told) {
  const width = Math.max(0, ...told.rows.map((/** @type {number[]} */ row) => total(row)))
  const depth = told.rows.length
  return {
    corner: told.corner, width, depth, names: told.blocks, low: told.low ?? null,
    blocks: unrolled(told.rows, width),
    heights: told.heights?.length ? unrolled(told.heights, width)
    : told.low === undefined ? null : new Int32Array(width * depth)
  }
}

/** @param {number[]} row */
function total (row) {
  let sum = 0
  for (let place = 0; place < row.length; place += 2) sum += row[place]
  return sum
}

/**
 * @param {number[][]} rows
 * @param {number} width
 */
function unrolled (rows, width) {
  const found = new Int32Array(width * rows.length)
  rows.forEach((row, z) => {
    let x = z * width
    for (let place = 0; place + 1 < row.length; place += 2) {
      found.fill(row[place + 1], x, Math.min(x + row[place], (z + 1) * width))
      x += row[place]
    }
  })
  return found
}

/**
* Return the brightness of a column: slopes facing north-west are lit, others are shaded.
 * @param {Ground} ground
 * @param {number} x from its west
 * @param {number} z from its north
 * @param {Record<string, Top>} [tops] of columns that have changed
 */
export function light (ground, x, z, tops) {
  if (!ground.heights) return 1
  const at = (/** @type {number} */ dx, /** @type {number} */ dz) =>
    heightAt(ground, Math.min(ground.width - 1, Math.max(0, x + dx)), Math.min(ground.depth - 1, Math.max(0, z + dz)),
      tops)
  const slope = Math.max(-2, Math.min(2, (at(0, 0) - at(-1, 0) + at(0, 0) - at(0, -1)) / 2))
  return Math.min(1.35, Math.max(0.55, 1 + slope * RELIEF + at(0, 0) * HIGHER))
}

/**
 * Return the current height of a column above the lowest built one. In older records, which lack the lowest height,
 * changed columns keep their original height.
 * @param {Ground} ground with heights
 * @param {number} column
 * @param {number} row
 * @param {Record<string, Top>} [tops]
 */
function heightAt (ground, column, row, tops) {
  const top = tops && ground.low !== null ? tops[`${column + ground.corner[0]},${row + ground.corner[1]}`] : undefined
  if (top && ground.low !== null) return top[0] ? top[2] - ground.low : 0
  return /** @type {Int32Array} */ (ground.heights)[row * ground.width + column]
}

/**
 * @param {Ground} ground
 * @param {string[]} colours a colour for each of its names
 * @returns {HTMLCanvasElement}
 */
export function drawGround (ground, colours) {
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, ground.width)
  canvas.height = Math.max(1, ground.depth)
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'))
  const image = pen.createImageData(canvas.width, canvas.height)
  const parts = colours.map(partsOf)
  ground.blocks.forEach((block, place) => {
    if (!ground.names[block]) return
    const shade = light(ground, place % ground.width, Math.floor(place / ground.width))
    for (let part = 0; part < 3; part++) image.data[place * 4 + part] = Math.min(255, parts[block][part] * shade)
    image.data[place * 4 + 3] = 255
  })
  pen.putImageData(image, 0, 0)
  return canvas
}

/**
 * Draw the changed columns, and restored ones, together with their southern and eastern neighbours, whose slopes
 * change too.
 * @param {CanvasRenderingContext2D} pen of the picture of that ground
 * @param {Ground} ground
 * @param {string[]} colours a colour for each of its names
 * @param {Record<string, Top>} before what is drawn
 * @param {Record<string, Top>} now
 */
export function drawTops (pen, ground, colours, before, now) {
  for (const place of changedColumns(ground, before, now)) {
    const [column, row] = [place % ground.width, Math.floor(place / ground.width)]
    const [name, colour] = now[`${column + ground.corner[0]},${row + ground.corner[1]}`] ??
      [ground.names[ground.blocks[place]], colours[ground.blocks[place]]]
    pen.clearRect(column, row, 1, 1)
    if (!name) continue
    const shade = light(ground, column, row, now)
    pen.fillStyle = `rgb(${partsOf(colour).map((part) => Math.round(Math.min(255, part * shade))).join(' ')})`
    pen.fillRect(column, row, 1, 1)
  }
}

/**
* Return the columns that look different, as indices in rows of the ground's width.
 * @param {Ground} ground
 * @param {Record<string, Top>} before
 * @param {Record<string, Top>} now
 */
function changedColumns (ground, before, now) {
  /** @type {Set<number>} */
  const found = new Set()
  for (const key of new Set([...Object.keys(before), ...Object.keys(now)])) {
    if (before[key]?.[0] === now[key]?.[0] && before[key]?.[2] === now[key]?.[2]) continue
    const [x, z] = key.split(',').map(Number)
    const [column, row] = [x - ground.corner[0], z - ground.corner[1]]
    for (const [dx, dz] of ground.heights && ground.low !== null ? [[0, 0], [1, 0], [0, 1]] : [[0, 0]]) {
      const [other, below] = [column + dx, row + dz]
      if (other >= 0 && below >= 0 && other < ground.width && below < ground.depth) {
        found.add(below * ground.width + other)
      }
    }
  }
  return found
}

/** @param {string} colour #rrggbb */
function partsOf (colour) {
  return [1, 3, 5].map((place) => parseInt(colour.slice(place, place + 2), 16) || 0)
}

/**
* Return the block of a column; its name is empty if there is none.
 * @param {Ground} ground
 * @param {number} x
 * @param {number} z
 * @param {Record<string, Top>} [tops] of columns that have changed
 */
export function blockAt (ground, x, z, tops = {}) {
  const [column, row] = [Math.floor(x) - ground.corner[0], Math.floor(z) - ground.corner[1]]
  const inside = column >= 0 && row >= 0 && column < ground.width && row < ground.depth
  return inside ? { name: tops[`${Math.floor(x)},${Math.floor(z)}`]?.[0] ??
    ground.names[ground.blocks[row * ground.width + column]],
    height: ground.heights ? heightAt(ground, column, row, tops) : null } : null
}

/**
* Return west, north, east and south of everything but the most common block; the whole ground if there is nothing else.
 * @param {Ground} ground
 * @returns {number[]}
 */
export function landmarks (ground) {
  const counts = new Map()
  for (const block of ground.blocks) counts.set(block, (counts.get(block) ?? 0) + 1)
  const common = [...counts].filter(([block]) => ground.names[block]).sort((a, b) => b[1] - a[1])[0]?.[0]
  let [west, north, east, south] = [Infinity, Infinity, -Infinity, -Infinity]
  ground.blocks.forEach((block, place) => {
    if (block === common || !ground.names[block]) return
    const [x, z] = [place % ground.width, Math.floor(place / ground.width)]
    west = Math.min(west, x); east = Math.max(east, x + 1); north = Math.min(north, z); south = Math.max(south, z + 1)
  })
  const [x0, z0] = ground.corner
  return west > east ? [x0, z0, x0 + ground.width, z0 + ground.depth] : [west + x0, north + z0, east + x0, south + z0]
}
