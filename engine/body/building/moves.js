'use strict'
/**
 * From which cell to which a player gets who digs and builds on the way: forward, up by one, down, diagonally, over gaps,
 * straight down through what it digs, straight up on what it puts below itself. Costs and order are those that
 * mineflayer-pathfinder reckons with, so that a way here is a way there, cell for cell.
 *
 * @module engine/body/building/moves
 */
const { PANEL, enteredSide } = require('../blocks')
const { SeenBlock } = require('./seen_block')
const { SPAN, CellMap, numberOf } = require('./cell_map')

const HIGHEST_JUMP = 1.2
/** A move that costs more than this is none: something in the way can be neither entered nor broken. */
const MOST = 100
const SPRINT_LEAP = 4
const WALK_LEAP = 2
/** Lower than this below its cell's floor nothing is put from a jump. */
const DIP = -0.2
const SIDES = Object.freeze([[-1, 0], [1, 0], [0, -1], [0, 1]])
const CORNERS = Object.freeze([[-1, -1], [-1, 1], [1, -1], [1, 1]])
const BESIDE = Object.freeze([[0, 1, 0], [-1, 0, 0], [1, 0, 0], [0, 0, -1], [0, 0, 1]])
/** Buckets of cells, most of which say that nobody is in theirs. */
const BUCKET_BITS = 14

/**
 * @typedef {{x: number, y: number, z: number}} Cell
 * @typedef {{x: number, y: number, z: number, dx: number, dy: number, dz: number, jump?: boolean, use?: boolean, back?: boolean}} Put
 *   a block put at that side of the block at x, y, z; `jump`: below itself; `use`: a door or gate is opened instead; `back`: go back
 *   to the cell's middle afterwards
 * @typedef {{x: number, y: number, z: number, left: number, cost: number, dig: Cell[], put: Put[]}} Move
 *   `left`: blocks to build with that are left then
 *
 * @typedef {object} Sink who asked for the moves
 * @property {(x: number, y: number, z: number, least: number) => boolean} vain no move to that cell that costs so much or more is of any use:
 *   what it costs is not reckoned
 * @property {(x: number, y: number, z: number, cost: number) => boolean} wants whether a move to that cell is of any use: only then is it made
 * @property {(move: Move) => void} take
 *
 * @typedef {object} Rules
 * @property {boolean} canDig
 * @property {boolean} towers puts blocks below itself
 * @property {boolean} opens doors and gates
 * @property {boolean} parkour
 * @property {boolean} sprinting
 * @property {boolean} detects others stand in the way
 * @property {boolean} guardsFlow digs nothing that holds a liquid back
 * @property {boolean} guardsFalls digs nothing below what falls
 * @property {boolean} dives any depth into water
 * @property {number} maxDrop
 * @property {number} digCost
 * @property {number} placeCost
 * @property {number} liquidCost
 * @property {number} entityCost
 */

/** @param {number} cell @returns {number} */
function bucketOf (cell) { return Math.imul(cell, 0x9e3779b1) >>> (32 - BUCKET_BITS) }

/** Few searches get further than this from where they start, in blocks: only for those others are looked for further away. */
const NEARBY = 96

/** Nothing is broken, or put. @type {any[]} */
const NOTHING = []

/** @returns {Put} a door or gate that is opened */
function opening (x, y, z) {
  return { x, y, z, dx: 0, dy: 0, dz: 0, use: true }
}

/** The moves from a cell. */
class Moves {
  /** @type {Sink} */
  #sink = { vain: () => true, wants: () => false, take: () => {} }
  /** What was looked at in this search: neighbours look at the same cells many times. @type {CellMap<SeenBlock>} */
  #seen = new CellMap()
  /** Buckets with somebody in them. */
  #crowded = new Uint8Array(1 << BUCKET_BITS)
  /** Sides along which a panel is in the way of the moves that are being made. */
  #shut = PANEL
  /** To be done before anything else of these moves: the door of the body's own cell. @type {Put[]} */
  #first = NOTHING
  /** The square in which others have been looked for. */
  #west = 0
  #east = 0
  #north = 0
  #south = 0

  /**
   * @param {import('../physics').Space} space
   * @param {import('./facts').Facts} facts
   * @param {Rules} rules
   * @param {{digMs: (state: number) => number, start: {x: number, z: number}, crowd: (reach: number) => Map<number, number>, lowest: number}} around
   *   `digMs`: how long it takes with the best tool at hand; `crowd`: how many others are in a cell, by its number, as far as that from the start
   *   along both axes; `lowest`: y of the world's lowest block
   */
  constructor (space, facts, rules, { digMs, start, crowd, lowest }) {
    this.space = space
    this.facts = facts
    this.rules = rules
    this.lowest = lowest
    this.start = start
    this.crowdWithin = crowd
    /** @type {Map<number, number>} */
    this.crowd = new Map()
    if (rules.detects) this.#meet(NEARBY)
    else this.#bound(Infinity)
    /** @type {Map<number, number>} */
    const labour = new Map()
    this.labour = (/** @type {number} */ state) => {
      let cost = labour.get(state)
      if (cost === undefined) labour.set(state, cost = (1 + 3 * digMs(state) / 1000) * rules.digCost)
      return cost
    }
  }

  /** @returns {SeenBlock} */
  at (x, y, z) {
    const key = numberOf(x, y, z)
    let block = this.#seen.get(key)
    if (block === undefined) {
      const state = this.space.stateAt(x, y, z)
      this.#seen.add(key, block = new SeenBlock(x, y, z, state, this.facts.of(state)))
    }
    return block
  }

  /** @returns {boolean} the search looked at this block, and it is of another kind now; unseen ones are none of its */
  altered (x, y, z) {
    const seen = this.#seen.get(numberOf(x, y, z))
    return seen !== undefined && seen.fact.type !== this.facts.of(this.space.stateAt(x, y, z)).type
  }

  /** @returns {boolean} that block was dug and nothing is in its place: what the search reckoned with */
  gone (x, y, z) {
    const fact = this.facts.of(this.space.stateAt(x, y, z))
    const seen = this.#seen.get(numberOf(x, y, z))
    if (seen === undefined || fact.type !== 0) return false
    Object.assign(seen, { state: 0, fact, height: y, gives: -1 })
    return true
  }

  /** Others are looked for as far as that from the start. @param {number} reach */
  #meet (reach) {
    this.crowd = this.crowdWithin(reach)
    for (const cell of this.crowd.keys()) this.#crowded[bucketOf(cell)] = 1
    this.#bound(reach < SPAN ? reach : Infinity)
  }

  /** @param {number} reach */
  #bound (reach) {
    this.#west = this.start.x - reach
    this.#east = this.start.x + reach
    this.#north = this.start.z - reach
    this.#south = this.start.z + reach
  }

  /** @returns {number} how many others are there */
  others (x, y, z) {
    if (x < this.#west || x > this.#east || z < this.#north || z > this.#south) this.#meet(SPAN)
    const cell = numberOf(x, y, z)
    return this.#crowded[bucketOf(cell)] === 0 ? 0 : this.crowd.get(cell) ?? 0
  }

  /** @param {SeenBlock} block @returns {boolean} it may be broken without harm */
  breakable (block) {
    if (block.gives < 0) block.gives = this.#givesWay(block) ? 1 : 0
    return block.gives === 1
  }

  /** @param {SeenBlock} block @returns {boolean} */
  #givesWay (block) {
    const { rules } = this
    const { x, y, z } = block
    if (!rules.canDig || block.fact.fixed) return false
    if (rules.guardsFlow) for (const [dx, dy, dz] of BESIDE) if (this.at(x + dx, y + dy, z + dz).fact.liquid) return false
    return !rules.guardsFalls || (!this.at(x, y + 1, z).fact.falls && this.others(x, y + 1, z) === 0)
  }

  /** @param {SeenBlock} block @returns {boolean} a body may be in it that comes by the moves that are being made */
  #passes ({ fact: { safe, panel } }) {
    return safe || (panel !== 0 && (panel & this.#shut) === 0)
  }

  /** @param {SeenBlock} block @param {SeenBlock[]} dig is told of it where it must be broken @returns {number} what entering its cell costs */
  enter (block, dig) {
    const crowd = this.others(block.x, block.y, block.z) * this.rules.entityCost
    if (this.#passes(block)) return crowd
    if (!this.breakable(block)) return MOST
    dig.push(block)
    const above = block.fact.physical ? this.others(block.x, block.y + 1, block.z) * this.rules.entityCost : 0
    return crowd + above + this.labour(block.state)
  }

  /**
   * Enter cells one after the other.
   *
   * @param {number} cost so far @param {SeenBlock[]} dig @param {SeenBlock} first @param {SeenBlock | null} [second] @param {SeenBlock | null} [third]
   * @returns {number} the cost then; more than `MOST` as soon as it is too much
   */
  enterAll (cost, dig, first, second = null, third = null) {
    cost += this.enter(first, dig)
    if (second === null || cost > MOST) return cost
    cost += this.enter(second, dig)
    return third === null || cost > MOST ? cost : cost + this.enter(third, dig)
  }

  /** @param {number} x @param {number} y @param {number} z @param {number} left @param {number} cost @param {SeenBlock[]} dig @param {Put[]} put */
  found (x, y, z, left, cost, dig, put) {
    if (!this.#sink.wants(x, y, z, cost)) return
    if (this.#first.length > 0) put = [...this.#first, ...put]
    // Most moves break and put nothing: they share one list of that, so that a long search holds less.
    this.#sink.take({ x, y, z, left: left - put.length, cost, dig: dig.length > 0 ? dig : NOTHING, put: put.length > 0 ? put : NOTHING })
  }

  /**
   * Every move from there, in mineflayer-pathfinder's order.
   *
   * @param {{x: number, y: number, z: number, left: number}} node
   * @param {Sink} sink
   */
  from (node, sink) {
    this.#sink = sink
    const panels = this.at(node.x, node.y, node.z).fact.panel | this.at(node.x, node.y + 1, node.z).fact.panel
    for (let side = 0; side < SIDES.length; side++) this.#aside(node, SIDES[side][0], SIDES[side][1], panels)
    this.#shut = PANEL
    if (panels === 0) for (let corner = 0; corner < CORNERS.length; corner++) this.#diagonal(node, CORNERS[corner][0], CORNERS[corner][1])
    this.#shut = 0
    this.#down(node)
    this.#tower(node)
  }

  /** To one side. @param {number} panels sides of the body's own cells along which a panel stands */
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
   * Make room for a block that is put: what is there and is not replaced is broken first.
   *
   * @param {SeenBlock} block @param {SeenBlock[]} dig
   * @returns {boolean} whether a block can be put there
   */
  #clear (block, dig) {
    if (this.others(block.x, block.y, block.z) > 0) return false
    if (block.fact.replaceable) return true
    if (!this.breakable(block)) return false
    dig.push(block)
    return true
  }

  /** @param {SeenBlock} door @returns {boolean} it is in the way and opened by hand */
  #opened (door) {
    return this.rules.opens && door.fact.opens && !this.#passes(door)
  }

  /** A cell of an opened door, or one that is entered. @param {boolean} opened @param {number} cost @param {SeenBlock[]} dig @param {SeenBlock} block @returns {number} the cost then */
  #enterBy (opened, cost, dig, block) {
    if (!opened || !block.fact.opens) return this.enterAll(cost, dig, block)
    return cost + this.others(block.x, block.y, block.z) * this.rules.entityCost
  }

  #forward (node, dx, dz) {
    const { x, y, z, left } = node
    if (this.#sink.vain(x + dx, y, z + dz, 1)) return
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
    if (cost > MOST) return
    if (opened) put.push(opening(x + dx, y, z + dz))
    else cost = this.enterAll(cost, dig, feet)
    if (cost > MOST) return
    if (this.at(x, y, z).fact.liquid) cost += this.rules.liquidCost
    this.found(feet.x, feet.y, feet.z, left, cost, dig, put)
  }

  #up (node, dx, dz) {
    const { x, y, z } = node
    if (this.#sink.vain(x + dx, y + 1, z + dz, 2)) return
    const above = this.at(x, y + 2, z)
    const high = this.at(x + dx, y + 2, z + dz)
    const head = this.at(x + dx, y + 1, z + dz)
    const feet = this.at(x + dx, y, z + dz)
    if (this.#loaded(above) || this.#loaded(high)) return
    if (head.fact.physical && !high.fact.physical && !feet.fact.physical && this.#loaded(head)) return
    /** @type {SeenBlock[]} */
    const dig = []
    /** @type {Put[]} */
    const put = []
    let rise = feet.height
    let cost = 2
    if (!feet.fact.physical) {
      if (!this.#stack(node, dx, dz, feet, dig, put)) return
      cost += put.length * this.rules.placeCost
      rise += 1
    }
    if (rise - this.at(x, y - 1, z).height > HIGHEST_JUMP) return
    const opened = this.#opened(head)
    cost = this.enterAll(cost, dig, above)
    if (cost > MOST) return
    cost = this.#enterBy(opened, cost, dig, high)
    if (cost > MOST) return
    cost = this.#enterBy(opened, cost, dig, head)
    if (cost <= MOST) this.found(head.x, head.y, head.z, node.left, cost, dig, opened ? [opening(head.x, head.y, head.z), ...put] : put)
  }

  /** @param {SeenBlock} block @returns {boolean} it is firm and somebody stands on it, who would fall */
  #loaded (block) {
    return block.fact.physical && this.others(block.x, block.y + 1, block.z) > 0
  }

  /** One or two blocks ahead, to step up on. @returns {boolean} whether they can be put */
  #stack ({ x, y, z, left }, dx, dz, feet, dig, put) {
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

  #diagonal (node, dx, dz) {
    const { x, y, z, left } = node
    const there = this.at(x + dx, y, z + dz)
    const rise = there.fact.physical ? 1 : 0
    const base = this.at(x, y - 1, z).height
    const end = rise === 1 ? this.#higher(there, base) : this.#level(there)
    if (end === null || this.#sink.vain(end.x, end.y, end.z, Math.SQRT2 + rise)) return
    const one = this.#corner(x, y + rise, z + dz, base)
    const other = this.#corner(x + dx, y + rise, z, base)
    const { cost: round, dig } = one.cost < other.cost ? one : other
    let cost = Math.SQRT2 + round
    if (cost > MOST) return
    cost = this.enterAll(cost, dig, this.at(x + dx, y + rise, z + dz), this.at(x + dx, y + rise + 1, z + dz))
    if (cost > MOST) return
    if (this.at(x, y, z).fact.liquid) cost += this.rules.liquidCost
    if (rise === 1) {
      cost = this.enterAll(cost, dig, this.at(x, y + 2, z))
      if (cost <= MOST) this.found(end.x, end.y, end.z, left, cost + 1, dig, [])
    } else if (end === there) this.found(end.x, end.y, end.z, left, cost, dig, [])
    else this.found(end.x, end.y, end.z, left, cost + this.others(end.x, end.y, end.z) * this.rules.entityCost, dig, [])
  }

  /** Up onto a block. @param {SeenBlock} there @param {number} base where the jump begins @returns {SeenBlock | null} where it ends */
  #higher (there, base) {
    return there.height - base > HIGHEST_JUMP ? null : this.at(there.x, there.y + 1, there.z)
  }

  /** Aside at the same height, or one down. @param {SeenBlock} there @returns {SeenBlock | null} where that ends */
  #level (there) {
    const floor = this.at(there.x, there.y - 1, there.z)
    if (floor.fact.physical || there.fact.liquid) return there
    return this.#passes(floor) && (floor.fact.liquid || this.at(there.x, there.y - 2, there.z).fact.physical) ? floor : null
  }

  /** @returns {{cost: number, dig: SeenBlock[]}} what it takes for the body's side to pass over that cell */
  #corner (x, y, z, base) {
    /** @type {SeenBlock[]} */
    const dig = []
    let cost = this.enter(this.at(x, y + 1, z), dig) + this.enter(this.at(x, y, z), dig)
    const floor = this.at(x, y - 1, z)
    if (floor.height - base > HIGHEST_JUMP) cost += this.enter(floor, dig)
    return { cost, dig }
  }

  /** Where a drop ends: on something firm that is not too deep, or in water. @returns {SeenBlock | null} */
  #landing (node, dx, dz) {
    for (let y = node.y - 2; y > this.lowest; y--) {
      const block = this.at(node.x + dx, y, node.z + dz)
      if (block.fact.liquid && block.fact.safe) return block
      if (block.fact.physical) return node.y - y <= this.rules.maxDrop ? this.at(block.x, y + 1, block.z) : null
      if (!this.#passes(block)) return null
    }
    return null
  }

  #drop (node, dx, dz) {
    const { x, y, z, left } = node
    const land = this.#landing(node, dx, dz)
    if (land === null || (!this.rules.dives && y - land.y > this.rules.maxDrop) || this.#sink.vain(land.x, land.y, land.z, 1)) return
    const feet = this.at(x + dx, y, z + dz)
    /** @type {SeenBlock[]} */
    const dig = []
    const cost = this.enterAll(1, dig, this.at(x + dx, y + 1, z + dz), feet, this.at(x + dx, y - 1, z + dz))
    if (cost > MOST || feet.fact.liquid) return
    this.found(land.x, land.y, land.z, left, cost + this.others(land.x, land.y, land.z) * this.rules.entityCost, dig, [])
  }

  #down (node) {
    const { x, y, z, left } = node
    const land = this.#landing(node, 0, 0)
    if (land === null || this.#sink.vain(land.x, land.y, land.z, 1)) return
    /** @type {SeenBlock[]} */
    const dig = []
    const cost = this.enterAll(1, dig, this.at(x, y - 1, z))
    if (cost > MOST || this.at(x, y, z).fact.liquid) return
    this.found(land.x, land.y, land.z, left, cost + this.others(land.x, land.y, land.z) * this.rules.entityCost, dig, [])
  }

  #tower (node) {
    const { x, y, z, left } = node
    if (this.#sink.vain(x, y + 1, z, 1)) return
    const here = this.at(x, y, z)
    if (here.fact.liquid || this.others(x, y, z) > 0) return
    /** @type {SeenBlock[]} */
    const dig = []
    /** @type {Put[]} */
    const put = []
    let cost = this.enterAll(1, dig, this.at(x, y + 2, z))
    if (cost > MOST) return
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
    if (cost <= MOST) this.found(x, y + 1, z, left, cost, dig, put)
  }

  /** Over a gap: to the same height, one up, or one down; nothing is dug for it. */
  #leap (node, dx, dz) {
    const { x, y, z, left } = node
    const base = this.at(x, y - 1, z).height
    const next = this.at(x + dx, y - 1, z + dz)
    if ((next.fact.physical && next.height >= base) || !this.at(x + dx, y, z + dz).fact.safe || !this.at(x + dx, y + 1, z + dz).fact.safe) return
    if (this.at(x, y, z).fact.liquid) return
    const leap = {
      cost: 1 + this.others(x + dx, y, z + dz) * this.rules.entityCost,
      airy: this.at(x, y + 2, z).fact.safe && this.at(x + dx, y + 2, z + dz).fact.safe,
      deep: !this.at(x + dx, y - 2, z + dz).fact.physical
    }
    const farthest = this.rules.sprinting ? SPRINT_LEAP : WALK_LEAP
    for (let far = 2; far <= farthest; far++) if (!this.#flight(leap, x + dx * far, y, z + dz * far, far, base, left)) return
  }

  /** One cell further over the gap. @returns {boolean} whether the leap may go on */
  #flight (leap, x, y, z, far, base, left) {
    const high = this.at(x, y + 2, z)
    const head = this.at(x, y + 1, z)
    const feet = this.at(x, y, z)
    const floor = this.at(x, y - 1, z)
    const crowd = (/** @type {SeenBlock} */ block) => this.others(block.x, block.y, block.z) * this.rules.entityCost
    const open = head.fact.safe && feet.fact.safe
    if (feet.fact.safe) leap.cost += crowd(feet)
    if (leap.airy && open && floor.fact.physical) {
      this.found(feet.x, feet.y, feet.z, left, leap.cost, [], [])
      return false
    }
    if (leap.airy && head.fact.safe && feet.fact.physical) {
      // Four blocks ahead and one up mostly fails.
      if (high.fact.safe && far !== SPRINT_LEAP) {
        if (feet.height - base <= HIGHEST_JUMP) this.found(head.x, head.y, head.z, left, leap.cost + crowd(head), [], [])
        return false
      }
    } else if ((leap.airy || far === 2) && open && floor.fact.safe && leap.deep) {
      const below = this.at(x, y - 2, z).fact.physical
      if (below) {
        leap.cost += crowd(floor)
        this.found(floor.x, floor.y, floor.z, left, leap.cost, [], [])
      }
      leap.deep = !below
    } else if (!open) return false
    leap.airy = leap.airy && high.fact.safe
    return true
  }
}

module.exports = { Moves }
