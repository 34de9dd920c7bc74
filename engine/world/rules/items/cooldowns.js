'use strict'
/** Items that a player cannot use again at once (minecraft.wiki, "Cooldown"). */

/** Ticks after a use of the item. @type {Record<string, number>} */
const AFTER_USE = { __proto__: /** @type {any} */ (null), ender_pearl: 20, chorus_fruit: 20 }

/** The cooldowns of one player. */
class Cooldowns {
  /** @param {import('../../player').Player} player */
  constructor (player) {
    this.player = player
    /** The age of the world at which an item can be used again. @type {Map<string, number>} */
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

  /** An item was used. @param {string} item name */
  used (item) { if (AFTER_USE[item]) this.start(item, AFTER_USE[item]) }
}

module.exports = { Cooldowns }
