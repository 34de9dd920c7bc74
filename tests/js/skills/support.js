'use strict'
/**
 * The script of an isolate in a bare `node:vm` context, against a small scripted world: each act is answered by a
 * function that a test gives, and one that is not given fails the test.
 */
const vm = require('node:vm')
const registry = require('prismarine-registry')('1.20.4')
const Block = require('prismarine-block')(registry)
const { bundle } = require('../../../skills_js')
const { checkCall } = require('../../../skills_js/bot_facade/host_api')
const { stateData } = require('../../../skills_js/bot_facade/snapshots')

const AIR = 0

/**
 * @param {string} name
 * @param {number} count
 * @param {number} slot
 */
function item (name, count, slot) {
  const entry = registry.itemsByName[name]
  return {
    slot, type: entry.id, name, displayName: entry.displayName, count, stackSize: entry.stackSize, metadata: 0,
    enchants: [], nbt: null
  }
}

/** A world of air with what a test puts there. */
class FakeWorld {
  constructor () {
    /** @type {Map<string, number>} */
    this.blocks = new Map()
    /** @type {any[]} */
    this.slots = Array(46).fill(null)
    /** @type {any} */
    this.window = null
    this.quickBarSlot = 0
    this.time = 1000
    /** @type {any} */
    this.me = this.entity(1, 'player', [0.5, 0, 0.5], { username: 'Gizmo' })
    /** @type {any[]} */
    this.others = []
    /** @type {{method: string, args: any[]}[]} */
    this.calls = []
    /** @type {Record<string, (...args: any[]) => any>} */
    this.acts = {}
    /** @type {Record<string, (...args: any[]) => any>} */
    this.commands = {}
  }

  /** @param {number} id @param {string} name @param {number[]} position @param {object} [more] */
  entity (id, name, position, more = {}) {
    return {
      id, type: name, name, displayName: name, username: null, kind: null, uuid: null, position, velocity: [0, 0, 0],
      yaw: 0, pitch: 0,
      onGround: true, height: 1.8, width: 0.6, eyeHeight: 1.62, health: null, isInWater: false, equipment: [],
      effects: {}, item: null, ...more
    }
  }

  /** @param {string} name @param {...number[]} positions */
  put (name, ...positions) {
    for (const at of positions) this.blocks.set(String(at), registry.blocksByName[name].defaultState)
  }

  /** @param {string} name @param {number} count */
  give (name, count) {
    const held = this.slots.find((slot) => slot?.name === name)
    if (held) held.count += count
    else {
      const slot = this.slots.findIndex((taken, index) => index >= 36 && taken === null)
      this.slots[slot] = item(name, count, slot)
    }
  }

  /** @param {string} method */
  count (method) {
    return this.calls.filter((call) => call.method === method).length
  }

  /** @param {string} method @param {any[]} args */
  read (method, args) {
    checkCall(method, args, ['read', 'command'])
    this.calls.push({ method, args })
    const known = /** @type {any} */ (this)[`read_${method}`] ?? this.commands[method]
    if (!known) throw new Error(`the test has no answer to ${method}(${args.join(', ')})`)
    return known.apply(this, args) ?? null
  }

  read_self () {
    return {
      entity: this.me, health: 20, food: 18, saturation: 5, oxygen: 20, sleeping: false, raining: false, experience: {},
      game: { gameMode: 'survival', minY: -64 }, time: { age: 20 }, spawnPoint: [0, 0, 0],
      quickBarSlot: this.quickBarSlot, usingItem: false,
      controls: {}, digTarget: null, digging: false, walking: false
    }
  }

  read_inventory () { return {
    id: 0, type: 'minecraft:inventory', title: '', inventoryStart: 9, inventoryEnd: 45, hotbarStart: 36,
    selectedItem: null, slots: this.slots
  } }
  read_window () { return this.window }
  read_now () { return this.time }
  read_log () {}
  read_action () {}
  read_subscribe () {}
  read_unsubscribe () {}
  /** @param {number} x @param {number} y @param {number} z */
  read_blockAt (x, y, z) { return this.blocks.get(String([x, y, z])) ?? AIR }
  /** @param {number} state */
  read_blockState (state) { return stateData(Block.fromStateId(state, 0)) }
  read_blockStates () { return [...new Set([AIR, ...this.blocks.values()])] }
  /** @param {string} table @param {string} key */
  read_data (table, key) { return /** @type {any} */ (registry)[table][key] ?? null }
  /** @param {string} table */
  read_dataKeys (table) { return Object.keys(/** @type {any} */ (registry)[table]) }
  read_entities () { return [this.me, ...this.others] }
  /** @param {number} id */
  read_entity (id) { return [this.me, ...this.others].find((entity) => entity.id === id) ?? null }
  read_players () { return [] }
  read_canSeeBlock () { return true }
  /** @param {number} x @param {number} y @param {number} z */
  read_bestTool (x, y, z) {
    const block = this.read_blockState(this.read_blockAt(x, y, z))
    const needed = Object.keys(block.harvestTools ?? {}).map(Number)
    const tool = this.slots.find((held) => held !== null && needed.includes(held.type)) ?? null
    return { item: tool, harvests: needed.length === 0 || tool !== null, needed }
  }

  /** @param {[x: number, y: number, z: number, maxDistance: number, count: number, types: any, states: any]} query */
  read_findBlocks (...[x, y, z, maxDistance, count, types, states]) {
    const wanted = (/** @type {number} */ state) => states
      ? states.includes(state)
      : types.includes(registry.blocksByStateId[state].id)
    return [...this.blocks].filter(([, state]) => wanted(state)).map(([key]) => key.split(',').map(Number))
      .map((at) => ({ at, distance: Math.hypot(at[0] + 0.5 - x, at[1] + 0.5 - y, at[2] + 0.5 - z) }))

        .filter(({ distance }) => distance <= maxDistance)
        .sort((a, b) => a.distance - b.distance)
        .slice(0, count)
        .map(({ at }) => at)
  }
}

/** A context with the script in it. */
class Sandbox {
  /** @param {FakeWorld} [world] */
  constructor (world = new FakeWorld()) {
    this.world = world
    /** @type {any} */
    this.context = vm.createContext({})
    /** Numbers of the calls that were dropped. @type {number[]} */
    this.dropped = []
    this.context.__host = {
      read: (/** @type {string} */ method, /** @type {string} */ args) =>
        JSON.stringify(this.#answer(method, JSON.parse(args))),
      act: (/** @type {number} */ id, /** @type {string} */ method, /** @type {string} */ args) => {
        this.#act(id, method, JSON.parse(args))
      },
      drop: (/** @type {number} */ id) => { this.dropped.push(id) }
    }
    vm.runInContext(bundle(), this.context, { filename: 'accord:bootstrap' })
    this.accord = this.context.__accord
  }

  /** @param {string} method @param {any[]} args */
  #answer (method, args) {
    try {
      return { value: this.world.read(method, args) }
    } catch (error) {
      return { error: { name: error.name, message: error.message } }
    }
  }

  /** @param {number} call @param {string} method @param {any[]} args */
  async #act (call, method, args) {
    checkCall(method, args, ['act'])
    this.world.calls.push({ method, args })
    try {
      const act = this.world.acts[method] ?? DEFAULT_ACTS[method]
      if (!act) throw new Error(`the test has no answer to ${method}(${args.join(', ')})`)
      const value = await act.apply(this.world, args) ?? null
      this.deliver({ call, ok: true, value })
    } catch (error) {
      this.deliver({ call, ok: false, error: { name: error.name, message: error.message } })
    }
  }

  /** @param {object} message */
  deliver (message) {
    this.accord.deliver(JSON.stringify(message))
  }

  /**
   * @param {string} source
   * @param {object} [settings]
   * @returns {Promise<{outcome: string, error: any}>}
   */
  async run (source, settings = {}) {
    return JSON.parse(await this.accord.run(source, JSON.stringify({ bot: 'Gizmo', version: '1.20.4', ...settings })))
  }

  /**
   * @param {string} body - of the program; what it returns comes back as JSON data
   * @returns {Promise<any>}
   */
  async value (body) {
    const end =
      await this.run(`async function program (bot) { ` +
        `globalThis.said = JSON.stringify(await (async () => { ${body} })() ?? null) }`)
    if (end.outcome !== 'returned') throw Object.assign(new Error(end.error.message), { name: end.error.name })
    return JSON.parse(this.context.said)
  }
}

/** @type {Record<string, (...args: any[]) => any>} */
const DEFAULT_ACTS = { sleep: () => null, waitTicks: () => null, equip: () => null, goto: () => null }

/**
 * @param {string} name
 * @param {string} message
 */
function failure (name, message) {
  return Object.assign(new Error(message), { name })
}

module.exports = { FakeWorld, Sandbox, failure, item, registry }
