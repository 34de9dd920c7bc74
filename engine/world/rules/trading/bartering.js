'use strict'
/** Bartering of piglins: a gold ingot, six seconds of inspection, and a random item (minecraft.wiki, "Bartering"). */
const { Monster } = require('../../entities/monsters')
const { withEnchantments } = require('../workshops/enchantments')
const { bottled } = require('../brewing/recipes')

const ADMIRE = 120
/** Item, weight, minimum and maximum number. @type {readonly (readonly [string, number, number, number])[]} */
const BARTER = Object.freeze([
  ['enchanted_book', 5, 1, 1], ['iron_boots', 8, 1, 1], ['potion:fire_resistance', 8, 1, 1],
  ['splash_potion:fire_resistance', 8, 1, 1], ['potion:water', 10, 1, 1], ['iron_nugget', 10, 10, 36],
  ['ender_pearl', 10, 2, 4], ['string', 20, 3, 9], ['quartz', 20, 5, 12],
  ['obsidian', 40, 1, 1], ['crying_obsidian', 40, 1, 3], ['fire_charge', 40, 1, 1], ['leather', 40, 2, 4],
  ['soul_sand', 40, 2, 8], ['nether_brick', 40, 2, 8], ['spectral_arrow', 40, 6, 12], ['gravel', 40, 8, 16],
  ['blackstone', 40, 8, 16]
])

/** Piglin, which attacks players who wear no gold (entities/monsters.js). */
class Piglin extends Monster {
  /** @param {import('../../world').World} world @param {string} type @param {{ x: number, y: number, z: number }} at */
  constructor (world, type, at) {
    super(world, type, at)
    this.admires = false
  }

  /**
   * @param {import('../../player').Player} player
   * @param {import('../../types').Item | null} item
   * @returns {import('../../types').Verdict}
   */
  interact (player, item) {
    if (item?.name !== 'gold_ingot' || this.admires) {
      return { ok: false, reason: 'piglins take a gold ingot, one at a time' }
    }
    player.consume(0)
    this.admires = true
    this.world.later(ADMIRE, () => {
      this.admires = false
      if (!this.dead && !this.removed) {
        this.world.popItem(barter(this.world), { x: Math.floor(this.x), y: Math.floor(this.y), z: Math.floor(this.z) })
      }
    })
    return { ok: true }
  }
}

/** Draw the item of one exchange. @param {import('../../world').World} world @returns {import('../../types').Item} */
function barter (world) {
  const random = world.random.stream('barter')
  let left = random.next() * BARTER.reduce((sum, [, weight]) => sum + weight, 0)
  const [name, , least, most] = BARTER.find(([, weight]) => (left -= weight) < 0) ?? BARTER[0]
  const [bottle, potion] = name.split(':')
  if (potion) return bottled(world.stacks, potion, bottle)
  const item = world.stacks.make(name, random.int(least, most))
  return name === 'enchanted_book' || name === 'iron_boots'
    ? withEnchantments(world.stacks, item, [{ name: 'soul_speed', level: random.int(1, 3) }]) : item
}

module.exports = { Piglin, barter, BARTER }
