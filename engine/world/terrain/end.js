'use strict'
/**
 * A simple End (minecraft.wiki, "The End"): the main island with its pillars, the platform of arrival at (100, 49, 0),
 * outer islands with chorus from 1000 blocks on. The dragon counts as slain, so that the exit portal and a gateway to
 * the outer islands are open.
 */
const { Canvas, ON, HEIGHT } = require('./canvas')
const { Packer } = require('./packing')
const { flatNoise } = require('./noise')
const { diceAt } = require('./dice')
const { hash } = require('../random')
const { ORIGIN } = require('../dimensions')

const SURFACE = 64
const MAIN = 110
const OUTER = 1000
const PILLARS = 10
const RING = 42
const PLATFORM = Object.freeze({ x: 100, y: 49, z: 0 })
const GATEWAY = Object.freeze({ x: 60, y: 66, z: 0 })
/** Target of the gateway. */
const BEYOND = Object.freeze({ x: 1024, z: 0 })

/** Generator of the End's columns. */
class EndTerrain {
  /** @param {import('../data').GameData} data @param {string} seed */
  constructor (data, seed) {
    this.data = data
    this.seed = hash(seed, 999)
    this.hills = flatNoise(seed, 'end hills', 60, 2)
    this.islands = flatNoise(seed, 'end islands', 120, 2)
    this.packer = new Packer(data)
    this.cells = new Uint16Array(256 * HEIGHT)
    this.states = Object.fromEntries(['end_stone', 'obsidian', 'bedrock', 'end_portal', 'end_gateway', 'torch',
      'chorus_plant', 'chorus_flower'].map((name) => [name, data.stateId(name)]))
  }

  /** Return the thickness of the land at a place, 0 for none. @param {number} x own @param {number} z */
  thickness (x, z) {
    const far = Math.hypot(x, z)
    if (far < MAIN) return Math.floor((1 - (far / MAIN) ** 2) * 36 + this.hills(x, z) * 3 + 2)
    if (far < OUTER) return 0
    const near = Math.max(0, 1 - Math.hypot(x - BEYOND.x, z - BEYOND.z) / 40)
    return Math.max(0, Math.floor((this.islands(x, z) - 0.25 + near) * 40))
  }

  /** @param {number} cx @param {number} cz */
  generate (cx, cz) {
    const canvas = new Canvas(this.data, cx, cz, 1, this.cells)
    const x0 = canvas.x - ORIGIN.the_end
    for (let z = 0; z < 16; z++) {
      for (let x = 0; x < 16; x++) {
        const thick = this.thickness(x0 + x, canvas.z + z)
        const top = thick > 0 ? SURFACE - 1 + Math.floor(this.hills(x0 + x, canvas.z + z) * 3) : 0
        for (let y = top; y > top - thick && y > 0; y--) {
          canvas.put(canvas.x + x, y, canvas.z + z, this.states.end_stone, ON.ANYTHING)
        }
      }
    }
    this.landmarks(canvas)
    if (Math.hypot(x0, canvas.z) > OUTER) this.chorus(canvas)
    const far = Math.hypot(x0 + 8, canvas.z + 8)
    const biome = this.data.registry.biomesByName[far < OUTER ? 'the_end' : 'end_highlands'].id
    return this.packer.column(canvas.cells, new Array(16).fill(biome))
  }

  /** Draw pillars, platform, exit portal and gateway. @param {Canvas} canvas */
  landmarks (canvas) {
    const { obsidian, bedrock } = this.states
    const put = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ z,
      /** @type {number} */ state) => canvas.put(x + ORIGIN.the_end, y, z, state, ON.ANYTHING)
    for (let i = 0; i < PILLARS; i++) {
      const [px, pz] = [Math.round(RING * Math.cos(i * Math.PI * 2 / PILLARS)),
        Math.round(RING * Math.sin(i * Math.PI * 2 / PILLARS))]
      for (let dx = -2; dx <= 2; dx++) {
        for (let dz = -2; dz <= 2; dz++) {
          if (dx * dx + dz * dz < 6) {
            for (let y = SURFACE - 20; y < SURFACE + 12 + 3 * i; y++) put(px + dx, y, pz + dz, obsidian)
          }
        }
      }
    }
    for (let dx = -2; dx <= 2; dx++) {
      for (let dz = -2; dz <= 2; dz++) {
        put(PLATFORM.x + dx, PLATFORM.y - 1, PLATFORM.z + dz, obsidian)
        for (let dy = 0; dy < 3; dy++) put(PLATFORM.x + dx, PLATFORM.y + dy, PLATFORM.z + dz, 0)
      }
    }
    for (let dx = -3; dx <= 3; dx++) {
      for (let dz = -3; dz <= 3; dz++) {
        const inner = dx * dx + dz * dz < 7
        put(dx, SURFACE + 3, dz, bedrock)
        put(dx, SURFACE + 4, dz, dx === 0 && dz === 0 ? bedrock : inner ? this.states.end_portal : bedrock)
        for (let dy = 5; dy < 9; dy++) put(dx, SURFACE + dy, dz, dx === 0 && dz === 0 && dy < 8 ? bedrock : 0)
      }
    }
    put(GATEWAY.x, GATEWAY.y, GATEWAY.z, this.states.end_gateway)
    for (const dy of [-1, 1]) put(GATEWAY.x, GATEWAY.y + dy, GATEWAY.z, bedrock)
  }

  /** @param {Canvas} canvas */
  chorus (canvas) {
    const dice = diceAt(this.seed, canvas.x, canvas.z, 9)
    for (let i = 0; i < 3; i++) {
      const [x, z] = [canvas.x + dice.int(0, 15), canvas.z + dice.int(0, 15)]
      let y = SURFACE + 4
      while (y > 40 && canvas.get(x, y - 1, z) === 0) y--
      if (canvas.get(x, y - 1, z) !== this.states.end_stone) continue
      const tall = dice.int(3, 7)
      for (let dy = 0; dy < tall; dy++) {
        canvas.put(x, y + dy, z, this.data.withProps(this.states.chorus_plant, { up: true, down: true }), ON.AIR)
      }
      canvas.put(x, y + tall, z, this.data.withProps(this.states.chorus_flower, { age: 5 }), ON.AIR)
    }
  }
}

module.exports = { EndTerrain, PLATFORM, BEYOND, SURFACE }
