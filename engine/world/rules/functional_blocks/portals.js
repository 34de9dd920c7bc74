'use strict'
/**
 * Portals (minecraft.wiki, "Nether portal", "End portal"): fire lights frames of obsidian; a player waits in the
 * portal, and comes out of the nearest portal on the other side or of a new one. Twelve eyes open an end portal. Only
 * players pass.
 */
const { respawnPlace } = require('../players/respawning')
const { dimensionAt, across, ORIGIN, BOUNDS } = require('../../dimensions')
const { DEFAULTS } = require('../operators/gamerules')
const { PLATFORM, BEYOND, SURFACE } = require('../../terrain/end')

/** @typedef {import('../../types').Pos} Pos */
/** @typedef {import('../../player').Player} Player */
/** @typedef {import('../../data').BlockState} BlockState */

/** Default number of ticks that a player waits in a Nether portal. */
const WAIT = Number(DEFAULTS.playersNetherPortalDefaultDelay)
const PORTAL = /^(nether_portal|end_portal|end_gateway)$/
/** Minimum width and height of the room in a frame, in blocks. */
const MIN_FRAME = Object.freeze([2, 3])
const MAX_FRAME = 21
/** Maximum distance of the other portal, in blocks, by dimension. */
const SEARCH = Object.freeze({ overworld: 128, the_nether: 16, the_end: 0 })
const MAX_PORTAL_BLOCKS = 512

/** Portals of one world. */
class Portals {
  /**
   * @param {Pick<import('../../world').World, 'data' | 'emit' | 'later' | 'players' | 'rules' | 'setBlock' | 'stateAt'
   *   | 'terrain' | 'updates'>} world
   */
  constructor (world) {
    this.world = world
    /** Lowest blocks of portals made in this world. @type {Map<string, Pos>} */
    this.known = new Map()
    /** Players who wait in a portal, each with its current wait. @type {Map<Player, object>} */
    this.inside = new Map()
  }

  /**
   * Update the known portals after a block's change, and break those whose frame is gone.
   *
   * @param {Pos} pos
   * @param {BlockState} before
   * @param {BlockState} after
   */
  changed (pos, before, after) {
    if (after.name === 'nether_portal') {
      const key = `${pos.x},${pos.z}`
      const low = this.known.get(key)
      if (!low || low.y > pos.y) this.known.set(key, { ...pos })
    }
    if (PORTAL.test(after.name)) {
      for (const player of this.world.players.values()) {
        if (Math.floor(player.x) === pos.x && Math.floor(player.z) === pos.z && Math.abs(player.y - pos.y) < 2) {
          this.entered(player)
        }
      }
    } else if (before.name === 'nether_portal' || before.name === 'obsidian') this.shatter(pos)
  }

  /** Remove all portal blocks that are connected with a position. @param {Pos} pos */
  shatter (pos) {
    const queue = [pos]
    for (let i = 0; i < queue.length && i < MAX_PORTAL_BLOCKS; i++) {
      for (const [dx, dy, dz] of [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]]) {
        const at = { x: queue[i].x + dx, y: queue[i].y + dy, z: queue[i].z + dz }
        if (this.world.stateAt(at.x, at.y, at.z).name !== 'nether_portal') continue
        this.known.delete(`${at.x},${at.z}`)
        queue.push(at)
        this.world.updates.paused = true
        this.world.terrain.set(at.x, at.y, at.z, 0)
        this.world.updates.paused = false
        this.world.emit('block', { ...at, stateId: 0 })
      }
    }
  }

  /** Light the frame around a fire. @param {Pos} pos @returns {boolean} true if there is a frame */
  light (pos) {
    if (dimensionAt(pos.x) === 'the_end') return false
    return this.fill(pos, 'x', 1, 0) || this.fill(pos, 'z', 0, 1)
  }

  /** @param {Pos} pos @param {string} axis @param {number} dx @param {number} dz */
  fill (pos, axis, dx, dz) {
    const name = (/** @type {number} */ side, /** @type {number} */ up) =>
      this.world.stateAt(pos.x + dx * side, pos.y + up, pos.z + dz * side).name
    const free = (/** @type {number} */ side, /** @type {number} */ up) =>
      /^(air|cave_air|fire|soul_fire|nether_portal)$/.test(name(side, up))
    let [left, right, down, up] = [0, 0, 0, 0]
    while (down > -MAX_FRAME && free(0, down - 1)) down--
    while (left > -MAX_FRAME && free(left - 1, down)) left--
    while (right < MAX_FRAME && free(right + 1, down)) right++
    while (up < MAX_FRAME && free(0, up + 1)) up++
    const [wide, tall] = [right - left + 1, up - down + 1]
    if (wide < MIN_FRAME[0] || tall < MIN_FRAME[1] || wide > MAX_FRAME || tall > MAX_FRAME) return false
    for (let side = left; side <= right; side++) {
      if (name(side, down - 1) !== 'obsidian' || name(side, up + 1) !== 'obsidian') return false
      for (let y = down; y <= up; y++) if (!free(side, y)) return false
    }
    for (let y = down; y <= up; y++) {
      if (name(left - 1, y) !== 'obsidian' || name(right + 1, y) !== 'obsidian') return false
    }
    const state = this.world.data.stateId('nether_portal', { axis })
    for (let side = left; side <= right; side++) {
      for (let y = down; y <= up; y++) this.world.setBlock(pos.x + dx * side, pos.y + y, pos.z + dz * side, state)
    }
    return true
  }

  /** Note a player who was displaced by other means than a portal. @param {Player} player */
  put (player) {
    if (player.cameThrough && PORTAL.test(player.inside.name)) return
    this.inside.delete(player)
    this.moved(player)
  }

  /** Handle a player's movement. @param {Player} player */
  moved (player) {
    if (PORTAL.test(player.inside.name)) return this.entered(player)
    player.cameThrough = false
    if (this.inside.size > 0) this.inside.delete(player)
  }

  /** @param {Player} player */
  entered (player) {
    if (player.cameThrough || this.inside.has(player) || player.dead || player.gamemode === 'spectator' ||
      player.vehicle) {
      return
    }
    const wait = {}
    this.inside.set(player, wait)
    this.world.later(this.delay(player), () => {
      if (this.inside.get(player) === wait && !player.removed && !player.dead) this.through(player)
    })
  }

  /** Return the number of ticks that a player waits in a portal. @param {Player} player */
  delay (player) {
    if (player.inside.name !== 'nether_portal') return 1
    const { playersNetherPortalCreativeDelay: creative, playersNetherPortalDefaultDelay: usual } = this.world.rules
    return Number(player.gamemode === 'creative' ? creative : usual)
  }

  /** @param {Player} player */
  through (player) {
    const { name } = player.inside
    const from = dimensionAt(player.x)
    if (name === 'nether_portal') {
      this.goTo(player, this.exit(player, from === 'the_nether' ? 'overworld' : 'the_nether'))
    } else if (name === 'end_portal' && from !== 'the_end') {
      this.goTo(player, { x: PLATFORM.x + ORIGIN.the_end + 0.5, y: PLATFORM.y, z: PLATFORM.z + 0.5 })
    } else if (name === 'end_portal') this.goTo(player, respawnPlace(player))
    else if (name === 'end_gateway') this.goTo(player, this.ashore())
  }

  /** Move a player into another dimension, or within its own. @param {Player} player @param {Pos} to */
  goTo (player, to) {
    const before = dimensionAt(player.x)
    if (player.vehicle) player.dismount()
    if (player.screens.container) player.screens.close(true)
    player.using.stop()
    player.place3d({ x: to.x, y: to.y, z: to.z })
    this.inside.delete(player)
    player.cameThrough = PORTAL.test(player.inside.name)
    if (before === dimensionAt(to.x)) {
      this.world.emit('teleport', { player })
      this.world.emit('entityMove', { entity: player })
      return
    }
    this.world.emit('respawn', { player })
    player.screens.resend()
    player.healthChanged()
  }

  /**
   * Return the portal on the other side: the nearest known one, or a new one.
   *
   * @param {Player} player
   * @param {import('../../dimensions').Dimension} to
   * @returns {Pos}
   */
  exit (player, to) {
    const aim = across(player, to)
    let best = null
    let nearest = Number(SEARCH[to])
    for (const pos of this.known.values()) {
      const far = Math.max(Math.abs(pos.x - aim.x), Math.abs(pos.z - aim.z))
      if (far > nearest || this.world.stateAt(pos.x, pos.y, pos.z).name !== 'nether_portal') continue
      nearest = far
      best = pos
    }
    const at = best ?? this.build({ x: Math.floor(aim.x), y: Math.floor(aim.y), z: Math.floor(aim.z) }, to)
    return { x: at.x + 0.5, y: at.y, z: at.z + 0.5 }
  }

  /**
   * Return a position near the aim where a new portal has ground and room.
   *
   * @param {Pos} aim
   * @param {import('../../dimensions').Dimension} to
   * @returns {Pos}
   */
  site (aim, to) {
    const { minY, height } = BOUNDS[to]
    const top = to === 'the_nether' ? 120 : minY + height - 8
    const free = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ z) => {
      const state = this.world.stateAt(x, y, z)
      return state.air || (state.replaceable && !state.liquid)
    }
    for (let ring = 0; ring <= 16; ring += 4) {
      for (const [dx, dz] of ring === 0 ? [[0, 0]]
        : [[ring, 0], [-ring, 0], [0, ring], [0, -ring], [ring, ring], [-ring, -ring], [ring, -ring], [-ring, ring]]) {
        for (let y = top; y > minY + 8; y--) {
          const [x, z] = [aim.x + dx, aim.z + dz]
          if (this.world.stateAt(x, y - 1, z).fullCube && this.world.stateAt(x, y - 1, z).name !== 'bedrock' &&
            [0, 1, 2, 3].every((dy) => free(x, y + dy, z) && free(x + 1, y + dy, z))) {
            return { x, y, z }
          }
        }
      }
    }
    return { x: aim.x, y: Math.max(70, Math.min(top - 10, aim.y)), z: aim.z }
  }

  /** @param {Pos} aim @param {import('../../dimensions').Dimension} to @returns {Pos} the portal's lowest block */
  build (aim, to) {
    const { world } = this
    const { x, y, z } = this.site(aim, to)
    const obsidian = world.data.stateId('obsidian')
    for (let dx = -1; dx <= 2; dx++) {
      for (let dz = -1; dz <= 1; dz++) {
        for (let dy = 0; dy < 4; dy++) world.setBlock(x + dx, y + dy, z + dz, 0)
        if (dz !== 0 && !world.stateAt(x + dx, y - 1, z + dz).fullCube) world.setBlock(x + dx, y - 1, z + dz, obsidian)
      }
      for (let dy = -1; dy <= 3; dy++) {
        if (dx < 0 || dx > 1 || dy < 0 || dy > 2) world.setBlock(x + dx, y + dy, z, obsidian)
      }
    }
    const portal = world.data.stateId('nether_portal', { axis: 'x' })
    for (let dx = 0; dx <= 1; dx++) for (let dy = 0; dy <= 2; dy++) world.setBlock(x + dx, y + dy, z, portal)
    return { x, y, z }
  }

  /** Return the position on land behind the gateway. @returns {Pos} */
  ashore () {
    const [x, z] = [BEYOND.x + ORIGIN.the_end, BEYOND.z]
    let y = SURFACE + 8
    while (y > 40 && this.world.stateAt(x, y - 1, z).air) y--
    return { x: x + 0.5, y, z: z + 0.5 }
  }

  /**
   * Put an eye into a frame; the twelfth opens the portal.
   *
   * @param {Player} player
   * @param {0 | 1} hand
   * @param {Pos} pos
   * @param {BlockState} state
   */
  eye (player, hand, pos, state) {
    const { world } = this
    world.setBlock(pos.x, pos.y, pos.z, world.data.withProps(state.stateId, { eye: true }))
    player.consume(hand)
    for (let cx = pos.x - 2; cx <= pos.x + 2; cx++) {
      for (let cz = pos.z - 2; cz <= pos.z + 2; cz++) {
        if (this.complete(cx, pos.y, cz)) {
          for (let dx = -1; dx <= 1; dx++) {
            for (let dz = -1; dz <= 1; dz++) world.setBlock(cx + dx, pos.y, cz + dz, world.data.stateId('end_portal'))
          }
        }
      }
    }
  }

  /**
   * Return true if a position is the middle of twelve frames with eyes.
   *
   * @param {number} x
   * @param {number} y
   * @param {number} z
   * @returns {boolean}
   */
  complete (x, y, z) {
    for (let i = -1; i <= 1; i++) {
      for (const [dx, dz] of [[i, -2], [i, 2], [-2, i], [2, i]]) {
        const state = this.world.stateAt(x + dx, y, z + dz)
        if (state.name !== 'end_portal_frame' || state.props.eye !== 'true') return false
      }
    }
    return true
  }
}

module.exports = { Portals, WAIT }
