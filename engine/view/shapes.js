'use strict'
/** Visible shapes of block states: mostly the version's collision boxes, and boxes of their own for all others. */
const { nameTable } = require('../name_table')

/** Kinds of shapes, in the order of their cost to a ray. */
const KIND = Object.freeze({ EMPTY: 0, CUBE: 1, BOXES: 2, CROSS: 3, LIQUID: 4, UNKNOWN: 255 })

/** @typedef {[number, number, number, number, number, number]} Box */
/** @typedef {import('../world/data').BlockState} BlockState */
/** @typedef {{ kind: number, boxes: Box[], wet: boolean, level: number }} Shape `level`: height of a liquid */

const INVISIBLE = /^(air|cave_air|void_air|barrier|light|structure_void|moving_piston)$/
const CROSS = new RegExp('^(' +
  'short_grass|fern|tall_grass|large_fern|dead_bush|seagrass|tall_seagrass|kelp|kelp_plant|sugar_cane|cobweb|' +
  'fire|soul_fire|sweet_berry_bush|nether_sprouts|hanging_roots|spore_blossom|wheat|carrots|potatoes|' +
  'beetroots|nether_wart|torchflower_crop|pitcher_crop|pitcher_plant|sunflower|lilac|rose_bush|peony|' +
  'dandelion|poppy|blue_orchid|allium|azure_bluet|.*_tulip|oxeye_daisy|cornflower|lily_of_the_valley|' +
  'wither_rose|torchflower|bamboo_sapling|small_dripleaf|big_dripleaf_stem|mangrove_propagule|' +
  'pointed_dripstone|amethyst_cluster|cave_vines|cave_vines_plant|weeping_vines|weeping_vines_plant|' +
  'twisting_vines|twisting_vines_plant|sea_pickle|.*_sapling|.*_mushroom|.*_fungus|(crimson|warped)_roots|' +
  '.*_coral|.*_coral_fan|.*_amethyst_bud|(attached_)?(melon|pumpkin)_stem' + ')$')
const ALWAYS_WET = /^(seagrass|tall_seagrass|kelp|kelp_plant|bubble_column)$/
/** Numbers of faces by their names. @type {Record<string, number>} */
const FACING = nameTable({ north: 2, south: 3, west: 4, east: 5, up: 1, down: 0 })

/** Return a box from sixteenths of a block. @param {...number} parts @returns {Box} */
const box = (...parts) => /** @type {Box} */ (parts.map((part) => part / 16))
/** Turn a box that looks north towards a side. @param {Box} at @param {string | undefined} facing @returns {Box} */
function turned ([x0, y0, z0, x1, y1, z1], facing) {
  switch (facing) {
    case 'south': return [1 - x1, y0, 1 - z1, 1 - x0, y1, 1 - z0]
    case 'west': return [z0, y0, 1 - x1, z1, y1, 1 - x0]
    case 'east': return [1 - z1, y0, x0, 1 - z0, y1, x1]
    case 'up': return [x0, 1 - z1, y0, x1, 1 - z0, y1]
    case 'down': return [x0, z0, y0, x1, z1, y1]
    default: return [x0, y0, z0, x1, y1, z1]
  }
}
const SIDES = Object.freeze(['north', 'south', 'west', 'east'])
const FLOOR = box(0, 0, 0, 16, 0.5, 16)
const FULL = box(0, 0, 0, 16, 16, 16)

/** @typedef {(props: Readonly<Record<string, string>>) => Box[]} Maker */
/** Return boxes on the sides that a block clings to. @type {Maker} */
const clinging = (props) => {
  const on = [...SIDES, 'up', 'down'].filter((side) => props[side] === 'true')
  return (on.length ? on : ['down']).map((side) => turned(box(0, 0, 0, 16, 16, 0.5), side))
}
/** @type {Maker} */
const fence = (props) => [box(6, 0, 6, 10, 16, 10), ...SIDES.filter((side) => props[side] === 'true')
  .flatMap((side) => [turned(box(7, 6, 0, 9, 9, 6), side), turned(box(7, 12, 0, 9, 15, 6), side)])]
/** @type {Maker} */
const gate = (props) => {
  const posts = [box(0, 5, 7, 2, 16, 9), box(14, 5, 7, 16, 16, 9)]
  const bars = props.open === 'true'
    ? [box(0, 6, 9, 2, 15, 15), box(14, 6, 9, 16, 15, 15)] : [box(2, 6, 7, 14, 9, 9), box(2, 12, 7, 14, 15, 9)]
  return [...posts, ...bars].map((each) => turned(each, props.facing))
}
/** @type {Maker} */
const button = (props) => [props.face === 'wall' ? turned(box(5, 6, 14, 11, 10, 16), props.facing)
  : props.face === 'ceiling' ? box(5, 14, 6, 11, 16, 10) : box(5, 0, 6, 11, 2, 10)]
/** @type {Maker} */
const lever = (props) => props.face === 'wall'
  ? [box(5, 4, 13, 11, 12, 16), box(7, 7, 7, 9, 9, 13)].map((each) => turned(each, props.facing))
  : [box(5, 0, 4, 11, 3, 12), box(7, 3, 7, 9, 11, 9)]
/** @type {Maker} */
const wallTorch = (props) => [turned(box(7, 3, 11, 9, 13, 13), props.facing)]
/** @type {Maker} */
const standingSign = (props) => {
  const across = Math.floor((Number(props.rotation ?? 0) + 2) / 4) % 2 === 0
  return [box(7.3, 0, 7.3, 8.7, 8, 8.7), across ? box(0, 8, 7, 16, 16, 9) : box(7, 8, 0, 9, 16, 16)]
}
/** @type {Maker} */
const banner = (props) => {
  const across = Math.floor((Number(props.rotation ?? 0) + 2) / 4) % 2 === 0
  return [across ? box(1, 2, 7, 15, 16, 8) : box(7, 2, 1, 8, 16, 15), box(7.5, 0, 7.5, 8.5, 16, 8.5)]
}

/**
 * Boxes of blocks that have no collision box, or another than one sees; the first that fits counts.
 * @type {[RegExp, Maker][]}
 */
const OWN = [
  [/_fence_gate$/, gate], [/_fence$/, fence], [/_button$/, button], [/^lever$/, lever],
  [/^(soul_|redstone_)?wall_torch$|^(soul|redstone)_wall_torch$/, wallTorch],
  [/torch$/, () => [box(7, 0, 7, 9, 10, 9)]],
  [/wall_hanging_sign$|_wall_sign$/, (props) => [turned(box(0, 4, 14, 16, 12, 16), props.facing)]],
  [/_hanging_sign$/, () => [box(1, 0, 7, 15, 10, 9)]], [/_sign$/, standingSign],
  [/_wall_banner$/, (props) => [turned(box(1, 0, 15, 15, 16, 16), props.facing)]], [/_banner$/, banner],
  [/_pressure_plate$/, () => [box(1, 0, 1, 15, 1, 15)]],
  [/^(vine|glow_lichen|sculk_vein)$/, clinging],
  [/^(rail|powered_rail|detector_rail|activator_rail|redstone_wire|tripwire|lily_pad|frogspawn|pink_petals)$/,
    () => [FLOOR]],
  [/^tripwire_hook$/, (props) => [turned(box(7, 2, 10, 9, 9, 16), props.facing)]],
  [/^snow$/, (props) => [box(0, 0, 0, 16, 2 * Number(props.layers ?? 1), 16)]],
  [/^nether_portal$/, (props) => [props.axis === 'x' ? box(0, 0, 6, 16, 16, 10) : box(6, 0, 0, 10, 16, 16)]],
  [/^(end_portal)$/, () => [box(0, 0, 0, 16, 12, 16)]],
  [/^(powder_snow|end_gateway)$/, () => [FULL]],
  [/^scaffolding$/, () => [box(0, 14, 0, 16, 16, 16), box(0, 0, 0, 2, 14, 2), box(14, 0, 0, 16, 14, 2),
    box(0, 0, 14, 2, 14, 16), box(14, 0, 14, 16, 14, 16)]],
  [/^(wall_)?.*(skull|head)$/, (props) => [props.facing ? turned(box(4, 4, 8, 12, 12, 16), props.facing) : box(4, 0,
    4, 12, 8, 12)]],
  [/candle$/, () => [box(7, 0, 7, 9, 6, 9)]],
  [/_coral_wall_fan$/, (props) => [turned(box(2, 4, 4, 14, 12, 16), props.facing)]]
]

/**
 * Return the height of a liquid in its block: sources fill eight ninths.
 * @param {Readonly<Record<string, string>>} props
 */
function liquidLevel (props) {
  const level = Number(props.level ?? 0)
  return level >= 8 ? 1 : (8 - level) / 9
}

/**
 * Bound a box by its block: fences and walls collide up to one and a half.
 * @param {readonly number[]} b
 * @returns {Box}
 */
const bounded = (b) => [b[0], b[1], b[2], b[3], Math.min(1, b[4]), b[5]]

/**
 * Return what one sees of a block state.
 * @param {BlockState} state
 * @returns {Shape}
 */
function shapeOf (state) {
  const { name, props } = state
  const wet = props.waterlogged === 'true' || ALWAYS_WET.test(name)
  const made = (/** @type {number} */ kind, /** @type {Box[]} */ boxes = [], level = 0) => ({ kind, boxes, wet, level })
  if (INVISIBLE.test(name)) return made(wet ? KIND.LIQUID : KIND.EMPTY, [], 8 / 9)
  if (state.liquid) return made(KIND.LIQUID, [], liquidLevel(props))
  if (CROSS.test(name)) return made(KIND.CROSS)
  const own = OWN.find(([rule]) => rule.test(name))
  if (own) return made(KIND.BOXES, own[1](props))
  if (state.fullCube) return made(KIND.CUBE, [FULL])
  const boxes = (state.platforms ?? state.shapes).map(bounded)
  return boxes.length > 0 ? made(KIND.BOXES, boxes) : made(KIND.CROSS)
}

module.exports = { shapeOf, KIND, FACING }
