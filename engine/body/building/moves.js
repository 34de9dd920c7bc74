'use strict'
/**
 * Moves of a player who digs and builds, and their costs: forward, up by one, down, diagonally, over gaps, straight
 * down through dug blocks, straight up on placed blocks. Costs and order are those of mineflayer-pathfinder, so that a
 * path here is a path on servers, cell for cell.
 *
 * @module engine/body/building/moves
 */
const { PANEL, enteredSide } = require('../blocks')
const { SeenBlocks } = require('./seen_blocks')

/** Maximum rise of a jump, in blocks. */
const HIGHEST_JUMP = 1.2
/** Maximum cost of a move. A block that can be neither entered nor broken costs as much. */
const MAX_COST = 100
/** Longest leap over a gap, in blocks from cell to cell, sprinting and walking. */
const SPRINT_LEAP = 4
const WALK_LEAP = 2
/**
 * Lowest height of the ground, from the cell's floor in blocks, from which a body jumps to place a block below itself.
 */
const DIP = -0.2
const SIDES = Object.freeze([[-1, 0], [1, 0], [0, -1], [0, 1]])
const CORNERS = Object.freeze([[-1, -1], [-1, 1], [1, -1], [1, 1]])

/**
 * @typedef {import('./seen_blocks').SeenBlock} SeenBlock
 * @typedef {{x: number, y: number, z: number}} Cell
 * @typedef {object} Put a block to place against the block at x, y, z, on its side dx, dy, dz
 * @property {number} x
 * @property {number} y
 * @property {number} z
 * @property {number} dx
 * @property {number} dy
 * @property {number} dz
 * @property {boolean} [jump] the body jumps and places the block below itself
 * @property {boolean} [use] a door or gate is opened instead
 * @property {boolean} [back] the body goes back to the cell's middle afterwards
 *
 * @typedef {Cell & {left: number}} Node cell that moves begin in; `left`: blocks to build with
 * @typedef {Node & {cost: number, dig: Cell[], put: Put[]}} Move `left`: blocks to build with after the move
 *
 * @typedef {object} Sink receiver of moves
 * @property {(x: number, y: number, z: number, minCost: number) => boolean} isFutile returns true if no move to the
 *   cell of at least that cost is of use, so that its cost need not be computed
 * @property {(x: number, y: number, z: number, cost: number) => boolean} isCheaper returns true if a move to the cell
 *   is of use
 * @property {(move: Move) => void} take receives a move for which `isCheaper` has returned true
 *
 * @typedef {object} Leap state of a leap over a gap
 * @property {number} base height at which it begins
 * @property {number} left blocks to build with
 * @property {number} cost so far
 * @property {boolean} airy true if there is room above the head so far
 * @property {boolean} deep true if the gap is deeper than one block so far
 */

/** Shared empty list of moves that dig or place nothing. @type {never[]} */
const NOTHING = []

/** @param {number} x @param {number} y @param {number} z @returns {Put} the opening of a door or gate */
function opening (x, y, z) {
  return { x, y, z, dx: 0, dy: 0, dz: 0, use: true }
}

/** Generator of the moves from a cell. */
class Moves extends SeenBlocks {
  /** @type {Sink} */
  #sink = { isFutile: () => true, isCheaper: () => false, take: () => {} }
  /** Sides along which a panel is in the way of the current moves. */
  #shut = PANEL
  /** Opening of the door in the body's own cell, which comes first in the current moves. @type {Put[]} */
  #first = NOTHING

  /** @param {SeenBlock} block @returns {boolean} true if a body may enter the block's cell by the current moves */
  #passes ({ fact: { safe, panel } }) {
    return safe || (panel !== 0 && (panel & this.#shut) === 0)
  }

  /**
   * Return the cost of entering a block's cell.
   *
   * @param {SeenBlock} block
   * @param {SeenBlock[]} dig receives the block if it must be broken
   * @returns {number}
   */
  enter (block, dig) {
    const crowd = this.others(block.x, block.y, block.z) * this.rules.entityCost
    if (this.#passes(block)) return crowd
    if (!this.breakable(block)) return MAX_COST
    dig.push(block)
    const above = block.fact.physical ? this.others(block.x, block.y + 1, block.z) * this.rules.entityCost : 0
    return crowd + above + this.digCostOf(block.state)
  }

  /**
   * Return the cost after entering cells one after the other; stop as soon as it exceeds `MAX_COST`.
   *
   * @param {number} cost before
   * @param {SeenBlock[]} dig receives the blocks that must be broken
   * @param {SeenBlock} first
   * @param {SeenBlock | null} [second]
   * @param {SeenBlock | null} [third]
   * @returns {number}
   */
  enterAll (cost, dig, first, second = null, third = null) {
    cost += this.enter(first, dig)
    if (second === null || cost > MAX_COST) return cost
    cost += this.enter(second, dig)
    return third === null || cost > MAX_COST ? cost : cost + this.enter(third, dig)
  }

  /**
   * Pass a move to the receiver.
   *
   * @param {Cell} to
   * @param {number} left blocks to build with before the move
   * @param {number} cost
   * @param {SeenBlock[]} dig
   * @param {Put[]} put
   */
  found ({ x, y, z }, left, cost, dig, put) {
    if (!this.#sink.isCheaper(x, y, z, cost)) return
    if (this.#first.length > 0) put = [...this.#first, ...put]
    // Most moves dig and place nothing; one shared list saves memory in long searches.
    this.#sink.take({
      x, y, z, left: left - put.length, cost, dig: dig.length > 0 ? dig : NOTHING, put: put.length > 0 ? put : NOTHING
    })
  }

  /**
   * Pass every move from a cell to a receiver, in mineflayer-pathfinder's order.
   *
   * @param {Node} node
   * @param {Sink} sink
   */
  from (node, sink) {
    this.#sink = sink
    const panels = this.at(node.x, node.y, node.z).fact.panel | this.at(node.x, node.y + 1, node.z).fact.panel
    for (let side = 0; side < SIDES.length; side++) this.#aside(node, SIDES[side][0], SIDES[side][1], panels)
    this.#shut = PANEL
    for (let corner = 0; panels === 0 && corner < CORNERS.length; corner++) {
      this.#diagonal(node, CORNERS[corner][0], CORNERS[corner][1])
    }
    this.#shut = 0
    this.#down(node)
    this.#tower(node)
  }

  /**
   * Move to one side.
   *
   * @param {Node} node
   * @param {number} dx
   * @param {number} dz
   * @param {number} panels sides of the body's own cells along which a panel stands
   */
  #aside (node, dx, dz, panels) {
    const { x, y, z } = node
    this.#shut = enteredSide(dx, dz)
    const leaving = (panels & enteredSide(-dx, -dz)) !== 0
    if (!leaving || (this.rules.opens && this.at(x, y, z).fact.opens)) {
      this.#first = leaving ? [opening(x, y, z)] : NOTHING
      this.#forward(node, dx, dz)
      this.#up(node, dx, dz)
      this.#drop(node, dx, dz)
      this.#first = NOTHING
    }
    if (!this.rules.parkour || panels !== 0) return
    this.#shut = PANEL
    this.#leap(node, dx, dz)
  }

  /**
   * Make room for a placed block: a block that is not replaceable is broken first.
   *
   * @param {SeenBlock} block
   * @param {SeenBlock[]} dig receives the block if it must be broken
   * @returns {boolean} true if a block can be placed there
   */
  #clear (block, dig) {
    if (this.others(block.x, block.y, block.z) > 0) return false
    if (block.fact.replaceable) return true
    if (!this.breakable(block)) return false
    dig.push(block)
    return true
  }

  /** @param {SeenBlock} door @returns {boolean} true if it is a door in the way that a hand opens */
  #opened (door) {
    return this.rules.opens && door.fact.opens && !this.#passes(door)
  }

  /**
   * Return the cost after entering a cell, which an opened door leaves free.
   *
   * @param {boolean} opened
   * @param {number} cost before
   * @param {SeenBlock[]} dig
   * @param {SeenBlock} block
   * @returns {number}
   */
  #enterBy (opened, cost, dig, block) {
    if (!opened || !block.fact.opens) return this.enterAll(cost, dig, block)
    return cost + this.others(block.x, block.y, block.z) * this.rules.entityCost
  }

  /** Move level. @param {Node} node @param {number} dx @param {number} dz */
  #forward (node, dx, dz) {
    const { x, y, z, left } = node
    if (this.#sink.isFutile(x + dx, y, z + dz, 1)) return
    const head = this.at(x + dx, y + 1, z + dz)
    const feet = this.at(x + dx, y, z + dz)
    const floor = this.at(x + dx, y - 1, z + dz)
    /** @type {SeenBlock[]} */
    const dig = []
    /** @type {Put[]} */
    const put = []
    let cost = 1
    if (!floor.fact.physical && !feet.fact.liquid) {
      if (left === 0 || !this.#clear(floor, dig)) return
      put.push({ x, y: y - 1, z, dx, dy: 0, dz })
      cost += this.rules.placeCost
    }
    const opened = this.#opened(feet)
    cost = this.#enterBy(opened, cost, dig, head)
    if (cost > MAX_COST) return
    if (opened) put.push(opening(x + dx, y, z + dz))
    else cost = this.enterAll(cost, dig, feet)
    if (cost > MAX_COST) return
    if (this.at(x, y, z).fact.liquid) cost += this.rules.liquidCost
    this.found(feet, left, cost, dig, put)
  }

  /** Move up by one. @param {Node} node @param {number} dx @param {number} dz */
  #up (node, dx, dz) {
    const { x, y, z } = node
    if (this.#sink.isFutile(x + dx, y + 1, z + dz, 2)) return
    const above = this.at(x, y + 2, z)
    const high = this.at(x + dx, y + 2, z + dz)
    const head = this.at(x + dx, y + 1, z + dz)
    const feet = this.at(x + dx, y, z + dz)
    if (this.carriesOthers(above) || this.carriesOthers(high)) return
    if (head.fact.physical && !high.fact.physical && !feet.fact.physical && this.carriesOthers(head)) return
    /** @type {SeenBlock[]} */
    const dig = []
    /** @type {Put[]} */
    const put = []
    let rise = feet.height
    let cost = 2
    if (!feet.fact.physical) {
      if (!this.#stack(node, feet, dig, put)) return
      cost += put.length * this.rules.placeCost
      rise += 1
    }
    if (rise - this.at(x, y - 1, z).height > HIGHEST_JUMP) return
    const opened = this.#opened(head)
    cost = this.enterAll(cost, dig, above)
    if (cost > MAX_COST) return
    cost = this.#enterBy(opened, cost, dig, high)
    if (cost > MAX_COST) return
    cost = this.#enterBy(opened, cost, dig, head)
    if (cost > MAX_COST) return
    this.found(head, node.left, cost, dig, opened ? [opening(head.x, head.y, head.z), ...put] : put)
  }

  /**
   * Place one or two blocks ahead to step onto.
   *
   * @param {Node} node
   * @param {SeenBlock} feet block ahead at the height of the feet
   * @param {SeenBlock[]} dig
   * @param {Put[]} put
   * @returns {boolean} true if they can be placed
   */
  #stack ({ x, y, z, left }, feet, dig, put) {
    const dx = feet.x - x; const dz = feet.z - z
    if (left === 0 || this.others(feet.x, feet.y, feet.z) > 0) return false
    const floor = this.at(x + dx, y - 1, z + dz)
    if (!floor.fact.physical) {
      if (left === 1 || !this.#clear(floor, dig)) return false
      put.push({ x, y: y - 1, z, dx, dy: 0, dz, back: true })
    }
    if (!this.#clear(feet, dig)) return false
    put.push({ x: x + dx, y: y - 1, z: z + dz, dx: 0, dy: 1, dz: 0 })
    return true
  }

  /** Move diagonally: level, up by one or down by one. @param {Node} node @param {number} dx @param {number} dz */
  #diagonal (node, dx, dz) {
    const { x, y, z, left } = node
    const there = this.at(x + dx, y, z + dz)
    const rise = there.fact.physical ? 1 : 0
    const base = this.at(x, y - 1, z).height
    const end = rise === 1 ? this.#higher(there, base) : this.#level(there)
    if (end === null || this.#sink.isFutile(end.x, end.y, end.z, Math.SQRT2 + rise)) return
    const one = this.#corner(x, y + rise, z + dz, base)
    const other = this.#corner(x + dx, y + rise, z, base)
    const { cost: round, dig } = one.cost < other.cost ? one : other
    let cost = Math.SQRT2 + round
    if (cost > MAX_COST) return
    cost = this.enterAll(cost, dig, this.at(x + dx, y + rise, z + dz), this.at(x + dx, y + rise + 1, z + dz))
    if (cost > MAX_COST) return
    if (this.at(x, y, z).fact.liquid) cost += this.rules.liquidCost
    if (rise === 1) {
      cost = this.enterAll(cost, dig, this.at(x, y + 2, z))
      if (cost <= MAX_COST) this.found(end, left, cost + 1, dig, [])
    } else {
      const crowd = end === there ? 0 : this.others(end.x, end.y, end.z) * this.rules.entityCost
      this.found(end, left, cost + crowd, dig, [])
    }
  }

  /**
   * Return the cell above a block that a body jumps onto, or null if the block is too high.
   *
   * @param {SeenBlock} there
   * @param {number} base height at which the jump begins
   * @returns {SeenBlock | null}
   */
  #higher (there, base) {
    return there.height - base > HIGHEST_JUMP ? null : this.at(there.x, there.y + 1, there.z)
  }

  /**
   * Return the cell in which a diagonal move ends: level or one down, or null if there is none.
   *
   * @param {SeenBlock} there
   * @returns {SeenBlock | null}
   */
  #level (there) {
    const floor = this.at(there.x, there.y - 1, there.z)
    if (floor.fact.physical || there.fact.liquid) return there
    if (!this.#passes(floor)) return null
    return floor.fact.liquid || this.at(there.x, there.y - 2, there.z).fact.physical ? floor : null
  }

  /**
   * Return the cost and the blocks to dig for the side of a body to pass over a cell.
   *
   * @param {number} x
   * @param {number} y
   * @param {number} z
   * @param {number} base height of the ground that the body stands on
   * @returns {{cost: number, dig: SeenBlock[]}}
   */
  #corner (x, y, z, base) {
    /** @type {SeenBlock[]} */
    const dig = []
    let cost = this.enter(this.at(x, y + 1, z), dig) + this.enter(this.at(x, y, z), dig)
    const floor = this.at(x, y - 1, z)
    if (floor.height - base > HIGHEST_JUMP) cost += this.enter(floor, dig)
    return { cost, dig }
  }

  /**
   * Return the cell in which a drop ends: on a firm block that is not too deep, or in water.
   *
   * @param {Node} node
   * @param {number} dx
   * @param {number} dz
   * @returns {SeenBlock | null}
   */
  #landing (node, dx, dz) {
    for (let y = node.y - 2; y > this.lowest; y--) {
      const block = this.at(node.x + dx, y, node.z + dz)
      if (block.fact.liquid && block.fact.safe) return block
      if (block.fact.physical) return node.y - y <= this.rules.maxDrop ? this.at(block.x, y + 1, block.z) : null
      if (!this.#passes(block)) return null
    }
    return null
  }

  /** Drop beside the cell. @param {Node} node @param {number} dx @param {number} dz */
  #drop (node, dx, dz) {
    const { x, y, z, left } = node
    const land = this.#landing(node, dx, dz)
    if (land === null || (!this.rules.dives && y - land.y > this.rules.maxDrop)) return
    if (this.#sink.isFutile(land.x, land.y, land.z, 1)) return
    const feet = this.at(x + dx, y, z + dz)
    /** @type {SeenBlock[]} */
    const dig = []
    const cost = this.enterAll(1, dig, this.at(x + dx, y + 1, z + dz), feet, this.at(x + dx, y - 1, z + dz))
    if (cost > MAX_COST || feet.fact.liquid) return
    const crowd = this.others(land.x, land.y, land.z) * this.rules.entityCost
    this.found(land, left, cost + crowd, dig, [])
  }

  /** Dig straight down. @param {Node} node */
  #down (node) {
    const { x, y, z, left } = node
    const land = this.#landing(node, 0, 0)
    if (land === null || this.#sink.isFutile(land.x, land.y, land.z, 1)) return
    /** @type {SeenBlock[]} */
    const dig = []
    const cost = this.enterAll(1, dig, this.at(x, y - 1, z))
    if (cost > MAX_COST || this.at(x, y, z).fact.liquid) return
    const crowd = this.others(land.x, land.y, land.z) * this.rules.entityCost
    this.found(land, left, cost + crowd, dig, [])
  }

  /** Move straight up: climb, or jump and place a block below. @param {Node} node */
  #tower (node) {
    const { x, y, z, left } = node
    if (this.#sink.isFutile(x, y + 1, z, 1)) return
    const here = this.at(x, y, z)
    if (here.fact.liquid || this.others(x, y, z) > 0) return
    /** @type {SeenBlock[]} */
    const dig = []
    /** @type {Put[]} */
    const put = []
    let cost = this.enterAll(1, dig, this.at(x, y + 2, z))
    if (cost > MAX_COST) return
    if (!here.fact.climbable) {
      if (!this.rules.towers || left === 0) return
      if (!here.fact.replaceable) {
        if (!this.breakable(here)) return
        dig.push(here)
      }
      const floor = this.at(x, y - 1, z)
      if (floor.fact.physical && floor.height - y < DIP) return
      put.push({ x, y: y - 1, z, dx: 0, dy: 1, dz: 0, jump: true })
      cost += this.rules.placeCost
    }
    if (cost <= MAX_COST) this.found(this.at(x, y + 1, z), left, cost, dig, put)
  }

  /**
   * Leap over a gap: to the same height, one up, or one down; nothing is dug.
   *
   * @param {Node} node
   * @param {number} dx
   * @param {number} dz
   */
  #leap (node, dx, dz) {
    const { x, y, z, left } = node
    const base = this.at(x, y - 1, z).height
    const next = this.at(x + dx, y - 1, z + dz)
    if (next.fact.physical && next.height >= base) return
    if (!this.at(x + dx, y, z + dz).fact.safe || !this.at(x + dx, y + 1, z + dz).fact.safe) return
    if (this.at(x, y, z).fact.liquid) return
    /** @type {Leap} */
    const leap = {
      base,
      left,
      cost: 1 + this.others(x + dx, y, z + dz) * this.rules.entityCost,
      airy: this.at(x, y + 2, z).fact.safe && this.at(x + dx, y + 2, z + dz).fact.safe,
      deep: !this.at(x + dx, y - 2, z + dz).fact.physical
    }
    const farthest = this.rules.sprinting ? SPRINT_LEAP : WALK_LEAP
    for (let far = 2; far <= farthest; far++) if (!this.#fly(leap, x + dx * far, y, z + dz * far, far)) return
  }

  /**
   * Extend a leap by one cell.
   *
   * @param {Leap} leap
   * @param {number} x
   * @param {number} y
   * @param {number} z
   * @param {number} far distance from the leap's start, in blocks
   * @returns {boolean} true if the leap may go on
   */
  #fly (leap, x, y, z, far) {
    const { base, left } = leap
    const high = this.at(x, y + 2, z)
    const head = this.at(x, y + 1, z)
    const feet = this.at(x, y, z)
    const floor = this.at(x, y - 1, z)
    const crowd = (/** @type {SeenBlock} */ block) => this.others(block.x, block.y, block.z) * this.rules.entityCost
    const open = head.fact.safe && feet.fact.safe
    if (feet.fact.safe) leap.cost += crowd(feet)
    if (leap.airy && open && floor.fact.physical) {
      this.found(feet, left, leap.cost, [], [])
      return false
    }
    if (leap.airy && head.fact.safe && feet.fact.physical) {
      // A leap four blocks ahead and one up mostly fails.
      if (high.fact.safe && far !== SPRINT_LEAP) {
        if (feet.height - base <= HIGHEST_JUMP) this.found(head, left, leap.cost + crowd(head), [], [])
        return false
      }
    } else if ((leap.airy || far === 2) && open && floor.fact.safe && leap.deep) {
      const below = this.at(x, y - 2, z).fact.physical
      if (below) {
        leap.cost += crowd(floor)
        this.found(floor, left, leap.cost, [], [])
      }
      leap.deep = !below
    } else if (!open) return false
    leap.airy = leap.airy && high.fact.safe
    return true
  }
}

module.exports = { Moves }
