'use strict'
/**
 * State of players who left, by name. A player who returns (such as a bot whose host was replaced) continues at the
 * same place. A player who left dead returns alive at the spawn; its items lie where it died.
 */

/** @typedef {import('../../player').Player} Player */
/**
 * @typedef {object} Saved
 * @property {(import('../../types').Item | null)[]} slots
 * @property {(import('../../types').Item | null)[]} enderChest
 * @property {Record<string, unknown>} state plain fields of the player
 * @property {{ food: number, saturation: number, exhaustion: number }} stomach
 * @property {import('../../types').Effect[]} effects
 */

const KEPT = Object.freeze(['gamemode', 'heldSlot', 'spawnPoint', 'experience', 'tags', 'advancements', 'recipes'])
const KEPT_OF_THE_LIVING = Object.freeze(['x', 'y', 'z', 'yaw', 'headYaw', 'pitch', 'health', 'air', 'absorption',
  'fireTicks', 'frozenTicks', 'fallDistance', 'cameThrough'])

/** Players who left a world. */
class SavedPlayers {
  constructor () {
    /** @type {Map<string, Saved>} */
    this.byName = new Map()
  }

  /** @param {Player} player */
  save (player) {
    const names = player.dead ? KEPT : [...KEPT, ...KEPT_OF_THE_LIVING]
    const fields = /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (player))
    const { food, saturation, exhaustion } = player.hunger
    this.byName.set(player.name, {
      slots: player.store.slots.slice(), enderChest: player.enderChest.slots.slice(),
      state: Object.fromEntries(names.map((name) => [name, fields[name]])),
      stomach: player.dead ? { food: 20, saturation: 5, exhaustion: 0 } : { food, saturation, exhaustion },
      effects: player.dead ? [] : [...player.effects.values()]
    })
  }

  /** @param {Player} player a new player @param {{ gamemode?: string }} options override the saved state */
  restore (player, options) {
    const saved = this.byName.get(player.name)
    if (!saved) return
    this.byName.delete(player.name)
    // The operator flag is not restored, since the list of operators may have changed.
    const { gamemode, ...state } = saved.state
    Object.assign(player, state, options.gamemode ? {} : { gamemode })
    Object.assign(player.hunger, saved.stomach)
    for (const effect of saved.effects) player.effects.set(effect.name, effect)
    saved.slots.forEach((item, i) => { if (item) player.store.set(i, item) })
    saved.enderChest.forEach((item, i) => { if (item) player.enderChest.set(i, item) })
  }
}

module.exports = { SavedPlayers }
