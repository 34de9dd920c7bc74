'use strict'
/**
 * Senses of many players of the mock world at once: what they are, have and see around them. Entities are first sorted
 * into squares of the land, so that not every player has to look at all others of a crowd.
 *
 * @module skills_js/mock/sense
 */
const { NearbyRows, blockRows, facing, isHostile, kindOf, statesOf } = require('../nearby')
const { States, columnsAround, findBlocks } = require('./backend/find_blocks')
const { observationOf } = require('./recorder')

/** Smallest side of a square, in blocks. */
const MIN_SIDE = 8
/** Number of players up to which sorting does not pay. */
const FEW = 16
/** Squares of a world along an axis, which combine two numbers into one. */
const ALONG = 2 ** 24

/**
 * @typedef {import('./client').Client} Client
 * @typedef {import('./simulation').Simulation} Simulation
 * @typedef {import('../nearby').Senses} Senses
 * @typedef {{entity: any, kind: import('../nearby').Kind, name: string, more: any}} Seen
 */

/**
 * @param {Simulation} simulation
 * @param {string[]} names
 * @param {Senses} senses
 * @returns {object[]} `Sensed` of bridge/types.py for each of them who is there, in their order
 */
function sense (simulation, names, senses) {
  const states = wantedOf(simulation.world.registry, senses.blocks)
  const squares = names.length > FEW
    ? new Squares(simulation, Math.max(senses.radius, MIN_SIDE))
    : new Near(simulation, senses.radius)
  return names.filter((name) => simulation.clients.has(name)).map((name) => {
    const client = simulation.client(name)
    const { body, player } = client
    const around = new NearbyRows(body, senses)
    squares.around(body, ({ entity, kind, name, more }) => {
      if (entity !== player) around.add(kind, entity.id, name, entity, more)
    })
    return {
      ...observationOf(client), ...facing(body.yaw, body.pitch), ...around.near(),
      blocks: blocksAround(client, states, senses)
    }
  })
}

/**
 * States of a game version's blocks, by the blocks' names.
 * @type {WeakMap<object, Map<string, Map<number, string>>>}
 */
const statesByNames = new WeakMap()
/** Most lists of names remembered. */
const MAX_LISTS = 16

/**
 * @param {import('prismarine-registry').Registry} registry
 * @param {string[]} blocks
 * @returns {Map<number, string>} state -> name; the same map for the same names
 */
function wantedOf (registry, blocks) {
  const known = statesByNames.get(registry) ?? new Map()
  statesByNames.set(registry, known)
  const key = blocks.join()
  let found = known.get(key)
  if (found === undefined) {
    found = statesOf(registry, blocks)
    if (known.size >= MAX_LISTS) known.clear()
    known.set(key, found)
  }
  return found
}

/** Most columns of a remembered look: the terrain returns this many without counting them as requested. */
const MAX_COLUMNS = 64

/**
 * Blocks that players saw last, and see again while they stay and nothing changes.
 * @type {WeakMap<object, BlockSnapshot>}
 */
const snapshots = new WeakMap()

/**
 * @param {Client} client
 * @param {Map<number, string>} states
 * @param {Senses} senses
 * @returns {[string, number, number, number, number][]} not to be written to: the next look may have the same
 */
function blocksAround (client, states, senses) {
  if (states.size === 0) return []
  const { body, simulation: { space, world } } = client
  const { radius, most, blocks } = senses
  const columns = columnsAround(world, body, radius)
  const key = `${blocks.join()} ${radius} ${most}`
  const last = snapshots.get(client)
  if (last !== undefined && last.holds(key, body, columns)) return last.rows
  const { found: places } = findBlocks(world, {
    from: body, maxDistance: radius, count: most, key: blocks.join(),
    states: () => new States(world.registry, states.keys())
  }, columns)
  const rows = blockRows(body, places, (x, y, z) => /** @type {string} */ (states.get(space.stateAt(x, y, z))))
  if (columns.length <= MAX_COLUMNS) snapshots.set(client, new BlockSnapshot(key, body, columns, rows))
  return rows
}

/** Blocks around a place as a player saw them last. */
class BlockSnapshot {
  #key
  #x
  #y
  #z
  #columns
  #revisions

  /**
   * @param {string} key one for each kind of look
   * @param {{x: number, y: number, z: number}} from
   * @param {any[]} columns that were looked at
   * @param {[string, number, number, number, number][]} rows what was seen
   */
  constructor (key, { x, y, z }, columns, rows) {
    this.#key = key
    this.#x = x
    this.#y = y
    this.#z = z
    this.#columns = columns
    this.#revisions = columns.map(({ revision }) => revision)
    this.rows = rows
  }

  /**
   * Return true if the same look would show the same now.
   * @param {string} key
   * @param {{x: number, y: number, z: number}} from
   * @param {any[]} columns
   */
  holds (key, { x, y, z }, columns) {
    if (key !== this.#key || x !== this.#x || y !== this.#y || z !== this.#z ||
      columns.length !== this.#columns.length) {
      return false
    }
    for (let at = 0; at < columns.length; at++) {
      if (columns[at] !== this.#columns[at] || columns[at].revision !== this.#revisions[at]) return false
    }
    return true
  }
}

/** Search of entities for few players: those far from all of them are skipped. */
class Near {
  #world
  #reach

  /** @param {Simulation} simulation @param {number} reach in blocks */
  constructor ({ world }, reach) {
    this.#world = world
    this.#reach = reach
  }

  /**
   * @param {{x: number, z: number}} from
   * @param {(seen: Seen) => void} visit whoever is within reach along both axes
   */
  around (from, visit) {
    for (const entity of this.#world.entitiesNear(from, this.#reach)) {
      const seen = seenAs(this.#world.registry, entity)
      if (seen !== null) visit(seen)
    }
  }
}

/** Visible entities by square of land; sleeping ones are found by the world's own squares. */
class Squares {
  /** @type {Map<number, Seen[]>} */
  #seen = new Map()
  #world
  #side

  /** @param {Simulation} simulation @param {number} side in blocks */
  constructor ({ world }, side) {
    this.#world = world
    this.#side = side
    for (const entity of /** @type {Set<any>} */ (world.active)) {
      const seen = seenAs(world.registry, entity)
      if (seen === null) continue
      const key = this.#key(this.#along(entity.x), this.#along(entity.z))
      const there = this.#seen.get(key)
      if (there === undefined) this.#seen.set(key, [seen])
      else there.push(seen)
    }
  }

  /** @param {{x: number, z: number}} from @param {(seen: Seen) => void} visit whoever may be within a square's side */
  around ({ x, z }, visit) {
    for (let east = this.#along(x) - 1, last = east + 2; east <= last; east++) {
      for (let south = this.#along(z) - 1, end = south + 2; south <= end; south++) {
        const there = this.#seen.get(this.#key(east, south))
        if (there !== undefined) for (const seen of there) visit(seen)
      }
    }
    this.#world.scheduler.visitNear(x, z, this.#side, (/** @type {any} */ entity) => {
      const seen = seenAs(this.#world.registry, entity)
      if (seen !== null) visit(seen)
    })
  }

  /** @param {number} value */
  #along (value) { return Math.floor(value / this.#side) }

  /** @param {number} east @param {number} south */
  #key (east, south) { return east * ALONG + south }
}

/** @param {any} registry @param {any} entity the engine's @returns {Seen | null} null for what nobody sees */
function seenAs (registry, entity) {
  const kind = kindOf(registry, entity.type)
  if (kind === null || entity.removed || entity.hidden || entity.gamemode === 'spectator') return null
  if (kind === 'players') return { entity, kind, name: entity.name, more: entity.heldItem?.name ?? null }
  if (kind === 'drops') return { entity, kind, name: entity.item.name, more: entity.item.count }
  return { entity, kind, name: entity.type, more: isHostile(registry, entity.type) }
}

module.exports = { sense }
