'use strict'
/**
 * Mock backend of the host API: one run's control of one player of the mock world. Reads and commands are answered at
 * once; actions continue from tick to tick until they end or are stopped.
 *
 * @module skills_js/mock/backend
 */
const { Backend, wantedOf } = require('../../bot_facade/backend')
const { checkCall } = require('../../bot_facade/host_api')
const { named } = require('../../bot_facade/errors')
const { ticksOf } = require('../clock')
const { createCommands } = require('./commands')
const { craft } = require('./craft')
const { listen } = require('./events')
const { activateBlock, activateEntity, activateEntityAt, attack, dig, place } = require('./hands')
const { consume, equip, toss, tossSlot, unequip } = require('./items')
const { createReads } = require('./reads')
const { hush } = require('./talk')
const { fish } = require('./fish')
const { dismount, mount, sleepInBed, wake } = require('./beds_and_vehicles')
const { goto } = require('./walk')
const { writeBook, writeSign } = require('./writing')
const { pressButton, renameItem, selectTrade } = require('./workshops')
const { clickWindow, closeWindow, move, openContainer, openEntity, putInto, takeFrom } = require('./windows')

/** Longest sleep in ms: it outlives every run. */
const MAX_SLEEP_MS = 3_600_000

/**
 * @typedef {import('../client').Client} Client
 * @typedef {import('../../bot_facade/backend').Services} Services
 * @typedef {import('../tasks').Settle} Settle
 * @typedef {import('../tasks').Steps} Steps
 */

/** @type {Record<string, (client: Client, ...args: any[]) => Steps>} */
const ACTS = {
  sleep: function * (_client, ms) { yield ticksOf(Math.min(ms, MAX_SLEEP_MS)) },
  waitTicks: function * (_client, ticks) { if (ticks > 0) yield ticks },
  goto: (client, goal, movements) => goto(client, goal, movements),
  look: (client, yaw, pitch, force) => client.look(yaw, pitch, force),
  lookAt: (client, x, y, z, force) => client.lookAt({ x, y, z }, force),
  dig,
  place: (client, x, y, z, ...face) => place(client, { x, y, z }, face),
  activateBlock: (client, x, y, z, ...face) => activateBlock(client, { x, y, z }, face),
  activateEntity,
  activateEntityAt,
  attack,
  equip,
  unequip,
  toss,
  tossSlot,
  consume,
  fish,
  sleepInBed,
  wake,
  mount,
  dismount,
  writeBook,
  writeSign,
  openContainer,
  openEntity,
  withdraw: (client, id, item, count) => move(client, { id, item, count, out: true }),
  deposit: (client, id, item, count) => move(client, { id, item, count, out: false }),
  putInto,
  takeFrom,
  clickWindow,
  pressButton,
  renameItem,
  selectTrade,
  closeWindow,
  craft: (client, item, index, count, ...at) => craft(client, item, { index, count, table: cellAt(at) })
}

/** @param {any[]} at x, y and z, or null for each @returns {{x: number, y: number, z: number} | null} */
function cellAt ([x, y, z]) {
  return x === null || x === undefined ? null : { x, y, z }
}

/** Backend of one run. */
class MockBackend {
  #client
  #services
  #calls

  /**
   * @param {Client} client
   * @param {Services} services
   */
  constructor (client, services) {
    this.#client = client
    this.#services = services
    this.#calls = new Backend({
      reads: { ...createReads(client), ...createCommands(client) },
      acts: {},
      listen: (event, tell) => listen(client, event, tell),
      hush: () => hush(client),
      quiesce: async () => {}
    }, services, client.name)
  }

  /**
   * @param {string} method
   * @param {any[]} args
   * @returns {{value?: any, error?: {name: string, message: string}}}
   */
  read (method, args) {
    return this.#calls.read(method, args)
  }

  /**
   * Begin an action, which continues with the world's ticks. An end that needs no time comes before this returns.
   * @param {string} method
   * @param {any[]} args
   * @param {Settle} settle called once at its end
   * @returns {() => void} stops it
   */
  start (method, args, settle) {
    try {
      checkCall(method, args, ['act'])
      if (this.#client.gone) throw named('PolicyAborted', `${this.#client.name} is not in the world any more`)
      return this.#begin(method, args, settle)
    } catch (error) {
      settle(error, null)
      return () => {}
    }
  }

  /** @param {string} method @param {any[]} args @param {Settle} settle @returns {() => void} */
  #begin (method, args, settle) {
    const { signals } = this.#services
    const { name } = this.#client
    if (method === 'waitSignal') return signals.wait(name, wantedOf(args), settle)
    if (method === 'sendSignal') {
      settle(null, signals.send(name, args[0], args[1]))
      return () => {}
    }
    const steps = ACTS[method](this.#client, ...args)
    signals.busy(name, 1)
    const task = this.#client.tasks.start(steps, (error, value) => {
      signals.busy(name, -1)
      settle(error, value)
    })
    return () => task.stop()
  }

  /** @param {(name: string, args: any[]) => void} fn */
  onEvent (fn) {
    this.#calls.onEvent(fn)
  }

  /** End the run: nothing of it moves the player any more, and nothing listens. */
  close () {
    this.#calls.onEvent(() => {})
    // Ends the listening at once; what it promises besides is nothing here.
    this.#calls.quiesce()
    this.#client.rest()
  }
}

module.exports = { ACTS, MockBackend }
