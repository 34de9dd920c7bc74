'use strict'
/**
 * Rain, snow and lightning (minecraft.wiki, "Rain", "Snowfall", "Thunderstorm"). Nothing is done while the sky is
 * clear. In other weather, chunks around players are drawn with vanilla's chances instead of visiting each of them.
 */
const { dimensionAt } = require('../../dimensions')
const { solidFace } = require('../blocks/support')
const { LightningBolt } = require('../../entities/lightning')

/** @typedef {import('../../types').Pos} Pos */
/** @typedef {import('../../world').World} World */

const CHUNK_RADIUS = 8
/** Ticks between two updates of the chunks around players. */
const CHUNKS_EVERY = 20
/**
 * One random tick of a chunk in this number is one of the weather; one tick of a chunk in a storm in this number is a
 * bolt.
 */
const WET_ONE_IN = 48
const BOLT_ONE_IN = 100000
/** Temperature below which rain is snow; height in blocks above which it gets colder, and decrease per block. */
const COLD = 0.15
const HEIGHTS = Object.freeze({ from: 80, each: 0.05 / 40 })
/** Chances that rain and snow raise the level in a cauldron. */
const FILLS = Object.freeze({ rain: 0.05, snow: 0.1 })
const FIRE_EVERY = 35
/** Light of lamps at which snow does not lie and water does not freeze. */
const WARM_LIGHT = 10
const ROD_REACH = 128
const BODY_REACH = 3
const SIDES = [[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1]]

/** Precipitation of one world. */
class Precipitation {
  /** @param {World} world */
  constructor (world) {
    this.world = world
    /** Chunks around players, as [x, z]. @type {[number, number][]} */
    this.chunks = []
    this.looked = -Infinity
    /** Fraction of random ticks that is carried over. */
    this.owed = 0
    /** Fires that rain may put out. @type {Map<string, Pos>} */
    this.fires = new Map()
  }

  get random () { return this.world.random.stream('precipitation') }

  /**
   * Return the precipitation at a position in bad weather, or null.
   *
   * @param {number} x
   * @param {number} y
   * @param {number} z
   * @returns {'rain' | 'snow' | null}
   */
  kindAt (x, y, z) {
    if (dimensionAt(x) !== 'overworld') return null
    const biome = this.world.registry.biomes[this.world.terrain.biome(x, y, z)]
    if (!biome.has_precipitation) return null
    return biome.temperature - Math.max(0, y - HEIGHTS.from) * HEIGHTS.each < COLD ? 'snow' : 'rain'
  }

  /**
   * Return true if rain falls on a position now.
   *
   * @param {number} x
   * @param {number} y
   * @param {number} z
   * @returns {boolean}
   */
  rainsOn (x, y, z) {
    const { world } = this
    return world.sky.weather !== 'clear' && this.kindAt(x, y, z) === 'rain' && world.light.seesSky(x, y, z)
  }

  /** Return true if a body is in the rain. @param {import('../../entities/entity').Entity} body @returns {boolean} */
  wets (body) {
    return this.world.sky.weather !== 'clear' &&
      this.rainsOn(Math.floor(body.x), Math.floor(body.y + body.height), Math.floor(body.z))
  }

  /** Register a fire. @param {Pos} pos */
  registerFire (pos) { this.fires.set(`${pos.x},${pos.y},${pos.z}`, { x: pos.x, y: pos.y, z: pos.z }) }

  tick () {
    const { world } = this
    if (world.sky.weather === 'clear') return
    if (this.fires.size > 0 && world.age % FIRE_EVERY === 0) this.extinguishFires()
    if (world.age - this.looked >= CHUNKS_EVERY) this.look()
    const { chunks, random } = this
    if (chunks.length === 0) return
    this.owed += chunks.length * Number(world.rules.randomTickSpeed) / WET_ONE_IN
    for (; this.owed >= 1; this.owed--) this.wet(...this.spot())
    if (world.sky.weather === 'thunder' && random.chance(chunks.length / BOLT_ONE_IN)) this.strike(...this.spot())
  }

  /** Return a random position within the chunks. @returns {[number, number]} */
  spot () {
    const { random } = this
    const [cx, cz] = this.chunks[random.int(0, this.chunks.length - 1)]
    return [cx * 16 + random.int(0, 15), cz * 16 + random.int(0, 15)]
  }

  /** Find the loaded chunks of the overworld within eight of a player. */
  look () {
    const { world } = this
    /** @type {Map<string, [number, number]>} */
    const found = new Map()
    for (const { x, z, gamemode } of world.players.values()) {
      if (gamemode === 'spectator' || dimensionAt(x) !== 'overworld') continue
      const [px, pz] = [Math.floor(x) >> 4, Math.floor(z) >> 4]
      for (let cx = px - CHUNK_RADIUS; cx <= px + CHUNK_RADIUS; cx++) {
        for (let cz = pz - CHUNK_RADIUS; cz <= pz + CHUNK_RADIUS; cz++) {
          if (world.columnsReady(cx, cz)) found.set(`${cx},${cz}`, [cx, cz])
        }
      }
    }
    this.chunks = [...found.values()]
    this.looked = world.age
  }

  /** Return the lowest cell that rain reaches. @param {number} x @param {number} z @returns {number} */
  top (x, z) {
    const { world } = this
    let y = world.spawning.surface(x, z)
    for (; y > world.minY; y--) {
      const state = world.stateAt(x, y, z)
      if (state.liquid || (state.shapes.length > 0 && state.name !== 'snow')) break
    }
    return y + 1
  }

  /** Let rain or snow fall on one position. @param {number} x @param {number} z */
  wet (x, z) {
    const { world } = this
    const y = this.top(x, z)
    const kind = this.kindAt(x, y, z)
    if (kind === null) return
    const below = world.stateAt(x, y - 1, z)
    if (kind === 'snow') {
      this.freeze(x, y - 1, z, below)
      this.addSnow(x, y, z)
    }
    if (/cauldron$/.test(below.name) && this.random.chance(FILLS[kind])) this.fill({ x, y: y - 1, z }, below, kind)
  }

  /**
   * Freeze water from the shore.
   *
   * @param {number} x
   * @param {number} y
   * @param {number} z
   * @param {import('../../data').BlockState} state
   */
  freeze (x, y, z, state) {
    const { world } = this
    if (state.name !== 'water' || state.props.level !== '0' || world.light.block(x, y, z) >= WARM_LIGHT) return
    if (SIDES.slice(1).every(([dx, dz]) => world.stateAt(x + dx, y, z + dz).name === 'water')) return
    world.setBlock(x, y, z, world.data.stateId('ice'))
  }

  /**
   * Add a layer of snow, up to the rule `snowAccumulationHeight`.
   *
   * @param {number} x
   * @param {number} y
   * @param {number} z
   */
  addSnow (x, y, z) {
    const { world } = this
    const most = Math.min(8, Number(world.rules.snowAccumulationHeight ?? 1))
    if (most <= 0 || world.light.block(x, y, z) >= WARM_LIGHT) return
    const there = world.stateAt(x, y, z)
    const below = world.stateAt(x, y - 1, z)
    if (there.name === 'snow') {
      if (Number(there.props.layers) < most) {
        world.setBlock(x, y, z, world.data.withProps(there.stateId, { layers: Number(there.props.layers) + 1 }))
      }
    } else if (there.air && solidFace(below, 'up') && !/^(ice|packed_ice|barrier)$/.test(below.name)) {
      world.setBlock(x, y, z, world.data.stateId('snow'))
    }
  }

  /** @param {Pos} pos @param {import('../../data').BlockState} state @param {'rain' | 'snow'} kind */
  fill ({ x, y, z }, state, kind) {
    const { data } = this.world
    const full = kind === 'rain' ? 'water_cauldron' : 'powder_snow_cauldron'
    const level = state.name === 'cauldron' ? 1 : Number(state.props.level) + 1
    if ((state.name === 'cauldron' || state.name === full) && level <= 3) {
      this.world.setBlock(x, y, z, data.stateId(full, { level }))
    }
  }

  /** Put out fires in the rain by chance, except eternal ones. */
  extinguishFires () {
    const { world } = this
    for (const [key, { x, y, z }] of this.fires) {
      const state = world.stateAt(x, y, z)
      if (state.name !== 'fire') this.fires.delete(key)
      else if (!/^(netherrack|magma_block)$/.test(world.stateAt(x, y - 1, z).name) &&
        SIDES.some(([dx, dz]) => this.rainsOn(x + dx, y, z + dz)) &&
        this.random.chance(0.2 + Number(state.props.age) * 0.03)) {
        world.setBlock(x, y, z, 0)
      }
    }
  }

  /** Strike a rod, a body under the open sky, or the ground. @param {number} x @param {number} z */
  strike (x, z) {
    const { world } = this
    const at = this.aim({ x, y: this.top(x, z), z })
    if (this.rainsOn(at.x, at.y, at.z)) world.enter(new LightningBolt(world, { x: at.x + 0.5, y: at.y, z: at.z + 0.5 }))
  }

  /** @param {Pos} at @returns {Pos} */
  aim (at) {
    const { world } = this
    let best = null
    let nearest = ROD_REACH ** 2
    for (const rod of world.redstone.sensors.rods.values()) {
      const far = (rod.x - at.x) ** 2 + (rod.y - at.y) ** 2 + (rod.z - at.z) ** 2
      if (far > nearest || this.top(rod.x, rod.z) !== rod.y + 1) continue
      nearest = far
      best = rod
    }
    if (best) return { x: best.x, y: best.y + 1, z: best.z }
    const bodies = world.bodiesNear({ x: at.x + 0.5, z: at.z + 0.5 }, BODY_REACH + 0.5)
      .filter((body) => body.y > at.y - BODY_REACH &&
      world.light.seesSky(Math.floor(body.x), Math.floor(body.y), Math.floor(body.z)))
    if (bodies.length === 0) return at
    const body = bodies.sort((a, b) => a.id - b.id)[this.random.int(0, bodies.length - 1)]
    return { x: Math.floor(body.x), y: Math.floor(body.y), z: Math.floor(body.z) }
  }
}

module.exports = { Precipitation }
