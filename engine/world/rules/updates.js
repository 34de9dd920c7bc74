'use strict'
/**
 * What blocks do by themselves after a change beside them: fall, break off, flow, and (by random ticks) grow.
 * Flow is simpler than vanilla's and says so: a liquid goes straight down, and sideways over solid ground, one level less per
 * block; it does not look for the nearest hole; it dries out when its source is gone; two sources make a third of water.
 */
const { canStay, ruleOf, falls } = require('./support')
const { joined, joinKind } = require('./orientation')
const { powered } = require('./note_blocks')

/** @typedef {import('../types').Pos} Pos */
/** @typedef {import('../data').BlockState} BlockState */

const NEIGHBOURS = Object.freeze([[0, 0, 0], [0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1], [-1, 0, 0], [1, 0, 0]])
const SIDES = Object.freeze([[0, -1], [0, 1], [-1, 0], [1, 0]])
const FALL_DELAY = 2
/** Ticks per step and loss of level per block. @type {Record<string, { delay: number, drop: number }>} */
const FLOW = { water: { delay: 5, drop: 1 }, lava: { delay: 30, drop: 2 } }
/** Changes handled in one tick at most; the rest waits for the next. */
const WORK_LIMIT = 4096
const SECTION = 4096
const CROPS = { wheat: 7, carrots: 7, potatoes: 7, beetroots: 3, melon_stem: 7, pumpkin_stem: 7, sweet_berry_bush: 3, nether_wart: 3 }

/** The changes of one world that follow from others. */
class Updates {
  /** @param {import('../world').World} world */
  constructor (world) {
    this.world = world
    /** @type {Map<string, { due: number, pos: Pos }>} */
    this.queue = new Map()
    this.paused = false
    /** Sections in which something grows. @type {Set<string>} */
    this.growing = new Set()
  }

  /** A block changed: it and its neighbours may have to follow. @param {Pos} pos */
  around (pos) {
    if (this.paused) return
    for (const [dx, dy, dz] of NEIGHBOURS) this.look({ x: pos.x + dx, y: pos.y + dy, z: pos.z + dz })
  }

  /** @param {Pos} pos */
  look (pos) {
    const state = this.world.stateAt(pos.x, pos.y, pos.z)
    if (state.air) return
    if (falls(state)) this.schedule(pos, FALL_DELAY)
    else if (FLOW[state.name] || state.props.waterlogged === 'true') this.schedule(pos, (FLOW[state.name] ?? FLOW.water).delay)
    else if (ruleOf(state) || joinKind(state.name) || state.name === 'note_block') this.schedule(pos, 1)
    if (Object.hasOwn(CROPS, state.name)) this.growing.add(`${pos.x >> 4},${pos.y >> 4},${pos.z >> 4}`)
  }

  /** @param {Pos} pos @param {number} delay */
  schedule (pos, delay) {
    const key = `${pos.x},${pos.y},${pos.z}`
    if (!this.queue.has(key)) this.queue.set(key, { due: this.world.age + delay, pos })
  }

  tick () {
    let left = WORK_LIMIT
    for (const [key, { due, pos }] of this.queue) {
      if (due > this.world.age) continue
      this.queue.delete(key)
      this.update(pos)
      if (--left === 0) break
    }
    if (this.growing.size > 0) this.grow()
  }

  /** @param {Pos} pos */
  update (pos) {
    const { world } = this
    const state = world.stateAt(pos.x, pos.y, pos.z)
    if (falls(state)) return this.fall(pos, state)
    if (!canStay(world, pos, state)) return world.breaking.remove(pos, { drop: true })
    if (state.name === 'note_block') return powered(world, pos, state)
    if (joinKind(state.name)) world.setBlock(pos.x, pos.y, pos.z, joined(world, pos, state.stateId))
    if (FLOW[state.name]) this.flow(pos, state)
    else if (state.props.waterlogged === 'true') this.spread(pos, 'water', 0)
  }

  /** A falling block goes down at once to where it comes to rest; the fall itself is not seen. @param {Pos} pos @param {BlockState} state */
  fall (pos, state) {
    const { world } = this
    let y = pos.y
    while (y - 1 >= world.minY - 1 && world.stateAt(pos.x, y - 1, pos.z).replaceable && world.stateAt(pos.x, y - 1, pos.z).shapes.length === 0 && y > world.minY - 1) y--
    if (y === pos.y) return
    world.setBlock(pos.x, pos.y, pos.z, 0)
    if (y < world.minY) return
    const below = world.stateAt(pos.x, y - 1, pos.z)
    if (below.shapes.length > 0 && below.shapes.every((s) => s[4] < 1)) return void world.popItem(world.stacks.make(state.name), { x: pos.x, y, z: pos.z })
    world.setBlock(pos.x, y, pos.z, state.stateId)
  }

  // --- liquids ---

  /** @param {Pos} pos @param {BlockState} state */
  flow (pos, state) {
    const { world } = this
    const level = Number(state.props.level)
    if (this.harden(pos, state)) return
    if (level > 0) {
      const fed = this.fed(pos, state.name)
      if (fed !== level) {
        world.setBlock(pos.x, pos.y, pos.z, fed < 0 ? 0 : world.data.stateId(state.name, { level: fed }))
        if (fed < 0) return
      }
      return this.spread(pos, state.name, fed)
    }
    this.spread(pos, state.name, 0)
  }

  /** The level that a flowing block should have: 8 from above, else one less than its best neighbour, -1 for none. @param {Pos} pos @param {string} name */
  fed (pos, name) {
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
    if (name === 'water' && sources >= 2 && world.rules.waterSourceConversion && (below.fullCube || (below.name === 'water' && below.props.level === '0'))) return 0
    return best < 8 ? best : -1
  }

  /** Level of that liquid, 0 for a source, -1 for none. @param {number} x @param {number} y @param {number} z @param {string} name */
  levelAt (x, y, z, name) {
    const state = this.world.stateAt(x, y, z)
    if (state.name === name) return Number(state.props.level)
    return name === 'water' && (state.props.waterlogged === 'true' || /seagrass|kelp|bubble_column/.test(state.name)) ? 0 : -1
  }

  /** @param {Pos} pos @param {string} name @param {number} level */
  spread (pos, name, level) {
    if (this.pourInto({ x: pos.x, y: pos.y - 1, z: pos.z }, name, 8)) return
    const below = this.world.stateAt(pos.x, pos.y - 1, pos.z)
    if (below.name === name && level !== 0) return
    const next = (level >= 8 ? 0 : level) + FLOW[name].drop
    if (next >= 8) return
    for (const [dx, dz] of SIDES) this.pourInto({ x: pos.x + dx, y: pos.y, z: pos.z + dz }, name, next)
  }

  /** @param {Pos} at @param {string} name @param {number} level @returns {boolean} whether it flowed there */
  pourInto (at, name, level) {
    const { world } = this
    if (!world.terrain.inside(at.x, at.y, at.z)) return false
    const there = world.stateAt(at.x, at.y, at.z)
    if (there.name === name) {
      const now = Number(there.props.level)
      if (now === 0 || (now <= level && level < 8) || now === 8) return false
    } else if (there.liquid) {
      world.setBlock(at.x, at.y, at.z, world.data.stateId(there.name === 'lava' && there.props.level === '0' ? 'obsidian' : name === 'lava' && level === 8 ? 'stone' : 'cobblestone'))
      return true
    } else if (!there.air && (there.shapes.length > 0 || /_sign|ladder|sugar_cane|portal|banner/.test(there.name))) return false
    if (!there.air && !there.liquid) world.breaking.remove(at, { drop: true })
    world.setBlock(at.x, at.y, at.z, world.data.stateId(name, { level }))
    return true
  }

  /** Lava beside water becomes stone of some kind. @param {Pos} pos @param {BlockState} state */
  harden (pos, state) {
    if (state.name !== 'lava') return false
    const wet = [[0, 1, 0], ...SIDES.map(([dx, dz]) => [dx, 0, dz])].some(([dx, dy, dz]) => this.levelAt(pos.x + dx, pos.y + dy, pos.z + dz, 'water') >= 0)
    if (wet) this.world.setBlock(pos.x, pos.y, pos.z, this.world.data.stateId(state.props.level === '0' ? 'obsidian' : 'cobblestone'))
    return wet
  }

  // --- growth ---

  /** Random ticks, in those sections only in which crops stand. */
  grow () {
    const random = this.world.random.stream('growth')
    const tries = Number(this.world.rules.randomTickSpeed)
    for (const key of this.growing) {
      const [sx, sy, sz] = key.split(',').map(Number)
      for (let i = 0; i < tries; i++) {
        const at = random.int(0, SECTION - 1)
        this.growAt({ x: sx * 16 + (at & 15), y: sy * 16 + (at >> 8), z: sz * 16 + ((at >> 4) & 15) }, random)
      }
    }
  }

  /** A crop on moist or dry ground grows about as fast as vanilla's in a full field; light is not looked at. @param {Pos} pos @param {import('../random').RandomStream} random */
  growAt (pos, random) {
    const { world } = this
    const state = world.stateAt(pos.x, pos.y, pos.z)
    const most = /** @type {Record<string, number>} */ (CROPS)[state.name]
    const age = Number(state.props.age)
    if (most === undefined || age >= most) return
    const moist = world.stateAt(pos.x, pos.y - 1, pos.z).props.moisture === '7'
    if (random.chance(moist ? 1 / 3 : 1 / 7)) world.setBlock(pos.x, pos.y, pos.z, world.data.withProps(state.stateId, { age: age + 1 }))
  }
}

module.exports = { Updates }
