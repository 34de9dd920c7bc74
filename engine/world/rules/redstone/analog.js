'use strict'
/** Comparator readings of blocks, 0 to 15 (minecraft.wiki, "Redstone Comparator", "Measure block state"). */
const { FACES } = require('../../geometry')
const lectern = require('../functional_blocks/lectern')
const jukebox = require('../functional_blocks/jukebox')
const { ItemFrame } = require('../../entities/item_frame')

/** @typedef {import('../../types').Pos} Pos */
/** @typedef {import('../../data').BlockState} BlockState */
/** @typedef {import('../../world').World} World */
/** @typedef {(state: BlockState, world: World, pos: Pos) => number} Reading */

const FULL = 15

/**
 * Return the fullness of stores together: 0 when empty, 1 for a single item, 15 when full.
 *
 * @param {import('../../windows/store').Store[]} stores
 * @returns {number}
 */
function fullness (stores) {
  let share = 0
  let size = 0
  for (const { slots } of stores) {
    size += slots.length
    for (const item of slots) if (item) share += item.count / item.stackSize
  }
  return share === 0 ? 0 : Math.floor(share / size * (FULL - 1)) + 1
}

/** @type {Reading} */
const contents = (_state, world, pos) => fullness(world.blockEntities.parts(pos).map(({ store }) => store))

/** Readings of blocks whose state determines the number. @type {[RegExp, Reading][]} */
const READINGS = [
  [/^(water|powder_snow)_cauldron$/, ({ props }) => Number(props.level)], [/^lava_cauldron$/, () => 3],
  [/^cauldron$/, () => 0],
  [/^composter$/, ({ props }) => Number(props.level)], [/^cake$/, ({ props }) => 14 - 2 * Number(props.bites)],
  [/candle_cake$/, () => 14],
  [/^end_portal_frame$/, ({ props }) => props.eye === 'true' ? FULL : 0],
  [/^(beehive|bee_nest)$/, ({ props }) => Number(props.honey_level)],
  [/^lectern$/, (_state, world, pos) => lectern.read(world, pos)],
  [/^jukebox$/, (_state, world, pos) => jukebox.read(world, pos)],
  [/^respawn_anchor$/, ({ props }) => Math.floor(Number(props.charges) / 4 * FULL)],
  [/^detector_rail$/, (state, world, pos) => state.props.powered === 'true' ? world.redstone.rails.cargo(pos) : 0],
  [/^(chest|trapped_chest|barrel|dispenser|dropper|hopper|brewing_stand|furnace|smoker|blast_furnace|.*shulker_box)$/,
    contents]
]

/** @type {WeakMap<object, Reading | null>} */
const known = new WeakMap()

/**
 * Return a comparator's reading of a block, or null if the block has none.
 *
 * @param {World} world
 * @param {Pos} pos
 * @param {BlockState} state
 * @returns {number | null}
 */
function analogOf (world, pos, state) {
  let reading = known.get(state.info)
  if (reading === undefined) {
    known.set(state.info, reading = READINGS.find(([pattern]) => pattern.test(state.name))?.[1] ?? null)
  }
  return reading && reading(state, world, pos)
}

/**
 * Return the rotation of the item in the frame on a block's far side, 1 to 8; 0 for an empty frame, null for none or
 * several.
 *
 * @param {World} world
 * @param {Pos} cell
 * @param {string} facing
 */
function framed (world, cell, facing) {
  const frames = [...world.entities.values()].filter((entity) =>
    entity instanceof ItemFrame && FACES[entity.face].name === facing && entity.cell.x === cell.x &&
    entity.cell.y === cell.y && entity.cell.z === cell.z)
  if (frames.length !== 1) return null
  const { item, rotation } = /** @type {ItemFrame} */ (frames[0])
  return item ? rotation % 8 + 1 : 0
}

module.exports = { analogOf, framed, fullness }
