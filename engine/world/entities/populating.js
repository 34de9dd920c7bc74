'use strict'
/**
 * Brings the residents of generated land into the world: once for each column, when a player first comes near. What
 * happens to them afterwards is their own rules' affair. `doMobSpawning` false keeps them out. Mobs far from everybody
 * stand still (`tick_scheduler.js`).
 */
const { dimensionAt } = require('../dimensions')
const { keyOf } = require('../terrain/terrain')
const { COMPANY, Mob } = require('./mobs')

/** Columns around a player that are populated. */
const NEAR = 5
/** Ticks between two looks. */
const EVERY = 20
/** Mobs further than this from every player, in blocks, are far. */
const FAR = 136
/** How far up a free place is looked for, where something stands on the ground. */
const CLIMB = 3

/** The populating of one world. */
class Populating {
  /** @param {import('../world').World} world */
  constructor (world) {
    this.world = world
    /** Columns that are populated (`keyOf`). @type {Set<number>} */
    this.done = new Set()
    /** Mobs of which nobody knows that they are far. @type {Set<Mob>} */
    this.near = new Set()
    /**
     * The column in which each player was when those around it were populated.
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

  /** A body has come. @param {import('./entity').Entity} entity */
  enter (entity) { if (entity instanceof Mob) this.near.add(entity) }

  /** A body has gone. @param {import('./entity').Entity} entity */
  leave (entity) { this.near.delete(/** @type {any} */ (entity)) }

  /**
   * Which mobs are far or apart from every player: who is neither wakes. Monsters that came by themselves vanish there,
   * as vanilla's do beyond 128 blocks.
   */
  findFar () {
    const players = [...this.world.players.values()]
    for (const mob of this.near) this.sort(mob, players)
    for (const { x, z } of players) {
      this.world.scheduler.visitNear(x, z, FAR, (sleeper) => {
        if (sleeper.far) this.sort(/** @type {Mob} */ (sleeper), players)
      })
    }
  }

  /**
   * It belongs to those near or far, or vanishes.
   * @param {Mob} mob
   * @param {{ x: number, y: number, z: number }[]} players
   */
  sort (mob, players) {
    this.measure(mob, players)
    if (!mob.far) this.near.add(mob)
    else if (players.length > 0) {
      this.near.delete(mob)
      if (/** @type {any} */ (mob).natural && !mob.persistent && !mob.customName) mob.remove()
    }
  }

  /**
   * A mob is told how far the nearest player is, and for how long none was in its company.
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
      const free = this.placeFor(Math.floor(x), y, Math.floor(z))
      if (free !== null) this.world.summon(type, { x, y: free, z })
    }
  }

  /**
   * The lowest y from there up where a body has room; null when something is built there.
   * @param {number} x
   * @param {number} y
   * @param {number} z
   */
  placeFor (x, y, z) {
    const { world } = this
    for (let at = y; at <= y + CLIMB; at++) {
      if (world.stateAt(x, at, z).shapes.length === 0 && world.stateAt(x, at + 1, z).shapes.length === 0) return at
    }
    return null
  }
}

module.exports = { Populating }
