'use strict'
/** Source of a command: the console or a player, and the place, as changed by /execute. */
const { CommandError } = require('./reader')
const { translated } = require('./lines')
const { OPERATOR } = require('./permissions')
const { viewVector } = require('../geometry')
const { dimensionAt, ORIGIN } = require('../dimensions')

/** @typedef {import('./arguments').Place} Place */
/** @typedef {import('./arguments').Coordinate} Coordinate */
/** @typedef {import('../types').Pos} Pos */

/** An immutable source; `with()` returns a changed copy. */
class Source {
  /**
   * @param {import('../world').World} world
   * @param {{ entity?: import('../entities/entity').Entity | null, pos?: Pos, yaw?: number, pitch?: number, anchor?:
   *   'feet' | 'eyes', out?: (string | import('./lines').Line)[], console?: boolean, level?: number, keepers?:
   *   import('./results').Keeper[] }} parts
   */
  constructor (world, { entity = null, pos, yaw, pitch, anchor = 'feet', out = [], console = !entity, level = OPERATOR,
    keepers = [] }) {
    this.world = world
    this.entity = entity
    this.pos = pos ?? (entity ? { x: entity.x, y: entity.y, z: entity.z }
      : { x: Math.floor(world.spawn.x), y: world.spawn.y, z: Math.floor(world.spawn.z) })
    this.yaw = yaw ?? entity?.yaw ?? 0
    this.pitch = pitch ?? entity?.pitch ?? 0
    this.anchor = anchor
    this.out = out
    this.console = console
    /** Permission level, 0 to 4 (permissions.js). */
    this.level = level
    /** Functions that store the command's result, by `execute store`. */
    this.keepers = keepers
  }

  /**
   * @param {Partial<{ entity: any, pos: Pos, yaw: number, pitch: number, anchor: 'feet' | 'eyes', out: (string |
   *   import('./lines').Line)[], level: number, keepers: import('./results').Keeper[] }>} changes
   */
  with (changes) {
    return new Source(this.world,
      { entity: this.entity, pos: this.pos, yaw: this.yaw, pitch: this.pitch, anchor: this.anchor, out: this.out,
      console: this.console, level: this.level, keepers: this.keepers, ...changes })
  }

  get name () { return this.entity ? this.entity.displayName : 'Server' }

  /** The player behind the source, or null. @returns {import('../player').Player | null} */
  get player () {
    const player = this.world.players.get(/** @type {any} */ (this.entity)?.name)
    return player && player === this.entity ? player : null
  }

  /** @returns {import('../player').Player} */
  needPlayer () {
    if (!this.player) throw new CommandError(this.world.data.text('permissions.requires.player'))
    return this.player
  }

  /** @returns {import('../entities/entity').Entity} */
  needEntity () {
    if (!this.entity) throw new CommandError(this.world.data.text('permissions.requires.entity'))
    return this.entity
  }

  /**
   * Add one of vanilla's texts to the reply.
   * @param {string} key
   * @param {...(string | number | import('./lines').Line)} args
   */
  say (key, ...args) { this.out.push(translated(this.world.data, key, ...args)) }

  /** Return a refusal with one of vanilla's texts. @param {string} key @param {...(string | number)} args */
  error (key, ...args) { return new CommandError(translated(this.world.data, key, ...args)) }

  /** Return the world position of a parsed place. @param {Place} place @returns {Pos} */
  resolve (place) {
    const { x, y, z } = place
    const from = this.anchor === 'eyes' && this.entity
      ? { ...this.pos, y: this.pos.y + /** @type {any} */ (this.entity).eyeHeight } : this.pos
    const at = x.kind === '^' ? this.local(from, x.value, y.value, z.value)
      : { x: shift(x, this.pos.x, ORIGIN[dimensionAt(this.pos.x)]), y: shift(y, this.pos.y), z: shift(z, this.pos.z) }
    return place.block ? { x: Math.floor(at.x), y: Math.floor(at.y), z: Math.floor(at.z) } : at
  }

  /**
   * Return the position `left`, `up` and `forward` of the view.
   * @param {Pos} from
   * @param {number} left
   * @param {number} up
   * @param {number} forward
   * @returns {Pos}
   */
  local (from, left, up, forward) {
    const f = viewVector(this.yaw, this.pitch)
    const u = viewVector(this.yaw, this.pitch - 90)
    const l = { x: u.y * f.z - u.z * f.y, y: u.z * f.x - u.x * f.z, z: u.x * f.y - u.y * f.x }
    return { x: from.x + f.x * forward + u.x * up + l.x * left, y: from.y + f.y * forward + u.y * up + l.y * left,
      z: from.z + f.z * forward + u.z * up + l.z * left }
  }

  /** Return a block position inside the world. @param {Place} place */
  block (place) {
    const at = this.resolve(place)
    if (!this.world.terrain.inside(at.x, at.y, at.z)) {
      throw this.error(Math.abs(at.x) >= 3e7 || Math.abs(at.z) >= 3e7 ? 'argument.pos.outofbounds'
        : 'argument.pos.outofworld')
    }
    return at
  }

  /** @param {Coordinate[]} rotation [yaw, pitch] as vanilla takes them */
  rotation ([yaw, pitch]) { return { yaw: shift(yaw, this.yaw), pitch: shift(pitch, this.pitch) } }
}

/** @param {Coordinate} coordinate @param {number} origin @param {number} [base] of places that are told as they are */
function shift ({ value, kind }, origin, base = 0) { return kind === '~' ? origin + value : base + value }

module.exports = { Source }
