'use strict'
/** Catches of a fishing rod: the loot tables gameplay/fishing of 1.20.4 (minecraft.wiki, "Fishing"), as data. */

/** @typedef {import('../../random').RandomStream} RandomStream */
/** @typedef {{ weight: number, quality?: number }} Weighted */
/** @typedef {Weighted & { item: string, count?: number, worn?: boolean, nbt?: 'water', enchanted?: boolean }} Catch */

/**
 * Kinds of catches by weight; each point of luck adds the quality.
 *
 * @type {Record<'fish' | 'junk' | 'treasure', Weighted>}
 */
const KINDS = { junk: { weight: 10, quality: -2 }, treasure: { weight: 5, quality: 2 },
  fish: { weight: 85, quality: -1 } }

/** @type {Record<'fish' | 'junk' | 'treasure', Catch[]>} */
const CATCHES = {
  fish: [{ item: 'cod', weight: 60 }, { item: 'salmon', weight: 25 }, { item: 'tropical_fish', weight: 2 },
    { item: 'pufferfish', weight: 13 }],
  junk: [
    { item: 'lily_pad', weight: 17 }, { item: 'leather_boots', weight: 10, worn: true },
    { item: 'leather', weight: 10 }, { item: 'bone', weight: 10 },
    { item: 'potion', weight: 10, nbt: 'water' }, { item: 'string', weight: 5 },
    { item: 'fishing_rod', weight: 2, worn: true }, { item: 'bowl', weight: 10 },
    { item: 'stick', weight: 5 }, { item: 'ink_sac', weight: 1, count: 10 }, { item: 'tripwire_hook', weight: 10 },
    { item: 'rotten_flesh', weight: 10 }
  ],
  treasure: [
    { item: 'name_tag', weight: 1 }, { item: 'saddle', weight: 1 },
    { item: 'bow', weight: 1, worn: true, enchanted: true },
    { item: 'fishing_rod', weight: 1, worn: true, enchanted: true },
    { item: 'enchanted_book', weight: 1, enchanted: true }, { item: 'nautilus_shell', weight: 1 }
  ]
}

/**
 * Enchantments of a treasure. Vanilla enchants as a table of level 30 would, which may give several.
 *
 * @type {Record<string, [string, number][]>}
 */
const ENCHANTMENTS = {
  bow: [['power', 4], ['unbreaking', 3], ['punch', 2], ['flame', 1], ['infinity', 1]],
  fishing_rod: [['lure', 3], ['luck_of_the_sea', 3], ['unbreaking', 3]],
  enchanted_book: [['efficiency', 4], ['unbreaking', 3], ['fortune', 3], ['sharpness', 4], ['protection', 4],
    ['power', 4], ['mending', 1], ['silk_touch', 1], ['looting', 3], ['lure', 3]]
}
/** Maximum lost share of a worn item's durability. */
const MAX_WEAR = 0.9

/** @template {Weighted} T @param {T[]} list @param {number} luck @param {RandomStream} random @returns {T} */
function pick (list, luck, random) {
  const weights = list.map(({ weight, quality = 0 }) => Math.max(0, Math.floor(weight + quality * luck)))
  let rest = random.next() * weights.reduce((sum, weight) => sum + weight, 0)
  return list.find((_, i) => (rest -= weights[i]) < 0) ?? list[list.length - 1]
}

/** @param {import('../../world').World} world @param {Catch} found @param {RandomStream} random */
function nbtOf (world, { item, worn, nbt, enchanted }, random) {
  const { int, short, string, list, compound } = world.nbt
  /** @type {Record<string, any>} */
  const value = {}
  const durability = world.registry.itemsByName[item].maxDurability ?? 0
  if (worn) value.Damage = int(Math.floor(random.next() * MAX_WEAR * durability))
  if (nbt === 'water') value.Potion = string('minecraft:water')
  if (enchanted) {
    const [name, level] = ENCHANTMENTS[item][random.int(0, ENCHANTMENTS[item].length - 1)]
    value[item === 'enchanted_book' ? 'StoredEnchantments'
      : 'Enchantments'] = list([compound({ id: string(`minecraft:${name}`), lvl: short(level) })])
  }
  return Object.keys(value).length > 0 ? compound(value) : null
}

/**
 * @param {import('../../world').World} world
 * @param {{ luck: number, open: boolean, random: RandomStream }} how `luck` of the rod and its owner; treasure wants
 *   open water
 * @returns {import('../../types').Item}
 */
function fishingCatch (world, { luck, open, random }) {
  const kinds = Object.entries(KINDS).filter(([kind]) => open || kind !== 'treasure')
    .map(([kind, weighted]) => ({ kind: /** @type {'fish'} */ (kind), ...weighted }))
  return catchOf(world, pick(kinds, luck, random).kind, luck, random)
}

/**
 * Draw a catch of one kind.
 *
 * @param {import('../../world').World} world
 * @param {'fish' | 'junk' | 'treasure'} kind
 * @param {number} luck
 * @param {RandomStream} random
 * @returns {import('../../types').Item}
 */
function catchOf (world, kind, luck, random) {
  const found = pick(CATCHES[kind], luck, random)
  return world.stacks.make(found.item, found.count ?? 1, nbtOf(world, found, random))
}

module.exports = { fishingCatch, catchOf, CATCHES, KINDS }
