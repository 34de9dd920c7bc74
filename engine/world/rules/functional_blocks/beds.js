'use strict'
/**
 * Beds and sleep (minecraft.wiki, "Bed"): conditions of sleep, positions of waking up, and the night that is skipped
 * when enough players sleep.
 */
const { CLOCKWISE, STEP } = require('../blocks/block_entities')

/** @typedef {import('../../types').Pos} Pos */
/** @typedef {import('../../player').Player} Player */
/** @typedef {import('../../data').BlockState} BlockState */

/** Ticks in bed after which a sleeper counts for skipping the night. */
const DEEP = 100
const DAY = 24000
/** Times of day at which players may sleep, in clear weather and in rain. In a thunderstorm they always may. */
const NIGHT = Object.freeze({ clear: Object.freeze([12542, 23459]), rain: Object.freeze([12010, 23991]) })
/** Maximum distance of a bed, in blocks sideways and up; minimum distance of monsters. */
const REACH = Object.freeze({ side: 3, up: 2 })
const DANGER = Object.freeze({ side: 8, up: 5 })
/** Height of a sleeper above the bed's cell, in blocks. */
const LYING = 0.6875

/** @param {string} name block name */
function isBed (name) { return name.endsWith('_bed') }

/** Sleepers of one world. */
class Beds {
  /** @param {import('../../world').World} world */
  constructor (world) {
    this.world = world
    /**
     * Sleepers with the position of their bed's head and their ticks in bed.
     *
     * @type {Map<Player, { head: Pos, ticks: number }>}
     */
    this.sleepers = new Map()
  }

  /** @param {Player} player @returns {Pos | null} head of the bed in which the player sleeps */
  bedOf (player) { return this.sleepers.get(player)?.head ?? null }

  /** True if players may sleep now. */
  get night () {
    const { sky } = this.world
    if (sky.weather === 'thunder') return true
    const [from, to] = NIGHT[sky.weather === 'rain' ? 'rain' : 'clear']
    return sky.daylight >= from && sky.daylight <= to
  }

  /** Handle a click on a bed. @param {Player} player @param {Pos} pos @param {BlockState} state */
  use (player, pos, state) {
    const [dx, dz] = STEP[state.props.facing]
    const head = state.props.part === 'head' ? pos : { x: pos.x + dx, y: pos.y, z: pos.z + dz }
    const there = this.world.stateAt(head.x, head.y, head.z)
    if (!isBed(there.name) || there.props.part !== 'head') return
    const problem = this.problem(player, head, there)
    if (problem) this.say(player, problem)
    else this.lieDown(player, head)
  }

  /**
   * Return the translation key of vanilla's message if a player may not sleep in a bed, and set the spawn point.
   *
   * @param {Player} player
   * @param {Pos} head
   * @param {BlockState} state
   */
  problem (player, head, state) {
    if (player.dead || this.sleepers.has(player)) return 'block.minecraft.bed.no_sleep'
    if (state.props.occupied === 'true') return 'block.minecraft.bed.occupied'
    const [dx, dz] = STEP[state.props.facing]
    const near = (/** @type {Pos} */ at) =>
      Math.abs(player.x - at.x - 0.5) <= REACH.side && Math.abs(player.y - at.y) <= REACH.up &&
      Math.abs(player.z - at.z - 0.5) <= REACH.side
    const foot = { x: head.x - dx, y: head.y, z: head.z - dz }
    if (!near(head) && !near(foot)) return 'block.minecraft.bed.too_far_away'
    if ([head, foot].some((at) => this.blocked(at.x, at.y + 1, at.z))) return 'block.minecraft.bed.obstructed'
    this.setSpawn(player, head)
    if (!this.night) return 'block.minecraft.bed.no_sleep'
    return player.gamemode !== 'creative' && this.monstersNear(head) ? 'block.minecraft.bed.not_safe' : ''
  }

  /** @param {number} x @param {number} y @param {number} z */
  blocked (x, y, z) {
    const state = this.world.stateAt(x, y, z)
    return state.fullCube && !state.info.transparent
  }

  /** @param {Pos} head */
  monstersNear (head) {
    return this.world.bodiesNear({ x: head.x + 0.5, z: head.z + 0.5 }, DANGER.side)
      .some((body) => /** @type {Partial<import('../../entities/mobs').Mob>} */ (body).hostile &&
        Math.abs(body.y - head.y) <= DANGER.up)
  }

  /** @param {Player} player @param {Pos} head */
  setSpawn (player, head) {
    const old = player.spawnPoint?.bed
    if (old && old.x === head.x && old.y === head.y && old.z === head.z) return
    player.spawnPoint = { x: head.x + 0.5, y: head.y, z: head.z + 0.5, angle: player.yaw, bed: head }
    this.world.commands.sendLine(player, this.world.commands.line('block.minecraft.set_spawn'))
  }

  /** @param {Player} player @param {string} key */
  say (player, key) {
    const { text, component } = this.world.commands.line(key)
    this.world.emit('system', { player, text, overlay: true, component: JSON.stringify(component) })
  }

  /** @param {Player} player @param {Pos} head */
  lieDown (player, head) {
    player.dismount()
    player.digging.stop()
    player.using.stop()
    player.place3d({ x: head.x + 0.5, y: head.y + LYING, z: head.z + 0.5 })
    this.sleepers.set(player, { head, ticks: 0 })
    this.occupy(head, true)
    this.world.stats.add(player, 'custom', 'sleep_in_bed')
    this.world.phantoms.rested(player)
    this.world.emit('entityMeta', { entity: player })
    this.world.emit('sleep', { player, asleep: true })
    this.announce()
  }

  /** @param {Pos} head @param {boolean} occupied */
  occupy (head, occupied) {
    const { world } = this
    const state = world.stateAt(head.x, head.y, head.z)
    if (!isBed(state.name)) return
    const mate = world.breaking.mate(state, head)
    world.setBlock(head.x, head.y, head.z, world.data.withProps(state.stateId, { occupied }))
    if (mate) world.setBlock(mate.pos.x, mate.pos.y, mate.pos.z, world.data.withProps(mate.stateId, { occupied }))
  }

  /** Wake a sleeper and put it beside the bed. @param {Player} player */
  wake (player) {
    const bed = this.sleepers.get(player)
    if (!bed) return
    this.sleepers.delete(player)
    const state = this.world.stateAt(bed.head.x, bed.head.y, bed.head.z)
    this.occupy(bed.head, false)
    this.world.emit('animation', { entity: player, animation: 2 })
    this.world.emit('entityMeta', { entity: player })
    this.world.emit('sleep', { player, asleep: false })
    if (player.removed || player.dead) return
    player.teleport(this.standUp(bed.head, state) ?? { x: bed.head.x + 0.5, y: bed.head.y + 1.1, z: bed.head.z + 0.5 })
  }

  /**
   * Return a free position around the bed, in vanilla's order, or null.
   *
   * @param {Pos} head
   * @param {BlockState} state
   * @returns {Pos | null}
   */
  standUp (head, state) {
    if (!isBed(state.name)) return null
    const [fx, fz] = STEP[state.props.facing]
    const [gx, gz] = STEP[CLOCKWISE[state.props.facing]]
    // Steps along the facing (f) and to its right (g).
    const around = [[0, 1], [-1, 1], [-2, 1], [-2, 0], [-2, -1], [-1, -1], [0, -1], [1, -1], [1, 0], [1, 1]]
    for (const dy of [0, -1, 1]) {
      for (const [f, g] of around) {
        const at = { x: head.x + f * fx + g * gx, y: head.y + dy, z: head.z + f * fz + g * gz }
        if (this.standable(at)) return { x: at.x + 0.5, y: at.y, z: at.z + 0.5 }
      }
    }
    return null
  }

  /** @param {Pos} at */
  standable ({ x, y, z }) {
    const free = (/** @type {number} */ h) =>
      this.world.stateAt(x, h, z).shapes.length === 0 && !this.world.stateAt(x, h, z).liquid
    return free(y) && free(y + 1) && this.world.stateAt(x, y - 1, z).shapes.length > 0
  }

  /**
   * Return the respawn position of a player with a bed, or null if the bed is gone or obstructed.
   *
   * @param {{ bed?: Pos }} point
   * @returns {Pos | null}
   */
  respawnPlace ({ bed }) { return bed ? this.standUp(bed, this.world.stateAt(bed.x, bed.y, bed.z)) : null }

  tick () {
    if (this.sleepers.size === 0) return
    for (const [player, bed] of this.sleepers) {
      bed.ticks++
      if (player.dead || player.removed || !this.night ||
        !isBed(this.world.stateAt(bed.head.x, bed.head.y, bed.head.z).name)) {
        this.wake(player)
      }
    }
    const needed = this.needed()
    const deep = [...this.sleepers.values()].filter((bed) => bed.ticks >= DEEP).length
    if (this.sleepers.size >= needed && deep >= needed) this.passNight()
  }

  /** Return the number of sleepers that the game rule demands, at least one. */
  needed () {
    const awake = [...this.world.players.values()].filter((player) => player.gamemode !== 'spectator').length
    return Math.max(1, Math.ceil(awake * Number(this.world.rules.playersSleepingPercentage) / 100))
  }

  /** Announce the number of sleepers to all players. */
  announce () {
    if (Number(this.world.rules.playersSleepingPercentage) > 100) return
    const needed = this.needed()
    const { line } = this.world.commands
    const { text, component } = this.sleepers.size >= needed ? line.call(this.world.commands, 'sleep.skipping_night')
      : line.call(this.world.commands, 'sleep.players_sleeping', this.sleepers.size, needed)
    this.world.emit('system', { player: null, text, overlay: true, component: JSON.stringify(component) })
  }

  passNight () {
    const { sky, rules } = this.world
    if (rules.doDaylightCycle) sky.setTime((Math.floor(sky.timeOfDay / DAY) + 1) * DAY)
    if (rules.doWeatherCycle && sky.weather !== 'clear') sky.setWeather('clear', 0)
    for (const player of [...this.sleepers.keys()]) this.wake(player)
  }
}

module.exports = { Beds, isBed }
