'use strict'
/**
 * The land of a world as data for a viewer that draws it elsewhere: columns of blocks, the looks of their states with
 * painted textures, bodies as boxes, and the sky by the time of day. The same modules as for pictures make all of it.
 *
 * Looks and textures have numbers in the order of their first use, so a viewer asks only for those that it lacks.
 */
const zlib = require('node:zlib')
const { Looks, FACES } = require('./looks')
const { Land, SECTIONS } = require('./land')
const { KIND } = require('./shapes')
const { BODIES, modelOf, itemModel } = require('./models')
const { Daylight } = require('./sky')
const { WORDS } = require('./textures')
const { MIN_Y } = require('../world/terrain')
const { dimensionAt, NETHER_FROM, END_FROM } = require('../world/dimensions')
const { DAY, sunAngleAt } = require('../world/rules/sky/sky')
const { plainText } = require('../world/stacks')

/** Most columns of one request. */
const MAX_COLUMNS = 64
/** Farthest column, in blocks: beyond the End's far side nothing is generated. */
const FARTHEST = 29_999_984 >> 4
/** Number of words of a texture that are in use: five sizes, each half as wide as the one before. */
const TEXELS = 341
/** Number of samples of the sky over a day. */
const SAMPLES = 96
/** Number of samples of the sky in rain, which is plainer. */
const RAIN_SAMPLES = 32
/** Shirt colour of bodies whose viewer dyes them. */
const WHITE = 0xffffff
/** Parts of a player that the shirt covers: the trunk and both arms. */
const SHIRT = Object.freeze([1, 2, 3])

/** @typedef {import('../world/world').World} World */
/** @typedef {import('./textures').Paint} Paint */
/** @typedef {import('./models').Part} Part */
/**
 * Look of a state: kind of its shape (`KIND`), a texture for each face, boxes, and its part in light.
 * @typedef {{ name: string, kind: number, faces: number[], boxes: number[], wet: number, level: number, lava: number,
 *   gives: number, filter: number }} StateLook
 */
/**
 * A box of a body with the textures of its sides, its front and its top.
 * @typedef {{ box: readonly number[], side: number, front: number, cap: number, dyed?: true }} BodyPart
 */

/** Return fields as the entity whose looks they decide. @param {object} fields */
const entityOf = (fields) => /** @type {import('../world/entities/entity').Entity} */ (fields)

/** Surveyor of one world. */
class Survey {
  /** @param {World} world */
  constructor (world) {
    this.world = world
    this.land = new Land(world)
    this.looks = new Looks(world.data)
    /** State of each look; look 0 is air. */
    this.states = [0]
    /** Look of each state, -1 if it has none yet. */
    this.numbers = new Int32Array(world.data.states.length).fill(-1)
    this.numbers[0] = 0
  }

  /** Return what a viewer needs to begin. */
  facts () {
    const { sky, rules, weather } = this.world
    return { min_y: MIN_Y, sections: SECTIONS, time: sky.timeOfDay, turns: rules.doDaylightCycle === true, weather,
      nether_from: NETHER_FROM, end_from: END_FROM }
  }

  /**
   * Return columns, deflated: for each its x and z as two int32, the bits of its sections that are not empty as a
   * uint32, and for each of these sections 4096 looks as uint16; little-endian.
   * @param {readonly (readonly [number, number])[]} places
   * @returns {Buffer}
   * @throws {RangeError} for places that are not legal
   */
  columns (places) {
    if (places.length > MAX_COLUMNS) throw new RangeError(`${places.length} columns: ask for at most ${MAX_COLUMNS}`)
    this.land.begin()
    const parts = places.map(([cx, cz]) => {
      if (!Number.isInteger(cx) || !Number.isInteger(cz) || Math.max(Math.abs(cx), Math.abs(cz)) > FARTHEST) {
        throw new RangeError(`column ${cx}, ${cz}: use whole numbers up to ${FARTHEST}`)
      }
      return this.column(cx, cz)
    })
    return zlib.deflateSync(Buffer.concat(parts), { level: 4 })
  }

  /** @param {number} cx @param {number} cz @returns {Buffer} */
  column (cx, cz) {
    const { sections } = this.land.column(cx, cz)
    const kept = sections.flatMap((cells, index) => cells?.some((state) => state !== 0) ? [{ cells, index }] : [])
    const found = Buffer.alloc(12 + kept.length * 8192)
    found.writeInt32LE(cx, 0)
    found.writeInt32LE(cz, 4)
    found.writeUInt32LE(kept.reduce((mask, { index }) => mask | 1 << index, 0) >>> 0, 8)
    kept.forEach(({ cells }, place) => {
      for (let at = 0; at < 4096; at++) found.writeUInt16LE(this.numberOf(cells[at]), 12 + place * 8192 + at * 2)
    })
    return found
  }

  /** Return the look of a state, numbered at its first use. @param {number} state */
  numberOf (state) {
    let number = this.numbers[state]
    if (number < 0) {
      number = this.numbers[state] = this.states.length
      this.states.push(state)
      this.looks.learn(state, this.land.light.given(state))
    }
    return number
  }

  /**
   * Return the looks of blocks by their texts: a name, and properties that are not the usual ones; air for unknown
   * names.
   * @param {readonly string[]} texts `oak_stairs`, `oak_stairs[facing=east,half=top]`
   */
  named (texts) {
    const { registry: { blocksByName }, data } = this.world
    return texts.map((text) => {
      const [name, told = ''] = text.split(/[[\]]/)
      if (!Object.hasOwn(blocksByName, name)) return 0
      const usual = blocksByName[name].defaultState
      const pairs = told.split(',').map((pair) => pair.split('=')).filter(({ length }) => length === 2)
      return this.numberOf(pairs.reduce((state, [key, value]) => {
        try {
          return data.withProps(state, { [key]: value })
        } catch {
          // The record may be of a version with other properties.
          return state
        }
      }, usual))
    })
  }

  /**
   * Return the looks and textures from these numbers on.
   * @param {number} look
   * @param {number} texture
   * @returns {{ looks: StateLook[], textures: string }} `textures`: base64 of deflated words, five sizes each
   */
  news (look, texture) {
    const looks = this.states.slice(look).map((state) => this.lookOf(state))
    const { words, known } = this.looks.textures
    const parts = []
    for (let number = texture; number < known.size; number++) {
      parts.push(Buffer.from(new Uint8Array(words.buffer, number * WORDS * 4, TEXELS * 4)))
    }
    return { looks, textures: zlib.deflateSync(Buffer.concat(parts)).toString('base64') }
  }

  /** @param {number} state @returns {StateLook} */
  lookOf (state) {
    const { looks } = this
    const { light } = this.land
    if (looks.kind[state] === KIND.UNKNOWN) looks.learn(state, light.given(state))
    return { name: this.world.data.state(state).name, kind: looks.kind[state],
      faces: [...looks.faces.subarray(state * FACES, state * FACES + FACES)],
      boxes: [...looks.boxes[state] ?? []].map((part) => Math.round(part * 1e4) / 1e4), wet: looks.wet[state],
      level: looks.level[state], lava: looks.lava[state], gives: light.given(state), filter: light.filter(state) }
  }

  /**
   * Return the bodies of players, of all known mobs, and of items.
   * @param {readonly string[]} players whose hair and skin are wanted; their shirts are left white for the viewer's dye
   * @param {readonly string[]} items
   */
  bodies (players, items) {
    const { data } = this.world
    const dress = (/** @type {string} */ name) => {
      const entity = entityOf({ type: 'player', name, slots: [], heldItem: null })
      const { parts } = /** @type {import('./models').Model} */ (modelOf(entity, data))
      return parts.map((part, place) => this.part(SHIRT.includes(place)
        ? { ...part, paint: [part.paint[0], WHITE] } : part, SHIRT.includes(place)))
    }
    const known = (/** @type {string} */ name) => Object.hasOwn(this.world.registry.itemsByName, name)
    return { players: players.map((name) => [name, dress(name)]),
      mobs: Object.keys(BODIES).map((type) => {
        const { height = 1, width = 1 } = this.world.registry.entitiesByName[type] ?? {}
        const model = modelOf(entityOf({ type, height, width }), data)
        return [type, /** @type {import('./models').Model} */ (model).parts.map((part) => this.part(part))]
      }),
      items: items.filter(known).map((name) => {
        const { parts, flat } = itemModel(name, data)
        return [name, parts.map((part) => this.part(part)), flat]
      }) }
  }

  /** @param {Part} part @param {boolean} [dyed] @returns {BodyPart} */
  part ({ box, paint, front, cap }, dyed = false) {
    const number = (/** @type {Paint} */ each) => this.looks.textures.number(each)
    const side = number(paint)
    return { box, side, front: front ? number(front) : side, cap: cap ? number(cap) : side,
      ...dyed ? { dyed: /** @type {const} */ (true) } : {} }
  }

  /** Return the signs that have words: place and lines. @returns {[number, number, number, string[]][]} */
  signs () {
    return [...this.world.blockEntities.byPos].flatMap(([key, { sign }]) => {
      if (!sign) return []
      const lines = [...sign.front.messages, ...sign.back.messages].map((line) => plainText(line)).filter(Boolean)
      const [x, y, z] = key.split(',').map(Number)
      return lines.length > 0 ? [/** @type {[number, number, number, string[]]} */ ([x, y, z, lines])] : []
    })
  }

  /**
   * Return the sky over a day, in equal steps from the time 0 on, clear and in rain, and the skies of the other
   * dimensions. `light` is the brightness of faces (red, green, blue) by `sky << 4 | block` light, 255 for full, as
   * base64.
   */
  skies () {
    return { overworld: Array.from({ length: SAMPLES }, (_, step) => this.skyAt(step * DAY / SAMPLES, 0)),
      rain: Array.from({ length: RAIN_SAMPLES }, (_, step) => this.skyAt(step * DAY / RAIN_SAMPLES, 0, 'rain')),
      nether: this.skyAt(0, NETHER_FROM), end: this.skyAt(0, END_FROM) }
  }

  /** @param {number} time @param {number} x @param {'clear' | 'rain'} [weather] */
  skyAt (time, x, weather = 'clear') {
    const sky = { sunAngle: sunAngleAt(time) }
    const under = /** @type {World} */ (/** @type {unknown} */ ({ sky, weather }))
    const found = new Daylight(under, dimensionAt(x))
    return { sun: found.sun, day: found.day, zenith: found.zenith, fog: found.fog, open: found.open && found.clear,
      light: Buffer.from(Uint8Array.from(found.light, (part) => Math.round(part * 255))).toString('base64') }
  }
}

module.exports = { Survey, MAX_COLUMNS }
