'use strict'
/**
 * Effects of bone meal on plants (wiki: "Bone Meal"). A plant that accepts bone meal consumes it, also if nothing
 * grows.
 */
const { RIPE, setAge } = require('./crops')
const { growBamboo, growShoot, run, BAMBOO_HEIGHT } = require('./stalks')
const { ripen } = require('./saplings')

/** @typedef {import('../../world').World} World */
/** @typedef {import('../../types').Pos} Pos */
/** @typedef {import('../../data').BlockState} BlockState */
/** @typedef {import('../../random').RandomStream} RandomStream */
/** @typedef {(world: World, pos: Pos, state: BlockState, random: RandomStream) => void} Effect */

const SAPLING_CHANCE = 0.45
const DOUBLE = /** @type {Record<string, string>} */ ({ short_grass: 'tall_grass', fern: 'large_fern' })
const TALL_FLOWERS = /^(sunflower|lilac|rose_bush|peony)$/
const MEADOW = ['dandelion', 'poppy', 'azure_bluet', 'oxeye_daisy', 'cornflower']
/** Number of attempts of bone meal on grass, and share of short grass among the grown plants. */
const MEADOW_TRIES = 128
const GRASS_SHARE = 7 / 8

/** @type {Effect} */
function crop (world, pos, state, random) {
  const step = state.name === 'beetroots' ? Math.floor(random.int(2, 5) / 3)
    : RIPE[state.name] === 7 ? random.int(2, 5) : 1
  if (step > 0) setAge(world, pos, state, Math.min(RIPE[state.name], Number(state.props.age) + step))
}

/** Let the top of a bamboo grow by one or two blocks. @type {Effect} */
function bamboo (world, pos, _state, random) {
  for (let left = random.int(1, 2); left > 0; left--) {
    const top = { x: pos.x, y: pos.y + run(world, pos, 'bamboo', 1, BAMBOO_HEIGHT), z: pos.z }
    if (!growBamboo(world, top, random)) return
  }
}

/** Let grass and flowers grow around: each attempt walks a few steps over grass. @type {Effect} */
function meadow (world, pos, _state, random) {
  for (let attempt = 0; attempt < MEADOW_TRIES; attempt++) {
    let at = { x: pos.x, y: pos.y + 1, z: pos.z }
    let open = true
    for (let step = 0; open && step < Math.floor(attempt / 16); step++) {
      at = { x: at.x + random.int(-1, 1), y: at.y + Math.trunc(random.int(-1, 1) * random.int(0, 2) / 2),
        z: at.z + random.int(-1, 1) }
      open = world.stateAt(at.x, at.y - 1, at.z).name === 'grass_block' && !world.stateAt(at.x, at.y, at.z).fullCube
    }
    if (!open) continue
    const there = world.stateAt(at.x, at.y, at.z)
    if (there.name === 'short_grass' && random.int(1, 10) === 1) double(world, at, there)
    if (!there.air) continue
    const name = random.chance(GRASS_SHARE) ? 'short_grass' : MEADOW[random.int(0, MEADOW.length - 1)]
    world.setBlock(at.x, at.y, at.z, world.data.stateId(name))
  }
}

/** Let short grass or fern become tall. @param {World} world @param {Pos} pos @param {BlockState} state */
function double (world, pos, state) {
  if (!world.stateAt(pos.x, pos.y + 1, pos.z).air) return
  world.setBlock(pos.x, pos.y, pos.z, world.data.stateId(DOUBLE[state.name], { half: 'lower' }))
  world.setBlock(pos.x, pos.y + 1, pos.z, world.data.stateId(DOUBLE[state.name], { half: 'upper' }))
}

/**
 * Return the effect of bone meal on a block, or null.
 *
 * @param {World} world
 * @param {Pos} pos
 * @param {BlockState} state
 * @returns {Effect | null}
 */
function effectOf (world, pos, state) {
  const { name, props } = state
  const free = world.stateAt(pos.x, pos.y + 1, pos.z).air
  if (RIPE[name] !== undefined && name !== 'nether_wart') return Number(props.age) < RIPE[name] ? crop : null
  if (name.endsWith('_sapling') && name !== 'bamboo_sapling') {
    return (w, at, now, random) => { if (random.chance(SAPLING_CHANCE)) ripen(w, at, now, random) }
  }
  if (name === 'bamboo_sapling') return free ? (w, at) => { growShoot(w, at) } : null
  if (name === 'bamboo') {
    return run(world, pos, 'bamboo', 1, BAMBOO_HEIGHT) + run(world, pos, 'bamboo', -1, BAMBOO_HEIGHT) + 1 <
      BAMBOO_HEIGHT ? bamboo : null
  }
  if (name === 'grass_block') return free ? meadow : null
  if (DOUBLE[name]) return free ? double : null
  if (TALL_FLOWERS.test(name)) return (w, at) => { w.popItem(w.stacks.make(name), at) }
  if (/^cave_vines(_plant)?$/.test(name)) {
    return props.berries === 'false' ? (w, at, now) => {
      w.setBlock(at.x, at.y, at.z, w.data.withProps(now.stateId, { berries: true }))
    } : null
  }
  return null
}

/**
 * Apply bone meal to a block.
 * @param {World} world @param {Pos} pos
 * @returns {boolean} true if it was consumed
 */
function boneMeal (world, pos) {
  const state = world.stateAt(pos.x, pos.y, pos.z)
  const effect = effectOf(world, pos, state)
  if (!effect) return false
  effect(world, pos, state, world.random.stream('growth'))
  return true
}

module.exports = { boneMeal }
