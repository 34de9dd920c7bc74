'use strict'
/** Cooldowns of items after use (minecraft.wiki, "Cooldown"). */
const { nameTable } = require('../../../name_table')

/** Ticks of cooldown by item. @type {Record<string, number>} */
const AFTER_USE = nameTable({ ender_pearl: 20, chorus_fruit: 20 })

/** Cooldowns of one player. */
class Cooldowns {
  /** @param {import('../../player').Player} player */
  constructor (player) {
    this.player = player
    /** World age at which each item can be used again. @type {Map<string, number>} */
    this.until = new Map()
  }

  /** @param {string} item name */
  has (item) { return (this.until.get(item) ?? 0) > this.player.world.age }

  /** @param {string} item name @param {number} ticks */
  start (item, ticks) {
    const { world } = this.player
    this.until.set(item, world.age + ticks)
    world.emit('cooldown', { player: this.player, item, itemId: world.registry.itemsByName[item].id, ticks })
  }

  /** Start the cooldown of a used item. @param {string} item name */
  used (item) { if (AFTER_USE[item]) this.start(item, AFTER_USE[item]) }
}

module.exports = { Cooldowns }
