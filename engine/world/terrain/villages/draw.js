'use strict'
/** Drawing of villages: streets, the square with its well, houses and farms, each from its own dice. */
const { Dice, unit } = require('../dice')
const { ON } = require('../canvas')
const { SEA } = require('../climate')
const { STYLES, FURNITURE } = require('./styles')
const { doorstep } = require('./plan')

/** Free height inside a building. */
const ROOM = 3
/** Maximum depth of a foundation on sloping ground. */
const DEEP = 6
const CLEAR = 8
const SALT = 75
/** @type {Record<string, { step: [number, number], back: string, right: [number, number] }>} */
const FRONTS = { north: { step: [0, -1], back: 'south', right: [1, 0] },
  south: { step: [0, 1], back: 'north', right: [-1, 0] }, west: { step: [-1, 0], back: 'east', right: [0, -1] },
  east: { step: [1, 0], back: 'west', right: [0, 1] } }

/** @typedef {import('./plan').Village} Village */
/** @typedef {import('./plan').Building} Building */
/** @typedef {import('../canvas').Canvas} Canvas */

/** The builder of one world's villages. */
class Builder {
  /**
   * @param {import('../../data').GameData} data
   * @param {number} seed
   * @param {import('../outline').Outlines} outlines
   */
  constructor (data, seed, outlines) {
    this.data = data
    this.seed = seed
    this.outlines = outlines
    /** @type {Map<string, number>} */
    this.states = new Map()
  }

  /** @param {string} name @param {Record<string, string | number | boolean>} [props] */
  state (name, props) {
    const key = props ? name + JSON.stringify(props) : name
    let state = this.states.get(key)
    if (state === undefined) this.states.set(key, state = this.data.stateId(name, props))
    return state
  }

  /** @param {Canvas} canvas @param {Village} village */
  draw (canvas, village) {
    this.streets(canvas, village)
    this.square(canvas, village)
    for (const building of village.buildings) {
      const { x, z, wide, deep } = building
      if (!canvas.shows(x - 1, z - 1, x + wide, z + deep)) continue
      if (building.kind === 'farm') this.farm(canvas, village, building)
      else this.house(canvas, village, building)
    }
  }

  /**
   * Draw a path along the ground, or a bridge over water.
   * @param {Canvas} canvas
   * @param {number} x
   * @param {number} z
   * @param {string} style
   */
  path (canvas, x, z, style) {
    if (canvas.index(x, 0, z) < 0) return
    const ground = this.outlines.groundAt(x, z)
    if (ground < SEA) canvas.put(x, SEA, z, this.state(`${STYLES[style].wood}_planks`), ON.ANYTHING)
    else if (unit(this.seed, x, z, SALT) < 0.9) canvas.put(x, ground, z, this.state('dirt_path'), ON.SOLID)
    for (let dy = 1; dy <= 3; dy++) canvas.put(x, Math.max(ground, SEA - 1) + dy, z, 0, ON.AIR)
  }

  /** @param {Canvas} canvas @param {Village} village */
  streets (canvas, { x, z, across, style, buildings }) {
    for (let along = -36; along <= 36; along++) {
      for (let side = -1; side <= 1; side++) {
        this.path(canvas, across ? x + side : x + along, across ? z + along : z + side, style)
      }
    }
    for (const building of buildings) {
      const { step } = FRONTS[building.front]
      const [px, pz] = doorstep(building)
      for (let n = 0; n < 3; n++) this.path(canvas, px + step[0] * n, pz + step[1] * n, style)
    }
    for (const [a, b] of [[-20, 2], [20, -2], [-34, -2], [34, 2]]) {
      this.lamp(canvas, across ? x + b : x + a, across ? z + a : z + b, style)
    }
  }

  /** @param {Canvas} canvas @param {number} x @param {number} z @param {string} style */
  lamp (canvas, x, z, style) {
    const ground = this.outlines.groundAt(x, z)
    if (ground < SEA) return
    for (let dy = 1; dy <= 3; dy++) canvas.put(x, ground + dy, z, this.state(`${STYLES[style].wood}_fence`), ON.LEAVES)
    canvas.put(x, ground + 4, z, this.state('torch'), ON.LEAVES)
  }

  /** Draw the square: a well and a bell. @param {Canvas} canvas @param {Village} village */
  square (canvas, { x, y, z, style }) {
    const { base, wood } = STYLES[style]
    if (!canvas.shows(x - 3, z - 3, x + 3, z + 3)) return
    for (let dx = -2; dx <= 1; dx++) {
      for (let dz = -2; dz <= 1; dz++) {
        const rim = dx === -2 || dx === 1 || dz === -2 || dz === 1
        for (let dy = -4; dy <= 0; dy++) {
          canvas.put(x + dx, y + dy, z + dz, this.state(rim || dy === -4 ? base : 'water'), ON.ANYTHING)
        }
        const post = (dx === -2 || dx === 1) && (dz === -2 || dz === 1)
        for (let dy = 1; dy <= 6; dy++) {
          canvas.put(x + dx, y + dy, z + dz,
            dy <= 2 && post ? this.state(`${wood}_fence`) : dy === 3 ? this.state(base) : 0, ON.ANYTHING)
        }
      }
    }
    canvas.put(x + 3, y, z + 3, this.state(base), ON.ANYTHING)
    canvas.put(x + 3, y + 1, z + 3, this.state('bell'), ON.ANYTHING)
  }

  // --- farms ---

  /**
   * Draw a farm: crops on both sides of a ditch, logs around.
   * @param {Canvas} canvas
   * @param {Village} village
   * @param {Building} building
   */
  farm (canvas, { style }, { x, z, wide, deep, floor, seed, front }) {
    const dice = new Dice(seed)
    const { crops, corner } = STYLES[style]
    const crop = dice.weighted(crops)
    const along = front === 'north' || front === 'south'
    for (let dx = 0; dx < wide; dx++) {
      for (let dz = 0; dz < deep; dz++) {
        this.found(canvas, x + dx, floor, z + dz, this.state('dirt'))
        const rim = dx === 0 || dz === 0 || dx === wide - 1 || dz === deep - 1
        const ditch = !rim && (along ? dx : dz) === 4
        const age = dice.next()
        canvas.put(x + dx, floor, z + dz,
          rim ? this.state(corner) : ditch ? this.state('water') : this.state('farmland', { moisture: 7 }), ON.ANYTHING)
        if (!rim && !ditch) canvas.put(x + dx, floor + 1, z + dz, this.crop(crop, age), ON.ANYTHING)
      }
    }
    canvas.put(x, floor + 1, z, this.state('composter'), ON.ANYTHING)
    canvas.put(x + wide - 1, floor + 1, z + deep - 1, this.state('torch'), ON.ANYTHING)
  }

  /** @param {string} name @param {number} luck in [0, 1) */
  crop (name, luck) {
    const most = name === 'beetroots' ? 3 : 7
    return this.state(name, { age: Math.floor(luck * (most + 1)) })
  }

  /**
   * Fill the ground below a floor, and clear the space above.
   * @param {Canvas} canvas
   * @param {number} x
   * @param {number} floor
   * @param {number} z
   * @param {number} base
   */
  found (canvas, x, floor, z, base) {
    for (let dy = 1; dy <= DEEP; dy++) canvas.put(x, floor - dy, z, base, ON.GAP)
    for (let dy = 1; dy <= CLEAR; dy++) canvas.put(x, floor + dy, z, 0, ON.ANYTHING)
  }

  // --- houses ---

  /** @param {Canvas} canvas @param {Village} village @param {Building} building */
  house (canvas, { style }, building) {
    const { x, z, wide, deep, floor } = building
    const { wall, corner, floor: boards, base } = STYLES[style]
    for (let dx = 0; dx < wide; dx++) {
      for (let dz = 0; dz < deep; dz++) {
        const [edgeX, edgeZ] = [dx === 0 || dx === wide - 1, dz === 0 || dz === deep - 1]
        this.found(canvas, x + dx, floor, z + dz, this.state(base))
        canvas.put(x + dx, floor, z + dz, this.state(edgeX || edgeZ ? base : boards), ON.ANYTHING)
        for (let dy = 1; dy <= ROOM; dy++) {
          if (!edgeX && !edgeZ) continue
          canvas.put(x + dx, floor + dy, z + dz, this.state(edgeX && edgeZ ? corner : wall), ON.ANYTHING)
        }
        canvas.put(x + dx, floor + ROOM + 1, z + dz, this.state(STYLES[style].top), ON.ANYTHING)
      }
    }
    this.roof(canvas, style, building)
    this.openings(canvas, style, building)
    this.furnish(canvas, style, building)
  }

  /**
   * Draw a gabled roof along the longer side, or a flat one in the desert.
   * @param {Canvas} canvas
   * @param {string} style
   * @param {Building} building
   */
  roof (canvas, style, { x, z, wide, deep, floor }) {
    if (style === 'desert') return
    const { roof, top } = STYLES[style]
    const lengthwise = wide >= deep
    const span = lengthwise ? deep : wide
    for (let level = 0; level * 2 < span; level++) {
      for (let along = 0; along < (lengthwise ? wide : deep); along++) {
        const y = floor + ROOM + 2 + level
        const [low, high] = [level, span - 1 - level]
        const put = (/** @type {number} */ across, /** @type {string} */ facing) => {
          const [dx, dz] = lengthwise ? [along, across] : [across, along]
          canvas.put(x + dx, y, z + dz, low === high ? this.state(top) : this.state(roof, { facing }), ON.ANYTHING)
        }
        put(low, lengthwise ? 'south' : 'east')
        if (high > low) put(high, lengthwise ? 'north' : 'west')
        for (let across = low + 1; across < high; across++) {
          if (along === 0 || along === (lengthwise ? wide : deep) - 1) {
            canvas.put(x + (lengthwise ? along : across), y, z + (lengthwise ? across : along), this.state(top),
              ON.ANYTHING)
          }
        }
      }
    }
  }

  /** Draw door, step and windows. @param {Canvas} canvas @param {string} style @param {Building} building */
  openings (canvas, style, building) {
    const { x, z, wide, deep, floor, front } = building
    const { step } = FRONTS[front]
    const [px, pz] = doorstep(building)
    const [dx, dz] = [px - step[0], pz - step[1]]
    for (const [half, dy] of /** @type {[string, number][]} */ ([['lower', 1], ['upper', 2]])) {
      canvas.put(dx, floor + dy, dz, this.state(`${STYLES[style].wood}_door`, { half, facing: FRONTS[front].back }),
        ON.ANYTHING)
    }
    for (let dy = 1; dy <= 2; dy++) canvas.put(px, floor + dy, pz, 0, ON.ANYTHING)
    const side = front === 'north' || front === 'south'
    const pane = this.state('glass_pane', side ? { north: true, south: true } : { east: true, west: true })
    const walls = side ? [[x, z + (deep >> 1)], [x + wide - 1, z + (deep >> 1)]]
      : [[x + (wide >> 1), z], [x + (wide >> 1), z + deep - 1]]
    for (const [wx, wz] of walls) canvas.put(wx, floor + 2, wz, pane, ON.ANYTHING)
    canvas.put(dx - step[0], floor + ROOM, dz - step[1], this.state('wall_torch', { facing: FRONTS[front].back }),
      ON.ANYTHING)
  }

  /**
   * Put furniture along the back wall, seen from the door.
   * @param {Canvas} canvas
   * @param {string} style
   * @param {Building} building
   */
  furnish (canvas, style, building) {
    const { floor, front, kind, wide, deep } = building
    const { step, right } = FRONTS[front]
    const [px, pz] = doorstep(building)
    const depth = (front === 'north' || front === 'south' ? deep : wide) - 1
    const things = FURNITURE[kind] ?? FURNITURE.house
    things.forEach((thing, i) => {
      if (thing === null) return
      const along = i - (things.length >> 1)
      const at = [px - step[0] * depth + right[0] * along, pz - step[1] * depth + right[1] * along]
      if (thing === 'bed') return this.bed(canvas, style, at, floor + 1, front)
      canvas.put(at[0], floor + 1, at[1], this.thing(thing, front), ON.ANYTHING)
    })
  }

  /**
   * @param {Canvas} canvas
   * @param {string} style
   * @param {number[]} at its head
   * @param {number} y
   * @param {string} front
   */
  bed (canvas, style, at, y, front) {
    const { step, back } = FRONTS[front]
    canvas.put(at[0], y, at[1], this.state(`${STYLES[style].bed}_bed`, { part: 'head', facing: back }), ON.ANYTHING)
    canvas.put(at[0] + step[0], y, at[1] + step[1],
      this.state(`${STYLES[style].bed}_bed`, { part: 'foot', facing: back }), ON.ANYTHING)
  }

  /** Return a block that faces the door, if it has a facing. @param {string} name @param {string} front */
  thing (name, front) {
    const props = this.data.state(this.data.stateId(name)).props
    /** @type {Record<string, string>} */
    const wanted = 'facing' in props ? { facing: front } : {}
    if (name === 'grindstone') wanted.face = 'floor'
    return this.state(name, wanted)
  }
}

module.exports = { Builder }
