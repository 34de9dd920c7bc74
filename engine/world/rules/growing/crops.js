'use strict'
/** Crops by vanilla's rules (wiki: "Tutorials/Crop farming", "Farmland", each plant's page): light, moisture, rows. */
const { nameTable } = require('../../../name_table')

/** @typedef {import('../../world').World} World */
/** @typedef {import('../../types').Pos} Pos */
/** @typedef {import('../../data').BlockState} BlockState */
/** @typedef {import('./index').Tick} Tick */

/** Age at which each crop is ripe. @type {Readonly<Record<string, number>>} */
const RIPE = Object.freeze(nameTable({ wheat: 7, carrots: 7, potatoes: 7, beetroots: 3,
  melon_stem: 7, pumpkin_stem: 7, torchflower_crop: 2, sweet_berry_bush: 3, nether_wart: 3, cocoa: 2 }))
/** Minimum light at the plant for growth. */
const GROWING_LIGHT = 9
const SIDES = /** @type {[number, number, string][]} */ ([[0, -1, 'north'], [0, 1, 'south'], [-1, 0, 'west'],
  [1, 0, 'east']])

/** @param {World} world @param {Pos} pos @param {BlockState} state @param {number} age */
function setAge (world, pos, state, age) {
  const bloom = state.name === 'torchflower_crop' && age >= RIPE.torchflower_crop
  world.setBlock(pos.x, pos.y, pos.z,
    bloom ? world.data.stateId('torchflower') : world.data.withProps(state.stateId, { age }))
}

/**
 * Return the points of growth: 1, plus 1 for dry and 3 for moist farmland under the plant, plus a quarter of that for
 * each of the eight blocks around. The points are halved if the same plant grows beside it in both directions or
 * diagonally.
 * @param {World} world @param {Pos} pos @param {string} name
 */
function vigour (world, { x, y, z }, name) {
  let points = 1
  for (let dx = -1; dx <= 1; dx++) {
    for (let dz = -1; dz <= 1; dz++) {
      const ground = world.stateAt(x + dx, y - 1, z + dz)
      if (ground.name === 'farmland') points += (Number(ground.props.moisture) > 0 ? 3 : 1) / (dx || dz ? 4 : 1)
    }
  }
  const same = (/** @type {number} */ dx, /** @type {number} */ dz) => world.stateAt(x + dx, y, z + dz).name === name
  const rows = (same(-1, 0) || same(1, 0)) && (same(0, -1) || same(0, 1))
  return rows || same(-1, -1) || same(1, -1) || same(-1, 1) || same(1, 1) ? points / 2 : points
}

/**
 * Grow with a chance of one in floor(25 / points) + 1.
 *
 * @param {World} world
 * @param {Pos} pos
 * @param {BlockState} state
 * @param {import('../../random').RandomStream} random
 */
const thrives = (world, pos, state, random) =>
  world.light.raw(pos.x, pos.y, pos.z) >= GROWING_LIGHT &&
  random.int(0, Math.floor(25 / vigour(world, pos, state.name))) === 0

/** @type {Tick} */
function crop (world, pos, state, random) {
  const age = Number(state.props.age)
  if (age >= RIPE[state.name] ||
    ((state.name === 'beetroots' || state.name === 'torchflower_crop') && random.int(0, 2) === 0)) {
    return
  }
  if (!thrives(world, pos, state, random)) return
  setAge(world, pos, state, age + 1)
}

/** Let a stem grow like a crop. A ripe one puts its fruit on one of four sides, on soil with air above. @type {Tick} */
function stem (world, pos, state, random) {
  if (!thrives(world, pos, state, random)) return
  const age = Number(state.props.age)
  if (age < 7) return setAge(world, pos, state, age + 1)
  const [dx, dz, facing] = SIDES[random.int(0, 3)]
  const at = { x: pos.x + dx, y: pos.y, z: pos.z + dz }
  const ground = world.stateAt(at.x, at.y - 1, at.z)
  if (!world.stateAt(at.x, at.y, at.z).air ||
    !/^(farmland|dirt|grass_block|coarse_dirt|podzol|mycelium|rooted_dirt|moss_block|mud)$/.test(ground.name)) {
    return
  }
  const fruit = state.name.replace('_stem', '')
  world.setBlock(at.x, at.y, at.z, world.data.stateId(fruit))
  world.setBlock(pos.x, pos.y, pos.z, world.data.stateId(`attached_${state.name}`, { facing }))
}

/** @param {number} oneIn @param {(world: World, pos: Pos) => boolean} [fits] @returns {Tick} */
const byChance = (oneIn, fits = () => true) => (world, pos, state, random) => {
  const age = Number(state.props.age)
  if (age < RIPE[state.name] && random.int(1, oneIn) === 1 && fits(world, pos)) setAge(world, pos, state, age + 1)
}

/**
 * Return the state after picking a ripe plant by hand and the items it gives, or null.
 *
 * @param {World} world
 * @param {Pos} pos
 * @param {BlockState} state
 */
function pick (world, pos, state) {
  const age = Number(state.props.age)
  if (state.name === 'sweet_berry_bush' && age > 1) {
    // wiki: Sweet Berries: 1 to 2 at age 2, 2 to 3 at age 3; the bush goes back to age 1.
    const count = world.random.stream('growth').int(1, 2) + (age === 3 ? 1 : 0)
    setAge(world, pos, state, 1)
    return world.stacks.make('sweet_berries', count)
  }
  if (/^cave_vines(_plant)?$/.test(state.name) && state.props.berries === 'true') {
    world.setBlock(pos.x, pos.y, pos.z, world.data.withProps(state.stateId, { berries: false }))
    return world.stacks.make('glow_berries', 1)
  }
  return null
}

/**
 * Let the stem of a removed fruit be ripe again.
 *
 * @param {World} world
 * @param {Pos} pos
 * @param {BlockState} state
 * @returns {boolean}
 */
function loseFruit (world, pos, state) {
  const found = /^attached_((melon|pumpkin)_stem)$/.exec(state.name)
  const side = SIDES.find(([, , facing]) => facing === state.props.facing)
  if (!found || !side || world.stateAt(pos.x + side[0], pos.y, pos.z + side[1]).name === found[2]) return false
  return world.setBlock(pos.x, pos.y, pos.z, world.data.stateId(found[1], { age: 7 }))
}

/** @type {Record<string, Tick>} */
const TICKS = {
  wheat: crop, carrots: crop, potatoes: crop, beetroots: crop, torchflower_crop: crop, melon_stem: stem,
  pumpkin_stem: stem,
  sweet_berry_bush: byChance(5, (world, { x, y, z }) => world.light.raw(x, y + 1, z) >= GROWING_LIGHT),
  nether_wart: byChance(10), cocoa: byChance(5)
}

module.exports = { TICKS, RIPE, GROWING_LIGHT, setAge, vigour, pick, loseFruit }
