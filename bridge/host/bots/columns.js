'use strict'

/** @typedef {import('./live_bot').LiveBot} LiveBot */
/**
 * Chunk columns, parsed once per host process and shared by all its bots, which cuts memory per bot to a third. Light,
 * most of a column's bytes, is left out, since programs are not shown any (skills_js/bot_facade/documented.js).
 *
 * A shared column is kept for as long as one bot has it loaded, since the server keeps that bot up to date. When a
 * block changes, every bot gets the packet, but only the first one finds the old block in the shared column. A short
 * log of changes gives the others the old block, so that `blockUpdate(oldBlock, newBlock)` is the same for all bots.
 */

/** Time that a change is remembered, in ms: packets of one server tick reach all bots of a host well within it. */
const LOG_MS = 2000
const LOG_LIMIT = 4096

/** Columns of one server. */
class SharedColumns {
  /** @type {Map<string, { column: any, holders: Set<object> }>} */
  #columns = new Map()
  /** @type {Map<string, { oldState: number, newState: number, at: number, seen: Set<object> }>} */
  #changes = new Map()
  #now

  /** @param {() => number} now milliseconds, monotonic */
  constructor (now) {
    this.#now = now
  }

  /** Number of columns held. */
  get size () { return this.#columns.size }

  /**
   * Share columns with a bot; call it once its world exists (mineflayer's `login`).
   * @param {LiveBot} bot
   */
  join (bot) {
    const parsers = bot._client.listeners('map_chunk')
    bot._client.removeAllListeners('map_chunk')
    bot._client.removeAllListeners('update_light')
    bot._client.on('map_chunk', (/** @type {any} */ packet) => {
      if (this.#adopt(bot, packet)) return
      packet.skyLight = undefined
      for (const parse of parsers) parse.call(bot._client, packet)
      this.#publish(bot, packet.x, packet.z)
    })
    this.#watchWorld(bot)
  }

  /** @param {LiveBot} bot one that has left */
  leave (bot) {
    for (const [key, entry] of this.#columns) {
      entry.holders.delete(bot)
      if (entry.holders.size === 0) this.#columns.delete(key)
    }
  }

  /**
   * @param {LiveBot} bot
   * @param {any} packet
   * @returns {boolean} whether the column was there already
   */
  #adopt (bot, packet) {
    const entry = this.#columns.get(`${packet.x},${packet.z}`)
    // A bot that holds the column is sent it again because it changed as a whole: then it is parsed.
    if (!entry || entry.holders.has(bot)) return false
    for (const blockEntity of packet.blockEntities ?? []) {
      entry.column.setBlockEntity(blockEntity, blockEntity.nbtData)
    }
    entry.holders.add(bot)
    bot.world.setColumn(packet.x, packet.z, entry.column)
    return true
  }

  /**
   * @param {LiveBot} bot
   * @param {number} x
   * @param {number} z
   */
  #publish (bot, x, z) {
    const column = bot.world.getColumn(x, z)
    if (!column) return
    const entry = this.#columns.get(`${x},${z}`)
    if (entry && entry.column === column) entry.holders.add(bot)
    else this.#columns.set(`${x},${z}`, { column, holders: new Set([bot]) })
  }

  /** @param {LiveBot} bot */
  #watchWorld (bot) {
    const world = bot.world
    const Block = require('prismarine-block')(bot.registry)
    const setState = world.setBlockStateId.bind(world)
    const unload = world.unloadColumn.bind(world)
    world.setBlockStateId = (/** @type {import('vec3').Vec3} */ pos, /** @type {number} */ stateId) => {
      const missed = this.#missed(bot, pos, world.getBlockStateId(pos), stateId)
      if (missed === null) return setState(pos, stateId)
      const at = pos.floored()
      const oldBlock = Block.fromStateId(missed, 0)
      oldBlock.position = at
      const newBlock = world.getBlock(at)
      world.emit('blockUpdate', oldBlock, newBlock)
      world.emit(`blockUpdate:${at}`, oldBlock, newBlock)
    }
    world.unloadColumn = (/** @type {number} */ x, /** @type {number} */ z) => {
      const entry = this.#columns.get(`${x},${z}`)
      entry?.holders.delete(bot)
      if (entry && entry.holders.size === 0) this.#columns.delete(`${x},${z}`)
      unload(x, z)
    }
  }

  /**
   * Return the block state that this bot has not yet seen replaced, or null when the change is new to the column as
   * well.
   * @param {LiveBot} bot
   * @param {import('vec3').Vec3} pos
   * @param {number} current
   * @param {number} next
   * @returns {number|null}
   */
  #missed (bot, pos, current, next) {
    const key = `${Math.floor(pos.x)},${Math.floor(pos.y)},${Math.floor(pos.z)}`
    const now = this.#now()
    if (current !== next) {
      this.#changes.delete(key)
      this.#changes.set(key, { oldState: current, newState: next, at: now, seen: new Set([bot]) })
      this.#forget(now)
      return null
    }
    const change = this.#changes.get(key)
    if (!change || change.newState !== next || now - change.at > LOG_MS || change.seen.has(bot)) return null
    change.seen.add(bot)
    return change.oldState
  }

  /** @param {number} now */
  #forget (now) {
    for (const [key, change] of this.#changes) {
      if (this.#changes.size <= LOG_LIMIT && now - change.at <= LOG_MS) break
      this.#changes.delete(key)
    }
  }
}

module.exports = { SharedColumns, LOG_MS }
