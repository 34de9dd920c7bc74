'use strict'
/**
 * Farmland that is watered, dries and is trampled; grass that spreads; leaves that decay (wiki: "Farmland", "Grass
 * Block", "Leaves").
 */

/** @typedef {import('../../world').World} World */
/** @typedef {import('../../types').Pos} Pos */
/** @typedef {import('../../data').BlockState} BlockState */
/** @typedef {import('./index').Tick} Tick */

const MOIST = 7
/** Distance in blocks to each side at which water moistens farmland, on its level or one above. */
const WATER_REACH = 4
/** Maximum distance through leaves to wood, in steps; leaves further away decay. */
const LEAF_REACH = 6
const SIX = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]]
const PLANTED =
  new RegExp(
    '^(wheat|carrots|potatoes|beetroots|melon_stem|pumpkin_stem|attached_(melon|pumpkin)_stem|torchflower_crop|' +
    'torchflower|pitcher_crop)$')

/** @param {World} world @param {Pos} pos */
function nearWater (world, { x, y, z }) {
  for (let dy = 0; dy <= 1; dy++) {
    for (let dx = -WATER_REACH; dx <= WATER_REACH; dx++) {
      for (let dz = -WATER_REACH; dz <= WATER_REACH; dz++) {
        const { name, props } = world.stateAt(x + dx, y + dy, z + dz)
        if (name === 'water' || props.waterlogged === 'true') return true
      }
    }
  }
  return false
}

/** Turn farmland into dirt, and lift the bodies that stand in it. @param {World} world @param {Pos} pos */
function toDirt (world, pos) {
  world.setBlock(pos.x, pos.y, pos.z, world.data.stateId('dirt'))
  for (const body of world.bodiesNear(pos, 1)) {
    const on = Math.floor(body.x) === pos.x && Math.floor(body.z) === pos.z && body.y >= pos.y + 0.9 &&
      body.y < pos.y + 1
    if (on && body.type !== 'player') body.y = pos.y + 1
  }
}

/** @type {Tick} */
function farmland (world, pos, state) {
  const moisture = Number(state.props.moisture)
  const { x, y, z } = pos
  if (nearWater(world, pos) || world.precipitation.rainsOn(x, y + 1, z)) {
    if (moisture < MOIST) world.setBlock(x, y, z, world.data.withProps(state.stateId, { moisture: MOIST }))
  } else if (moisture > 0) world.setBlock(x, y, z, world.data.withProps(state.stateId, { moisture: moisture - 1 }))
  else if (!PLANTED.test(world.stateAt(x, y + 1, z).name)) toDirt(world, pos)
}

/**
 * Let a landing body trample farmland, with a chance of the fall less half a block. Only large bodies trample, and mobs
 * only if they may change blocks.
 * @param {World} world @param {import('../../entities/living').LivingEntity} body @param {number} fallen blocks
 */
function trample (world, body, fallen) {
  if (fallen <= 0.5 || body.width * body.width * body.height <= 0.512 ||
    (body.type !== 'player' && !world.rules.mobGriefing)) {
    return
  }
  const pos = { x: Math.floor(body.x), y: Math.floor(body.y - 0.1), z: Math.floor(body.z) }
  if (world.stateAt(pos.x, pos.y, pos.z).name === 'farmland' && world.random.stream('growth').next() < fallen - 0.5) {
    toDirt(world, pos)
  }
}

/**
 * Try four times per tick to spread to nearby dirt with enough light (wiki: 3 x 5 x 3 blocks, from one above to three
 * below).
 *
 * @type {Tick}
 */
function grass (world, { x, y, z }, state, random) {
  const above = world.stateAt(x, y + 1, z)
  if (above.fullCube && !above.info.transparent) return void world.setBlock(x, y, z, world.data.stateId('dirt'))
  if (world.light.raw(x, y + 1, z) < 9) return
  for (let i = 0; i < 4; i++) {
    const at = { x: x + random.int(-1, 1), y: y + random.int(-3, 1), z: z + random.int(-1, 1) }
    // Most blocks are not dirt, so that the block above is tested last.
    if (world.stateAt(at.x, at.y, at.z).name !== 'dirt') continue
    const over = world.stateAt(at.x, at.y + 1, at.z)
    if (over.liquid || (over.fullCube && !over.info.transparent)) continue
    world.setBlock(at.x, at.y, at.z, world.data.stateId(state.name))
  }
}

/** Kinds of blocks as the search from leaves sees them. */
const UNSEEN = 0
const LEAF = 1
const WOOD = 2
const ANYTHING = 3
/** Kinds by state id, for each version's data. @type {WeakMap<object, Uint8Array>} */
const kinds = new WeakMap()

/** @param {World} world @param {number} stateId @param {Uint8Array} known */
function kindOf (world, stateId, known) {
  if (known[stateId] === UNSEEN) {
    const { name } = world.data.state(stateId)
    known[stateId] = /_(log|wood|stem|hyphae)$/.test(name) ? WOOD : name.endsWith('_leaves') ? LEAF : ANYTHING
  }
  return known[stateId]
}

/** Cells around a leaf by number: the search that saw each last, and the cells to visit. */
const ACROSS = 2 * LEAF_REACH + 1
const STEPS = SIX.map(([dx, dy, dz]) => dx * ACROSS * ACROSS + dy * ACROSS + dz)
const PLACE = Array.from({ length: ACROSS ** 3 },
  (_, cell) => [Math.floor(cell / (ACROSS * ACROSS)), Math.floor(cell / ACROSS) % ACROSS, cell % ACROSS].map(
  (at) => at - LEAF_REACH))
const seenIn = new Uint32Array(ACROSS ** 3)
const queue = new Uint16Array(ACROSS ** 3)
let searches = 0

/**
 * Return true if leaves connect a position with near wood.
 *
 * @param {World} world
 * @param {Pos} pos
 * @returns {boolean}
 */
function held (world, { x, y, z }) {
  let known = kinds.get(world.data)
  if (known === undefined) kinds.set(world.data, known = new Uint8Array(world.data.states.length))
  const search = ++searches
  queue[0] = LEAF_REACH * (ACROSS * ACROSS + ACROSS + 1)
  seenIn[queue[0]] = search
  for (let far = 1, next = 0, end = 1; far <= LEAF_REACH && next < end; far++) {
    const last = end
    for (; next < last; next++) {
      const cell = queue[next]
      for (const step of STEPS) {
        const to = cell + step
        if (seenIn[to] === search) continue
        seenIn[to] = search
        const [east, up, south] = PLACE[to]
        const kind = kindOf(world, world.blockAt(x + east, y + up, z + south), known)
        if (kind === WOOD) return true
        if (kind === LEAF) queue[end++] = to
      }
    }
  }
  return false
}

/** @type {Tick} */
function leaves (world, pos, state) {
  if (state.props.persistent !== 'false' || held(world, pos)) return true
  world.breaking.remove(pos, { drop: true })
}

/** @type {Record<string, Tick>} */
const TICKS = { farmland, grass_block: grass, mycelium: grass }
for (const wood of ['oak', 'spruce', 'birch', 'jungle', 'acacia', 'dark_oak', 'mangrove', 'cherry', 'azalea',
  'flowering_azalea']) {
  TICKS[`${wood}_leaves`] = leaves
}

module.exports = { TICKS, nearWater, toDirt, trample, held }
