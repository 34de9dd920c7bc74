'use strict'
/**
 * Phantoms, which attack players who have not slept for three days (minecraft.wiki, "Phantom", "Spawning"): at night or
 * in a thunderstorm, above players under the open sky, where mobs spawn naturally and the rule `doInsomnia` is on.
 */
const { dimensionAt } = require('../../dimensions')

/** @typedef {import('../../player').Player} Player */

/** Ticks between two updates of the time without rest. */
const COUNT_EVERY = 20
/** Minimum and maximum number of ticks between two spawn attempts. */
const TRY = Object.freeze([1200, 2380])
const AWAKE = 72000
/** Minimum number of levels by which the sky's light is reduced. */
const DARK = 5
const SEA_LEVEL = 63
/**
 * Chance of an attempt by difficulty: vanilla's regional difficulty of a young world, divided by three.
 *
 * @type {Record<string, number>}
 */
const CHANCE = Object.freeze({ peaceful: 0, easy: 0.25, normal: 0.5, hard: 0.75 })
/** @type {Record<string, number>} */
const MAX_GROUP = Object.freeze({ peaceful: 0, easy: 2, normal: 3, hard: 4 })

/** Phantom spawning in one world. */
class Phantoms {
  /** @param {import('../../world').World} world */
  constructor (world) {
    this.world = world
    this.due = 0
  }

  /** Return the ticks since a player last slept or died. @param {Player} player @returns {number} */
  awake (player) { return this.world.stats.get(player, 'custom', 'time_since_rest') }

  /** Reset the time without rest of a player who sleeps or dies. @param {Player} player */
  rested (player) { this.world.stats.reset(player, 'custom', 'time_since_rest') }

  tick () {
    const { world } = this
    if (world.age % COUNT_EVERY === 0) {
      for (const player of world.players.values()) {
        if (!player.dead && !player.sleeping) world.stats.add(player, 'custom', 'time_since_rest', COUNT_EVERY)
      }
    }
    if (world.age < this.due || !world.spawning.on || !world.rules.doMobSpawning || !world.rules.doInsomnia) return
    const random = world.random.stream('phantoms')
    this.due = world.age + random.int(TRY[0], TRY[1])
    if (world.sky.darken < DARK && world.sky.weather !== 'thunder') return
    for (const player of [...world.players.values()]) {
      if (this.exposed(player) && random.chance(CHANCE[world.difficulty]) &&
        random.int(0, Math.max(1, this.awake(player)) - 1) >= AWAKE) {
        this.come(player, random)
      }
    }
  }

  /** @param {Player} player @returns {boolean} true under the open sky, above sea level, in the overworld */
  exposed (player) {
    const { world } = this
    if (player.gamemode === 'spectator' || player.dead || dimensionAt(player.x) !== 'overworld') return false
    return player.y >= (world.terrain.generated ? SEA_LEVEL : world.minY) &&
      world.light.seesSky(Math.floor(player.x), Math.floor(player.y), Math.floor(player.z))
  }

  /** @param {Player} player @param {import('../../random').RandomStream} random */
  come (player, random) {
    const { world } = this
    const at = { x: Math.floor(player.x) + random.int(-10, 10) + 0.5, y: Math.floor(player.y) + random.int(20, 34),
      z: Math.floor(player.z) + random.int(-10, 10) + 0.5 }
    if (!world.stateAt(Math.floor(at.x), at.y, Math.floor(at.z)).air) return
    for (let left = random.int(1, MAX_GROUP[world.difficulty]); left > 0; left--) {
      const phantom = /** @type {any} */ (world.summon('phantom', at))
      if (phantom) phantom.natural = true
    }
  }
}

module.exports = { Phantoms }
