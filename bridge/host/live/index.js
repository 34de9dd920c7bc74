'use strict'
/**
 * Live backend of the host API: one policy's control of one mineflayer bot. It tells of the world what the server said;
 * whatever it starts it can stop, and nothing of it is left when it is quiet.
 */
const { Backend } = require('../../../skills_js/bot_facade/backend')
const { named } = require('../../../skills_js/bot_facade/errors')
const { createBodyActs, createCommands } = require('./body')
const { bounded, pause, pauseTicks } = require('./bounded')
const { craft } = require('./craft')
const { dig, place } = require('./dig')
const { listen } = require('./events')
const { consume, equip, toss, tossSlot, unequip } = require('./items')
const { paced } = require('./pace')
const { trackCall } = require('./pending_calls')
const { createReads } = require('./reads')
const { comeToRest } = require('./come_to_rest')
const { fish } = require('./fish')
const { dismount, mount, sleepInBed, wake } = require('./beds_and_vehicles')
const { hush } = require('./talk')
const { walk } = require('./walk')
const { writeBook, writeSign } = require('./writing')
const { pressButton, renameItem, selectTrade } = require('./workshops')
const { close, inTurn, move, openBlock, openEntity, putInto, sync, takeFrom } = require('./windows')

/** @typedef {import('../bots/live_bot').LiveBot} LiveBot */

const TICK_MS = 50
/** Longest sleep in ms: it outlives every run. */
const MAX_SLEEP_MS = 3_600_000
/** Acts without a packet to the server. */
const SILENT = new Set(['sleep', 'waitTicks'])

/**
 * @typedef {import('../../../skills_js/bot_facade/backend').Services} Services
 * @typedef {Record<string, (signal: AbortSignal, ...args: any[]) => Promise<any>>} Acts
 */

/**
 * @param {LiveBot} bot - mineflayer's, spawned, with mineflayer-pathfinder
 * @param {Services} services
 * @returns {{ read: (method: string, args: any[]) => any, act: (method: string, args: any[], signal: AbortSignal) =>
 *   Promise<any>, quiesce: () => Promise<void>, onEvent: (fn: (name: string, args: any[]) => void) => void }}
 */
function createLiveBackend (bot, services) {
  const running = new Running()
  const { reads, acts } = paced(
    bot,
    { ...createReads(bot, createClock(services)), ...running.noted(createCommands(bot)) },
    { ...createActs(bot, services), ...createBodyActs(bot), ...createWindowActs(bot) })
  return new Backend({
    reads,
    acts: running.track(acts),
    listen: (event, tell) => listen(bot, event, tell),
    hush: () => hush(bot),
    quiesce: async () => {
      await running.stop()
      await comeToRest(bot, running.acted)
    }
  }, services, bot.username)
}

/** Acts in progress: all of them can be stopped and awaited. */
class Running {
  /** @type {Set<Promise<any>>} */
  #acts = new Set()
  #over = new AbortController()
  /** True if the server may still answer an act. */
  acted = false

  /**
   * @param {Record<string, (...args: any[]) => any>} commands
   * @returns {Record<string, (...args: any[]) => any>} the same, each noted
   */
  noted (commands) {
    return Object.fromEntries(Object.entries(commands).map(([name, command]) => [name, (...args) => {
      this.acted = true
      return command(...args)
    }]))
  }

  /**
   * @param {Acts} acts
   * @returns {Acts} the same, each stopped too when the run is over
   */
  track (acts) {
    return Object.fromEntries(Object.entries(acts).map(([name, act]) => [name, (signal, ...args) => {
      if (this.#over.signal.aborted) return Promise.reject(named('Cancelled', `${name}: the run is over`))
      if (!SILENT.has(name)) this.acted = true
      const work = act(AbortSignal.any([signal, this.#over.signal]), ...args)
      const end = work.catch(() => {}).finally(() => this.#acts.delete(end))
      this.#acts.add(end)
      return work
    }]))
  }

  /** @returns {Promise<void>} when all have ended */
  async stop () {
    this.#over.abort()
    await Promise.all(this.#acts)
  }
}

/** @param {LiveBot} bot @param {Services} services @returns {Acts} */
function createActs (bot, services) {
  return {
    sleep: (signal, ms) => pause(signal, Math.max(0, Math.min(ms, MAX_SLEEP_MS)), 'waiting'),
    waitTicks: (signal, ticks) => pauseTicks(signal, () => services.tick(), ticks, MAX_SLEEP_MS),
    goto: async (signal, goal, movements) => walk(bot, signal, goal, movements),
    dig: (signal, x, y, z) => dig(bot, signal, x, y, z),
    place: (signal, x, y, z, ...face) => place(bot, signal, [x, y, z], face),
    equip: async (signal, slot, destination) => equip(bot, signal, slot, destination),
    unequip: async (signal, destination) => unequip(bot, signal, destination),
    toss: (signal, item, count) => toss(bot, signal, item, count),
    tossSlot: (signal, slot) => tossSlot(bot, signal, slot),
    consume: (signal) => consume(bot, signal),
    craft: (signal, item, recipe, count, ...table) =>
      craft(bot, signal, { item, recipe, count, table: table[0] === null ? null : table }),
    fish: (signal) => fish(bot, signal),
    sleepInBed: (signal, x, y, z) => sleepInBed(bot, signal, [x, y, z]),
    wake: (signal) => wake(bot, signal),
    mount: (signal, id) => mount(bot, signal, id),
    dismount: (signal) => dismount(bot, signal),
    writeBook: (signal, slot, pages, title) => writeBook(bot, signal, { slot, pages, title }),
    writeSign: (signal, x, y, z, lines, back) => writeSign(bot, signal, [x, y, z], { lines, back })
  }
}

/** @param {LiveBot} bot @returns {Acts} */
function createWindowActs (bot) {
  return {
    openContainer: (signal, x, y, z) => openBlock(bot, signal, [x, y, z]),
    openEntity: (signal, id) => openEntity(bot, signal, id),
    withdraw: async (signal, id, item, count) => move(bot, signal, { id, item, count, out: true }),
    deposit: async (signal, id, item, count) => move(bot, signal, { id, item, count, out: false }),
    putInto: (signal, id, slot, item, count) => putInto(bot, signal, { id, slot, item, count }),
    takeFrom: (signal, id, slot) => takeFrom(bot, signal, { id, slot }),
    clickWindow: (signal, slot, button, mode) => inTurn(bot, async () => {
      if (mode < 0 || mode > 6) throw named('BadArgument', `the mode is ${mode}; give 0 to 6`)
      await bounded(
        { signal, ms: 3000, what: 'the click', server: bot },
        (resolve, reject) => { trackCall(bot, bot.clickWindow(slot, button, mode)).then(resolve, reject) }
      )
      await sync(bot, signal, bot.currentWindow ?? bot.inventory)
    }),
    pressButton: (signal, id, button) => pressButton(bot, signal, id, button),
    renameItem: (signal, id, name) => renameItem(bot, signal, id, name),
    selectTrade: (signal, id, index) => selectTrade(bot, signal, id, index),
    closeWindow: (_signal, id) => close(bot, id)
  }
}

/**
 * Create the clock of a run: game time in ms, from the world's age when the run was prepared and the time passed since.
 * @param {Services} services
 * @returns {{ now: () => number }}
 */
function createClock (services) {
  const origin = (services.tick() ?? 0) * TICK_MS - performance.now()
  return { now: () => Math.round(performance.now() + origin) }
}

module.exports = { createLiveBackend }
