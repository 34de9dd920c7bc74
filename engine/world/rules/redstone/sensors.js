'use strict'
/**
 * Daylight detectors, targets and lightning rods (minecraft.wiki, each block's page). Only detectors are ticked, once
 * per second.
 */

/** @typedef {import('../../types').Pos} Pos */
/** @typedef {import('../../data').BlockState} BlockState */
/** @typedef {import('../../world').World} World */

const FULL = 15
const DETECTOR_EVERY = 20
/** Ticks for which a target gives power, hit by an arrow or a trident, and by anything else. */
const TARGET_TICKS = Object.freeze({ arrow: 20, other: 8 })
const ROD_TICKS = 8

/** Sensors of one world. */
class Sensors {
  /** @param {World} world */
  constructor (world) {
    this.world = world
    /** Daylight detectors by position. @type {Map<string, Pos>} */
    this.detectors = new Map()
    /** Lightning rods by position. @type {Map<string, Pos>} */
    this.rods = new Map()
  }

  /** @param {Pos} pos @param {string} before block name @param {string} after block name */
  changed (pos, before, after) {
    const key = `${pos.x},${pos.y},${pos.z}`
    if (before === 'daylight_detector') this.detectors.delete(key)
    if (before === 'lightning_rod') this.rods.delete(key)
    if (after === 'lightning_rod') this.rods.set(key, { ...pos })
    if (after !== 'daylight_detector') return
    this.detectors.set(key, { ...pos })
    this.world.later(1, () => this.detect(pos))
  }

  tick () {
    if (this.detectors.size === 0 || this.world.age % DETECTOR_EVERY !== 0) return
    for (const pos of this.detectors.values()) this.detect(pos)
  }

  /**
   * Update a detector from the sky's light by the sun's height; an inverted one from the missing light.
   *
   * @param {Pos} pos
   */
  detect ({ x, y, z }) {
    const { world } = this
    const state = world.stateAt(x, y, z)
    if (state.name !== 'daylight_detector') return
    const sky = world.light.sky(x, y, z) - world.sky.darken
    const { sunAngle } = world.sky
    const leaning = sunAngle + ((sunAngle < Math.PI ? 0 : 2 * Math.PI) - sunAngle) * 0.2
    const power = state.props.inverted === 'true' ? FULL - sky : sky > 0 ? Math.round(sky * Math.cos(leaning)) : sky
    const next = world.data.withProps(state.stateId, { power: Math.max(0, Math.min(FULL, power)) })
    if (next !== state.stateId) world.setBlock(x, y, z, next)
  }

  /** Invert a detector by hand. @param {Pos} pos @param {BlockState} state */
  invert (pos, state) {
    this.world.setBlock(pos.x, pos.y, pos.z,
      this.world.data.withProps(state.stateId, { inverted: state.props.inverted !== 'true' }))
    this.detect(pos)
  }

  /**
   * Handle a hit: a target gives more power near its middle.
   *
   * @param {Pos} at point of impact
   * @param {Pos} way velocity
   * @param {string} type of the projectile
   */
  struck (at, way, type) {
    const { world } = this
    const speed = Math.hypot(way.x, way.y, way.z) || 1
    const into = { x: Math.floor(at.x + way.x / speed * 0.01), y: Math.floor(at.y + way.y / speed * 0.01),
      z: Math.floor(at.z + way.z / speed * 0.01) }
    const state = world.stateAt(into.x, into.y, into.z)
    if (state.name !== 'target' || state.props.power !== '0') return
    // The hit face lies where the block ends; the distance counts along the other two axes.
    const off = [at.x - into.x - 0.5, at.y - into.y - 0.5, at.z - into.z - 0.5].map(Math.abs).sort((a, b) => a - b)
    const power = Math.max(1, Math.ceil(FULL * Math.max(0, Math.min(1, (0.5 - off[1]) / 0.5))))
    this.flash(into, state, { power }, { power: 0 }, type === 'arrow' ? TARGET_TICKS.arrow : TARGET_TICKS.other)
  }

  /** Power a lightning rod after a strike. @param {Pos} pos @param {BlockState} state */
  conduct (pos, state) { this.flash(pos, state, { powered: true }, { powered: false }, ROD_TICKS) }

  /**
   * @param {Pos} pos
   * @param {BlockState} state
   * @param {Record<string, number | boolean>} on
   * @param {Record<string, number | boolean>} off
   * @param {number} ticks
   */
  flash (pos, state, on, off, ticks) {
    const { world } = this
    world.setBlock(pos.x, pos.y, pos.z, world.data.withProps(state.stateId, on))
    world.redstone.once(pos, state.name, ticks,
      (now) => world.setBlock(pos.x, pos.y, pos.z, world.data.withProps(now.stateId, off)))
  }
}

module.exports = { Sensors }
