'use strict'
/**
 * Enchanting tables (minecraft.wiki, "Enchanting mechanics"): three offers by the player's seed and the bookshelves
 * around, each for 1 to 3 levels and as much lapis. Treasure also uses `choices`, and may hold enchantments that tables
 * never offer.
 */
const { JavaRandom } = require('./java_random')
const { enchantmentsOf, withEnchantments, compatible } = require('./enchantments')

/** @typedef {import('prismarine-registry').Registry} Registry */
/** @typedef {import('../../types').Item} Item */
/** @typedef {import('./enchantments').Enchantment} Enchantment */
/** @typedef {import('./workshop').Work} Work */

const MAX_SHELVES = 15
const OFFERS = 3
/** Enchantability of each material. @type {[RegExp, number][]} */
const WILLING = [
  [/^(wooden|netherite|leather)_(sword|pickaxe|axe|shovel|hoe|helmet|chestplate|leggings|boots)$/, 15],
  [/^stone_(sword|pickaxe|axe|shovel|hoe)$/, 5], [/^iron_(sword|pickaxe|axe|shovel|hoe)$/, 14],
  [/^iron_(helmet|chestplate|leggings|boots)$|^turtle_helmet$/, 9], [/^golden_(sword|pickaxe|axe|shovel|hoe)$/, 22],
  [/^golden_(helmet|chestplate|leggings|boots)$/, 25],
  [/^diamond_(sword|pickaxe|axe|shovel|hoe|helmet|chestplate|leggings|boots)$/, 10], [/^chainmail_/, 12],
  [/^(book|bow|crossbow|trident|fishing_rod)$/, 1]
]

/** @param {string} name @returns {number} enchantability; 0 for an item that is never enchanted */
function willingness (name) {
  return name === 'turtle_helmet' ? 9 : WILLING.find(([pattern]) => pattern.test(name))?.[1] ?? 0
}

/** Return true if a table accepts an item, which must have no enchantments. @param {Item} item @returns {boolean} */
function enchantable (item) {
  return willingness(item.name) > 0 && enchantmentsOf(item).length === 0 && item.count === 1
}

/**
 * Return the number of bookshelves two blocks away with nothing between, at most 15.
 *
 * @param {import('../../world').World} world
 * @param {import('../../types').Pos} pos
 * @returns {number}
 */
function shelvesAround (world, { x, y, z }) {
  let count = 0
  for (let dx = -2; dx <= 2; dx++) {
    for (let dz = -2; dz <= 2; dz++) {
      if (Math.max(Math.abs(dx), Math.abs(dz)) !== 2) continue
      const [mx, mz] = [Math.trunc(dx / 2), Math.trunc(dz / 2)]
      for (const dy of [0, 1]) {
        const between = world.stateAt(x + mx, y + dy, z + mz)
        if ((between.air || between.replaceable) && world.stateAt(x + dx, y + dy, z + dz).name === 'bookshelf') count++
      }
    }
  }
  return Math.min(MAX_SHELVES, count)
}

/**
 * @param {number} seed
 * @param {number} shelves
 * @param {Item} item
 * @returns {number[]} levels that the three offers require, 0 for none
 */
function costs (seed, shelves, item) {
  const random = new JavaRandom(seed)
  return Array.from({ length: OFFERS }, (_, slot) => {
    if (willingness(item.name) === 0) return 0
    const base = random.int(8) + 1 + (shelves >> 1) + random.int(shelves + 1)
    const cost = slot === 0 ? Math.max(Math.floor(base / 3), 1)
      : slot === 1 ? Math.floor(base * 2 / 3) + 1 : Math.max(base, shelves * 2)
    return cost < slot + 1 ? 0 : cost
  })
}

/** @param {JavaRandom} random @param {(Enchantment & { weight: number })[]} list */
function drawn (random, list) {
  let at = random.int(list.reduce((sum, { weight }) => sum + weight, 0))
  return /** @type {Enchantment & { weight: number }} */ (list.find(({ weight }) => (at -= weight) < 0))
}

/**
 * Return the possible enchantments at a power, each at its highest level.
 * @param {Registry} registry @param {Item} item @param {number} power @param {boolean} treasure
 * @returns {(Enchantment & { weight: number })[]}
 */
function available (registry, item, power, treasure) {
  const book = item.name === 'book'
  const categories = registry.itemsByName[item.name].enchantCategories ?? []
  /** @type {(Enchantment & { weight: number })[]} */
  const found = []
  for (const facts of registry.enchantmentsArray) {
    if (!facts.discoverable || (facts.treasureOnly && !treasure) ||
      !(book || (categories.includes(facts.category) && !axeAsSword(item, facts.category)))) {
      continue
    }
    const low = /** @type {{ a: number, b: number }} */ (facts.minCost)
    const high = /** @type {{ a: number, b: number }} */ (facts.maxCost)
    for (let level = facts.maxLevel; level >= 1; level--) {
      if (power < low.a * level + low.b || power > high.a * level + high.b) continue
      found.push({ name: facts.name, level, weight: facts.weight })
      break
    }
  }
  return found
}

/**
 * Return true for an axe and a weapon enchantment, which only anvils combine.
 *
 * @param {Item} item
 * @param {string} category
 * @returns {boolean}
 */
function axeAsSword (item, category) { return category === 'weapon' && item.name.endsWith('_axe') }

/**
 * Draw enchantments.
 * @param {Registry} registry @param {JavaRandom} random @param {Item} item @param {number} level @param {boolean}
 *   [treasure]
 * @returns {Enchantment[]}
 */
function choices (registry, random, item, level, treasure = false) {
  const willing = willingness(item.name)
  if (willing === 0) return []
  const raised = level + 1 + random.int(Math.floor(willing / 4) + 1) + random.int(Math.floor(willing / 4) + 1)
  const bonus = (random.float() + random.float() - 1) * 0.15
  let power = Math.max(1, Math.round(raised + raised * bonus))
  let left = available(registry, item, power, treasure)
  if (left.length === 0) return []
  const list = [drawn(random, left)]
  while (random.int(50) <= power) {
    const last = list[list.length - 1].name
    left = left.filter(({ name }) => compatible(registry, last, name))
    if (left.length === 0) break
    list.push(drawn(random, left))
    power = Math.floor(power / 2)
  }
  return list.map(({ name, level: of }) => ({ name, level: of }))
}

/**
 * Return the enchantments of one offer.
 *
 * @param {Registry} registry
 * @param {number} seed
 * @param {Item} item
 * @param {number} slot
 * @param {number} cost
 * @returns {Enchantment[]}
 */
function offer (registry, seed, item, slot, cost) {
  const random = new JavaRandom((seed + slot) | 0)
  const list = choices(registry, random, item, cost)
  // A book loses one enchantment.
  if (item.name === 'book' && list.length > 1) list.splice(random.int(list.length), 1)
  return list
}

/** Return a player's seed, which is valid until the next enchanting. @param {Work} work @returns {number} */
function seedOf ({ player, world }) {
  player.enchantmentSeed ??= world.random.stream('enchanting').int(-2147483648, 2147483647)
  return player.enchantmentSeed
}

/** @type {import('./workshop').Shop} */
const ENCHANTING = {
  menu: 'enchantment',
  title: 'container.enchant',
  accepts: [() => true, (item) => item.name === 'lapis_lazuli'],
  goes: (item) => item.name === 'lapis_lazuli' ? [1] : [0],
  limits: [1, 64],
  refresh: (work) => {
    const { world, pos, state } = work
    const item = work.get(0)
    const seed = seedOf(work)
    state.costs = item && enchantable(item) ? costs(seed, shelvesAround(world, pos), item) : [0, 0, 0]
    state.offers = state.costs.map((/** @type {number} */ cost, /** @type {number} */ slot) =>
      cost > 0 && item ? offer(world.registry, seed, item, slot, cost) : [])
    const clues = state.offers.map((/** @type {Enchantment[]} */ list, /** @type {number} */ slot) =>
      list[new JavaRandom(seed + slot).int(Math.max(1, list.length))] ?? null)
    state.costs = state.costs.map((/** @type {number} */ cost, /** @type {number} */ slot) => clues[slot] ? cost : 0)
    state.costs.forEach((/** @type {number} */ cost, /** @type {number} */ slot) => work.show(slot, cost))
    work.show(3, seed << 16 >> 16 & -16)
    clues.forEach((/** @type {Enchantment | null} */ clue, /** @type {number} */ slot) =>
      work.show(4 + slot, clue ? world.registry.enchantmentsByName[clue.name].id : -1))
    clues.forEach((/** @type {Enchantment | null} */ clue, /** @type {number} */ slot) =>
      work.show(7 + slot, clue ? clue.level : -1))
  },
  button: (work, slot) => {
    const { player, state, world } = work
    const item = work.get(0)
    const price = slot + 1
    const cost = state.costs[slot] ?? 0
    const creative = player.gamemode === 'creative'
    if (!item || cost === 0) return false
    if (!creative && ((work.get(1)?.count ?? 0) < price || player.experience.level < price ||
      player.experience.level < cost)) {
      return false
    }
    const base = item.name === 'book' ? world.stacks.make('enchanted_book') : item
    work.store.set(0, withEnchantments(world.stacks, base, state.offers[slot]))
    if (!creative) {
      player.addLevels(-price)
      work.use(1, price)
    }
    player.enchantmentSeed = null
    world.stats.add(player, 'custom', 'enchant_item')
    work.refresh()
    return true
  }
}

module.exports = { ENCHANTING, choices, costs, offer, shelvesAround, willingness, enchantable }
