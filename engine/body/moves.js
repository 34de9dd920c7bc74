'use strict'
/**
 * From which cell to which a player gets on foot, and what each move costs: forward, up by one, down by up to four (any
 * depth into water), diagonally, over gaps of up to three blocks, climbing and swimming. Nothing is dug, placed or opened; open doors, gates and
 * trapdoors are walked through. Costs follow what bots on servers reckon with, so that a path here is a path there.
 *
 * A cell is where the feet are; it stands on the cell below.
 *
 * @module engine/body/moves
 */
const { FLAG, PANEL, enteredSide } = require('./blocks')

const MAX_DROP = 4
const MAX_JUMP = 1.2
const LOWEST_Y = -64
const SPRINT_JUMP = 4
/** How far from a cell its moves depend on blocks, to the sides. */
const LOOK_ASIDE = SPRINT_JUMP
/** How far above a cell its moves depend on blocks. */
const LOOK_UP = 2
const WALK_JUMP = 2
const SIDES = Object.freeze([[-1, 0], [1, 0], [0, -1], [0, 1]])
const CORNERS = Object.freeze([[-1, -1], [-1, 1], [1, -1], [1, 1]])

/**
 * @callback Visit called for every cell that can be reached in one move
 * @param {number} x
 * @param {number} y
 * @param {number} z
 * @param {number} cost
 * @param {boolean} [upright] straight up or down: it costs the same where others stand
 * @returns {void}
 */

/**
 * @typedef {object} TerrainOptions
 * @property {number} [maxDrop] blocks that a body lets itself fall onto firm ground
 * @property {boolean} [parkour] jumps over gaps
 * @property {boolean} [sprinting] widens those jumps
 */

/** What the ground is like around a cell, and the moves from it. */
class Terrain {
  /**
   * @param {import('./physics').Space} space
   * @param {TerrainOptions} [options]
   */
  constructor (space, { maxDrop = MAX_DROP, parkour = true, sprinting = true } = {}) {
    this.space = space
    this.maxDrop = maxDrop
    /** The longest jump over a gap, in blocks from cell to cell; 0: none. */
    this.farthest = !parkour ? 0 : sprinting ? SPRINT_JUMP : WALK_JUMP
  }

  /** @returns {number} */
  flags (x, y, z) {
    return this.space.table.flagsOf(this.space.stateAt(x, y, z))
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} z
   * @param {number} [shut] sides along which a panel would be in the way; 0: none
   * @returns {boolean} a body may be in this cell
   */
  free (x, y, z, shut = PANEL) {
    const flags = this.flags(x, y, z)
    if ((flags & FLAG.HARMFUL) !== 0) return false
    if ((flags & PANEL) !== 0) return (flags & shut) === 0
    return (flags & FLAG.SOLID) === 0 || (flags & (FLAG.CLIMBABLE | FLAG.THIN)) !== 0
  }

  /** @returns {boolean} a body may stand on this cell */
  firm (x, y, z) {
    return (this.flags(x, y, z) & (FLAG.SOLID | FLAG.TALL | PANEL)) === FLAG.SOLID
  }

  /** @returns {number} the sides of a body's two cells along which a panel stands */
  #panels (x, y, z) {
    return (this.flags(x, y, z) | this.flags(x, y + 1, z)) & PANEL
  }

  /** @returns {boolean} */
  liquid (x, y, z) {
    return (this.flags(x, y, z) & (FLAG.WATER | FLAG.LAVA)) !== 0
  }

  /** @returns {boolean} a move may end in this cell: every one of `neighbours` does in such a one */
  enterable (x, y, z) {
    if ((this.flags(x, y - 1, z) & FLAG.CLIMBABLE) !== 0) return true
    return (this.firm(x, y - 1, z) || this.liquid(x, y, z)) && this.free(x, y, z, 0)
  }

  /** @returns {number} y of the surface that a cell offers: its highest box, or its floor */
  surface (x, y, z) {
    const state = this.space.stateAt(x, y, z)
    this.space.table.flagsOf(state)
    return y + this.space.table.tops[state]
  }

  /**
   * Where a drop from above ends: the cell above the first firm one, or water.
   *
   * @param {number} fromY cell from which the drop starts
   * @param {number} shut of `free`
   * @returns {number} y of the cell, or NaN when it is too deep or hurts
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
   * Every move from a cell. What is looked at lies at most `LOOK_ASIDE` columns away along an axis, next to the cell's own
   * column otherwise, and at most `LOOK_UP` above the cell.
   *
   * @param {number} x
   * @param {number} y
   * @param {number} z
   * @param {Visit} visit
   */
  neighbours (x, y, z, visit) {
    const base = this.surface(x, y - 1, z)
    const wet = this.liquid(x, y, z)
    const panels = this.#panels(x, y, z)
    for (const [dx, dz] of SIDES) {
      if ((panels & enteredSide(-dx, -dz)) === 0) this.#straight(x, y, z, x + dx, z + dz, enteredSide(dx, dz), visit)
      if (this.farthest > 0 && !wet && panels === 0) this.#leap(x, y, z, dx, dz, base, visit)
    }
    if (panels === 0) for (const [dx, dz] of CORNERS) this.#diagonal(x, y, z, dx, dz, base, visit)
    this.#vertical(x, y, z, visit)
  }

  #straight (x, y, z, nx, nz, shut, visit) {
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
      this.surface(nx, y, nz) - this.surface(x, y - 1, z) <= MAX_JUMP) {
      visit(nx, y + 1, nz, 2)
    }
  }

  /** Over a gap: to the same height, one up, or one down. */
  #leap (x, y, z, dx, dz, base, visit) {
    if (this.firm(x + dx, y - 1, z + dz) && this.surface(x + dx, y - 1, z + dz) >= base) return
    if (!this.free(x + dx, y, z + dz) || !this.free(x + dx, y + 1, z + dz)) return
    let airy = this.free(x, y + 2, z) && this.free(x + dx, y + 2, z + dz)
    let deep = !this.firm(x + dx, y - 2, z + dz)
    for (let far = 2; far <= this.farthest; far++) {
      const nx = x + dx * far; const nz = z + dz * far
      const high = this.free(nx, y + 2, nz); const head = this.free(nx, y + 1, nz); const feet = this.free(nx, y, nz)
      if (airy && head && feet && this.firm(nx, y - 1, nz)) { visit(nx, y, nz, 1); return }
      if (airy && head && this.firm(nx, y, nz)) {
        // Four blocks ahead and one up mostly fails.
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

  #diagonal (x, y, z, dx, dz, base, visit) {
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

  /** @returns {boolean} the body's side may pass over that cell */
  #corner (x, level, z, base) {
    if (!this.free(x, level, z) || !this.free(x, level + 1, z)) return false
    return this.surface(x, level - 1, z) - base <= MAX_JUMP
  }

  #vertical (x, y, z, visit) {
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
