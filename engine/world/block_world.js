'use strict'
/** The land of a world: blocks, biomes, columns, and the seeded randomness that everything above draws from. */
const { VERSION, gameData } = require('./data')
const { Random } = require('./random')
const { Stacks } = require('./stacks')
const { makeTerrain, MIN_Y, HEIGHT } = require('./terrain')
const { rayBox } = require('./geometry')
const { NETHER_FROM } = require('./dimensions')
const { WorldClock } = require('./world_clock')
const { length3 } = require('../lengths')

/** @typedef {import('./types').Pos} Pos */
/** @typedef {import('./data').BlockState} BlockState */

/** A world of blocks without bodies. `blockChanged` is where the rules of the layers above react. */
class BlockWorld extends WorldClock {
  /** @param {import('./types').WorldOptions} options */
  constructor ({ seed = 0, version = VERSION, surfaceY = -60, terrain = 'flat' }) {
    super()
    this.seed = String(seed)
    this.version = version
    this.data = gameData(version)
    this.registry = this.data.registry
    this.Item = this.data.Item
    this.random = new Random(seed)
    this.stacks = new Stacks(this.data)
    this.terrain = makeTerrain(this.data, { terrain, seed: this.seed, surfaceY })
    this.minY = MIN_Y
    this.height = HEIGHT
    this.spawn = { ...this.terrain.generator.spawn(), angle: 0 }
  }

  /** @param {number} x @param {number} y @param {number} z @returns {number} state id */
  blockAt (x, y, z) { return this.terrain.get(x, y, z) }

  /** @param {number} x @param {number} y @param {number} z @returns {string} e.g. "plains" */
  biomeAt (x, y, z) { return this.registry.biomes[this.terrain.biome(x, y, z)].name }

  /** @param {number} x @param {number} y @param {number} z */
  stateAt (x, y, z) { return this.data.state(this.terrain.get(x, y, z)) }

  /**
   * Set a block; the contents of a block of another kind are lost.
   * @param {number} x
   * @param {number} y
   * @param {number} z
   * @param {number} stateId
   * @returns {boolean} true if the block has changed
   */
  setBlock (x, y, z, stateId) {
    if (!Number.isInteger(stateId) || !this.registry.blocksByStateId[stateId]) {
      throw new Error(`state id ${stateId} is not legal: use one of ${this.version}'s, or world.data.stateId(name)`)
    }
    const before = this.stateAt(x, y, z)
    if (!this.terrain.set(x, y, z, stateId)) return false
    this.blockChanged({ x, y, z }, before, this.data.state(stateId))
    return true
  }

  /** React to a changed block. @param {Pos} pos @param {BlockState} before @param {BlockState} after */
  blockChanged ({ x, y, z }, before, after) {
    void before
    this.emit('block', { x, y, z, stateId: after.stateId })
  }

  /** Return true if no block is on the straight line between two places. @param {Pos} from @param {Pos} to */
  clear (from, to) {
    const [dx, dy, dz] = [to.x - from.x, to.y - from.y, to.z - from.z]
    const steps = Math.ceil(length3(dx, dy, dz) * 2) || 1
    let [lastX, lastY, lastZ] = [NaN, NaN, NaN]
    for (let i = 0; i <= steps; i++) {
      const x = Math.floor(from.x + dx * i / steps)
      const y = Math.floor(from.y + dy * i / steps)
      const z = Math.floor(from.z + dz * i / steps)
      if (x === lastX && y === lastY && z === lastZ) continue
      lastX = x; lastY = y; lastZ = z
      const { shapes } = this.stateAt(x, y, z)
      if (shapes.length === 0) continue
      const [a, b] = [[from.x, from.y, from.z], [to.x, to.y, to.z]]
      for (const s of shapes) {
        if (rayBox(a, b, [x + s[0], y + s[1], z + s[2], x + s[3], y + s[4], z + s[5]]) !== null) return false
      }
    }
    return true
  }

  /**
   * Send the true state of a block to one player; fronts may send it to all.
   * @param {Pos} pos
   * @param {import('./player').Player} player
   */
  showBlock ({ x, y, z }, player) {
    if (this.terrain.inside(x, y, z)) this.emit('block', { x, y, z, stateId: this.terrain.get(x, y, z), player })
  }

  /** @param {number} cx @param {number} cz the prismarine-chunk column */
  column (cx, cz) { return this.terrain.info(cx, cz).chunk }

  /**
   * Return true if a column need not be generated first, which takes milliseconds.
   * @param {number} cx
   * @param {number} cz
   */
  columnReady (cx, cz) { return (!this.terrain.generated && cx * 16 < NETHER_FROM) || this.terrain.has(cx, cz) }

  /**
   * Return true if a column and the eight around it, which light it, need not be generated first.
   * @param {number} cx
   * @param {number} cz
   */
  columnsReady (cx, cz) {
    if (!this.terrain.generated && cx * 16 < NETHER_FROM - 16) return true
    for (let dx = -1; dx <= 1; dx++) {
      for (let dz = -1; dz <= 1; dz++) if (!this.columnReady(cx + dx, cz + dz)) return false
    }
    return true
  }

  /** @param {number} cx @param {number} cz */
  columnInfo (cx, cz) { return this.terrain.info(cx, cz) }
}

module.exports = { BlockWorld }
