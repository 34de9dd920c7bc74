'use strict'
/**
 * Client of one player in the mock world: its body moves by vanilla physics, its head turns no faster than a bot's, its
 * hand does one thing after another. It acts on the engine only through the player's verbs.
 *
 * @module skills_js/mock/client
 */
const { Body } = require('../../engine/body/body')
const { step } = require('../../engine/body/physics')
const { Walk } = require('../../engine/body/walker')
const { BuildingWalk } = require('../../engine/body/building/walk')
const { TaskList } = require('./tasks')
const { named } = require('../bot_facade/errors')

/** Largest turn of a head in a tick, in radians, on each axis. */
const TURN_SPEED = 0.15
/** Distance along each axis within which blocks influence a step, in blocks. */
const NEARBY = 8
const DEGREES = 180 / Math.PI
/** Number of a player's own window. */
const INVENTORY = 0

/** Player in the mock world. */
class Client {
  /**
   * @param {import('./simulation').Simulation} simulation
   * @param {import('../../engine/world/player').Player} player the engine's player
   */
  constructor (simulation, player) {
    this.simulation = simulation
    this.player = player
    this.name = player.name
    this.body = new Body()
    this.tasks = new TaskList()
    /** @type {Walk | null} */
    this.walk = null
    /** Direction of the head as others see it; the body's own yaw may be ahead of it. */
    this.seenYaw = 0
    this.seenPitch = 0
    /** Block being dug, or null. @type {{x: number, y: number, z: number} | null} */
    this.digging = null
    /** Place of the block of the open window, or null. @type {number[] | null} */
    this.openedAt = null
    /** Progress bars of a furnace, by vanilla's numbers. @type {Map<number, number>} */
    this.bars = new Map()
    this.gone = false
    this.asleep = false
    /** Position in `Crowds`. @type {import('./crowds').Stand | null} */
    this.stand = null
    /** Vehicle at the last check. @type {any} */
    this.vehicle = null
    this.#listeners = new Map()
    this.teleported()
  }

  /** @type {Map<string, Set<(...args: any[]) => void>>} */
  #listeners

  /** @returns {{x: number, y: number, z: number}} */
  get eye () { return { x: this.body.x, y: this.body.y + this.body.eyeHeight, z: this.body.z } }

  /** Advance the body by one tick, before the world's. */
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
   * Body after a step that changed nothing: while the body and the blocks around it stay the same, no later step will
   * either.
   */
  #still = new Body()
  #isStill = false

  /** Advance an unbound body by one tick. */
  #move () {
    const { body } = this
    if (this.#isStill && body.equals(this.#still)) return
    this.#still.copy(body)
    if (this.walk === null) step(this.simulation.space, body)
    else this.walk.step()
    this.#isStill = body.equals(this.#still)
  }

  /** True if the player lies in a bed or sits in a vehicle, and so does not move by itself. */
  get bound () { return this.asleep || this.vehicle !== null }

  /** Move a bound body with its vehicle. */
  #hold () {
    const { body, vehicle, player } = this
    body.vx = body.vy = body.vz = 0
    if (vehicle !== null) [body.x, body.y, body.z] = [player.x, player.y, player.z]
  }

  /**
   * Process that the player has lain down, or got up.
   * @param {boolean} asleep
   */
  laid (asleep) {
    this.asleep = asleep
    if (asleep) this.stopWalk()
    this.emit(asleep ? 'sleep' : 'wake')
  }

  /** Process that somebody, perhaps this player, got in or out of a vehicle. */
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
   * Turn, at once with `force`, else as fast as a head turns.
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
   * Begin to walk; a current walk ends.
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
   * Begin to walk, digging and building on the way; a current walk ends.
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

  /** Process that the engine has moved the player elsewhere. */
  teleported () {
    const { body, player } = this
    body.x = player.x; body.y = player.y; body.z = player.z
    body.vx = body.vy = body.vz = 0
    body.onGround = false
    body.yaw = this.seenYaw = bodyYaw(player.yaw)
    body.pitch = this.seenPitch = -player.pitch / DEGREES
    this.walk?.moved()
  }

  /** Process the player's death: as bots on servers do, it respawns in the next tick. */
  died () {
    this.stopWalk()
    this.body.release()
    this.digging = null
    this.emit('death')
    this.simulation.clock.after(1, () => { if (!this.gone && this.player.dead) this.player.respawn() })
  }

  /** Process that the engine has pushed the player. */
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

  /** Bring everything to rest: keys, walk, hand, window, actions. */
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
