'use strict'
/** Support of blocks: plants need soil, torches need solid faces, sand needs any block. */
const { STEP, CLOCKWISE } = require('./block_entities')

/** @typedef {import('../../types').Pos} Pos */
/** @typedef {import('../../data').BlockState} BlockState */
/** @typedef {(world: import('../../world').World, pos: Pos, state: BlockState) => boolean} Rule */

const SOIL = /^(grass_block|dirt|coarse_dirt|podzol|farmland|mycelium|rooted_dirt|moss_block|mud|muddy_mangrove_roots)$/
const FALLING =
  /^(sand|red_sand|gravel|suspicious_sand|suspicious_gravel|.*_concrete_powder|(chipped_|damaged_)?anvil|dragon_egg)$/

/**
 * @param {import('../../world').World} world
 * @param {Pos} pos
 * @param {number} dx
 * @param {number} dy
 * @param {number} dz
 */
const beside = (world, pos, dx, dy, dz) => world.stateAt(pos.x + dx, pos.y + dy, pos.z + dz)

/**
 * Return true if a block's face carries other blocks, because its collision shape covers that side.
 *
 * @param {BlockState} state
 * @param {'up' | 'down' | 'side'} face
 * @returns {boolean}
 */
function solidFace (state, face) {
  if (/leaves$/.test(state.name)) return face === 'side'
  if (state.fullCube || (face === 'up' && state.name === 'scaffolding')) return true
  if (face === 'up') return state.shapes.some((s) => s[4] === 1 && s[0] === 0 && s[2] === 0 && s[3] === 1 && s[5] === 1)
  if (face === 'down') {
    return state.shapes.some((s) => s[1] === 0 && s[0] === 0 && s[2] === 0 && s[3] === 1 && s[5] === 1)
  }
  return false
}

/** @type {Rule} */
const onSoil = (world, pos) => SOIL.test(beside(world, pos, 0, -1, 0).name)
/** @type {Rule} */
const onFarmland = (world, pos) => beside(world, pos, 0, -1, 0).name === 'farmland'
/** Crops also need light of level 8, or they break. @type {Rule} */
const lit = (world, pos, state) => onFarmland(world, pos, state) && world.light.raw(pos.x, pos.y, pos.z) >= 8
/** @type {Rule} */
const onSolid = (world, pos) => solidFace(beside(world, pos, 0, -1, 0), 'up')
/** A rim around the top carries plates, rails, dust and diodes. @type {Rule} */
const onRim = (world, pos, state) =>
  onSolid(world, pos, state) || /^(hopper|composter|(.*_)?cauldron)$/.test(beside(world, pos, 0, -1, 0).name)
/** Torches also stand on fences and walls. @type {Rule} */
const onPost = (world, pos) => {
  const below = beside(world, pos, 0, -1, 0)
  return solidFace(below, 'up') || /(_fence|_wall|^glass)$/.test(below.name) ||
    (below.shapes.length > 0 && /lantern|stained_glass$/.test(below.name))
}
/** @type {Rule} */
const onAnything = (world, pos) => !beside(world, pos, 0, -1, 0).air
/** The block hangs on the wall behind it. @type {Rule} */
const onWall = (world, pos, { props }) => {
  const [dx, dz] = STEP[CLOCKWISE[CLOCKWISE[props.facing]]]
  return solidFace(beside(world, pos, dx, 0, dz), 'side')
}
/** @type {Rule} */
const lowerHalf = (world, pos, state) => {
  const below = beside(world, pos, 0, -1, 0)
  return state.props.half === 'upper' ? below.name === state.name && below.props.half === 'lower'
    : onSoil(world, pos, state)
}
/** @type {Rule} */
const door = (world, pos, state) => {
  const below = beside(world, pos, 0, -1, 0)
  return state.props.half === 'upper' ? below.name === state.name : solidFace(below, 'up')
}
/** @type {Rule} */
const lever = (world, pos, state) =>
  state.props.face === 'floor' ? onSolid(world, pos, state)
  : state.props.face === 'ceiling' ? solidFace(beside(world, pos, 0, 1, 0), 'down') : onWall(world, pos, state)
/** Sloped rails also need a block under their upper end. @type {Rule} */
const railbed = (world, pos, state) => {
  const step = STEP[/^ascending_(\w+)$/.exec(state.props.shape)?.[1] ?? '']
  return onRim(world, pos, state) &&
    (step === undefined || solidFace(beside(world, pos, step[0], 0, step[1]), 'up'))
}
const SIDES = [[1, 0], [-1, 0], [0, 1], [0, -1]]
/** @type {Rule} */
const cactus = (world, pos) =>
  /^(sand|red_sand|cactus)$/.test(beside(world, pos, 0, -1, 0).name) &&
  SIDES.every(([dx, dz]) => beside(world, pos, dx, 0, dz).shapes.length === 0)
/** @type {Rule} */
const cane = (world, pos) => {
  const below = beside(world, pos, 0, -1, 0)
  if (below.name === 'sugar_cane') return true
  return (SOIL.test(below.name) || /^(sand|red_sand)$/.test(below.name)) &&
    SIDES.some(([dx, dz]) => /^(water|frosted_ice)$/.test(beside(world, pos, dx, -1, dz).name))
}
/** @type {Rule} */
const lantern = (world, pos, state) =>
  state.props.hanging === 'true' ? !beside(world, pos, 0, 1, 0).air : onPost(world, pos, state)

/** Farmland needs the block above to be free. @type {Rule} */
const uncovered = (world, pos) => {
  const above = beside(world, pos, 0, 1, 0)
  return above.shapes.length === 0 || /_fence_gate$|^moving_piston$/.test(above.name)
}

/** Rules by block name. The first match counts; a block without a match needs no support. @type {[RegExp, Rule][]} */
const RULES = [
  [/^(wheat|carrots|potatoes|beetroots|torchflower_crop)$/, lit],
  [/^(melon_stem|pumpkin_stem|attached_melon_stem|attached_pumpkin_stem)$/, onFarmland],
  [
    new RegExp(
      '_sapling$|^(dandelion|poppy|blue_orchid|allium|azure_bluet|.*_tulip|oxeye_daisy|cornflower|' +
      'lily_of_the_valley|torchflower|short_grass|fern|sweet_berry_bush|pink_petals|azalea|flowering_azalea)$'),
    onSoil],
  [/^(tall_grass|large_fern|sunflower|lilac|rose_bush|peony)$/, lowerHalf],
  [/^dead_bush$/, (world, pos, state) =>
    onSoil(world, pos, state) || /sand$|terracotta$/.test(beside(world, pos, 0, -1, 0).name)],
  [/^(farmland|dirt_path)$/, uncovered], [/^(red|brown)_mushroom$/, onSolid],
  [/^nether_wart$/, (world, pos) => beside(world, pos, 0, -1, 0).name === 'soul_sand'],
  [/^(wall_torch|redstone_wall_torch|soul_wall_torch|ladder|tripwire_hook|.*_wall_sign|.*_wall_banner)$/, onWall],
  [/^(torch|soul_torch|redstone_torch)$/, onPost],
  [/^(lever|.*_button)$/, lever], [/_door$/, door], [/^(redstone_wire|repeater|comparator|.*_pressure_plate)$/, onRim],
  [/^(.*_)?rail$/, railbed],
  [/_carpet$|^(snow)$/, onAnything], [/^cactus$/, cactus], [/^sugar_cane$/, cane], [/^(soul_)?lantern$/, lantern],
  [/_sign$|_banner$/, (world, pos, state) => /hanging/.test(state.name) || onAnything(world, pos, state)],
  [/^bamboo(_sapling)?$/, (world, pos, state) =>
    /^(bamboo|bamboo_sapling|gravel|sand|red_sand)$/.test(beside(world, pos, 0, -1, 0).name) ||
    onSoil(world, pos, state)]
]

/** @type {WeakMap<object, Rule | null>} */
const byInfo = new WeakMap()

/** Return the rule of a block; the result is cached by block. @param {BlockState} state @returns {Rule | null} */
function ruleOf (state) {
  let rule = byInfo.get(state.info)
  if (rule === undefined) {
    byInfo.set(state.info, rule = RULES.find(([pattern]) => pattern.test(state.name))?.[1] ?? null)
  }
  return rule
}

/**
 * Return true if a block may stay at its position.
 * @param {import('../../world').World} world
 * @param {Pos} pos
 * @param {BlockState} state
 */
function canStay (world, pos, state) {
  const rule = ruleOf(state)
  return !rule || rule(world, pos, state)
}

/** @param {BlockState} state */
function falls (state) { return FALLING.test(state.name) }

module.exports = { canStay, ruleOf, falls, solidFace }
