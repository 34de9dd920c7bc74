'use strict'
/** Held items and armour of a player as other players see them. */
const { PLAYER } = require('../../windows/store')

/** Slots in order: main hand, four pieces of armour, off-hand. */
const LAST = 5

/** Equipment of one player as last shown. */
class Equipment {
  /** Item ids by slot; null before the first tick. @type {(number | null)[]} */
  #shown = []

  /** @param {import('../../player').Player} player */
  constructor (player) {
    this.player = player
  }

  /** Announce changes, once per tick. */
  tick () {
    const { player } = this
    let changed = false
    for (let place = 0; place <= LAST; place++) {
      const item = place === 0 ? player.heldItem
        : player.slots[place === LAST ? PLAYER.OFFHAND : PLAYER.HEAD + place - 1]
      const type = item?.type ?? null
      if (type === this.#shown[place]) continue
      this.#shown[place] = type
      changed = true
    }
    if (changed) player.world.emit('equipment', { player })
  }
}

module.exports = { Equipment }
