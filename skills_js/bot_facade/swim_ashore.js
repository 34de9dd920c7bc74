/**
 * Swimming ashore. mineflayer-pathfinder's moves know neither a way up through water nor one from deep water onto its
 * bank, so a bot on the ground of a lake would stay there for ever. If no path is found, the bot swims to the nearest
 * bank as a player would, holding forward and jump, and the path is searched from there.
 */
'use strict'
const { BlockSource } = require('./block')
const { named } = require('./errors')

/** Most cells of water searched. */
const MAX_CELLS = 1500
/** Longest time for the next cell and for the step onto the bank, in ticks; a body swims a cell in about ten. */
const STROKE_TICKS = 60
/** Distance from the middle of a cell within which nothing is steered, in blocks. */
const NEAR = 0.175
/** Most searches, each from where the last swim ended. */
const MAX_WAYS = 5
const SIDES = Object.freeze([[1, 0], [-1, 0], [0, 1], [0, -1]])
const HURTS = new Set([
  'lava', 'fire', 'soul_fire', 'cobweb', 'sweet_berry_bush', 'wither_rose', 'powder_snow', 'magma_block', 'cactus',
  'campfire', 'soul_campfire'
])
const WATERY = new Set(['water', 'seagrass', 'tall_seagrass', 'kelp', 'kelp_plant', 'bubble_column'])

/**
 * @typedef {[number, number, number]} Cell x, y and z
 * @typedef {'water' | 'free' | 'firm' | 'closed'} Kind free: a body may be there; firm: it may stand on it
 * @typedef {{ through: Cell[], land: Cell }} Way cells of water, from the bot's to the one beside the bank, and where
 *   the feet will stand
 */

/** Map of water and banks; every block is read once. */
class Waters {
  #blocks
  /** @type {Map<string, Kind>} */
  #kinds = new Map()

  /** @param {import('./host').Host} host */
  constructor (host) {
    this.#blocks = new BlockSource(host)
  }

  /** @param {number} x @param {number} y @param {number} z @returns {Kind} */
  at (x, y, z) {
    const key = `${x},${y},${z}`
    let kind = this.#kinds.get(key)
    if (kind === undefined) this.#kinds.set(key, kind = kindOf(this.#blocks.at({ x, y, z })))
    return kind
  }

  /**
   * @param {number} x @param {number} y @param {number} z
   * @returns {boolean} whether a body with its feet there breathes and has room
   */
  open (x, y, z) {
    return this.at(x, y, z) === 'free' && this.at(x, y + 1, z) === 'free'
  }
}

/** @param {any} block @returns {Kind} */
function kindOf (block) {
  if (block === null || HURTS.has(block.name)) return 'closed'
  if (block.boundingBox === 'empty') return WATERY.has(block.name) ? 'water' : 'free'
  const top = Math.max(...block.shapes.map((/** @type {number[]} */ shape) => shape[4]))
  return top <= 1 ? 'firm' : 'closed'
}

/**
 * @param {Waters} waters
 * @param {Cell} feet
 * @returns {Way | null} the shortest one; null for who is in no deep water, or where no bank is near
 */
function wayAshore (waters, [x, y, z]) {
  const below = waters.at(x, y, z) !== 'water'
  const start = /** @type {Cell} */ ([x, below ? y - 1 : y, z])
  if (waters.at(...start) !== 'water' || isShallow(waters, start)) return null
  const seen = new Set([start.join()])
  /** @type {{ cell: Cell, from: any }[]} */
  const queue = [{ cell: start, from: null }]
  for (let next = 0; next < queue.length && next < MAX_CELLS; next++) {
    const land = landBeside(waters, queue[next].cell)
    if (land !== null) return { through: traced(queue[next]), land }
    for (const cell of swumTo(waters, queue[next].cell)) {
      if (seen.has(cell.join())) continue
      seen.add(cell.join())
      queue.push({ cell, from: queue[next] })
    }
  }
  return null
}

/**
 * Return true if a bot in that cell can walk out: it stands with its head above the water.
 * @param {Waters} waters
 * @param {Cell} cell
 */
function isShallow (waters, [x, y, z]) {
  return waters.at(x, y - 1, z) === 'firm' && waters.at(x, y + 1, z) === 'free'
}

/** @param {Waters} waters @param {Cell} cell @returns {Cell | null} a bank as high as the water, or lower */
function landBeside (waters, [x, y, z]) {
  if (!waters.open(x, y + 1, z)) return null
  for (const [dx, dz] of SIDES) {
    const [there, ground] = [waters.at(x + dx, y, z + dz), waters.at(x + dx, y - 1, z + dz)]
    if (there === 'firm' && waters.open(x + dx, y + 1, z + dz)) return [x + dx, y + 1, z + dz]
    if (there === 'free' && ground === 'firm' && waters.at(x + dx, y + 1, z + dz) === 'free') return [x + dx, y, z + dz]
  }
  return null
}

/**
 * @param {Waters} waters
 * @param {Cell} cell
 * @returns {Cell[]} up, and to the sides, where there is room for the head
 */
function swumTo (waters, [x, y, z]) {
  const around = /** @type {Cell[]} */ ([[x, y + 1, z], ...SIDES.map(([dx, dz]) => [x + dx, y, z + dz])])
  return around.filter(([nx, ny, nz]) => waters.at(nx, ny, nz) === 'water' &&
    ['water', 'free'].includes(waters.at(nx, ny + 1, nz)))
}

/** @param {{ cell: Cell, from: any } | null} last @returns {Cell[]} */
function traced (last) {
  const cells = []
  for (let node = last; node !== null; node = node.from) cells.unshift(node.cell)
  return cells
}

/**
 * @param {import('./host').Host} host
 * @param {() => boolean} wanted - the walk has been neither stopped nor replaced by another
 * @returns {Promise<boolean>} whether the bot was in deep water and has left it
 * @throws {Cancelled} the walk is no longer wanted
 */
async function swimAshore (host, wanted) {
  for (let ways = 0; ways < MAX_WAYS; ways++) {
    const waters = new Waters(host)
    const way = wayAshore(waters, host.read('self').entity.position.map(Math.floor))
    if (way === null) return ways > 0
    try {
      if (await swim(host, wanted, waters, way)) return true
    } finally {
      for (const key of ['forward', 'jump']) host.command('setControl', key, false)
    }
  }
  return false
}

/**
 * Swim along a way. A late host runs several ticks at once, so the bot may be past a cell when it is next seen: any
 * later cell of the way counts. Over the bank jump is released, otherwise the bot would hop there and hardly ever be
 * seen on the ground. It may even have run past the bank: steering back would drop it into the water again.
 * @param {import('./host').Host} host
 * @param {() => boolean} wanted
 * @param {Waters} waters
 * @param {Way} way
 * @returns {Promise<boolean>} whether the bot stands on land
 * @throws {Cancelled}
 */
async function swim (host, wanted, waters, { through, land }) {
  let next = 0
  for (let tick = 0; tick < STROKE_TICKS; tick++) {
    if (!wanted()) throw named('Cancelled', 'swimming ashore ended: another way was begun or it was stopped')
    const { position, onGround } = host.read('self').entity
    if (onGround && isDry(waters, position)) return true
    const reached = through.findLastIndex((cell) => isOver(cell, position))
    if (reached >= next) [next, tick] = [reached + 1, 0]
    const [x, , z] = through[next] ?? land
    const [dx, dz] = [x + 0.5 - position[0], z + 0.5 - position[2]]
    const far = Math.max(Math.abs(dx), Math.abs(dz))
    if (far > NEAR) await host.act('look', Math.atan2(-dx, -dz), 0, true)
    host.command('setControl', 'forward', far > NEAR)
    host.command('setControl', 'jump', next < through.length || position[1] < land[1])
    await host.act('waitTicks', 1)
  }
  return false
}

/**
 * @param {Waters} waters
 * @param {number[]} position
 * @returns {boolean} the feet are out of the water, over firm ground
 */
function isDry (waters, [x, y, z]) {
  const feet = /** @type {Cell} */ ([x, y + 0.01, z].map(Math.floor))
  return waters.at(...feet) !== 'water' && waters.at(feet[0], feet[1] - 1, feet[2]) !== 'water'
}

/** @param {Cell} cell @param {number[]} position @returns {boolean} the feet are in that cell, or above it */
function isOver ([x, y, z], position) {
  return Math.floor(position[0]) === x && Math.floor(position[2]) === z && position[1] > y - 0.1
}

module.exports = { swimAshore }
