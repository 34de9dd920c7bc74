'use strict'
/**
 * Pictures of a world as its clients know it: the columns and entities that a server has sent, drawn by the same rays.
 * Light follows from the blocks by the engine's rules; where nothing has been sent there is air.
 */
const { View } = require('./index')
const { Land, SECTIONS } = require('./land')
const { Dense } = require('../world/terrain/dense')
const { keyOf, MIN_Y, HEIGHT } = require('../world/terrain/terrain')
const { gameData } = require('../world/data')
const { sunAngleAt } = require('../world/rules/sky/sky')

/** Ticks of a day. */
const DAY = 24000
/** Dimensions without the overworld's sky. */
const OTHERS = Object.freeze(['the_nether', 'the_end'])
/** Section without blocks. */
const EMPTY = Object.freeze({ data: Object.freeze({ value: 0 }), palette: undefined, solidBlockCount: 0 })

/** @typedef {import('../world/world').World} World */
/** @typedef {import('../world/terrain/terrain').ColumnInfo} ColumnInfo */
/** @typedef {import('../world/entities/entity').Entity} Entity */
/** @typedef {import('./index').PictureRequest} PictureRequest */
/** @typedef {{ name: string } | null} Held */
/**
 * An entity as a client knows it; degrees as in the game, `slots` as in a player's inventory.
 * @typedef {{ type: string, name: string, x: number, y: number, z: number, yaw: number, pitch: number, width: number,
 *   height: number, eyeHeight: number, slots: Held[], heldItem: Held, customName: string | null, item: Held,
 *   stateId?: number, hidden: boolean, gamemode?: string }} SentEntity
 */
/**
 * A column of prismarine-chunk for 1.18 and newer.
 * @typedef {{ minY: number, sections: ColumnInfo['chunk']['sections'] }} SentColumn
 */
/**
 * Knowledge of a client at one moment. `self` is in `entities` too.
 * @typedef {{ columnAt: (cx: number, cz: number) => SentColumn | null | undefined, timeOfDay: number, raining: boolean,
 *   self: SentEntity, entities: SentEntity[] }} Client
 */

/** Land from columns that were sent. */
class ReceivedLand extends Land {
  /** @param {World} world */
  constructor (world) {
    super(world)
    /** @type {Map<number, ColumnInfo & { source: SentColumn | null }>} */
    this.infos = new Map()
    /** @type {Client['columnAt']} */
    this.columnAt = () => null
  }

  /**
   * Look at the columns of a client from now on. Columns that another client of this process knows stay known.
   * @param {Client['columnAt']} columnAt
   */
  lookAt (columnAt) {
    this.columnAt = columnAt
    for (const { cx, cz, source } of [...this.infos.values()]) {
      const sent = columnAt(cx, cz) ?? null
      if (sent !== null && sent !== source) this.forget(cx, cz)
    }
  }

  /** @param {number} cx @param {number} cz @returns {ColumnInfo} */
  info (cx, cz) {
    const key = keyOf(cx, cz)
    const known = this.infos.get(key)
    if (known) return known
    const source = this.columnAt(cx, cz) ?? null
    const info = { chunk: { sections: sectionsOf(source) }, cells: new Array(SECTIONS).fill(null), revision: 0,
      modified: false, cx, cz, asked: 0, tops: null, source }
    this.infos.set(key, info)
    return info
  }

  /**
   * Follow a block that a server has changed.
   * @param {number} x @param {number} y @param {number} z
   * @param {number} stateId
   */
  set (x, y, z, stateId) {
    const info = this.infos.get(keyOf(x >> 4, z >> 4))
    if (info === undefined || info.source === null || y < MIN_Y || y >= MIN_Y + HEIGHT) return
    this.world.terrain.dense.put(info.cells, x & 15, y - MIN_Y, z & 15, stateId)
    info.revision++
    this.changed({ x, y, z, stateId })
  }

  /**
   * Forget a column that was sent again or dropped, and the light that it had a part in.
   * @param {number} cx @param {number} cz
   */
  forget (cx, cz) {
    const info = this.infos.get(keyOf(cx, cz))
    if (info === undefined) return
    this.world.terrain.dense.dropColumn(info.cells)
    this.infos.delete(keyOf(cx, cz))
    this.columns.delete(keyOf(cx, cz))
    const { light } = this
    for (let dx = -2; dx <= 2; dx++) {
      for (let dz = -2; dz <= 2; dz++) {
        const key = keyOf(cx + dx, cz + dz)
        const column = light.columns.get(key)
        if (column === undefined) continue
        column.amid = false
        if (Math.max(Math.abs(dx), Math.abs(dz)) < 2) light.columns.delete(key)
      }
    }
    light.last = null
  }

  evict () {
    super.evict()
    for (const [key, info] of this.infos) {
      if (this.columns.has(key)) continue
      this.world.terrain.dense.dropColumn(info.cells)
      this.infos.delete(key)
    }
  }
}

/**
 * Return the sections of a column at the heights of the engine's worlds.
 * @param {SentColumn | null} column
 */
function sectionsOf (column) {
  const shift = column === null ? 0 : (column.minY - MIN_Y) >> 4
  return Array.from({ length: SECTIONS }, (_, index) => column?.sections[index - shift] ?? EMPTY)
}

/** Pictures for the clients of one process in one dimension. Tell it of changes with `set` and `forget` of its land. */
class ReceivedView extends View {
  /**
   * @param {string} version of the game
   * @param {string} dimension without namespace
   */
  constructor (version, dimension) {
    const data = gameData(version)
    const world = /** @type {World} */ (/** @type {unknown} */ ({
      data, registry: data.registry, minY: MIN_Y, height: HEIGHT, players: new Map(), entities: new Map(),
      weather: 'clear', sky: { sunAngle: 0 }, on: () => {},
      terrain: { dense: new Dense(), sharedColumn: null, columns: new Map() }
    }))
    const land = new ReceivedLand(world)
    super(world, land)
    this.received = land
    this.dimension = dimension
  }

  realmAt () { return OTHERS.includes(this.dimension) ? this.dimension : 'overworld' }

  /**
   * Return what a client's player sees, or the player from above.
   * @param {Client} client
   * @param {PictureRequest} request
   * @returns {import('./index').Picture}
   * @throws {RangeError} for a request that is not legal
   */
  fromClient (client, request) {
    const { world } = this
    const known = client.entities.map((each) => entityOf(world, each))
    const at = client.entities.indexOf(client.self)
    Object.assign(world, { weather: client.raining ? 'rain' : 'clear',
      players: new Map([[client.self.name, known[at]]]),
      entities: new Map(known.map((each, number) => [number, each])),
      sky: { sunAngle: sunAngleAt((client.timeOfDay % DAY + DAY) % DAY) } })
    this.received.lookAt(client.columnAt)
    return this.fromPlayer(client.self.name, request)
  }
}

/** @param {World} world @param {SentEntity} sent @returns {Entity} */
function entityOf (world, sent) {
  const { x, y, z, eyeHeight, name, customName } = sent
  return /** @type {Entity} */ (/** @type {unknown} */ ({ ...sent, world, eyes: { x, y: y + eyeHeight, z },
    displayName: customName ?? name }))
}

module.exports = { ReceivedView }
