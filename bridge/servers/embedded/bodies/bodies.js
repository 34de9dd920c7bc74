'use strict'
/**
 * Players without clients: bodies of the engine's own in the server's world. Their programs run in processes of their
 * own (`bridge/host/engine/`), each with one channel; a channel that ends takes its players with it.
 */
const { Simulation } = require('../../../../skills_js/mock/simulation')
const { MAX_TEXT, Recorder } = require('../../../../skills_js/mock/recorder')
const { named } = require('../../../../skills_js/bot_facade/errors')
const { ChatMerger } = require('../../../host/telemetry/chat_merger')
const { CallBodies } = require('../../../mock/call_bodies')
const { Turns } = require('./turns')

/** Ticks between two reports of the world's age to channels. */
const AGE_TICKS = 20
/** Form of a whisper on servers: only its recipient sees it. */
const WHISPERED = /^(\w{1,16}) whispers to you: ([\s\S]*)$/

/** @typedef {import('./channel').Channel} Channel */
/** @typedef {{ channel: Channel, client: import('../../../../skills_js/mock/client').Client, reason: string }} Owned */

/** Bodies of one world. */
class EngineBodies {
  #world
  #most
  /** Simulation of the bodies, created with the first one. @type {Simulation | null} */
  #simulation = null
  /** @type {Recorder | null} */
  #recorder = null
  #chat = new ChatMerger(() => performance.now())
  /** @type {Set<Channel>} */
  #channels = new Set()
  /** Channels by player. @type {Map<string, Owned>} */
  #owned = new Map()
  turns = new Turns(() => performance.now())
  /** Bots for calls of primitives. */
  called = new CallBodies()

  /**
   * @param {import('../../../../engine/world/world').World} world
   * @param {number} most players that the world takes, clients' included
   */
  constructor (world, most) {
    this.#world = world
    this.#most = most
  }

  /** @returns {Simulation} */
  get simulation () { return this.#simulation ?? this.#begin() }

  /** Channel that reports events of the world. @returns {Channel | undefined} */
  get #reporter () { return [...this.#channels][0] }

  /** @returns {number} bodies in the world */
  get size () { return this.#owned.size }

  /** Advance the world and its bodies by one tick; they stand still while it is frozen. */
  tick () {
    if (this.#simulation === null || this.#world.still) this.#world.tick()
    else this.#simulation.tick()
    this.#recorder?.flush()
    this.turns.renew()
    if (this.#world.age % AGE_TICKS === 0) for (const channel of this.#channels) channel.tellAge(this.#world.age)
  }

  /** @param {Channel} channel has come */
  enter (channel) {
    this.#channels.add(channel)
    if (this.#channels.size === 1) this.#recorder?.repeatDrops()
    channel.tellAge(this.#world.age)
  }

  /** @param {Channel} channel has gone, and all its players with it */
  leave (channel) {
    const reports = channel === this.#reporter
    this.#channels.delete(channel)
    if (reports) this.#recorder?.repeatDrops()
    for (const [bot, owned] of [...this.#owned]) {
      if (owned.channel === channel) this.part(channel, bot, 'its host has gone')
    }
  }

  /**
   * Add a player.
   * @param {Channel} channel whose it is from now on
   * @param {string} bot
   * @throws {BotLost} there is no room, or somebody has that name
   */
  join (channel, bot) {
    if (this.#owned.get(bot)?.channel === channel) return
    const { players } = this.#world
    const taken = [...players.keys()].some((name) => name.toLowerCase() === String(bot).toLowerCase())
    if (taken) throw named('BotLost', `${bot} could not join: a player of that name is in the world`)
    if (players.size >= this.#most) {
      throw named('BotLost', `${bot} could not join: the server is full with ${this.#most} players`)
    }
    const client = this.simulation.join(bot)
    this.#owned.set(bot, { channel, client, reason: 'left' })
    this.#recorder?.joined(client)
  }

  /**
   * Remove a player; do nothing if it is not there, or another channel's.
   * @param {Channel} channel
   * @param {string} bot
   * @param {string} reason
   */
  part (channel, bot, reason) {
    const owned = this.#owned.get(bot)
    if (owned?.channel !== channel) return
    owned.reason = reason
    this.simulation.leave(bot)
  }

  /**
   * @param {Channel} channel
   * @param {string} bot
   * @returns {import('../../../../skills_js/mock/client').Client}
   * @throws {BotLost}
   */
  client (channel, bot) {
    const owned = this.#owned.get(bot)
    if (owned?.channel === channel) return owned.client
    throw named('BotLost', `${bot} is not in the world`)
  }

  /** Report what a player's program has done, before its end. */
  settle () {
    this.#recorder?.tellGround()
    this.#recorder?.flush()
  }

  /** @returns {Simulation} */
  #begin () {
    const world = this.#world
    const simulation = this.#simulation = new Simulation({}, world)
    // The simulation's own listeners come first: they know of a client that the world has just lost.
    this.#recorder = new Recorder(simulation, (event) => this.#route(event), (line) => this.#shown(line))
    world.on('kick', (/** @type {any} */ { player, reason }) => this.#kicked(player, reason))
    world.on('leave', (/** @type {any} */ { player }) => this.#left(player))
    return simulation
  }

  /**
   * @param {import('../../../../skills_js/mock/recorder').Told} event a player's goes to its channel, the world's to
   *   the first
   */
  #route (event) {
    const { bot } = /** @type {{ bot?: string }} */ (event.data)
    const channel = bot === undefined ? this.#reporter : this.#owned.get(bot)?.channel
    channel?.tell(event)
  }

  /**
   * Return a line of the game's own as its recipients see it: all, or one. The same words to many are one event.
   * @param {{ player: any, text: string }} line
   */
  #shown ({ player, text }) {
    const shown = text.slice(0, MAX_TEXT)
    if (player === null) return { from: null, text: shown }
    if (!this.#owned.has(player.name)) return null
    const whispered = WHISPERED.exec(shown)
    if (whispered) return { from: whispered[1], text: whispered[2], to: player.name }
    return this.#chat.isNews(player.name, null, shown) ? { from: null, text: shown } : null
  }

  /**
   * Kick a player: a client loses its connection, a body goes at once.
   * @param {import('../../../../engine/world/player').Player} player
   * @param {string} reason
   */
  #kicked (player, reason) {
    const owned = this.#owned.get(player.name)
    if (owned === undefined || owned.client.player !== player) return
    owned.reason = `kicked: ${reason}`
    this.#recorder?.emit('bot', { bot: player.name, state: 'kicked', reason: owned.reason })
    this.#world.removePlayer(player)
  }

  /** @param {any} player */
  #left (player) {
    const owned = this.#owned.get(player.name)
    if (owned === undefined || owned.client.player !== player) return
    this.turns.forget(player.name)
    this.called.forget(player.name)
    this.#recorder?.left(player.name, owned.reason)
    this.#owned.delete(player.name)
    owned.channel.lose(player.name, owned.reason)
  }
}

module.exports = { EngineBodies }
