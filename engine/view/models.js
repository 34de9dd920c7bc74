'use strict'
/** Bodies of entities as boxes: heads, trunks, legs, wheels; and items as flat figures or small blocks. */
const { materialOf, UNKNOWN, DYES, WOODS, ORES } = require('./materials')
const { shapeOf, KIND } = require('./shapes')
const { nameTable } = require('../name_table')

/** @typedef {import('./textures').Paint} Paint */
/** @typedef {import('../world/entities/entity').Entity} Entity */
/**
 * A box of a body. It looks along z; `front` is painted on the side towards +z, and `cap` on the upper one.
 * @typedef {{ box: readonly [number, number, number, number, number, number], paint: Paint, front?: Paint,
   cap?: Paint }} Part
 */
/** @typedef {{ parts: Part[], turn: 'body' | 'camera' }} Model */

/** Shirts of players, by their names. */
const SHIRTS = Object.freeze([0x2f7fb8, 0xb8432f, 0x3f9a4a, 0xc79a2b, 0x7b4fb0, 0x2b9a93, 0xc0598f, 0x5f6f7f, 0x8a5a2f,
  0x9ab83f, 0x394f9a, 0xd07a3f])
const SKINS = Object.freeze([0xc68e68, 0xe0b088, 0x8a5a3c, 0xa87048])
/** @type {Record<string, number>} */
const ARMOUR = nameTable({ leather: 0x8a5634, chainmail: 0x8f9296, iron: 0xd4d6d8, golden: 0xf4d44a, diamond: 0x4fe0dc,
  netherite: 0x45404a, turtle: 0x4fa04a })

/**
 * @param {number} x half the width
 * @param {number} y0
 * @param {number} y1
 * @param {number} z half the depth
 * @param {number} [dx]
 * @param {number} [dz]
 * @returns {Part['box']}
 */
const block = (x, y0, y1, z, dx = 0, dz = 0) => [dx - x, y0, dz - z, dx + x, y1, dz + z]

/**
 * Return a body that walks upright, two blocks high.
 * @param {{ skin: number, shirt: number, legs: number, face?: Paint, hair?: number, thin?: number }} colours
 * @returns {Part[]}
 */
function upright ({ skin, shirt, legs, face = ['face', skin, 0x2c3c7a], hair = skin, thin = 1 }) {
  return [
    { box: block(0.23, 1.42, 1.88, 0.23), paint: ['fine', skin], front: face, cap: ['fine', hair] },
    { box: block(0.25 * thin, 0.72, 1.42, 0.13), paint: ['stitched', shirt] },
    { box: block(0.1 * thin, 0.74, 1.4, 0.11, 0.36 * thin), paint: ['stitched', shirt] },
    { box: block(0.1 * thin, 0.74, 1.4, 0.11, -0.36 * thin), paint: ['stitched', shirt] },
    { box: block(0.11 * thin, 0, 0.72, 0.11, 0.125), paint: ['stitched', legs] },
    { box: block(0.11 * thin, 0, 0.72, 0.11, -0.125), paint: ['stitched', legs] }
  ]
}

/**
 * Return a body on four legs within 0.9 x 1.4 blocks.
 * @param {Paint} hide
 * @param {Paint} front
 * @param {Paint} [legs]
 * @returns {Part[]}
 */
const onFours = (hide, front, legs = hide) => [
  { box: block(0.32, 0.6, 1.2, 0.55), paint: hide },
  { box: block(0.24, 0.95, 1.4, 0.2, 0, 0.72), paint: hide, front },
  ...[[-0.22, -0.4], [0.22, -0.4], [-0.22, 0.4], [0.22, 0.4]].map(([x, z]) => ({ box: block(0.1, 0, 0.6, 0.1, x, z),
    paint: legs }))
]
/** Return a block-shaped body, one block high. @param {Paint} paint @param {Paint} front @returns {Part[]} */
const cube = (paint, front) => [{ box: block(0.5, 0, 1, 0.5), paint, front }]
/** @param {number} colour @returns {Part[]} */
const fish = (colour) => [{ box: block(0.1, 0.1, 0.7, 0.5), paint: ['fine', colour], front: ['snout', colour, colour] }]
/** @param {Paint} paint @returns {Part[]} */
const tub = (paint) => [{ box: block(0.5, 0, 0.2, 0.7), paint }, { box: block(0.08, 0.2, 0.6, 0.7, 0.46), paint },
  { box: block(0.08, 0.2, 0.6, 0.7, -0.46), paint }, { box: block(0.5, 0.2, 0.6, 0.08, 0, 0.66), paint },
  { box: block(0.5, 0.2, 0.6, 0.08, 0, -0.66), paint }]

/** Height for which each body is described, and its parts. @type {Record<string, [number, Part[]]>} */
const BODIES = nameTable({
  villager: [1.88, upright({ skin: 0xc08a68, shirt: 0x6b4a34, legs: 0x5a3e2c, face: ['face', 0xc08a68, 0x2f7a3a] })],
  wandering_trader: [1.88, upright({ skin: 0xc08a68, shirt: 0x2f4f9a, legs: 0x5a3e2c })],
  witch: [1.88, upright({ skin: 0xb89878, shirt: 0x3c2450, legs: 0x3c2450, hair: 0x241830 })],
  zombie: [1.88, upright({ skin: 0x5a8a4a, shirt: 0x2f8a8a, legs: 0x3c3c8a, face: ['stare', 0x5a8a4a, 0x101810] })],
  zombie_villager: [1.88, upright({ skin: 0x5a8a4a, shirt: 0x6b4a34, legs: 0x5a3e2c, face: ['stare', 0x5a8a4a,
    0x101810] })],
  husk: [1.88, upright({ skin: 0x9a8458, shirt: 0x6a5a3c, legs: 0x5a4c34, face: ['stare', 0x9a8458, 0x181408] })],
  drowned: [1.88, upright({ skin: 0x4a8a80, shirt: 0x4a7a78, legs: 0x3c5a58, face: ['stare', 0x4a8a80, 0x8af4e8] })],
  skeleton: [1.88, upright({ skin: 0xc8c8c4, shirt: 0xb0b0ac, legs: 0xb0b0ac, face: ['stare', 0xc8c8c4, 0x202020],
    thin: 0.6 })],
  stray: [1.88, upright({ skin: 0xb0bcc0, shirt: 0x6a8088, legs: 0x6a8088, face: ['stare', 0xb0bcc0, 0x202428],
    thin: 0.6 })],
  wither_skeleton: [1.88, upright({ skin: 0x303030, shirt: 0x282828, legs: 0x282828, face: ['stare', 0x303030,
    0x101010], thin: 0.6 })],
  piglin: [1.88, upright({ skin: 0xe0a078, shirt: 0x5a3e2c, legs: 0x4a3426, face: ['snout', 0xe0a078, 0xc88a68] })],
  zombified_piglin: [1.88, upright({ skin: 0xd8908a, shirt: 0x6a5a3c, legs: 0x5a8a4a, face: ['snout', 0xd8908a,
    0x8ab070] })],
  enderman: [1.88, upright({ skin: 0x161618, shirt: 0x161618, legs: 0x161618, face: ['stare', 0x161618, 0xd060f0],
    thin: 0.5 })],
  iron_golem: [1.88, upright({ skin: 0xd0ccc4, shirt: 0xc8c4bc, legs: 0xbab6ae, face: ['stare', 0xd0ccc4, 0x8a1a1a],
    thin: 1.5 })],
  snow_golem: [1.9, [{ box: block(0.3, 1.3, 1.9, 0.3), paint: ['pumpkin', 0xd0801e], front: ['carved', 0xd0801e,
    0x3c2408] },
    { box: block(0.32, 0.65, 1.3, 0.32), paint: ['fine', 0xf4f9fb] }, { box: block(0.4, 0, 0.65, 0.4), paint: ['fine',
      0xf4f9fb] }]],
  armor_stand: [1.88, upright({ skin: 0xa5854f, shirt: 0xa5854f, legs: 0x8a6a3e, face: ['fine', 0xa5854f],
    thin: 0.4 })],
  creeper: [1.7, [{ box: block(0.25, 1.2, 1.7, 0.25), paint: ['coarse', 0x5fae4c], front: ['creeper', 0x5fae4c,
    0x0c120c] },
    { box: block(0.23, 0.4, 1.2, 0.14), paint: ['coarse', 0x5fae4c] }, { box: block(0.23, 0, 0.4, 0.3),
      paint: ['coarse', 0x4c8f3c] }]],
  cow: [1.4, onFours(['mottled', 0x4a3626, 0xd8d0c4], ['snout', 0x4a3626, 0xd0b8a8])],
  mooshroom: [1.4, onFours(['mottled', 0xa01c1e, 0xd8d0c4], ['snout', 0xa01c1e, 0xd0b8a8])],
  pig: [1.4, onFours(['fine', 0xeaa0a0], ['snout', 0xeaa0a0, 0xd07f80])],
  hoglin: [1.4, onFours(['fine', 0xc07a58], ['snout', 0xc07a58, 0xa05a40])],
  sheep: [1.4, onFours(['coarse', 0xe8e6e0], ['snout', 0xd8b8a0, 0xc8a088], ['fine', 0xd8b8a0])],
  goat: [1.4, onFours(['coarse', 0xdcd6c8], ['snout', 0xdcd6c8, 0xb0a898])],
  horse: [1.4, onFours(['fine', 0x8a5c34], ['snout', 0x8a5c34, 0x4a3020])],
  donkey: [1.4, onFours(['fine', 0x77685c], ['snout', 0x77685c, 0xc8c0b0])],
  llama: [1.4, onFours(['coarse', 0xc8b088], ['snout', 0xc8b088, 0xe0d8c8])],
  wolf: [1.4, onFours(['coarse', 0xcfc9c4], ['snout', 0xcfc9c4, 0x8a8078])],
  fox: [1.4, onFours(['fine', 0xd8782c], ['snout', 0xd8782c, 0xf0e8e0])],
  cat: [1.4, onFours(['mottled', 0x3c342c, 0xd8a060], ['snout', 0xd8a060, 0xf0e0d0])],
  ocelot: [1.4, onFours(['mottled', 0xe8c060, 0x6a4a20], ['snout', 0xe8c060, 0xf0e0d0])],
  rabbit: [1.4, onFours(['coarse', 0x9a7a54], ['snout', 0x9a7a54, 0xd8c8b0])],
  strider: [1.8, [{ box: block(0.45, 0.9, 1.8, 0.45), paint: ['fine', 0x9a3c3c], front: ['stare', 0x9a3c3c, 0xf0f0f0] },
    { box: block(0.12, 0, 0.9, 0.12, 0.25), paint: ['fine', 0x6a2828] }, { box: block(0.12, 0, 0.9, 0.12, -0.25),
      paint: ['fine', 0x6a2828] }]],
  chicken: [0.7, [{ box: block(0.18, 0.2, 0.5, 0.22), paint: ['fine', 0xf2f2ee] },
    { box: block(0.1, 0.42, 0.72, 0.1, 0, 0.24), paint: ['fine', 0xf2f2ee], front: ['snout', 0xf2f2ee, 0xe8a030] },
    { box: block(0.03, 0, 0.2, 0.03, 0.08), paint: ['plain', 0xe8a030] }, { box: block(0.03, 0, 0.2, 0.03, -0.08),
      paint: ['plain', 0xe8a030] }]],
  spider: [0.9, [{ box: block(0.3, 0.3, 0.75, 0.35, 0, -0.4), paint: ['coarse', 0x2f2823] },
    { box: block(0.25, 0.3, 0.7, 0.25, 0, 0.25), paint: ['coarse', 0x342c26], front: ['stare', 0x342c26, 0xc01818] },
    { box: block(0.9, 0.1, 0.3, 0.05, 0, 0.3), paint: ['coarse', 0x241e1a] }, { box: block(0.9, 0.1, 0.3, 0.05, 0, 0),
      paint: ['coarse', 0x241e1a] },
    { box: block(0.9, 0.1, 0.3, 0.05, 0, -0.25), paint: ['coarse', 0x241e1a] }]],
  slime: [1, cube(['fine', 0x70bf5c], ['stare', 0x70bf5c, 0x2a4a24])],
  magma_cube: [1, cube(['mottled', 0x3c1410, 0xe0701c], ['stare', 0x3c1410, 0xf0a030])],
  ghast: [1, cube(['fine', 0xf0f0f0], ['face', 0xf0f0f0, 0x8a8a8a])],
  blaze: [1.8, [{ box: block(0.22, 1.3, 1.8, 0.22), paint: ['mottled', 0xf0c030, 0xc07018], front: ['face', 0xf0c030,
    0x301808] },
    { box: block(0.08, 0.2, 1.1, 0.08, 0.3, 0.2), paint: ['fine', 0xd89020] }, { box: block(0.08, 0.4, 1.2, 0.08,
      -0.3, -0.2), paint: ['fine', 0xd89020] }]],
  bee: [0.6, [{ box: block(0.22, 0.1, 0.5, 0.3), paint: ['pillar', 0xf0c040], front: ['snout', 0xf0c040, 0x3c2c14] }]],
  bat: [0.9, [{ box: block(0.12, 0.3, 0.8, 0.12), paint: ['fine', 0x4a3a2c] }, { box: block(0.5, 0.5, 0.75, 0.03),
    paint: ['fine', 0x3c2e24] }]],
  phantom: [0.5, [{ box: block(0.7, 0.15, 0.3, 0.35), paint: ['fine', 0x4a5a94], front: ['stare', 0x4a5a94,
    0x9af060] }]],
  squid: [0.8, cube(['fine', 0x2c4a6a], ['stare', 0x2c4a6a, 0xf0f0f0])], glow_squid: [0.8, cube(['mottled', 0x1c7a7a,
    0x8af0d8], ['stare', 0x1c7a7a, 0xf0f0f0])],
  cod: [0.8, fish(0xb89a78)], salmon: [0.8, fish(0xb04a40)], tropical_fish: [0.8, fish(0xf08a2c)], pufferfish: [0.8,
    cube(['fine', 0xe8c040], ['face', 0xe8c040, 0x2c2c4a])],
  axolotl: [0.8, fish(0xf0a8c0)], dolphin: [0.8, fish(0x8a9ab0)], turtle: [1, cube(['mottled', 0x3f8a40, 0x8ab050],
    ['face', 0x6aa048, 0x1c2c1c])],
  boat: [0.6, tub(['planks', WOODS.oak[0]])], chest_boat: [0.6, tub(['planks', WOODS.oak[0]])],
  minecart: [0.7, tub(['panel', 0x6a6c70])], chest_minecart: [0.7, tub(['panel', 0x6a6c70])], hopper_minecart: [0.7,
    tub(['panel', 0x6a6c70])],
  furnace_minecart: [0.7, tub(['panel', 0x6a6c70])], tnt_minecart: [0.7, tub(['panel', 0x6a6c70])],
  arrow: [0.5, [{ box: block(0.03, 0.2, 0.26, 0.35), paint: ['plain', 0xa08860] }]],
  tnt: [1, [{ box: block(0.5, 0, 1, 0.5), paint: ['tiles', 0xd8402b, 0xe0d8d0] }]],
  end_crystal: [2, [{ box: block(0.4, 0.8, 1.6, 0.4), paint: ['shimmer', 0xe090f0] }, { box: block(0.5, 0, 0.3, 0.5),
    paint: ['mottled', 0x575757, 0x2a2a2a] }]]
})

const STICK_COLOUR = 0x8a6a3e
/** @type {Record<string, number>} */
const TOOLS = nameTable({ wooden: 0xa5854f, stone: 0x8a8a8a, iron: 0xdcdcdc, golden: 0xf4d44a, diamond: 0x4fe0dc,
  netherite: 0x45404a })
/** Colours of items that are not blocks. @type {Record<string, number>} */
const ITEMS = nameTable({ coal: 0x2a2a2a, charcoal: 0x3a302a, flint: 0x4a4a4a, clay_ball: 0xa1a7b3,
  slime_ball: 0x70bf5c,
  snowball: 0xf4f9fb, egg: 0xe8dcc0, ender_pearl: 0x1a5a50, ender_eye: 0x5a9a4a, magma_cream: 0xd8902c,
  fire_charge: 0x4a2a1a, carrot: 0xe8842b, potato: 0xc8a65a, beetroot: 0x9a3040, melon_slice: 0xd84a3c,
  sweet_berries: 0xc02828, glow_berries: 0xf0a030, wheat: 0xdcbb65, blaze_rod: 0xf0c030, bone: 0xe8e4d4,
  feather: 0xf2f2ee, string: 0xe8e8e8, bamboo: 0x7fa53c, sugar_cane: 0x8fbd63, rotten_flesh: 0xa05a3c })
/**
 * Figures of items by their names; the first that fits counts.
 * @type {[RegExp, (found: RegExpExecArray) => Paint][]}
 */
const FIGURES = [
  [/^(.+)_(pickaxe|axe|shovel|sword|hoe)$/, ([, of, tool]) =>
    [/** @type {Paint[0]} */ (tool), TOOLS[of] ?? 0x8a8a8a, STICK_COLOUR]],
  [/^(.+)_(helmet|chestplate|leggings|boots)$/, ([, of]) => ['coat', ARMOUR[of] ?? 0x8a8a8a]],
  [/^(?:raw_)(iron|copper|gold)$/, ([, ore]) => ['lump', ORES[ore], 0xf4e4c8]],
  [/^(iron|copper|gold|netherite)_ingot$/, ([, metal]) => ['ingot', metal === 'iron' ? 0xe0e0e0
    : ORES[metal] ?? 0x45404a, 0x8a7a5a]],
  [/^(brick|nether_brick)$/, () => ['ingot', 0xa0574a, 0x703c32]],
  [/^(diamond|emerald|lapis_lazuli|amethyst_shard|quartz|prismarine_crystals)$/, ([all]) =>
    ['gem', ORES[all] ?? ORES[all.split('_')[0]] ?? 0xa988dc, 0xffffff]],
  [/^(coal|charcoal|flint|clay_ball|slime_ball|snowball|egg|ender_pearl|ender_eye|magma_cream|fire_charge)$/, ([all]) =>
    ['lump', ITEMS[all], 0x8a8a8a]],
  [/(redstone|_dust|gunpowder|sugar|bone_meal|_dye|seeds|wheat_seeds|nugget|powder)$/, ([all]) => ['grains',
    /redstone/.test(all) ? 0xd01818
    : /glow/.test(all) ? 0xf0c850 : /gun/.test(all) ? 0x5f5f5f : /dye$/.test(all) ? DYES[all.replace(/_dye$/,
      '')] ?? 0xe0e0e0
      : /nugget/.test(all) ? 0xf0d868 : /seeds/.test(all) ? 0x6a9a3c : 0xf0f0f0]],
  [/apple$/, ([all]) => ['apple', /golden/.test(all) ? 0xf4d44a : 0xd8332b, 0x5a3e20]],
  [/^(bread|cookie|baked_potato)$/, () => ['loaf', 0xc08a3c, 0x8a5a24]],
  [/^(carrot|potato|beetroot|melon_slice|sweet_berries|glow_berries)$/, ([all]) => ['loaf', ITEMS[all], 0x5a9a3a]],
  [/^(wheat|stick|blaze_rod|bone|arrow|string|feather|bamboo|sugar_cane|fishing_rod|bow|rotten_flesh)$/, ([all]) =>
    ['rod', ITEMS[all] ?? STICK_COLOUR]],
  [/(beef|porkchop|mutton|chicken|rabbit|cod|salmon|fish)$/, ([all]) => ['loaf', /cooked/.test(all) ? 0x9a6034
    : 0xe08078, 0xf0d8c0]],
  [/bucket$/, ([all]) => ['bucket', 0xc8c8cc, /water/.test(all) ? 0x2f62c8 : /lava/.test(all) ? 0xe0621a
    : /milk/.test(all) ? 0xffffff : 0x77777c]],
  [/(book|map|paper|written|emerald_map)$/, () => ['book', 0x8a4a2c, 0xf0e8d0]],
  [/(potion|bottle)/, () => ['apple', 0x8ab0e0, 0xd8e8f0]]
]

/**
 * Return the boxes of a stack of items that lies somewhere or is held.
 * @param {string} name
 * @param {import('../world/data').GameData} data
 * @returns {{ parts: Part[], flat: boolean }}
 */
function itemModel (name, data) {
  const figure = FIGURES.find(([rule]) => rule.test(name))
  const stateId = figure ? undefined : data.placeable.get(name)
  if (stateId !== undefined) {
    const state = data.state(stateId)
    const material = materialOf(state.name, state.props) ?? { side: UNKNOWN }
    const { kind, boxes } = shapeOf(state)
    if (kind === KIND.CROSS || boxes.length === 0) return { parts: [card(material.side)], flat: true }
    const parts = boxes.map((b) => ({ box: /** @type {Part['box']} */ ([(b[0] - 0.5) * 0.3, b[1] * 0.3 + 0.08,
      (b[2] - 0.5) * 0.3,
      (b[3] - 0.5) * 0.3, b[4] * 0.3 + 0.08, (b[5] - 0.5) * 0.3]), paint: material.side,
        cap: material.top ?? material.side, front: material.front }))
    return { parts, flat: false }
  }
  return { parts: [card(figure ? figure[1](/** @type {RegExpExecArray} */ (figure[0].exec(name))) : ['lump', 0x9a9080,
    0xc8c0b0])], flat: true }
}

/** @param {Paint} paint @returns {Part} */
const card = (paint) => ({ box: block(0.22, 0.06, 0.5, 0.02), paint })

/** Return a number that belongs to a name. @param {string} name */
function spread (name) {
  let sum = 7
  for (let i = 0; i < name.length; i++) sum = Math.imul(sum, 31) + name.charCodeAt(i) | 0
  return sum >>> 0
}

/** @typedef {{ name: string, slots: ({ name: string } | null)[], heldItem: { name: string } | null }} PlayerLook */

/** @param {PlayerLook} player @param {import('../world/data').GameData} data @returns {Part[]} */
function playerParts ({ name, slots, heldItem }, data) {
  const number = spread(name)
  const skin = SKINS[number % SKINS.length]
  const worn = (/** @type {number} */ slot) => ARMOUR[slots[slot]?.name.split('_')[0] ?? '']
  const parts = upright({ skin, shirt: worn(6) ?? SHIRTS[number % SHIRTS.length], legs: worn(7) ?? 0x3c4460,
    hair: worn(5) ?? 0x3a2a1c })
  if (worn(5) !== undefined) parts.push({ box: block(0.26, 1.66, 1.93, 0.26), paint: ['panel', worn(5)] })
  if (worn(8) !== undefined) parts.push({ box: block(0.25, 0, 0.2, 0.14), paint: ['panel', worn(8)] })
  if (heldItem) {
    // In the right hand, which is at -x of a body that looks along z.
    for (const part of itemModel(heldItem.name, data).parts) {
      const [x0, y0, z0, x1, y1, z1] = part.box
      const flat = z1 - z0 < 0.1
      parts.push({ ...part, box: flat ? [-0.4, y0 + 0.62, 0.12, -0.36, y1 + 0.7, 0.6] : [x0 - 0.38, y0 + 0.62,
        z0 + 0.25, x1 - 0.38, y1 + 0.62, z1 + 0.25] })
    }
  }
  return parts
}

/**
 * Return the boxes of an entity in blocks from its feet, or null for one that nobody sees.
 * @param {Entity & { item?: { name: string } | null, stateId?: number, gamemode?: string, dead?: boolean,
 *   effects?: Map<string, unknown> }} entity
 * @param {import('../world/data').GameData} data
 * @returns {Model | null}
 */
function modelOf (entity, data) {
  if (entity.hidden || entity.dead || entity.gamemode === 'spectator' ||
    entity.effects?.has('invisibility')) return null
  if (entity.type === 'player') {
    return { parts: playerParts(/** @type {PlayerLook} */ (/** @type {unknown} */ (entity)), data), turn: 'body' }
  }
  if (entity.type === 'item' && entity.item) {
    const { parts, flat } = itemModel(entity.item.name, data)
    return { parts, turn: flat ? 'camera' : 'body' }
  }
  if (entity.type === 'experience_orb') return { parts: [{ box: block(0.1, 0.05, 0.25, 0.1), paint: ['plain',
    0xb8f040] }], turn: 'body' }
  if (entity.type === 'falling_block' && entity.stateId !== undefined) {
    const state = data.state(entity.stateId)
    return { parts: [{ box: block(0.49, 0, 0.98, 0.49), paint: (materialOf(state.name,
      state.props) ?? { side: UNKNOWN }).side }], turn: 'body' }
  }
  const known = BODIES[entity.type]
  const [height, parts] = known ?? [1, cube(['fine', 0x8f8a84], ['fine', 0x8f8a84])]
  const up = entity.height / height
  const wide = known ? up : entity.width
  return { parts: parts.map(({ box: [x0, y0, z0, x1, y1, z1], ...paints }) =>
    ({ ...paints, box: /** @type {Part['box']} */ ([x0 * wide, y0 * up, z0 * wide, x1 * wide, y1 * up,
      z1 * wide]) })), turn: 'body' }
}

module.exports = { modelOf, itemModel, BODIES }
