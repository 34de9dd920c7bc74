'use strict'
/** Packets of entities: appearance, equipment, pose. */
const minecraftData = require('minecraft-data')
const { angle } = require('./interest')
const { fromJson } = require('./components')
const { thingMetadata } = require('./thing_metadata')
const { COLOURS } = require('../../../engine/world/entities/farm_animals')

/** @typedef {import('./codec').Codec} Codec */

/** Wire velocity is in 1/8000 block per tick, as a signed 16-bit number. */
const VELOCITY_UNIT = 8000
const MAX_VELOCITY = 3.9
/** @type {Record<string, number>} */
const POSE = Object.freeze({ standing: 0, gliding: 1, sleeping: 2, swimming: 3, sneaking: 5 })
const PET = Object.freeze({ sitting: 0x01, tame: 0x04 })
const HAND = Object.freeze({ active: 0x01, offhand: 0x02 })
const SHEARED = 0x10
const FLAG = Object.freeze({ glowing: 0x40, sneaking: 0x02, sprinting: 0x08, swimming: 0x10, gliding: -0x80 })

/** @param {{vx?: number, vy?: number, vz?: number}} entity */
function velocity ({ vx = 0, vy = 0, vz = 0 }) {
  const unit = (/** @type {number} */ v) =>
    Math.round(Math.max(-MAX_VELOCITY, Math.min(MAX_VELOCITY, v)) * VELOCITY_UNIT)
  return { x: unit(vx), y: unit(vy), z: unit(vz) }
}

/** @param {any} entity @returns {number} bits that every entity has */
function flagsOf (entity) {
  return (entity.glowing ? FLAG.glowing : 0) | (entity.sneaking ? FLAG.sneaking : 0) | (entity.sprinting
    ? FLAG.sprinting
    : 0) |
    (entity.swimming ? FLAG.swimming : 0) | (entity.gliding ? FLAG.gliding : 0)
}

/** Builder of the frames about entities. */
class EntityFrames {
  /**
   * @param {Codec} codec
   * @param {any} Item prismarine-item's class of the version
   */
  constructor (codec, Item) {
    this._codec = codec
    this._Item = Item
    this._types = minecraftData(codec.version).entitiesByName
  }

  /**
   * @param {string} name
   * @param {object} params
   */
  _play (name, params) {
    return this._codec.encode('play', name, params)
  }

  /**
   * Return everything that a viewer needs when an entity comes into sight.
   * @param {any} entity
   * @returns {Buffer}
   */
  spawn (entity) {
    if (entity.type === 'experience_orb') {
      return this._play(
        'spawn_entity_experience_orb',
        { entityId: entity.id, x: entity.x, y: entity.y, z: entity.z, count: entity.amount }
      )
    }
    const frames = [this._appear(entity), this.metadata(entity)]
    if (entity.type === 'player' || entity.equipment) frames.push(this.equipment(entity))
    if (entity.passengers?.length > 0) {
      frames.push(this._play(
        'set_passengers',
        { entityId: entity.id, passengers: entity.passengers.map((/** @type {any} */ rider) => rider.id) }
      ))
    }
    return Buffer.concat(frames)
  }

  /** @param {any} entity */
  _appear (entity) {
    const headYaw = angle(entity.headYaw ?? entity.yaw ?? 0)
    return this._play('spawn_entity', {
      entityId: entity.id,
      objectUUID: entity.uuid,
      type: this._types[entity.type]?.id ?? this._types.marker.id,
      x: entity.x,
      y: entity.y,
      z: entity.z,
      pitch: angle(entity.pitch ?? 0),
      yaw: angle(entity.yaw ?? 0),
      headPitch: headYaw,
      objectData: entity.objectData ??
        (entity.type === 'item' ? 1 : entity.type === 'falling_block' ? entity.stateId : 0),
      velocity: velocity(entity)
    })
  }

  /**
   * @param {any} entity
   * @returns {Buffer}
   */
  metadata (entity) {
    const keys = this._types[entity.type]?.metadataKeys ?? []
    /** @type {{key: number, type: string, value: any}[]} */
    const metadata = []
    const put = (/** @type {string} */ name, /** @type {string} */ type, /** @type {unknown} */ value) => {
      const key = keys.indexOf(name)
      if (key >= 0) metadata.push({ key, type, value })
    }
    put('shared_flags', 'byte', flagsOf(entity))
    this._marks(entity, put)
    if (entity.using !== undefined) {
      put(
        'living_entity_flags',
        'byte',
        entity.using.now ? HAND.active | (entity.using.now.hand === 1 ? HAND.offhand : 0) : 0
      )
    }
    if (entity.frozenTicks !== undefined) put('ticks_frozen', 'int', entity.frozenTicks)
    if (entity.customName) put('custom_name', 'optional_component', fromJson(entity.customName))
    if (entity.type === 'player') {
      put('pose', 'pose', entity.sleeping ? POSE.sleeping : POSE[entity.pose])
      put('sleeping_pos', 'optional_block_pos', entity.sleeping ?? undefined)
    }
    if (entity.rotation !== undefined) put('rotation', 'int', entity.rotation)
    if (entity.variant !== undefined) put('type', 'int', entity.variant)
    if (entity.biting !== undefined) put('biting', 'boolean', entity.biting)
    if (entity.attachedTo !== undefined) put('attached_to_target', 'optional_unsigned_int', entity.attachedTo + 1)
    if (entity.bottle) put('item_stack', 'item_stack', this._Item.toNotch(entity.bottle))
    if (entity.item) put('item', 'item_stack', this._Item.toNotch(entity.item))
    if (entity.type === 'item_frame' && !entity.item) put('item', 'item_stack', this._Item.toNotch(null))
    if (typeof entity.health === 'number') put('health', 'float', entity.health)
    if (entity.baby !== undefined) put('baby', 'boolean', entity.baby)
    if (entity.colour) put('wool', 'byte', COLOURS.indexOf(entity.colour) | (entity.sheared ? SHEARED : 0))
    if (entity.sitting !== undefined) {
      put('flags', 'byte', (entity.sitting ? PET.sitting : 0) | (entity.owner ? PET.tame : 0))
    }
    if (entity.swells !== undefined) put('swell_dir', 'int', entity.swells ? 1 : -1)
    if (entity.fuse !== undefined) put('fuse', 'int', entity.fuse)
    for (const [name, type, value] of thingMetadata(entity, this._Item)) put(name, type, value)
    return this._play('entity_metadata', { entityId: entity.id, metadata })
  }

  /**
   * Tell of the marks that a command may set on any entity.
   * @param {any} entity
   * @param {(name: string, type: string, value: any) => void} put
   */
  _marks (entity, put) {
    if (entity.nameShown) put('custom_name_visible', 'boolean', true)
    if (entity.silent) put('silent', 'boolean', true)
    if (entity.noGravity) put('no_gravity', 'boolean', true)
    if (entity.kind?.size) put('size', 'int', entity.kind.size)
  }

  /**
   * Return what a player holds and wears, as others see it.
   * @param {any} player
   * @returns {Buffer}
   */
  equipment (player) {
    const slots = player.equipment ??
      [player.heldItem, player.slots[45], player.slots[8], player.slots[7], player.slots[6], player.slots[5]]
    const equipments = slots.map((/** @type {any} */ item, /** @type {number} */ slot) => ({
      slot, item: this._Item.toNotch(item ?? null)
    }))
    return this._play('entity_equipment', { entityId: player.id, equipments })
  }

  /** @param {any} entity */
  velocity (entity) {
    return this._play('entity_velocity', { entityId: entity.id, velocity: velocity(entity) })
  }
}

module.exports = { EntityFrames }
