'use strict'
/**
 * Minecraft world in memory for testing skills: vanilla rules, several players, no server, no waiting. Time is virtual:
 * it passes only inside `run`, as fast as the machine computes, and the same seed gives the same world, step by step.
 * @example
 *   const world = createMockWorld({ seed: 1 })
 *   const bot = world.join('Gizmo')
 *   world.command('setblock 4 -60 0 iron_ore')
 *   world.command('give Gizmo stone_pickaxe')
 *   const { obtained } = await world.run(() => skills.mineBlock(bot, 'iron_ore', 1))
 *
 * @module skills_js/mock
 */
const { Simulation } = require('./simulation')
const { Stage } = require('./stage')
const { Recorder, itemsOf, observationOf } = require('./recorder')
const { MockBot } = require('./mock_bot')
const { MockRun } = require('./mock_run')
const { named } = require('../bot_facade/errors')
const { nearestNames } = require('../bot_facade/nearest_names')
const { readFunctions } = require('../../engine/world/commands/functions')
const { Vec3 } = require('../bot_facade/vec3')
const { goals } = require('../bot_facade/goals')
const primitives = require('../primitives')
const queries = require('../queries')

/**
 * Vanilla's replies to a legal command that found nothing to do; a test that clears a clean world must not fail by it.
 */
const NOTHING_TO_DO =
  /^(Could not set the block|No blocks were (filled|cloned)|No items were found|No entity was found|Nothing changed)/

/**
 * @typedef {import('./recorder').Told} Told
 * @typedef {(bot: any) => any} Program
 */

/** World in memory, with its players. */
class MockWorld {
  /** Events in order, as every world reports them (docs/seams.md, section 2). @type {Told[]} */
  events = []
  #simulation
  #stage
  #recorder
  /** @type {Map<string, MockBot>} */
  #bots = new Map()
  #running = false

  /**
   * @param {{seed?: number | string, terrain?: string, functions?: string}} [options] `seed` drives loot and every
   *   other random choice; `terrain` is "flat" or "survival"; `functions` is a data pack's folder, whose functions the
   *   command `function` runs
   */
  constructor ({ seed = 0, terrain = 'flat', functions } = {}) {
    this.#simulation = new Simulation({ seed, terrain })
    if (functions !== undefined) this.#simulation.world.commands.functions.byName = readFunctions(functions)
    this.#stage = new Stage(this.#simulation)
    this.#recorder = new Recorder(this.#simulation, (event) => { this.events.push(event) })
  }

  /** @returns {number} the world's age in ticks (20 a second) */
  get tick () { return this.#simulation.age }

  /**
   * Let a player join, at the world's spawn.
   *
   * @param {string} name
   * @returns {any} its bot, as policies know it
   */
  join (name) {
    const there = this.#bots.get(name)
    if (there !== undefined) return there.bot
    const client = this.#simulation.join(name)
    const made = new MockBot(client, this.#stage, this.#recorder)
    this.#bots.set(name, made)
    this.#recorder.joined(client)
    return made.bot
  }

  /** @param {string} name the player leaves */
  leave (name) {
    this.#simulation.leave(name)
    this.#bots.delete(name)
    this.#recorder.left(name, 'left')
  }

  /**
   * Run one vanilla command as the console, without a leading slash.
   *
   * @param {string} text
   * @returns {string} the reply
   * @throws {CommandRefused}
   */
  command (text) {
    const { ok, reply } = this.#simulation.world.command(text, null)
    this.#recorder.flush()
    if (!ok && !NOTHING_TO_DO.test(reply)) {
      throw named('CommandRefused', `command ${JSON.stringify(text)} was refused: ${reply}`)
    }
    return reply
  }

  /**
   * Let time pass while a program does something; returns when it is done.
   *
   * @template T
   * @param {() => T | Promise<T>} program may use any of this world's bots
   * @param {{seconds?: number}} [limits] game time that it may take, 300 s by default
   * @returns {Promise<T>} what it returns
   * @throws what it throws; TimedOut when it takes longer
   */
  async run (program, { seconds = 300 } = {}) {
    const [end] = await this.#perform([{ name: '', program }], seconds)
    if (end.error !== null) throw end.error
    return end.value
  }

  /**
   * Let several players' programs begin in the same tick; returns when all are done.
   *
   * @param {Record<string, Program>} programs by player; each gets its own bot
   * @param {{seconds?: number}} [limits] game time that they may take, 300 s by default
   * @returns {Promise<Record<string, {value: any, error: Error | null, ticks: number}>>} by player
   */
  async runAll (programs, { seconds = 300 } = {}) {
    for (const name of Object.keys(programs)) this.join(name)
    const parts = Object.entries(programs).map(([name, program]) => ({ name, program: () => program(this.join(name)) }))
    const ends = await this.#perform(parts, seconds)
    return Object.fromEntries(parts.map(({ name }, index) => [name, ends[index]]))
  }

  /**
   * Let time pass without starting anything.
   * @param {number} seconds
   * @returns {Promise<void>}
   */
  async wait (seconds) {
    const until = this.tick + Math.round(seconds * 20)
    while (this.tick < until) await this.#tick()
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} z
   * @returns {string} the name of the block there
   */
  block (x, y, z) {
    const { space, world } = this.#simulation
    return world.registry.blocksByStateId[space.stateAt(Math.floor(x), Math.floor(y), Math.floor(z))].name
  }

  /**
   * @param {string} name of a player
   * @returns {Record<string, number>} item name -> count, armour and off-hand included
   */
  items (name) {
    return itemsOf(this.#simulation.client(name).player)
  }

  /**
   * @param {string} name of a player
   * @returns {ReturnType<typeof observationOf>} where and how it is, and what it has
   */
  observe (name) {
    return observationOf(this.#simulation.client(name))
  }

  /** @param {{name: string, program: () => any}[]} parts @param {number} seconds */
  async #perform (parts, seconds) {
    if (this.#running) {
      throw named('BadArgument', 'the world is running something already: await world.run() before the next')
    }
    if (!(seconds > 0)) throw named('BadArgument', `seconds is ${seconds}; give a number above 0`)
    this.#running = true
    const run = new MockRun({
      simulation: this.#simulation, stage: this.#stage, bots: this.#bots, recorder: this.#recorder
    })
    try {
      return await run.perform(parts, seconds, () => this.#tick())
    } finally {
      this.#running = false
    }
  }

  async #tick () {
    await this.#stage.tick()
    this.#recorder.flush()
  }
}

/**
 * Create a flat world of grass, in which players stand at y = -60, with nothing in it.
 * @param {{seed?: number | string, terrain?: string, functions?: string}} [options]
 * @returns {MockWorld} with `NotSupported` for members that it does not have
 */
function createMockWorld (options) {
  const world = new MockWorld(options)
  const known = Object.getOwnPropertyNames(MockWorld.prototype).concat('events')
  return new Proxy(world, {
    get: (target, key) => {
      if (typeof key === 'symbol' || known.includes(key) || key === 'then' || key === 'toJSON') {
        const value = Reflect.get(target, key, target)
        return typeof value === 'function' ? value.bind(target) : value
      }
      throw named(
        'NotSupported',
        `world.${key}; nearest supported: ${nearestNames(key, known).map((name) => `world.${name}`).join(', ')}`
      )
    }
  })
}

/** Primitives and queries that policies find in scope, by name. */
const skills = Object.freeze({ ...primitives, ...queries })

module.exports = { MockWorld, Vec3, createMockWorld, goals, skills }
