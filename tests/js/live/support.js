'use strict'
/**
 * Players on a real server: each a mineflayer bot with the live backend behind the bot facade, all in this process,
 * so that primitives run as in an isolate but can be looked into.
 */
const { pathfinder } = require('mineflayer-pathfinder')
const { WorldClock } = require('../../../bridge/host/clock')
const { createLiveBackend } = require('../../../bridge/host/live')
const { SignalHub } = require('../../../skills_js')
const { createBot } = require('../../../skills_js/bot_facade/bot')
const { Host } = require('../../../skills_js/bot_facade/host')
const { startBench, until } = require('../embedded/support')

const GROUND = -61

/** A host of the bot facade that reaches its backend without an isolate in between. */
class DirectHost extends Host {
  /** @param {any} backend */
  constructor (backend) {
    /** @type {Map<number, AbortController>} */
    const running = new Map()
    super({
      read: (method, args) => JSON.stringify(backend.read(method, JSON.parse(args))),
      act: (id, method, args) => {
        const controller = new AbortController()
        running.set(id, controller)
        backend.act(method, JSON.parse(args), controller.signal).then(
          (/** @type {any} */ value) => this.deliver(JSON.stringify({ call: id, ok: true, value })),
          (/** @type {any} */ error) =>
            this.deliver(JSON.stringify({ call: id, ok: false, error: { name: error.name, message: error.message } }))
        ).finally(() => running.delete(id))
      },
      drop: (id) => { running.get(id)?.abort() }
    })
    this.read = (/** @type {any} */ method, /** @type {any[]} */ ...args) => {
      // A test looks at the world from outside, where time passes without any message.
      this.kept.clear()
      return super.read(method, ...args)
    }
    backend.onEvent((/** @type {string} */ event, /** @type {any[]} */ args) =>
      this.deliver(JSON.stringify({ event, args })))
  }
}

/** One player: `raw` is mineflayer's bot, `bot` the bot facade. */
class Player {
  /** @param {any} raw @param {SignalHub} hub */
  constructor (raw, hub) {
    this.raw = raw
    this.name = raw.username
    /** @type {{kind: string, data: any}[]} */
    this.said = []
    const clock = new WorldClock(() => performance.now())
    raw.on('time', () => clock.update(raw.time.age))
    this.backend = createLiveBackend(
      raw, { signals: hub, tick: () => clock.tick(), emit: (kind, data) => this.said.push({ kind, data }) }
    )
    this.bot = createBot(new DirectHost(this.backend), { username: raw.username, version: '1.20.4' })
  }

  /** @param {string} name @returns {number} */
  has (name) {
    return this.bot.inventory.count(name)
  }

  /** @returns {string[]} how many listeners hang on the bot and its connection, by event */
  listeners () {
    const of = (/** @type {any} */ emitter, /** @type {string} */ where) => emitter.eventNames()
      .map((/** @type {any} */ event) => `${where} ${String(event)} ${emitter.listenerCount(event)}`)
    return [...of(this.raw, 'bot'), ...of(this.raw._client, 'client')].sort()
  }
}

/** A server with players. */
class Stage {
  /** @param {any} bench @param {Player[]} players */
  constructor (bench, players) {
    this.bench = bench
    this.players = players
  }

  /** @param {string} command */
  run (command) {
    return this.bench.run(command)
  }

  /**
   * Run a command of which there may be nothing to do, which vanilla calls a failure.
   * @param {string} command
   */
  tidy (command) {
    this.bench.world.command(command)
  }

  /**
   * Run commands and wait until the players have seen what comes of them.
   * @param {string[]} commands
   * @param {() => boolean} seen
   */
  async set (commands, seen) {
    for (const command of commands) this.run(command)
    await until(seen, commands.join('; '))
  }

  /**
   * @param {Player} player
   * @param {number[]} at
   */
  async teleport (player, at) {
    await this.set(
      [`tp ${player.name} ${at.join(' ')}`],
      () => player.raw.entity.position.distanceTo({ x: at[0], y: at[1], z: at[2] }) < 0.6 && player.raw.entity.onGround
    )
  }

  async close () {
    for (const player of this.players) await player.backend.quiesce()
    await this.bench.close()
  }
}

/**
 * @param {string[]} names
 * @returns {Promise<Stage>}
 */
async function startStage (names) {
  const bench = await startBench()
  const hub = new SignalHub(names)
  const players = []
  for (const name of names) {
    const raw = await bench.join(name, { plugins: { pathfinder } })
    Object.assign(raw.pathfinder, { searchRadius: 64, tickTimeout: 10, thinkTimeout: 3000 })
    await until(() => raw.entity.onGround, `${name} on the ground`)
    players.push(new Player(raw, hub))
  }
  return new Stage(bench, players)
}

module.exports = { GROUND, Player, Stage, startStage, until }
