'use strict'
/**
 * The mineflayer bots of one host process, all on one server.
 */
require('./lean_packages')
const { shareFactories } = require('./version_cache')
const { mendSearch } = require('./path_search')
const { mendStart, mendTower } = require('./building')
const { DoorMovements, mendDoorways, mendOpening } = require('./doors')
const { shareTicks } = require('./ticker')
shareFactories()
shareTicks()
mendSearch()
const net = require('node:net')
const mineflayer = require('mineflayer')
const { pathfinder } = require('mineflayer-pathfinder')
const { SharedColumns } = require('./columns')
const { WorldClock } = require('../clock')
const { ChatMerger } = require('../telemetry/chat_merger')
const { IdleTicker } = require('./idle_physics')
const { DropWatch } = require('../telemetry/drop_watch')
const { GroundWatch } = require('../telemetry/ground_watch')
const { WeatherWatch } = require('../telemetry/weather_watch')
const { setHearing } = require('../live/hearing')
const { rideAlong } = require('../live/riding')
const { sensedBy } = require('../telemetry/sense')
const { real } = require('../frozen_clock')
const { spoken } = require('../../../skills_js/bot_facade/talk')
const { observationOf, reasonText, watchChat, watchInventory } = require('../telemetry/telemetry')

/** Longest wait from connecting to standing in a loaded world, in ms. */
const SPAWN_MS = 30_000
const LEAVE_MS = 2000

/** mineflayer plugins that no policy, primitive or scenario uses; each costs listeners and memory in every bot. */
const UNUSED_PARTS = [
  'anvil', 'boss_bar', 'command_block', 'creative', 'enchantment_table', 'particle', 'resource_pack', 'scoreboard',
  'sound',
  'tablist', 'team', 'title', 'villager'
]

/**
 * @typedef {import('./live_bot').LiveBot} LiveBot
 * @typedef {{ bot: LiveBot, name: string, state: 'joining'|'spawned'|'gone', reason: string,
 *   lost: Set<(reason: string) => void> }} Entry
 * @typedef {{ bot: string, host: string, port: number, version: string, hearing?:
 *   import('../../../skills_js/hearing').Reach | null }} Connect
 * @typedef {(kind: string, data: object) => void} Emit
 */

/** All bots of the host. */
class BotRoom {
  /** @type {Map<string, Entry>} */
  #entries = new Map()
  #columns = new SharedColumns(() => performance.now())
  #chat = new ChatMerger(() => performance.now())
  #emit
  /** @type {import('./pictures').BotPictures | null} */
  #pictures = null
  clock = new WorldClock(() => performance.timeOrigin + performance.now())
  idle = new IdleTicker()
  /** Record of the blocks that the bots mine and place. */
  ground
  #weather
  #drops

  /** @param {Emit} emit */
  constructor (emit) {
    this.#emit = emit
    this.ground = new GroundWatch(
      (name) => this.#entries.get(name)?.bot ?? null, (data) => emit('ground_changed', data)
    )
    this.#weather = new WeatherWatch((data) => emit('weather', data))
    this.#drops = new DropWatch(() => this.bots, (data) => emit('drops', data))
  }

  /** Number of bots, joining ones included. */
  get size () { return this.#entries.size }

  /** mineflayer's bots that stand in the world. */
  get bots () { return [...this.#entries.values()].filter(({ state }) => state === 'spawned').map(({ bot }) => bot) }

  /**
   * Join one bot; resolves when it stands in a loaded world.
   * @param {Connect} spec
   * @param {import('../supervisor/socket_proxy').ProxyCalls|null} calls how the game is reached, where the host has no
   *   network
   */
  async connect (spec, calls) {
    const there = this.#entries.get(spec.bot)
    if (there?.state === 'spawned') return
    if (there) throw failure('BotLost', `${spec.bot} is joining already`)
    await this.#join(spec, calls)
  }

  /**
   * Take a bot out of the world; do nothing if it is not there.
   * @param {string} name
   */
  async disconnect (name) {
    const entry = this.#entries.get(name)
    if (!entry) return
    const gone = new Promise((resolve) => entry.bot.once('end', resolve))
    const timer = real.setTimeout(() => entry.bot._client.socket?.destroy(), LEAVE_MS)
    entry.reason = 'left'
    entry.bot.quit()
    await gone
    clearTimeout(timer)
  }

  /**
   * @param {string} name
   * @returns {object} what the player is and has now
   */
  observe (name) {
    return observationOf(this.spawned(name).bot, this.clock.tick())
  }

  /**
   * Return a picture for a bot as a PNG file in base64.
   * @param {string} name
   * @param {import('../../../engine/view/index').PictureRequest} request
   * @returns {string}
   */
  picture (name, request) {
    const { bot } = this.spawned(name)
    // Loaded at the first picture: most runs have none.
    const { BotPictures } = require('./pictures')
    this.#pictures ??= new BotPictures()
    try {
      return this.#pictures.take(bot, request)
    } catch (error) {
      throw error instanceof RangeError ? failure('BadArgument', error.message) : error
    }
  }

  /**
   * @param {string[]} names
   * @param {import('../../../skills_js/nearby').Senses} senses
   * @returns {object[]} what each of them that stands in the world is, has and sees around it
   */
  sense (names, senses) {
    const tick = this.clock.tick()
    const there = names.map((name) => this.#entries.get(name)).filter((entry) => entry?.state === 'spawned')
    return there.map((entry) => sensedBy(/** @type {Entry} */ (entry).bot, tick, senses))
  }

  /**
   * @param {import('../../../skills_js/hearing').Reach | null} reach how far words carry; null: everybody hears
   *   everything
   */
  hearing (reach) {
    for (const { bot } of this.#entries.values()) setHearing(bot, reach)
  }

  /**
   * @param {[string, string, string|null][]} lines who, what, and to whom it is whispered (null: everybody)
   */
  speak (lines) {
    for (const [name, text, to] of lines) {
      const entry = this.#entries.get(name)
      const line = entry?.state === 'spawned' ? spoken(text) : null
      if (line === null) continue
      if (to === null) entry?.bot.chat(line)
      else entry?.bot.whisper(to, line)
    }
  }

  /**
   * Return the entry of a bot that stands in the world.
   * @param {string} name
   * @returns {Entry}
   */
  spawned (name) {
    const entry = this.#entries.get(name)
    if (entry?.state === 'spawned') return entry
    throw failure('BotLost', `${name} is not in the world`)
  }

  /**
   * @param {Connect} spec
   * @param {import('../supervisor/socket_proxy').ProxyCalls|null} calls
   */
  #join (spec, calls) {
    /** @type {LiveBot} */
    const bot = /** @type {any} */ (mineflayer).createBot({
      host: spec.host, port: spec.port, version: spec.version, username: spec.bot, auth: 'offline',
      hideErrors: true, logErrors: false, checkTimeoutInterval: 120_000, disableChatSigning: true, skipValidation: true,
      viewDistance: 'tiny',
      ...calls && { connect: (/** @type {any} */ client) => called(calls, client, () => entry.state === 'joining') },
      plugins: { ...Object.fromEntries(UNUSED_PARTS.map((part) => [part, false])), pathfinder }
    })
    /** @type {Entry} */
    const entry = { bot, name: spec.bot, state: 'joining', reason: '', lost: new Set() }
    this.#entries.set(spec.bot, entry)
    setHearing(bot, spec.hearing ?? null)
    return new Promise((resolve, reject) => {
      const timer = real.setTimeout(() => {
        entry.reason ||= `did not spawn in ${SPAWN_MS / 1000} s`
        bot._client.socket?.destroy()
        this.#gone(entry)
        reject(failure('BotLost', `${spec.bot} could not join ${spec.host}:${spec.port}: ${entry.reason}`))
      }, SPAWN_MS)
      bot.on(
        'error', (/** @type {any} */ error) => { entry.reason ||= String(error.code ?? error.message).slice(0, 300) }
      )
      bot.on('kicked', (/** @type {string} */ reason) => {
        entry.reason = `kicked: ${reasonText(reason)}`
        this.#emit('bot', { bot: spec.bot, state: 'kicked', reason: entry.reason })
      })
      bot.once('end', (/** @type {string} */ reason) => {
        clearTimeout(timer)
        entry.reason ||= reason || 'the connection ended'
        this.#gone(entry)
        reject(failure('BotLost', `${spec.bot} could not join ${spec.host}:${spec.port}: ${entry.reason}`))
      })
      bot.once('login', () => this.#columns.join(bot))
      bot.on('time', () => this.clock.update(bot.time.age))
      bot.once('inject_allowed', () => {
        tame(bot)
        rideAlong(bot)
      })
      bot.once('spawn', () => this.#landed(bot).then(() => {
        clearTimeout(timer)
        if (entry.state !== 'joining') return
        this.#settle(entry)
        resolve(undefined)
      }))
    })
  }

  /** @param {LiveBot} bot resolves once the ground under it is known */
  async #landed (bot) {
    while (bot._client.state === 'play' && !bot.blockAt(bot.entity.position, false)) {
      await new Promise((resolve) => {
        bot.once('chunkColumnLoad', resolve)
        bot.once('forcedMove', resolve)
        bot.once('end', resolve)
      })
    }
  }

  /** @param {Entry} entry */
  #settle (entry) {
    const { bot, name } = entry
    entry.state = 'spawned'
    entry.reason = ''
    this.#emit('bot', { bot: name, state: 'spawned', reason: '' })
    this.idle.add(bot)
    this.ground.watch(bot, name)
    this.#weather.watch(bot)
    this.#drops.watch(bot)
    bot.on('death', () => this.#emit('bot', { bot: name, state: 'died', reason: '' }))
    bot.on('spawn', () => this.#emit('bot', { bot: name, state: 'respawned', reason: '' }))
    watchInventory(bot, (items, held) => {
      if (entry.state === 'spawned') this.#emit('inventory', { bot: name, items, held })
    })
    watchChat(bot, (from, text, to) => {
      // Of a whisper there is one listener: the same words to another are another message.
      if (to !== undefined) this.#emit('chat', { from, text, to })
      else if (this.#chat.isNews(name, from, text)) this.#emit('chat', { from, text })
    })
  }

  /** @param {Entry} entry */
  #gone (entry) {
    if (entry.state === 'gone') return
    const was = entry.state
    entry.state = 'gone'
    this.idle.remove(entry.bot)
    this.#columns.leave(entry.bot)
    if (this.#entries.get(entry.name) === entry) this.#entries.delete(entry.name)
    for (const tell of [...entry.lost]) tell(`${entry.name} lost its connection: ${entry.reason}`)
    if (was === 'spawned') this.#emit('bot', { bot: entry.name, state: 'ended', reason: entry.reason })
  }
}

/**
 * Give a client its connection as soon as the supervisor has made it.
 * @param {import('../supervisor/socket_proxy').ProxyCalls} calls
 * @param {any} client
 * @param {() => boolean} wanted whether it still is wanted then
 */
async function called (calls, client, wanted) {
  try {
    const socket = await calls.connect()
    if (!wanted()) return socket.destroy()
    client.setSocket(socket)
    client.emit('connect')
  } catch (error) {
    const none = new net.Socket()
    client.setSocket(none)
    none.destroy(/** @type {Error} */ (error))
  }
}

/**
 * Bound the path search, which shares the host's thread with every other bot.
 * @param {LiveBot} bot
 */
function tame (bot) {
  bot.setMaxListeners(64)
  bot.once('login', () => {
    mendStart(bot)
    mendTower(bot)
    mendDoorways(bot)
    mendOpening(bot)
    const movements = new DoorMovements(bot)
    Object.assign(movements, { canDig: false, allow1by1towers: false, scafoldingBlocks: [], canOpenDoors: false })
    bot.pathfinder.setMovements(movements)
    bot.pathfinder.tickTimeout = 8
  })
}

/**
 * @param {string} name
 * @param {string} message
 */
function failure (name, message) {
  return Object.assign(new Error(message), { name })
}

module.exports = { BotRoom, UNUSED_PARTS }
