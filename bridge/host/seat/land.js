'use strict'
/** The land that one client has loaded, as data for the page that shows it. */
const { Vec3 } = require('vec3')
const { Survey } = require('../../../engine/view/survey')
const { World } = require('../../../engine/world')

const SECTIONS = 24
const CELLS = 4096

/** @typedef {import('../bots/live_bot').LiveBot} LiveBot */

/**
 * @typedef {{ solidBlockCount: number, data: { get: (at: number) => number } }} Section
 * @typedef {object & { sections: Section[], blockEntities?: object }} Column
 */

/** Survey of a client's columns. Looks and textures come from an empty world of the engine. */
class ClientLand extends Survey {
  /** @param {LiveBot} bot */
  constructor (bot) {
    super(new World({ seed: 0 }))
    this.bot = bot
  }

  /** Return what the page needs to begin. */
  facts () {
    const { time, isRaining } = this.bot
    return { ...super.facts(), time: time.timeOfDay ?? 0, turns: time.doDaylightCycle === true,
      weather: /** @type {'rain' | 'clear'} */ (isRaining ? 'rain' : 'clear'), signs: this.signs() }
  }

  /**
   * Return a column as `Survey.columns` writes it; without blocks if the client has not loaded it.
   * @param {number} cx
   * @param {number} cz
   * @returns {Buffer}
   */
  column (cx, cz) {
    const sections = columnOf(this.bot.world.getColumn(cx, cz))?.sections ?? []
    const low = Math.max(0, sections.length - SECTIONS)
    const kept = []
    let mask = 0
    for (let index = 0; index < SECTIONS; index++) {
      const section = sections[index + low]
      if (!section || section.solidBlockCount === 0) continue
      kept.push(section.data)
      mask |= 1 << index
    }
    const found = Buffer.alloc(12 + kept.length * CELLS * 2)
    found.writeInt32LE(cx, 0)
    found.writeInt32LE(cz, 4)
    found.writeUInt32LE(mask >>> 0, 8)
    kept.forEach((data, place) => {
      for (let at = 0; at < CELLS; at++) found.writeUInt16LE(this.numberOf(data.get(at)), 12 + (place * CELLS + at) * 2)
    })
    return found
  }

  /** Return the signs that have words: place and lines. @returns {[number, number, number, string[]][]} */
  signs () {
    /** @type {[number, number, number, string[]][]} */
    const found = []
    for (const { chunkX, chunkZ, column } of this.bot.world.getColumns()) {
      for (const key of Object.keys(columnOf(column)?.blockEntities ?? {})) {
        const [x, y, z] = key.split(',').map(Number)
        const block = this.bot.blockAt(new Vec3(chunkX * 16 + x, y, chunkZ * 16 + z))
        const lines = signLines(block)
        if (lines.length > 0) found.push([chunkX * 16 + x, y, chunkZ * 16 + z, lines])
      }
    }
    return found
  }
}

/** Return a column of the game's Java edition. @param {unknown} column */
const columnOf = (column) => /** @type {Column | null} */ (column)

/**
 * Return the words on both sides of a sign; none for other blocks.
 * @param {import('prismarine-block').Block | null} block
 * @returns {string[]}
 */
function signLines (block) {
  if (!block?.name.endsWith('sign')) return []
  try {
    return block.getSignText().flatMap((side) => (side ?? '').split('\n'))
      .filter(Boolean)
  } catch {
    // A sign whose text is damaged has no words.
    return []
  }
}

module.exports = { ClientLand }
