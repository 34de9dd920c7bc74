'use strict'
/**
 * Moves of a player on foot, and their costs: forward, up by one, down by up to four (any depth into water),
 * diagonally, over gaps of up to three blocks, climbing and swimming. Nothing is dug, placed or opened; open doors,
 * gates and trapdoors are walked through. Costs are those of mineflayer-pathfinder, so that a path here is a path on
 * servers.
 *
 * A body's cell is the one that contains its feet; the cell below carries it.
 *
 * @module engine/body/moves
 */
const { FLAG, PANEL, enteredSide } = require('./blocks')

/** Maximum drop onto firm ground, and maximum rise of a jump, in blocks. */
const MAX_DROP = 4
const MAX_JUMP = 1.2
const LOWEST_Y = -64
/** Longest jump over a gap, in blocks from cell to cell, sprinting and walking. */
const SPRINT_JUMP = 4
const WALK_JUMP = 2
/** Distance to the sides, in blocks, within which a cell's moves depend on blocks. */
const LOOK_ASIDE = SPRINT_JUMP
/** Height above a cell, in blocks, up to which its moves depend on blocks. */
const LOOK_UP = 2
const SIDES = Object.freeze([[-1, 0], [1, 0], [0, -1], [0, 1]])
const CORNERS = Object.freeze([[-1, -1], [-1, 1], [1, -1], [1, 1]])

/**
 * Receiver of every cell that can be reached in one move.
 *
 * @callback Visit
 * @param {number} x
 * @param {number} y
 * @param {number} z
 * @param {number} cost
 * @param {boolean} [upright] true for a move straight up or down, whose cost other bodies do not raise
 * @returns {void}
 */

/**
 * The cell that moves begin in.
 *
 * @typedef {object} Origin
 * @property {number} x
 * @property {number} y
 * @property {number} z
 * @property {number} base y of the surface that the body stands on
 */

/**
 * @typedef {object} TerrainOptions
 * @property {number} [maxDrop] maximum drop onto firm ground, in blocks
 * @property {boolean} [parkour] allows jumps over gaps
 * @property {boolean} [sprinting] allows wider jumps over gaps
 */

/** Ground around a cell as a walking body sees it, and the moves from the cell. */
class Terrain {
  /** The cell whose moves are being listed, reused because a search lists hundreds of thousands. @type {Origin} */
  #origin = { x: 0, y: 0, z: 0, base: 0 }

  /**
   * @param {import('./physics').Space} space
   * @param {TerrainOptions} [options]
   */
  constructor (space, { maxDrop = MAX_DROP, parkour = true, sprinting = true } = {}) {
    this.space = space
    this.maxDrop = maxDrop
    /** Longest jump over a gap, in blocks from cell to cell; 0 if there is none. */
    this.farthest = !parkour ? 0 : sprinting ? SPRINT_JUMP : WALK_JUMP
  }

  /** @param {number} x @param {number} y @param {number} z @returns {number} */
  flags (x, y, z) {
    return this.space.table.flagsOf(this.space.stateAt(x, y, z))
  }

  /**
   * Return true if a body may be in a cell.
   *
   * @param {number} x
   * @param {number} y
   * @param {number} z
   * @param {number} [shut] sides along which a panel is in the way, as `PANEL_*` flags
   * @returns {boolean}
   */
  free (x, y, z, shut = PANEL) {
    const flags = this.flags(x, y, z)
    if ((flags & FLAG.HARMFUL) !== 0) return false
    if ((flags & PANEL) !== 0) return (flags & shut) === 0
    return (flags & FLAG.SOLID) === 0 || (flags & (FLAG.CLIMBABLE | FLAG.THIN)) !== 0
  }

  /** @param {number} x @param {number} y @param {number} z @returns {boolean} true if a body may stand on this cell */
  firm (x, y, z) {
    return (this.flags(x, y, z) & (FLAG.SOLID | FLAG.TALL | PANEL)) === FLAG.SOLID
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} z
   * @returns {number} sides of a body's two cells with a panel
   */
  #panels (x, y, z) {
    return (this.flags(x, y, z) | this.flags(x, y + 1, z)) & PANEL
  }

  /** @param {number} x @param {number} y @param {number} z @returns {boolean} */
  liquid (x, y, z) {
    return (this.flags(x, y, z) & (FLAG.WATER | FLAG.LAVA)) !== 0
  }

  /**
   * Return true if a move may end in a cell. It is true for every cell that `neighbours` lists.
   *
   * @param {number} x
   * @param {number} y
   * @param {number} z
   * @returns {boolean}
   */
  enterable (x, y, z) {
    if ((this.flags(x, y - 1, z) & FLAG.CLIMBABLE) !== 0) return true
    return (this.firm(x, y - 1, z) || this.liquid(x, y, z)) && this.free(x, y, z, 0)
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} z
   * @returns {number} y of the cell's highest box, or of its floor
   */
  surface (x, y, z) {
    const state = this.space.stateAt(x, y, z)
    this.space.table.flagsOf(state)
    return y + this.space.table.tops[state]
  }

  /**
   * Return the height of the cell in which a drop ends: above the first firm cell, or in water.
   *
   * @param {number} x
   * @param {number} z
   * @param {number} fromY y of the cell from which the drop starts
   * @param {number} shut as for `free`
   * @returns {number} NaN if the drop is too deep or hurts
   */
  landing (x, z, fromY, shut) {
    for (let y = fromY - 2; y > LOWEST_Y; y--) {
      if (this.liquid(x, y, z) && this.free(x, y, z, shut)) return y
      if (this.firm(x, y, z)) return fromY - y <= this.maxDrop ? y + 1 : NaN
      if (!this.free(x, y, z, shut)) return NaN
    }
    return NaN
  }

  /**
   * Visit the end of every move from a cell. The moves depend on blocks at most `LOOK_ASIDE` columns away along an
   * axis, in the diagonal columns next to the cell, and at most `LOOK_UP` above the cell.
   *
   * @param {number} x
   * @param {number} y
   * @param {number} z
   * @param {Visit} visit
   */
  neighbours (x, y, z, visit) {
    const from = this.#origin
    from.x = x; from.y = y; from.z = z
    from.base = this.surface(x, y - 1, z)
    const wet = this.liquid(x, y, z)
    const panels = this.#panels(x, y, z)
    for (const [dx, dz] of SIDES) {
      if ((panels & enteredSide(-dx, -dz)) === 0) this.#straight(from, dx, dz, visit)
      if (this.farthest > 0 && !wet && panels === 0) this.#leap(from, dx, dz, visit)
    }
    if (panels === 0) for (const [dx, dz] of CORNERS) this.#diagonal(from, dx, dz, visit)
    this.#vertical(from, visit)
  }

  /**
   * Visit a neighbouring column: level, down or up.
   *
   * @param {Origin} from
   * @param {number} dx
   * @param {number} dz
   * @param {Visit} visit
   */
  #straight ({ x, y, z, base }, dx, dz, visit) {
    const nx = x + dx; const nz = z + dz
    const shut = enteredSide(dx, dz)
    const head = this.free(nx, y + 1, nz, shut)
    if (!head) return
    if (this.free(nx, y, nz, shut)) {
      const wet = this.liquid(nx, y, nz)
      if (wet || this.firm(nx, y - 1, nz)) visit(nx, y, nz, 1 + (this.liquid(x, y, z) ? 1 : 0))
      if (!wet && this.free(nx, y - 1, nz, shut)) {
        const land = this.landing(nx, nz, y, shut)
        if (!Number.isNaN(land)) visit(nx, land, nz, 1)
      }
    } else if (this.firm(nx, y, nz) && this.free(x, y + 2, z, shut) && this.free(nx, y + 2, nz, shut) &&
      this.surface(nx, y, nz) - base <= MAX_JUMP) {
      visit(nx, y + 1, nz, 2)
    }
  }

  /**
   * Visit the cell beyond a gap: at the same height, one up, or one down.
   *
   * @param {Origin} from
   * @param {number} dx
   * @param {number} dz
   * @param {Visit} visit
   */
  #leap ({ x, y, z, base }, dx, dz, visit) {
    if (this.firm(x + dx, y - 1, z + dz) && this.surface(x + dx, y - 1, z + dz) >= base) return
    if (!this.free(x + dx, y, z + dz) || !this.free(x + dx, y + 1, z + dz)) return
    let airy = this.free(x, y + 2, z) && this.free(x + dx, y + 2, z + dz)
    let deep = !this.firm(x + dx, y - 2, z + dz)
    for (let far = 2; far <= this.farthest; far++) {
      const nx = x + dx * far; const nz = z + dz * far
      const high = this.free(nx, y + 2, nz); const head = this.free(nx, y + 1, nz); const feet = this.free(nx, y, nz)
      if (airy && head && feet && this.firm(nx, y - 1, nz)) { visit(nx, y, nz, 1); return }
      if (airy && head && this.firm(nx, y, nz)) {
        // A jump four blocks ahead and one up mostly fails.
        if (high && far < SPRINT_JUMP && this.surface(nx, y, nz) - base <= MAX_JUMP) visit(nx, y + 1, nz, 1)
        return
      }
      if (!head || !feet) return
      if ((airy || far === 2) && deep && this.free(nx, y - 1, nz)) {
        const below = this.firm(nx, y - 2, nz)
        if (below) visit(nx, y - 1, nz, 1)
        deep = !below
      }
      airy = airy && high
    }
  }

  /** @param {Origin} from @param {number} dx @param {number} dz @param {Visit} visit */
  #diagonal ({ x, y, z, base }, dx, dz, visit) {
    const nx = x + dx; const nz = z + dz
    const climb = this.firm(nx, y, nz)
    const level = climb ? y + 1 : y
    if (!this.free(nx, level, nz) || !this.free(nx, level + 1, nz)) return
    const open = this.#corner(x, level, nz, base) || this.#corner(nx, level, z, base)
    if (!open) return
    const cost = Math.SQRT2 + (this.liquid(x, y, z) ? 1 : 0)
    if (climb) {
      if (this.surface(nx, y, nz) - base <= MAX_JUMP && this.free(x, y + 2, z)) visit(nx, y + 1, nz, cost + 1)
    } else if (this.firm(nx, y - 1, nz) || this.liquid(nx, y, nz)) {
      visit(nx, y, nz, cost)
    } else if (this.free(nx, y - 1, nz) && (this.firm(nx, y - 2, nz) || this.liquid(nx, y - 1, nz))) {
      visit(nx, y - 1, nz, cost)
    }
  }

  /**
   * Return true if the side of a body that moves diagonally may pass a cell.
   *
   * @param {number} x
   * @param {number} level y of the cell
   * @param {number} z
   * @param {number} base y of the surface that the body stands on
   * @returns {boolean}
   */
  #corner (x, level, z, base) {
    if (!this.free(x, level, z) || !this.free(x, level + 1, z)) return false
    return this.surface(x, level - 1, z) - base <= MAX_JUMP
  }

  /** @param {Origin} from @param {Visit} visit */
  #vertical ({ x, y, z }, visit) {
    const here = this.flags(x, y, z)
    if (here & (FLAG.WATER | FLAG.LAVA)) return
    if (this.free(x, y - 1, z, 0)) {
      const land = this.landing(x, z, y, 0)
      if (!Number.isNaN(land)) visit(x, land, z, 1, true)
    }
    if (here & FLAG.CLIMBABLE && this.free(x, y + 2, z, 0)) visit(x, y + 1, z, 1, true)
  }
}

module.exports = { Terrain, LOOK_ASIDE, LOOK_UP, MAX_DROP }
