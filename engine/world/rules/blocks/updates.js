'use strict'
/**
 * Block updates after a change of a neighbour: blocks fall, break or flow. Growth by random ticks is in
 * growing/random_ticks.js. A liquid flows straight down, and sideways over solid ground toward the nearest hole, one
 * level less per block. It dries out when its source is gone. Two sources make a third source of water.
 */
const { canStay, ruleOf, falls } = require('./support')
const { joined, joinKind } = require('./orientation')
const { FallingBlock } = require('../../entities/falling')
const { loseFruit } = require('../growing/crops')
const { toDirt } = require('../growing/ground')
const { REACTIONS } = require('./reactions')
const { GROWS } = require('../growing/section')

/** @typedef {import('../../types').Pos} Pos */
/** @typedef {import('../../data').BlockState} BlockState */

const NEIGHBOURS = Object.freeze([[0, 0, 0], [0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1], [-1, 0, 0], [1, 0, 0]])
const SIDES = Object.freeze([[0, -1], [0, 1], [-1, 0], [1, 0]])
const FALL_DELAY = 2
/**
 * Ticks per step, loss of level per block, and maximum distance at which a hole is searched.
 *
 * @type {Record<string, { delay: number, drop: number, search: number }>}
 */
const FLOW = { water: { delay: 5, drop: 1, search: 4 }, lava: { delay: 30, drop: 2, search: 2 } }
const NO_HOLE = 1000
/** Blocks without collision that stop liquids. */
const DAM = /_sign|ladder|scaffolding|sugar_cane|portal|banner/
/** Kinds of block states: nothing happens to them when a neighbour changes, or something may; 0: not known yet. */
const INERT = 1
const REACTS = 2
/** Maximum number of updates handled in one tick; the rest waits for the next tick. */
const WORK_LIMIT = 4096

/** Pending block updates of one world. */
class Updates {
  /** @param {import('../../world').World} world */
  constructor (world) {
    this.world = world
    /** @type {Map<string, { due: number, pos: Pos }>} */
    this.queue = new Map()
    /** Kind of each block state, by its id. */
    this.kinds = new Uint8Array(world.data.states.length)
    this.paused = false
  }

  /** Schedule updates of a changed block and its neighbours. @param {Pos} pos */
  around (pos) {
    if (this.paused) return
    for (const [dx, dy, dz] of NEIGHBOURS) {
      const [x, y, z] = [pos.x + dx, pos.y + dy, pos.z + dz]
      // Most blocks never react: this is asked of every block of a filled area.
      if (this.kinds[this.world.blockAt(x, y, z)] !== INERT) this.look({ x, y, z })
    }
  }

  /** @param {Pos} pos */
  look (pos) {
    const state = this.world.stateAt(pos.x, pos.y, pos.z)
    if (this.kindOf(state) === INERT) return
    if (state.name === 'fire') this.world.precipitation.registerFire(pos)
    const delay = this.delayOf(state)
    if (delay !== null) this.schedule(pos, delay)
    this.world.growth.look(pos, state)
  }

  /** Return INERT or REACTS. @param {BlockState} state */
  kindOf (state) {
    return this.kinds[state.stateId] ||= state.air || (state.name !== 'fire' && this.delayOf(state) === null &&
      this.world.growth.rules(state.stateId) !== GROWS)
      ? INERT : REACTS
  }

  /** Return the ticks until an update that a changed neighbour causes; null for none. @param {BlockState} state */
  delayOf (state) {
    if (falls(state)) return FALL_DELAY
    if (FLOW[state.name] || state.props.waterlogged === 'true') return (FLOW[state.name] ?? FLOW.water).delay
    if (this.world.redstone.isReceiver(state)) return 0
    return ruleOf(state) || REACTIONS[state.name] || joinKind(state.name) ? 1 : null
  }

  /**
   * Schedule an update of a block in `delay` ticks, or in the same tick for 0. The earlier of two updates counts.
   *
   * @param {Pos} pos
   * @param {number} delay
   */
  schedule (pos, delay) {
    const key = `${pos.x},${pos.y},${pos.z}`
    const due = this.world.age + delay
    const waiting = this.queue.get(key)
    if (waiting === undefined) this.queue.set(key, { due, pos })
    else if (waiting.due > due) {
      // Inserted again, so that a pass over the queue in progress still reaches it.
      this.queue.delete(key)
      this.queue.set(key, { due, pos })
    }
  }

  tick () {
    let left = WORK_LIMIT
    for (const [key, { due, pos }] of this.queue) {
      if (due > this.world.age) continue
      this.queue.delete(key)
      this.update(pos)
      if (--left === 0) break
    }
  }

  /** @param {Pos} pos */
  update (pos) {
    const { world } = this
    const state = world.stateAt(pos.x, pos.y, pos.z)
    if (falls(state)) return this.fall(pos, state)
    if (loseFruit(world, pos, state)) return
    if (!canStay(world, pos, state)) {
      return /^(farmland|dirt_path)$/.test(state.name) ? toDirt(world, pos) : world.breaking.remove(pos, { drop: true })
    }
    REACTIONS[state.name]?.(world, pos, state)
    world.redstone.update(pos, state)
    if (joinKind(state.name)) world.setBlock(pos.x, pos.y, pos.z, joined(world, pos, state.stateId))
    if (FLOW[state.name]) this.flow(pos, state)
    else if (state.props.waterlogged === 'true') this.spread(pos, 'water', 0)
  }

  /** Let a block without support fall. @param {Pos} pos @param {BlockState} state */
  fall (pos, state) {
    const { world } = this
    const below = world.stateAt(pos.x, pos.y - 1, pos.z)
    if (pos.y < world.minY || !below.replaceable || below.shapes.length > 0) {
      const settled = this.settled(state.stateId, pos)
      if (settled !== state.stateId) world.setBlock(pos.x, pos.y, pos.z, settled)
      return
    }
    world.setBlock(pos.x, pos.y, pos.z, 0)
    world.enter(new FallingBlock(world, { x: pos.x + 0.5, y: pos.y, z: pos.z + 0.5 }, state.stateId))
  }

  /**
   * Return the state of a falling block when it lands: concrete powder in or beside water becomes concrete.
   *
   * @param {number} stateId
   * @param {Pos} pos
   */
  settled (stateId, { x, y, z }) {
    const { data } = this.world
    const { name } = data.state(stateId)
    if (!name.endsWith('_concrete_powder')) return stateId
    const wet = [[0, 0, 0], [0, 1, 0],
      ...SIDES.map(([dx, dz]) => [dx, 0, dz])].some(([dx, dy, dz]) =>
      this.levelAt(x + dx, y + dy, z + dz, 'water') >= 0)
    return wet ? data.stateId(name.replace('_powder', '')) : stateId
  }

  // --- liquids ---

  /** @param {Pos} pos @param {BlockState} state */
  flow (pos, state) {
    const { world } = this
    const level = Number(state.props.level)
    if (this.harden(pos, state)) return
    if (level > 0) {
      const fed = this.suppliedLevel(pos, state.name)
      if (fed !== level) {
        world.setBlock(pos.x, pos.y, pos.z, fed < 0 ? 0 : world.data.stateId(state.name, { level: fed }))
        if (fed < 0) return
      }
      return this.spread(pos, state.name, fed)
    }
    this.spread(pos, state.name, 0)
  }

  /**
   * Return the level that a flowing block should have: 8 from above, else one less than its best neighbour, -1 for
   * none.
   *
   * @param {Pos} pos
   * @param {string} name
   * @returns {number}
   */
  suppliedLevel (pos, name) {
    const { world } = this
    if (this.levelAt(pos.x, pos.y + 1, pos.z, name) >= 0) return 8
    let best = 8
    let sources = 0
    for (const [dx, dz] of SIDES) {
      const level = this.levelAt(pos.x + dx, pos.y, pos.z + dz, name)
      if (level < 0) continue
      if (level === 0) sources++
      best = Math.min(best, (level >= 8 ? 0 : level) + FLOW[name].drop)
    }
    const below = world.stateAt(pos.x, pos.y - 1, pos.z)
    if (name === 'water' && sources >= 2 && world.rules.waterSourceConversion &&
      (below.fullCube || (below.name === 'water' && below.props.level === '0'))) {
      return 0
    }
    return best < 8 ? best : -1
  }

  /**
   * Return the level of a liquid at a position, 0 for a source, -1 for none.
   *
   * @param {number} x
   * @param {number} y
   * @param {number} z
   * @param {string} name
   * @returns {number}
   */
  levelAt (x, y, z, name) {
    const state = this.world.stateAt(x, y, z)
    if (state.name === name) return Number(state.props.level)
    return name === 'water' && (state.props.waterlogged === 'true' || /seagrass|kelp|bubble_column/.test(state.name))
      ? 0 : -1
  }

  /** @param {Pos} pos @param {string} name @param {number} level */
  spread (pos, name, level) {
    if (this.pourInto({ x: pos.x, y: pos.y - 1, z: pos.z }, name, 8)) return
    const below = this.world.stateAt(pos.x, pos.y - 1, pos.z)
    if (below.name === name && level !== 0) return
    const next = (level >= 8 ? 0 : level) + FLOW[name].drop
    if (next >= 8) return
    for (const [dx, dz] of this.downhill(pos, name)) {
      this.pourInto({ x: pos.x + dx, y: pos.y, z: pos.z + dz }, name, next)
    }
  }

  /**
   * Return the sides that lead to the nearest hole, or all sides without one (wiki: "Water", "Spread").
   *
   * @param {Pos} pos
   * @param {string} name
   * @returns {readonly (readonly number[])[]}
   */
  downhill (pos, name) {
    let best = NO_HOLE
    /** @type {(readonly number[])[]} */
    let ways = []
    for (const side of SIDES) {
      const at = { x: pos.x + side[0], y: pos.y, z: pos.z + side[1] }
      if (!this.allowsFlow(at, name)) continue
      const far = this.isHole(at, name) ? 0 : this.slope(at, 1, side, name)
      if (far < best) ways = []
      if (far <= best) ways.push(side)
      best = Math.min(best, far)
    }
    return ways
  }

  /**
   * Return the number of steps from a position to the nearest hole.
   *
   * @param {Pos} pos
   * @param {number} depth
   * @param {readonly number[]} from the way it was come by
   * @param {string} name
   * @returns {number}
   */
  slope (pos, depth, from, name) {
    let best = NO_HOLE
    for (const [dx, dz] of SIDES) {
      if (dx === -from[0] && dz === -from[1]) continue
      const at = { x: pos.x + dx, y: pos.y, z: pos.z + dz }
      if (!this.allowsFlow(at, name)) continue
      if (this.isHole(at, name)) return depth
      if (depth < FLOW[name].search) best = Math.min(best, this.slope(at, depth + 1, [dx, dz], name))
    }
    return best
  }

  /** Return true if a liquid may flow into a position. @param {Pos} at @param {string} name @returns {boolean} */
  allowsFlow (at, name) {
    const { world } = this
    if (!world.terrain.inside(at.x, at.y, at.z)) return false
    const there = world.stateAt(at.x, at.y, at.z)
    if (there.name === name) return there.props.level !== '0'
    return there.air || there.liquid || (there.shapes.length === 0 && !DAM.test(there.name))
  }

  /** Return true if a liquid at a position flows down. @param {Pos} at @param {string} name @returns {boolean} */
  isHole (at, name) {
    const below = { x: at.x, y: at.y - 1, z: at.z }
    return this.world.stateAt(below.x, below.y, below.z).name === name || this.allowsFlow(below, name)
  }

  /** @param {Pos} at @param {string} name @param {number} level @returns {boolean} true if the liquid flowed there */
  pourInto (at, name, level) {
    const { world } = this
    if (!world.terrain.inside(at.x, at.y, at.z)) return false
    const there = world.stateAt(at.x, at.y, at.z)
    if (there.name === name) {
      const now = Number(there.props.level)
      if (now === 0 || (now <= level && level < 8) || now === 8) return false
    } else if (there.liquid) {
      world.setBlock(at.x, at.y, at.z,
        world.data.stateId(there.name === 'lava' && there.props.level === '0' ? 'obsidian'
        : name === 'lava' && level === 8 ? 'stone' : 'cobblestone'))
      return true
    } else if (!there.air && (there.shapes.length > 0 || DAM.test(there.name))) return false
    if (!there.air && !there.liquid) world.breaking.remove(at, { drop: true })
    world.setBlock(at.x, at.y, at.z, world.data.stateId(name, { level }))
    return true
  }

  /**
   * Turn lava beside water into stone, and lava beside blue ice and over soul soil into basalt.
   *
   * @param {Pos} pos
   * @param {BlockState} state
   */
  harden (pos, state) {
    if (state.name !== 'lava') return false
    const { world } = this
    const beside = [[0, 1, 0],
      ...SIDES.map(([dx, dz]) => [dx, 0, dz])].map(([dx, dy, dz]) => ({ x: pos.x + dx, y: pos.y + dy, z: pos.z + dz }))
    const wet = beside.some(({ x, y, z }) => this.levelAt(x, y, z, 'water') >= 0)
    const cold = () => world.stateAt(pos.x, pos.y - 1, pos.z).name === 'soul_soil' &&
      beside.some(({ x, y, z }) => world.stateAt(x, y, z).name === 'blue_ice')
    const name = wet ? (state.props.level === '0' ? 'obsidian' : 'cobblestone') : cold() ? 'basalt' : ''
    return name !== '' && world.setBlock(pos.x, pos.y, pos.z, world.data.stateId(name))
  }
}

module.exports = { Updates }
