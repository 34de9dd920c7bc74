'use strict'
/**
 * One player of the mock world as its own client: its body moves by vanilla physics, its head turns no faster than a
 * bot's does, its hand does one thing after another. It speaks to the world engine only through the player's verbs.
 *
 * @module skills_js/mock/client
 */
const { Body } = require('../../engine/body/body')
const { step } = require('../../engine/body/physics')
const { Walk } = require('../../engine/body/walker')
const { BuildingWalk } = require('../../engine/body/building/walk')
const { TaskList } = require('./tasks')
const { named } = require('../bot_facade/errors')

/** How far a head turns in a tick, in radians, on each axis. */
const TURN_SPEED = 0.15
/** What a step depends on is nearer than this along each axis, in blocks. */
const NEARBY = 8
const DEGREES = 180 / Math.PI
/** The number of a player's own window. */
const INVENTORY = 0

/** A player in the mock world. */
class Client {
  /**
   * @param {import('./simulation').Simulation} simulation
   * @param {any} player the engine's player
   */
  constructor (simulation, player) {
    this.simulation = simulation
    this.player = player
    this.name = player.name
    this.body = new Body()
    this.tasks = new TaskList()
    /** @type {Walk | null} */
    this.walk = null
    /** Where the head looks as others see it; the body's own yaw may be ahead of it. */
    this.seenYaw = 0
    this.seenPitch = 0
    /** The block being dug, or null. @type {{x: number, y: number, z: number} | null} */
    this.digging = null
    /** Where the block of the open window stands, or null. @type {number[] | null} */
    this.openedAt = null
    /** A furnace's progress bars by vanilla's numbers. @type {Map<number, number>} */
    this.bars = new Map()
    this.gone = false
    this.asleep = false
    /** Where `Crowds` last saw it. @type {import('./crowds').Stand | null} */
    this.stand = null
    /** What it sat in when it last looked. @type {any} */
    this.vehicle = null
    this.#listeners = new Map()
    this.teleported()
  }

  /** @type {Map<string, Set<(...args: any[]) => void>>} */
  #listeners

  /** @returns {{x: number, y: number, z: number}} */
  get eye () { return { x: this.body.x, y: this.body.y + this.body.eyeHeight, z: this.body.z } }

  /** One tick of the body, before the world's. */
  step () {
    if (this.player.dead) return
    const { body, player } = this
    const { x, y, z } = body
    if (this.bound) this.#hold()
    else if (player.gamemode !== 'spectator') this.#move()
    if (this.walk !== null) {
      this.walk.tick()
    }
    // In water only swimmers sprint.
    const sprints = body.sprint && (!body.inWater || body.swims)
    if (sprints !== player.sprinting && (this.walk !== null || body.sprint)) player.setSprinting(sprints)
    this.#turnHead()
    if (body.x !== x || body.y !== y || body.z !== z || this.#headMoved) this.#tellPosition()
    if (this.#listeners.size > 0) {
      if (body.x !== x || body.y !== y || body.z !== z) this.emit('move')
      this.emit('physicsTick')
    }
  }

  /**
   * The body as a step left it that changed nothing: for as long as it and the blocks around it stay so, no other will.
   */
  #still = new Body()
  #isStill = false

  /** One tick of the body by itself. */
  #move () {
    const { body } = this
    if (this.#isStill && body.equals(this.#still)) return
    this.#still.copy(body)
    if (this.walk === null) step(this.simulation.space, body)
    else this.walk.step()
    this.#isStill = body.equals(this.#still)
  }

  /** Whether it lies in a bed or sits in a boat, and so goes nowhere by itself. */
  get bound () { return this.asleep || this.vehicle !== null }

  /** The body of who is bound goes where the vehicle does. */
  #hold () {
    const { body, vehicle, player } = this
    body.vx = body.vy = body.vz = 0
    if (vehicle !== null) [body.x, body.y, body.z] = [player.x, player.y, player.z]
  }

  /** The player has lain down, or got up. @param {boolean} asleep */
  laid (asleep) {
    this.asleep = asleep
    if (asleep) this.stopWalk()
    this.emit(asleep ? 'sleep' : 'wake')
  }

  /** Somebody got in or out of something, perhaps this player. */
  seated () {
    const before = this.vehicle
    if (this.player.vehicle === before) return
    this.vehicle = this.player.vehicle
    if (before !== null) this.emit('dismount', { entity: before })
    if (this.vehicle === null) return
    this.stopWalk()
    this.emit('mount')
  }

  #headMoved = false

  #turnHead () {
    const { body } = this
    if (body.yaw === this.seenYaw && body.pitch === this.seenPitch) {
      this.#headMoved = false
      return
    }
    const yaw = Math.max(-TURN_SPEED, Math.min(TURN_SPEED, angleBetween(body.yaw, this.seenYaw)))
    const pitch = Math.max(-TURN_SPEED, Math.min(TURN_SPEED, body.pitch - this.seenPitch))
    this.#headMoved = yaw !== 0 || pitch !== 0
    this.seenYaw += yaw
    this.seenPitch += pitch
  }

  #tellPosition () {
    const { body, player } = this
    player.moveTo({
      x: body.x, y: body.y, z: body.z, yaw: wireYaw(this.seenYaw), pitch: -this.seenPitch * DEGREES,
      onGround: body.onGround
    })
  }

  /**
   * Turn; with `force` at once, else as fast as a head turns.
   *
   * @param {number} yaw radians
   * @param {number} pitch radians
   * @param {boolean} force
   * @returns {Generator<void, void, void>}
   */
  * look (yaw, pitch, force) {
    const { body } = this
    body.yaw = yaw
    body.pitch = pitch
    if (force) {
      this.seenYaw = yaw
      this.seenPitch = pitch
      this.#tellPosition()
      return
    }
    while (Math.abs(angleBetween(body.yaw, this.seenYaw)) >= 0.001 || Math.abs(body.pitch - this.seenPitch) >= 0.001) {
      yield
    }
  }

  /**
   * @param {{x: number, y: number, z: number}} point
   * @param {boolean} force
   * @returns {Generator<void, void, void>}
   */
  * lookAt (point, force) {
    const eye = this.eye
    const dx = point.x - eye.x; const dz = point.z - eye.z
    yield * this.look(Math.atan2(-dx, -dz), Math.atan2(point.y - eye.y, Math.hypot(dx, dz)), force)
  }

  /**
   * Begin to walk; a walk that is under way ends.
   *
   * @param {import('../../engine/body/astar').Goal} goal
   * @param {object} options of `Walk`
   * @returns {Walk}
   */
  startWalk (goal, options) {
    this.stopWalk()
    this.walk = new Walk(this.simulation.paths, this.body, goal, options)
    return this.walk
  }

  /**
   * Begin to walk, digging and building on the way; a walk that is under way ends.
   *
   * @param {import('../../engine/body/astar').Goal} goal
   * @param {object} options of `Walk`
   * @param {import('../../engine/body/building/walk').Works} works
   * @returns {Walk}
   */
  startWorks (goal, options, works) {
    this.stopWalk()
    this.walk = new BuildingWalk(this.simulation.paths, this.body, goal, options, works)
    return this.walk
  }

  /** Stand still. */
  stopWalk () {
    if (this.walk === null) return
    this.walk.leave()
    this.walk = null
    if (this.player.sprinting) this.player.setSprinting(false)
  }

  /** The engine has put the player somewhere else. */
  teleported () {
    const { body, player } = this
    body.x = player.x; body.y = player.y; body.z = player.z
    body.vx = body.vy = body.vz = 0
    body.onGround = false
    body.yaw = this.seenYaw = bodyYaw(player.yaw)
    body.pitch = this.seenPitch = -player.pitch / DEGREES
    this.walk?.moved()
  }

  /** The player has died; as bots on servers do, it asks to come back at once, in the next tick. */
  died () {
    this.stopWalk()
    this.body.release()
    this.digging = null
    this.emit('death')
    this.simulation.clock.after(1, () => { if (!this.gone && this.player.dead) this.player.respawn() })
  }

  /** The engine has pushed the player. */
  pushed () {
    const { body, player } = this
    body.vx = player.vx; body.vy = player.vy; body.vz = player.vz
    this.walk?.disturb()
  }

  /** @param {number} x @param {number} y @param {number} z of a block that has changed */
  blockChanged (x, y, z) {
    const { body } = this
    if (Math.abs(x - body.x) < NEARBY && Math.abs(y - body.y) < NEARBY && Math.abs(z - body.z) < NEARBY) {
      this.#isStill = false
    }
    this.walk?.blockChanged(x, y, z)
  }

  /** Everything at rest: keys, walk, hand, window, actions. */
  rest () {
    this.tasks.stopAll(named('PolicyAborted', 'the run is over'))
    this.stopWalk()
    this.body.release()
    if (this.digging !== null) this.player.abortDig()
    this.digging = null
    const window = this.player.openWindow
    if (window !== null) this.player.closeWindow(window.id)
    // Its own window has no end of its own: what lies in its grid or on the cursor goes back as when a client closes
    // it.
    this.player.closeWindow(INVENTORY)
    if (this.player.sneaking) this.player.setSneaking(false)
    if (this.player.sprinting) this.player.setSprinting(false)
    if (this.player.usingItem) this.player.releaseItem()
  }

  /**
   * @param {string} event
   * @param {(...args: any[]) => void} fn
   * @returns {() => void} ends the listening
   */
  on (event, fn) {
    const { heard } = this.simulation
    const fns = this.#listeners.get(event) ?? new Set()
    if (fns.size === 0) heard.set(event, (heard.get(event) ?? 0) + 1)
    this.#listeners.set(event, fns.add(fn))
    return () => {
      fns.delete(fn)
      if (fns.size > 0 || this.#listeners.get(event) !== fns) return
      this.#listeners.delete(event)
      const others = /** @type {number} */ (heard.get(event)) - 1
      if (others > 0) heard.set(event, others)
      else heard.delete(event)
    }
  }

  /** @param {string} event @returns {boolean} */
  listens (event) { return this.#listeners.has(event) }

  /** @param {string} event @param {any[]} args */
  emit (event, ...args) {
    const fns = this.#listeners.get(event)
    if (fns !== undefined) for (const fn of [...fns]) fn(...args)
  }
}

/** @param {number} to @param {number} from @returns {number} the shorter way, in radians */
function angleBetween (to, from) {
  const turn = (to - from) % (2 * Math.PI)
  if (turn < -Math.PI) return turn + 2 * Math.PI
  return turn > Math.PI ? turn - 2 * Math.PI : turn
}

/**
 * @param {number} yaw radians, 0 north, counter-clockwise
 * @returns {number} degrees as on the wire: 0 south, clockwise
 */
function wireYaw (yaw) {
  const degrees = (Math.PI - yaw) * DEGREES % 360
  return degrees < 0 ? degrees + 360 : degrees
}

/** @param {number} degrees as on the wire @returns {number} radians as bots count */
function bodyYaw (degrees) {
  return Math.PI - degrees / DEGREES
}

module.exports = { Client, angleBetween, bodyYaw, wireYaw }
