'use strict'
/**
 * Residents of generated land: they enter the world once per column, when a player first comes near, unless
 * `doMobSpawning` is false. Also finds the mobs far from all players, which stand still (`tick_scheduler.js`).
 */
const { dimensionAt } = require('../dimensions')
const { keyOf } = require('../terrain/terrain')
const { COMPANY, Mob } = require('./mobs')

/** Radius around a player that is populated, in columns. */
const NEAR = 5
/** Ticks between two checks. */
const EVERY = 20
/** Distance from every player beyond which a mob is far, in blocks. */
const FAR = 136
/** Maximum blocks to climb to free space if something stands on the ground. */
const CLIMB = 3

/** Populating of one world. */
class Populating {
  /**
   * @param {Pick<import('../world').World, 'age' | 'players' | 'rules' | 'scheduler' | 'stateAt' | 'summon' |
   *   'terrain'>} world
   */
  constructor (world) {
    this.world = world
    /** Populated columns (`keyOf`). @type {Set<number>} */
    this.done = new Set()
    /** Mobs that are not known to be far. @type {Set<Mob>} */
    this.near = new Set()
    /**
     * Column of each player when its surroundings were last populated.
     * @type {WeakMap<import('../player').Player, number>}
     */
    this.seen = new WeakMap()
  }

  tick () {
    const { terrain, age, rules, players } = this.world
    if (!terrain.generated || age % EVERY !== 1) return
    this.findFar()
    if (!rules.doMobSpawning) return
    for (const player of [...players.values()]) {
      if (player.gamemode === 'spectator') continue
      const [px, pz] = [Math.floor(player.x) >> 4, Math.floor(player.z) >> 4]
      const here = keyOf(px, pz)
      if (this.seen.get(player) === here) continue
      this.seen.set(player, here)
      for (let cz = pz - NEAR; cz <= pz + NEAR; cz++) {
        for (let cx = px - NEAR; cx <= px + NEAR; cx++) this.populate(cx, cz)
      }
    }
  }

  /** Track a new entity. @param {import('./entity').Entity} entity */
  track (entity) { if (entity instanceof Mob) this.near.add(entity) }

  /** Stop tracking an entity. @param {import('./entity').Entity} entity */
  untrack (entity) { this.near.delete(/** @type {any} */ (entity)) }

  /**
   * Find mobs far from or unattended by all players, and resume the others. Natural monsters despawn there, as
   * vanilla's do beyond 128 blocks.
   */
  findFar () {
    const players = [...this.world.players.values()]
    for (const mob of this.near) this.classify(mob, players)
    for (const { x, z } of players) {
      this.world.scheduler.visitNear(x, z, FAR, (sleeper) => {
        if (sleeper.far) this.classify(/** @type {Mob} */ (sleeper), players)
      })
    }
  }

  /**
   * Classify a mob as near or far; a far natural monster despawns.
   * @param {Mob} mob
   * @param {{ x: number, y: number, z: number }[]} players
   */
  classify (mob, players) {
    this.measure(mob, players)
    if (!mob.far) this.near.add(mob)
    else if (players.length > 0) {
      this.near.delete(mob)
      if (/** @type {any} */ (mob).natural && !mob.persistent && !mob.customName) mob.remove()
    }
  }

  /**
   * Set a mob's distance state and its ticks alone.
   * @param {Mob} mob
   * @param {{ x: number, y: number, z: number }[]} players
   */
  measure (mob, players) {
    let nearest = Infinity
    for (let i = 0; i < players.length; i++) {
      const player = players[i]
      const dx = Math.abs(player.x - mob.x)
      if (dx > FAR) continue
      const dz = Math.abs(player.z - mob.z)
      const dy = player.y - mob.y
      if (dz <= FAR) nearest = Math.min(nearest, dx * dx + dz * dz + dy * dy)
    }
    mob.ticksAlone = nearest > COMPANY * COMPANY ? mob.ticksAlone + EVERY : 0
    mob.unattended = nearest > mob.reach * mob.reach
    if (!mob.unattended || (mob.far && nearest < Infinity)) this.world.scheduler.resume(mob)
    mob.far = nearest === Infinity
  }

  /** @param {number} cx @param {number} cz */
  populate (cx, cz) {
    const key = keyOf(cx, cz)
    if (this.done.has(key)) return
    this.done.add(key)
    if (dimensionAt(cx * 16) !== 'overworld') return
    for (const { type, x, y, z } of this.world.terrain.generator.residents(cx, cz)) {
      const free = this.freeYFrom(Math.floor(x), y, Math.floor(z))
      if (free !== null) this.world.summon(type, { x, y: free, z })
    }
  }

  /**
   * Return the lowest y from `y` up with room for a body; null if something is built there.
   * @param {number} x
   * @param {number} y
   * @param {number} z
   */
  freeYFrom (x, y, z) {
    const { world } = this
    for (let at = y; at <= y + CLIMB; at++) {
      if (world.stateAt(x, at, z).shapes.length === 0 && world.stateAt(x, at + 1, z).shapes.length === 0) return at
    }
    return null
  }
}

module.exports = { Populating }
