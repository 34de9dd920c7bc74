'use strict'
/** Base class of all entities: position, body, and collision with blocks. */
const { bodyBox, sweep } = require('../geometry')
const { flagsNbt, uuidNbt } = require('./entity_nbt')

/** @typedef {import('../world').World} World */

/** Height of a seat as a fraction of the vehicle's height. */
const SEAT = 0.75
/** Buffers of a body's box and movement, reused by every move. */
const box = [0, 0, 0, 0, 0, 0]
const way = [0, 0, 0]

/** Base class of all entities; subclasses define `tick`. */
class Entity {
  /**
   * @param {World} world
   * @param {string} type entity name without namespace
   * @param {{ x: number, y: number, z: number }} at feet
   */
  constructor (world, type, at) {
    const info = world.registry.entitiesByName[type]
    this.world = world
    this.id = world.nextEntityId++
    this.uuid = world.random.stream('uuid').uuid()
    this.type = type
    /** Minecraft's number of the type on the wire. */
    this.typeId = info?.id ?? 0
    this.width = info?.width ?? 0.6
    this.height = info?.height ?? 1.8
    this.x = at.x
    this.y = at.y
    this.z = at.z
    this.yaw = 0
    this.pitch = 0
    this.headYaw = 0
    this.vx = 0
    this.vy = 0
    this.vz = 0
    this.onGround = false
    this.removed = false
    /** Ticks lived. */
    this.age = 0
    /** @type {string | null} JSON text component */
    this.customName = null
    /** @type {Set<string>} */
    this.tags = new Set()
    /** Blocks fallen since the last ground. */
    this.fallDistance = 0
    /** The vehicle that it rides. @type {any} */
    this.vehicle = null
    /** @type {any[]} */
    this.passengers = []
    /**
     * Flags of its saved data (`entity_nbt.js`): only the console harms it; no gravity; no sound; glowing outline; name
     * visible through walls.
     */
    this.invulnerable = this.noGravity = this.silent = this.glowing = this.nameShown = false
  }

  get living () { return false }
  /** True if clients and bots do not see it. */
  get hidden () { return false }

  /** The name in vanilla's texts. @returns {string} */
  get displayName () {
    return this.customName ? this.world.plainText(this.customName)
      : this.world.data.text(`entity.minecraft.${this.type}`)
  }

  get box () { return bodyBox(this, this.width, this.height) }
  get eyeHeight () { return this.height * 0.85 }
  get eyes () { return { x: this.x, y: this.y + this.eyeHeight, z: this.z } }

  /** Run each tick again if suspended (`tick_scheduler.js`): something happens to the entity. */
  resume () {}

  tick () { this.age++ }

  /**
   * Move by the velocity as far as blocks and the world border allow; a blocked axis loses its velocity.
   * @returns {boolean[]} which axes were blocked; it holds until the next move of any body
   */
  slide () {
    const r = this.width / 2
    box[0] = this.x - r; box[1] = this.y; box[2] = this.z - r
    box[3] = this.x + r; box[4] = this.y + this.height; box[5] = this.z + r
    const { border } = this.world
    const ends = !border.wide && border.stopsStep(this, { x: this.x + this.vx, z: this.z }, r)
    const shut = !border.wide && border.stopsStep(this, { x: this.x, z: this.z + this.vz }, r)
    way[0] = ends ? 0 : this.vx; way[1] = this.vy; way[2] = shut ? 0 : this.vz
    const { moved, hit } = sweep(this.world, box, way)
    if (ends) hit[0] = true
    if (shut) hit[2] = true
    this.x += moved[0]
    this.y += moved[1]
    this.z += moved[2]
    this.onGround = hit[1] && this.vy < 0
    if (hit[0]) this.vx = 0
    if (hit[2]) this.vz = 0
    if (hit[1]) this.vy = 0
    return hit
  }

  /** The block at the body's middle. */
  get inside () {
    return this.world.stateAt(Math.floor(this.x), Math.floor(this.y + Math.min(0.4, this.height / 2)),
      Math.floor(this.z))
  }

  /** Mount another entity. @param {Entity} vehicle */
  mount (vehicle) {
    this.dismount()
    this.vehicle = vehicle
    this.resume()
    vehicle.passengers.push(this)
    vehicle.seatAll()
    this.world.emit('passengers', { entity: vehicle })
  }

  /** Dismount, and stand on top of the vehicle. */
  dismount () {
    const { vehicle } = this
    if (!vehicle) return
    this.vehicle = null
    vehicle.passengers.splice(vehicle.passengers.indexOf(this), 1)
    if ('course' in vehicle) vehicle.course = { forward: 0, left: 0 }
    this.world.emit('passengers', { entity: vehicle })
    this.leaveSeat(vehicle)
  }

  /** @param {Entity} vehicle that it has got off */
  leaveSeat (vehicle) {
    if (!this.removed) this.carriedTo({ x: vehicle.x, y: vehicle.y + vehicle.height, z: vehicle.z })
  }

  /** Follow the vehicle. @param {{ x: number, y: number, z: number }} to */
  carriedTo (to) {
    this.x = to.x
    this.y = to.y
    this.z = to.z
    this.vx = this.vy = this.vz = 0
    this.fallDistance = 0
    this.world.emit('entityMove', { entity: this })
  }

  /** Move all passengers along. */
  seatAll () {
    for (const rider of this.passengers) rider.carriedTo({ x: this.x, y: this.y + this.height * SEAT, z: this.z })
  }

  /** Remove the entity from the world. */
  remove () {
    if (this.removed) return
    for (const rider of [...this.passengers]) rider.dismount()
    this.removed = true
    this.dismount()
    this.world.leave(this)
    this.world.emit('entityRemove', { entity: this })
  }

  /** Return the data that /data get entity shows, as NBT (see nbt/snbt.js). @returns {Record<string, any>} */
  nbt () {
    const { double, float, short, byte, string, list } = this.world.nbt
    return {
      Pos: list([double(this.x), double(this.y), double(this.z)]),
      Motion: list([double(this.vx), double(this.vy), double(this.vz)]),
      Rotation: list([float(this.yaw), float(this.pitch)]), OnGround: byte(this.onGround ? 1 : 0),
      FallDistance: float(this.fallDistance), Air: short(300),
      UUID: uuidNbt(this.uuid), ...flagsNbt(this),
      ...(this.tags.size ? { Tags: list([...this.tags].map(string)) } : {}),
      ...(this.customName ? { CustomName: string(this.customName) } : {})
    }
  }
}

module.exports = { Entity }
