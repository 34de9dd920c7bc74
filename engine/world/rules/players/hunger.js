'use strict'
/** Hunger of one player: exhaustion consumes saturation, then food; full players heal, starving ones are damaged. */
const { nameTable } = require('../../../name_table')

/**
 * Effects of foods: effect, ticks, amplifier, probability.
 *
 * @type {Record<string, [string, number, number, number][]>}
 */
const FOOD_EFFECTS = nameTable({
  rotten_flesh: [['hunger', 600, 0, 0.8]], chicken: [['hunger', 600, 0, 0.3]],
  spider_eye: [['poison', 100, 0, 1]], poisonous_potato: [['poison', 100, 0, 0.6]],
  pufferfish: [['hunger', 300, 2, 1], ['poison', 1200, 1, 1], ['nausea', 300, 0, 1]],
  golden_apple: [['regeneration', 100, 1, 1], ['absorption', 2400, 0, 1]],
  enchanted_golden_apple: [['regeneration', 400, 1, 1], ['resistance', 6000, 0, 1], ['fire_resistance', 6000, 0, 1],
    ['absorption', 2400, 3, 1]]
})
const ALWAYS_EDIBLE = new Set(['golden_apple', 'enchanted_golden_apple', 'chorus_fruit', 'honey_bottle', 'milk_bucket',
  'suspicious_stew'])
/** @type {Record<string, string>} */
const LEFTOVERS = nameTable({ mushroom_stew: 'bowl', rabbit_stew: 'bowl',
  beetroot_soup: 'bowl', suspicious_stew: 'bowl', honey_bottle: 'glass_bottle', milk_bucket: 'bucket',
  potion: 'glass_bottle' })

/** Food, saturation and exhaustion of one player. */
class Hunger {
  /** @param {import('../../player').Player} player */
  constructor (player) {
    this.player = player
    this.food = 20
    this.saturation = 5
    this.exhaustion = 0
    this.timer = 0
  }

  /** Reset to the values of a new player. */
  reset () {
    this.food = 20
    this.saturation = 5
    this.exhaustion = 0
    this.timer = 0
  }

  /** Return true if an item can be eaten or drunk now. @param {string} name @returns {boolean} */
  edible (name) {
    if (name === 'milk_bucket' || name === 'potion') return true
    return !!this.player.world.registry.foodsByName[name] &&
      (this.food < 20 || ALWAYS_EDIBLE.has(name) || this.player.gamemode === 'creative')
  }

  /** @param {number} food @param {number} saturation */
  feed (food, saturation) {
    this.food = Math.min(20, this.food + food)
    this.saturation = Math.min(this.food, this.saturation + saturation)
    this.player.healthChanged()
  }

  /**
   * Finish a meal: food, effects, the empty bowl.
   * @param {import('../../types').Item} item one of the eaten items
   * @returns {import('../../types').Item | null} item left in the hand
   */
  eat (item) {
    const { world } = this.player
    const food = world.registry.foodsByName[item.name]
    if (food) this.feed(food.foodPoints, food.saturation)
    if (item.name === 'milk_bucket') for (const name of [...this.player.effects.keys()]) this.player.removeEffect(name)
    if (item.name === 'honey_bottle') this.player.removeEffect('poison')
    for (const [effect, ticks, amplifier, chance] of FOOD_EFFECTS[item.name] ?? []) {
      if (chance === 1 || world.random.stream('food').chance(chance)) this.player.addEffect(effect, ticks, amplifier)
    }
    return LEFTOVERS[item.name] ? world.stacks.make(LEFTOVERS[item.name]) : null
  }

  /** Advance vanilla's food timer by one tick. */
  tick () {
    const { player } = this
    const { world } = player
    const level = player.effectLevel('hunger')
    if (level) this.exhaustion += 0.005 * level
    const peaceful = world.difficulty === 'peaceful'
    if (this.exhaustion > 4) {
      this.exhaustion -= 4
      if (this.saturation > 0) this.saturation = Math.max(0, this.saturation - 1)
      else if (!peaceful) this.food = Math.max(0, this.food - 1)
      player.healthChanged()
    }
    if (peaceful && world.rules.naturalRegeneration) this.peace()
    this.heal(Boolean(world.rules.naturalRegeneration))
  }

  peace () {
    const { player } = this
    if (player.age % 20 === 0) player.heal(1)
    if (player.age % 10 === 0 && this.food < 20) this.feed(1, 0)
  }

  /** @param {boolean} natural */
  heal (natural) {
    const { player } = this
    const wounded = player.health > 0 && player.health < player.maxHealth
    if (natural && this.saturation > 0 && wounded && this.food >= 20) {
      if (++this.timer < 10) return
      const spent = Math.min(this.saturation, 6)
      player.heal(spent / 6)
      this.exhaustion += spent
      this.timer = 0
    } else if (natural && this.food >= 18 && wounded) {
      if (++this.timer < 80) return
      player.heal(1)
      this.exhaustion += 6
      this.timer = 0
    } else if (this.food <= 0) {
      if (++this.timer < 80) return
      this.starve()
      this.timer = 0
    } else this.timer = 0
  }

  starve () {
    const { player } = this
    const floor = { peaceful: 20, easy: 10, normal: 1, hard: 0 }[player.world.difficulty] ?? 1
    if (player.health > floor) player.hurt(1, { type: 'starve', piercing: true })
  }
}

module.exports = { Hunger, LEFTOVERS }
