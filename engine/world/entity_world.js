'use strict'
/** The bodies of a world: players, mobs, drops and other entities, and the ways to find, add and remove them. */
const { BlockWorld } = require('./block_world')
const { Drop } = require('./entities/drops')
const { DropGrid } = require('./entities/drop_grid')
const { TickScheduler } = require('./entities/tick_scheduler')

/** @typedef {import('./types').Pos} Pos */
/** @typedef {import('./player').Player} Player */
/** @typedef {import('./entities/entity').Entity} Entity */
/** @typedef {import('./entities/living').LivingEntity} LivingEntity */

/** A world of blocks and bodies without rules. */
class EntityWorld extends BlockWorld {
  /** @param {import('./types').WorldOptions} options */
  constructor (options) {
    super(options)
    this.nextEntityId = 1
    /** All entities by id, players included. @type {Map<number, Entity>} */
    this.entities = new Map()
    /** Entities that are run each tick: all that are not suspended. @type {Set<Entity>} */
    this.active = new Set()
    /** @type {Map<string, Player>} */
    this.players = new Map()
    /** Items and orbs on the ground. @type {Set<Drop>} */
    this.loose = new Set()
    this.dropGrid = new DropGrid()
    this.scheduler = new TickScheduler(this)
  }

  /** @param {Entity} entity */
  register (entity) {
    this.entities.set(entity.id, entity)
    this.active.add(entity)
    if (!(entity instanceof Drop)) return
    this.loose.add(entity)
    this.dropGrid.add(entity)
  }

  /** @param {Entity} entity */
  unregister (entity) {
    this.entities.delete(entity.id)
    this.active.delete(entity)
    if (entity instanceof Drop) {
      this.loose.delete(entity)
      this.dropGrid.remove(entity)
    }
    this.scheduler.remove(entity)
  }

  /**
   * Return all entities within `reach` of a place along x and z, in no order.
   * @param {{ x: number, z: number }} at
   * @param {number} reach blocks
   */
  entitiesNear ({ x, z }, reach) {
    /** @type {Entity[]} */
    const found = []
    const visit = (/** @type {Entity} */ entity) => {
      if (Math.abs(entity.x - x) <= reach && Math.abs(entity.z - z) <= reach) found.push(entity)
    }
    for (const entity of this.active) visit(entity)
    this.scheduler.visitNear(x, z, reach, visit)
    return found
  }

  /** Return the items and orbs on the ground. */
  drops () { return this.loose }

  /**
   * Return the bodies that stand in the way of blocks and whose centres are within `reach` of a place along x and z.
   * @param {{ x: number, z: number }} at
   * @param {number} reach blocks
   * @returns {LivingEntity[]}
   */
  bodiesNear (at, reach) {
    const solid = (/** @type {any} */ body) => body.living && !body.dead && body.gamemode !== 'spectator'
    return /** @type {LivingEntity[]} */ (this.entitiesNear(at, reach).filter(solid))
  }

  /**
   * Return the nearest player that `accepts`, or null.
   * @param {Pos} at
   * @param {number} maxDistance blocks
   * @param {(player: Player) => boolean} [accepts]
   * @returns {Player | null}
   */
  nearestPlayer (at, maxDistance, accepts = () => true) {
    let best = null
    let far = maxDistance * maxDistance
    for (const player of this.players.values()) {
      const d = (player.x - at.x) ** 2 + (player.y - at.y) ** 2 + (player.z - at.z) ** 2
      if (d <= far && accepts(player)) {
        best = player
        far = d
      }
    }
    return best
  }
}

module.exports = { EntityWorld }
