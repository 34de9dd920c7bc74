'use strict'
/**
 * Trades of a villager: profession, level, offers drawn from the world's seed and the villager's id, prices by demand,
 * restocking twice a day at the workplace (minecraft.wiki, "Trading").
 */
const { RandomStream } = require('../../random')
const { JavaRandom } = require('../workshops/java_random')
const { choices } = require('../workshops/enchanting')
const { withEnchantments } = require('../workshops/enchantments')
const { OFFERS, parse } = require('./offers')
const { itemFromNbt } = require('../../nbt/items')

/** @typedef {import('../../types').Item} Item */
/**
 * @typedef {object} Offer
 * @property {Item} wants
 * @property {Item | null} also
 * @property {Item} gives
 * @property {number} uses
 * @property {number} most maximum number of uses before restocking
 * @property {number} experience for the villager
 * @property {number} demand
 * @property {number} special amount added to the price
 * @property {number} multiplier factor of the demand
 */

const NEW_OFFERS = 2
/** Experience of the villager at which each level begins. */
const LEVELS = Object.freeze([0, 10, 70, 150, 250])
const RESTOCKS_A_DAY = 2
const DAY = 24000
const BOOK_EXPERIENCE = Object.freeze([1, 5, 10, 15, 30])
const DEAREST = 64
const PLAIN = 0.05
const DEAR = 0.2
const GEAR = /_(sword|pickaxe|axe|shovel|hoe|helmet|chestplate|leggings|boots)$|^(bell|shield)$/

/** Trades of one villager. */
class Business {
  /** @param {import('../../world').World} world @param {string} uuid @param {string} profession */
  constructor (world, uuid, profession) {
    this.world = world
    this.profession = profession
    this.level = 1
    this.experience = 0
    /** @type {Offer[]} */
    this.offers = []
    this.random = new RandomStream(`${world.seed}/trades/${uuid}`)
    this.restocks = { day: -1, count: 0 }
  }

  /** Draw the offers of the present level: up to two of its lines. */
  grow () {
    const lines = [...OFFERS[this.profession]?.[this.level - 1] ?? []]
    for (let left = NEW_OFFERS; left > 0 && lines.length > 0; left--) {
      const [line] = lines.splice(this.random.int(0, lines.length - 1), 1)
      this.offers.push(line === 'book' ? this.book() : this.offer(line))
    }
  }

  /** @param {string} line @returns {Offer} */
  offer (line) {
    const { wants, also, gives, enchanted, uses, experience } = parse(line)
    const { stacks } = this.world
    const stack = (/** @type {import('./offers').Goods} */ { names, count }) =>
      stacks.make(names.length > 1 ? names[this.random.int(0, names.length - 1)] : names[0], count)
    let [price, result] = [stack(wants), stack(gives)]
    if (enchanted) {
      const level = this.random.int(5, 19)
      result = withEnchantments(stacks, result,
        choices(this.world.registry, new JavaRandom(this.random.int(0, 0x7fffffff)), result, level))
      price = stacks.make('emerald', Math.min(DEAREST, price.count + level))
    }
    return { wants: price, also: also && stack(also), gives: result, uses: 0, most: uses, experience, demand: 0,
      special: 0, multiplier: GEAR.test(result.name) || enchanted ? DEAR : PLAIN }
  }

  /** Return the offer of a book with one enchantment; treasure costs twice as much. @returns {Offer} */
  book () {
    const { stacks, registry } = this.world
    const tradeable = registry.enchantmentsArray.filter((/** @type {{ tradeable: boolean }} */ each) => each.tradeable)
    const facts = tradeable[this.random.int(0, tradeable.length - 1)]
    const level = this.random.int(1, facts.maxLevel)
    const price = 2 + this.random.int(0, 4 + level * 10) + 3 * level
    const gives = withEnchantments(stacks, stacks.make('enchanted_book'), [{ name: facts.name, level }])
    return { wants: stacks.make('emerald', Math.min(DEAREST, facts.treasureOnly ? price * 2 : price)),
      also: stacks.make('book'), gives, uses: 0, most: 12, experience: BOOK_EXPERIENCE[this.level - 1], demand: 0,
      special: 0, multiplier: DEAR }
  }

  /** Record a completed trade. @param {Offer} offer */
  traded (offer) {
    offer.uses++
    this.experience += offer.experience
  }

  /** Rise by as many levels as the experience allows. @returns {boolean} true if the villager rose */
  rise () {
    const before = this.level
    while (this.level < LEVELS.length && this.experience >= LEVELS[this.level]) {
      this.level++
      this.grow()
    }
    return this.level > before
  }

  /**
   * Restock used offers at the workplace, at higher prices after high demand.
   *
   * @returns {boolean} true if it restocked
   */
  restock () {
    if (!this.offers.some(({ uses }) => uses > 0)) return false
    const day = Math.floor(this.world.age / DAY)
    if (this.restocks.day !== day) this.restocks = { day, count: 0 }
    if (this.restocks.count >= RESTOCKS_A_DAY) return false
    this.restocks.count++
    for (const offer of this.offers) {
      offer.demand = Math.max(0, offer.demand + offer.uses - (offer.most - offer.uses))
      offer.uses = 0
    }
    return true
  }

  /** Load VillagerData, Offers and Xp from a command's data. @param {Record<string, any>} value */
  load (value) {
    const data = value.VillagerData?.value
    if (data?.profession) this.profession = String(data.profession.value).replace(/^minecraft:/, '')
    if (data?.level) this.level = Math.max(1, Math.min(LEVELS.length, Number(data.level.value)))
    if (value.Xp) this.experience = Number(value.Xp.value)
    const recipes = value.Offers?.value?.Recipes?.value?.value
    if (recipes) {
      this.offers = recipes.map((/** @type {any} */ recipe) => offerFrom(this.world, recipe))
        .filter((/** @type {Offer | null} */ offer) => offer !== null)
    }
  }
}

/** @param {import('../../world').World} world @param {any} recipe NBT @returns {Offer | null} */
function offerFrom (world, recipe) {
  const wants = itemFromNbt(world, recipe.buy?.value)
  const gives = itemFromNbt(world, recipe.sell?.value)
  if (!wants || !gives) return null
  const number = (/** @type {string} */ key, /** @type {number} */ otherwise) =>
    recipe[key] ? Number(recipe[key].value) : otherwise
  return { wants, also: itemFromNbt(world, recipe.buyB?.value), gives, uses: number('uses', 0),
    most: number('maxUses', 4), experience: number('xp', 1), demand: number('demand', 0),
    special: number('specialPrice', 0), multiplier: number('priceMultiplier', 0) }
}

/** Return the current price of an offer. @param {Offer} offer @returns {number} */
function price ({ wants, demand, special, multiplier }) {
  const more = Math.max(0, Math.floor(wants.count * demand * multiplier))
  return Math.max(1, Math.min(wants.stackSize, wants.count + more + special))
}

module.exports = { Business, price, LEVELS }
