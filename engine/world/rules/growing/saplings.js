'use strict'
/**
 * Saplings: one tick in seven with light of level 9 or more ripens them; the second time they become a tree if there is
 * room (wiki: "Sapling", "Tree").
 */
const { GROWING_LIGHT } = require('./crops')
const { treeOf } = require('./trees')

/** @typedef {import('../../world').World} World */
/** @typedef {import('../../types').Pos} Pos */
/** @typedef {import('../../data').BlockState} BlockState */
/** @typedef {import('./index').Tick} Tick */

const SOIL = /^(dirt|grass_block|coarse_dirt|podzol|mycelium|rooted_dirt|moss_block|mud|farmland)$/
const YIELDS = /_leaves$|_sapling$|^(short_grass|tall_grass|fern|large_fern|vine|azalea|flowering_azalea)$/

/** @type {Tick} */
function sapling (world, pos, state, random) {
  if (world.light.raw(pos.x, pos.y + 1, pos.z) >= GROWING_LIGHT && random.int(0, 6) === 0) {
    ripen(world, pos, state, random)
  }
}

/**
 * Advance a sapling by one step: ripe, then a tree.
 *
 * @param {World} world
 * @param {Pos} pos
 * @param {BlockState} state
 * @param {import('../../random').RandomStream} random
 * @returns {boolean} true if anything changed
 */
function ripen (world, pos, state, random) {
  if (state.props.stage === '0') {
    return world.setBlock(pos.x, pos.y, pos.z, world.data.withProps(state.stateId, { stage: 1 }))
  }
  const kind = state.name.replace(/_sapling$/, '')
  const corner = square(world, pos, state.name)
  if (corner && WIDE.has(kind)) return plant(world, corner, treeOf(kind, true, random), state, true)
  return kind === 'dark_oak' ? false : plant(world, pos, treeOf(kind, false, random), state, false)
}

/** Kinds of which four saplings make one large tree. */
const WIDE = new Set(['dark_oak', 'jungle', 'spruce'])

/**
 * Return the north-west corner of a square of four equal saplings that contains a position, or null.
 *
 * @param {World} world
 * @param {Pos} pos
 * @param {string} name
 * @returns {Pos | null}
 */
function square (world, { x, y, z }, name) {
  for (const dx of [0, -1]) {
    for (const dz of [0, -1]) {
      const four = [[0, 0], [1, 0], [0, 1],
        [1, 1]].every(([ox, oz]) => world.stateAt(x + dx + ox, y, z + dz + oz).name === name)
      if (four) return { x: x + dx, y, z: z + dz }
    }
  }
  return null
}

/**
 * Grow a tree at a position with soil and room.
 *
 * @param {World} world
 * @param {Pos} pos
 * @param {string} kind
 * @param {boolean} wide
 * @param {import('../../random').RandomStream} random
 * @returns {boolean}
 */
function growTree (world, pos, kind, wide, random) {
  return plant(world, pos, treeOf(kind, wide, random), world.data.state(world.data.stateId(`${kind}_sapling`)), wide)
}

/**
 * Set a tree's blocks, if all its wood and the middle have room.
 *
 * @param {World} world
 * @param {Pos} pos
 * @param {import('./trees').Part[]} parts
 * @param {BlockState} sapling
 * @param {boolean} wide
 * @returns {boolean}
 */
function plant (world, { x, y, z }, parts, sapling, wide) {
  if (!SOIL.test(world.stateAt(x, y - 1, z).name)) return false
  const room = (/** @type {import('./trees').Part} */ part) => {
    const there = world.stateAt(x + part.x, y + part.y, z + part.z)
    return world.terrain.inside(x + part.x, y + part.y, z + part.z) &&
      (there.air || there.replaceable || YIELDS.test(there.name))
  }
  if (!parts.filter((part) => part.log).every(room)) return false
  const feet = wide ? [[0, 0], [1, 0], [0, 1], [1, 1]] : [[0, 0]]
  for (const [dx, dz] of feet) {
    world.setBlock(x + dx, y, z + dz, 0)
    if (/^(grass_block|farmland|mycelium|podzol)$/.test(world.stateAt(x + dx, y - 1, z + dz).name)) {
      world.setBlock(x + dx, y - 1, z + dz, world.data.stateId('dirt'))
    }
  }
  const kind = sapling.name.replace(/_sapling$/, '')
  const leaves = { azalea: 'oak' }[kind] ?? kind
  for (const part of parts.filter(room)) {
    const stateId = part.log ? world.data.stateId(`${leaves}_log`)
      : world.data.stateId(`${leaves}_leaves`, { distance: Math.min(7, Math.max(1, part.far)), persistent: false })
    const at = world.stateAt(x + part.x, y + part.y, z + part.z)
    if (part.log || !at.name.endsWith('_log')) world.setBlock(x + part.x, y + part.y, z + part.z, stateId)
  }
  return true
}

/** @type {Record<string, Tick>} */
const TICKS = {}
for (const kind of ['oak', 'birch', 'spruce', 'jungle', 'acacia', 'dark_oak', 'cherry']) {
  TICKS[`${kind}_sapling`] = sapling
}

module.exports = { TICKS, ripen, growTree }
