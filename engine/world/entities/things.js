'use strict'
/**
 * Entities without behaviour: markers, displays, interactions, clouds, paintings, knots. Their saved data is kept as it
 * is, by name, and shown by the front (bridge/servers/embedded/thing_metadata.js).
 */
const { Entity } = require('./entity')
const { number } = require('../nbt/values')
const { uuidNbt } = require('./entity_nbt')
const { nameTable } = require('../../name_table')

/** @typedef {import('../nbt/values').Tag} Tag */
/**
 * @typedef {{ keeps: readonly string[], hidden?: boolean, lasts?: number, falls?: boolean }} ThingKind what of its data
 *   is kept; whether no client is told; ticks after which it goes; whether it falls to the ground
 */

const DISPLAY = ['transformation', 'billboard', 'brightness', 'view_range', 'shadow_radius', 'shadow_strength', 'width',
  'height', 'glow_color_override', 'interpolation_duration', 'teleport_duration', 'start_interpolation']
const CART = ['CustomDisplayTile', 'DisplayState', 'DisplayOffset']

/** @type {Record<string, ThingKind>} */
const THINGS = nameTable({
  marker: { keeps: ['data'], hidden: true },
  block_display: { keeps: [...DISPLAY, 'block_state'] },
  item_display: { keeps: [...DISPLAY, 'item', 'item_display'] },
  text_display: { keeps: [...DISPLAY, 'text', 'line_width', 'background', 'text_opacity', 'shadow', 'see_through',
    'default_background', 'alignment'] },
  area_effect_cloud: { keeps: ['Radius', 'Color', 'Particle', 'effects', 'Potion'], lasts: 600 },
  evoker_fangs: { keeps: ['Warmup'], lasts: 22 },
  eye_of_ender: { keeps: ['Item'], lasts: 80 },
  firework_rocket: { keeps: ['FireworksItem', 'LifeTime'], lasts: 20 },
  leash_knot: { keeps: ['TileX', 'TileY', 'TileZ'] },
  spawner_minecart: { keeps: [...CART, 'SpawnData', 'Delay'], falls: true },
  command_block_minecart: { keeps: [...CART, 'Command', 'SuccessCount'], falls: true }
})
const GRAVITY = 0.04

/** An entity without behaviour. */
class Thing extends Entity {
  /** @param {import('../world').World} world @param {string} type @param {{ x: number, y: number, z: number }} at */
  constructor (world, type, at) {
    super(world, type, at)
    this.thing = THINGS[type]
    /** Its own saved data, by name. @type {Record<string, Tag>} */
    this.kept = {}
    this.lasts = this.thing.lasts ?? Infinity
  }

  /** True if clients and bots do not see it. */
  get hidden () { return this.thing.hidden === true }

  tick () {
    super.tick()
    if (this.age >= this.lasts || this.y < this.world.minY - 64) return this.remove()
    if (!this.thing.falls || this.vehicle || this.noGravity ||
      (this.onGround && this.vx === 0 && this.vz === 0 && this.age % 20 !== 0)) {
      return
    }
    this.vy -= GRAVITY
    const before = [this.x, this.y, this.z]
    this.slide()
    if (this.onGround) this.vx = this.vz = 0
    if (this.x !== before[0] || this.y !== before[1] || this.z !== before[2]) {
      this.world.emit('entityMove', { entity: this })
    }
  }

  get seats () { return Infinity }

  /** Handle a player's click. @returns {import('../types').Verdict} */
  use () { return { ok: false, reason: `a ${this.type} is not used so` } }

  /**
   * Handle a blow, which breaks spawner and command block minecarts only. Other carts: minecart.js.
   * @param {import('../player').Player} player
   * @returns {import('../types').Verdict}
   */
  strike (player) {
    if (!this.thing.falls) return { ok: false, reason: 'that cannot be attacked' }
    const item = this.world.registry.itemsByName[this.type] ? this.type : 'minecart'
    if (player.gamemode !== 'creative' && this.world.rules.doEntityDrops) {
      this.world.popItem(this.world.stacks.make(item),
        { x: Math.floor(this.x), y: Math.floor(this.y), z: Math.floor(this.z) })
    }
    this.remove()
    return { ok: true }
  }

  /** @param {Record<string, Tag>} value */
  loadNbt (value) {
    for (const name of this.thing.keeps) if (value[name]) this.kept[name] = value[name]
    if (value.Duration && this.type === 'area_effect_cloud') {
      this.lasts = Math.max(1, number(value.Duration, this.lasts))
    }
  }

  nbt () { return { ...super.nbt(), ...this.kept } }
}

/** A box that records blows and clicks. */
class Interaction extends Entity {
  /** @param {import('../world').World} world @param {{ x: number, y: number, z: number }} at */
  constructor (world, at) {
    super(world, 'interaction', at)
    this.width = this.height = 1
    /** True if clients swing the arm at a click. */
    this.response = false
    /**
     * Last attacking and last clicking player, with the world's age.
     * @type {{ attack: Touch | null, interaction: Touch | null }}
     */
    this.touched = { attack: null, interaction: null }
  }

  /** Attacker for `execute on attacker` and `on target`. */
  get recentAttacker () { return this.touched.attack?.player ?? null }
  get target () { return this.touched.interaction?.player ?? null }

  /** @param {import('../player').Player} player @returns {import('../types').Verdict} */
  use (player) {
    this.touched.interaction = { player, age: this.world.age }
    return { ok: true }
  }

  /** @param {import('../player').Player} player @returns {import('../types').Verdict} */
  strike (player) {
    this.touched.attack = { player, age: this.world.age }
    return { ok: true }
  }

  /** @param {Record<string, Tag>} value */
  loadNbt (value) {
    this.width = Math.max(0, number(value.width, this.width))
    this.height = Math.max(0, number(value.height, this.height))
    this.response = number(value.response, Number(this.response)) !== 0
  }

  nbt () {
    const { float, byte, compound, long } = this.world.nbt
    const touch = (/** @type {'attack' | 'interaction'} */ name) => {
      const last = this.touched[name]
      return last ? { [name]: compound({ player: uuidNbt(last.player.uuid), timestamp: long(last.age) }) } : {}
    }
    return { ...super.nbt(), width: float(this.width), height: float(this.height),
      response: byte(Number(this.response)), ...touch('attack'), ...touch('interaction') }
  }
}

/** Painting variants in the order of their numbers on the wire. */
const PAINTINGS = Object.freeze(['kebab', 'aztec', 'alban', 'aztec2', 'bomb', 'plant', 'wasteland', 'pool', 'courbet',
  'sea', 'sunset', 'creebet', 'wanderer', 'graham', 'match', 'bust', 'stage', 'void', 'skull_and_roses', 'wither',
  'fighters', 'pointer', 'pigscene', 'burning_skull', 'skeleton', 'donkey_kong', 'earth', 'wind', 'water', 'fire'])
/** Faces on the wire by the number in saved data: south, west, north, east. */
const FACES = Object.freeze([3, 4, 2, 5])

/** A painting on a wall. */
class Painting extends Entity {
  /** @param {import('../world').World} world @param {{ x: number, y: number, z: number }} at */
  constructor (world, at) {
    super(world, 'painting', at)
    this.facing = 0
    this.painted = 'kebab'
  }

  /** Number of its face on the wire. */
  get objectData () { return FACES[this.facing] }
  get paintingId () { return PAINTINGS.indexOf(this.painted) }

  /** @param {import('../player').Player} player @returns {import('../types').Verdict} */
  strike (player) {
    if (player.gamemode !== 'creative' && this.world.rules.doEntityDrops) {
      this.world.popItem(this.world.stacks.make('painting'),
        { x: Math.floor(this.x), y: Math.floor(this.y), z: Math.floor(this.z) })
    }
    this.remove()
    return { ok: true }
  }

  /** @param {Record<string, Tag>} value */
  loadNbt (value) {
    this.facing = number(value.facing, this.facing) & 3
    this.yaw = this.headYaw = this.facing * 90
    const name = String(value.variant?.value ?? '').replace(/^minecraft:/, '')
    if (PAINTINGS.includes(name)) this.painted = name
  }

  nbt () {
    return { ...super.nbt(), facing: this.world.nbt.byte(this.facing),
      variant: this.world.nbt.string(`minecraft:${this.painted}`) }
  }
}

/** @typedef {{ player: import('../player').Player, age: number }} Touch */

module.exports = { Thing, Interaction, Painting, THINGS, PAINTINGS }
