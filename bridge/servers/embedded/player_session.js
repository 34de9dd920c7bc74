'use strict'
/** Session of one player of the world behind one connection. */
const { Viewer } = require('./viewer')
const { PLAYER_PACKETS, QUIET } = require('./player_packets')
const { fromJson } = require('./components')
const { bossBar } = require('./shown')
const { attributesOf } = require('../../../engine/world/rules/damage/attributes')

/** @typedef {import('../../../engine/world/types').Player} Player */
/** @typedef {import('../../../engine/world/types').Pos} Pos */

/**
 * Return the full UUID; commands may leave out leading zeros.
 * @param {string} uuid
 */
function fullUuid (uuid) {
  return uuid.split('-').map((part, i) => part.padStart([8, 4, 4, 4, 12][i], '0')).join('-')
}

/** Player of a connection: packets become the engine's verbs, the engine's answers become packets. */
class PlayerSession extends Viewer {
  /**
   * @param {import('./front').Front} front
   * @param {import('./connection').Connection} connection
   * @param {{name: string, uuid: string, viewDistance: number}} profile
   * @param {Player} player
   */
  constructor (front, connection, profile, player) {
    super(front, connection, profile, { ownId: player.id, lit: front.settings.players === null })
    this.player = player
    /** Highest block-change sequence to acknowledge with the next flush, or -1. */
    this.sequence = -1
  }

  get dimension () { return `minecraft:${this.player.dimension}` }

  /** Send the commands that the player may use. */
  sendCommands () {
    super.sendCommands(this.front.world.commands.levelOf(this.player))
  }

  /** Send the whole state; the client plays from here on. */
  begin () {
    const { player } = this
    this.enter(player.gamemode)
    this.write('held_item_slot', { slot: player.heldSlot })
    this.connection.send(this.front.playerList())
    this.teleport(player)
    this.sendWindow(0)
    this.sendExperience()
    for (const effect of player.effects.values()) this.sendEffect(effect, false)
    this.sendHealth()
    for (const bar of this.front.world.commands.bars.values()) {
      if (bar.visible && bar.names.has(player.name)) this.write('boss_bar', bossBar(bar, 'add'))
    }
    this.connection.flush()
  }

  /**
   * @param {string} name
   * @param {Record<string, unknown>} params
   */
  packet (name, params) {
    const handler = PLAYER_PACKETS.get(name)
    if (!handler) return
    handler(this, params)
    if (!QUIET.has(name)) this.connection.flushSoon()
  }

  /**
   * Send the real block after a refused or accepted change.
   * @param {Pos} pos
   */
  sendBlock ({ x, y, z }) {
    if (this.view.has(x >> 4, z >> 4)) {
      this.write('block_change', { location: { x, y, z }, type: this.front.world.blockAt(x, y, z) })
    }
  }

  /** @param {Pos} pos of a sign */
  sendBlockEntity (pos) {
    const nbtData = this.front.blockEntityNbt(pos)
    const action = this.front.columns.blockEntityType(this.front.world.blockAt(pos.x, pos.y, pos.z))
    if (nbtData) this.write('tile_entity_data', { location: pos, action, nbtData })
  }

  /**
   * Send the true contents of a window, as a whole: the only correction of the cursor that clients heed.
   * @param {number} windowId
   */
  sendWindow (windowId) {
    const view = this.player.windowView(windowId)
    if (!view) return
    const { Item } = this.front.world
    this.write('window_items', {
      windowId,
      stateId: view.stateId,
      items: view.items.map((item) => Item.toNotch(item)),
      carriedItem: Item.toNotch(view.carried)
    })
  }

  /** Send the trades of the villager whose window is open. */
  sendTrades () {
    const list = this.player.trades
    if (!list) return
    const { Item } = this.front.world
    this.write('trade_list', {
      windowId: list.windowId,
      trades: list.trades.map((trade) => ({
        inputItem1: Item.toNotch(trade.wants),
        outputItem: Item.toNotch(trade.gives),
        inputItem2: Item.toNotch(trade.also),
        tradeDisabled: trade.disabled,
        nbTradeUses: trade.uses,
        maximumNbTradeUses: trade.most,
        xp: trade.experience,
        specialPrice: trade.special,
        priceMultiplier: trade.multiplier,
        demand: trade.demand
      })),
      villagerLevel: list.level,
      experience: list.experience,
      isRegularVillager: true,
      canRestock: true
    })
  }

  sendHealth () {
    const { health, food, saturation } = this.player
    this.write('update_health', { health, food, foodSaturation: saturation })
  }

  sendExperience () {
    const { level, progress, total } = this.player.experience
    this.write('experience', { experienceBar: progress, level, totalExperience: total })
  }

  /**
   * @param {import('../../../engine/world/types').Effect} effect
   * @param {boolean} removed
   */
  sendEffect (effect, removed) {
    if (removed) return this.write('remove_entity_effect', { entityId: this.ownId, effectId: effect.id })
    const { id, amplifier, duration, particles } = effect
    // A signed byte on the wire: 255 goes out as -1.
    this.write('entity_effect', {
      entityId: this.ownId,
      effectId: id,
      amplifier: amplifier << 24 >> 24,
      duration,
      hideParticles: particles ? 2 : 0,
      factorCodec: undefined
    })
  }

  /** Send the changed attributes of the player's body. */
  sendAttributes () {
    const properties = [
      ...attributesOf(/** @type {any} */ (this.player)).byName
    ].map(([name, { base, modifiers }]) => ({
      name: `minecraft:${name}`,
      value: base,
      modifiers: [...modifiers].map(([uuid, { amount, operation }]) => ({ uuid: fullUuid(uuid), amount, operation }))
    }))
    this.write('entity_update_attributes', { entityId: this.ownId, properties })
    this.sendHealth()
  }

  /** @param {string} message why the player died */
  sendDeath (message) {
    this.write('death_combat_event', { playerId: this.ownId, message: fromJson(message) })
  }

  /** Send the respawn of the player. */
  respawned () {
    const { player } = this
    this.reenter(player.gamemode)
    this.teleport(player)
    this.write('held_item_slot', { slot: player.heldSlot })
    this.sendWindow(0)
    this.sendExperience()
    this.sendHealth()
  }

  /** @param {number} age */
  tick (age) {
    if (this.sequence >= 0) {
      this.write('acknowledge_player_digging', { sequenceId: this.sequence })
      this.sequence = -1
    }
    super.tick(age)
  }
}

module.exports = { PlayerSession }
