'use strict'
/** What others see that a player wears and holds: told when it has changed. */
const { PLAYER } = require('../../windows/store')

/** The hand comes first, then four pieces of armour, then the other hand. */
const LAST = 5

/** What one player was last seen with. */
class Equipment {
  /** Types of items by place; nothing is known at first. @type {(number | null)[]} */
  #shown = []

  /** @param {import('../../player').Player} player */
  constructor (player) {
    this.player = player
  }

  /** Once a tick. */
  tick () {
    const { player } = this
    let changed = false
    for (let place = 0; place <= LAST; place++) {
      const item = place === 0 ? player.heldItem : player.slots[place === LAST ? PLAYER.OFFHAND : PLAYER.HEAD + place - 1]
      const type = item?.type ?? null
      if (type === this.#shown[place]) continue
      this.#shown[place] = type
      changed = true
    }
    if (changed) player.world.emit('equipment', { player })
  }
}

module.exports = { Equipment }
