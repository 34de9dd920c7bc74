/**
 * The land in memory: columns of blocks at one moment, with their light. It runs in the worker that makes meshes, in
 * tests, and in an exported page, so it uses nothing of the browser.
 *
 * Light follows the engine's rules (`engine/world/rules/sky/light.js`): the sky falls straight down through clear
 * blocks; sideways, and from lamps, it loses a level per block.
 */

/** Kinds of shapes, as `engine/view/shapes.js` numbers them. */
export const SHAPE = Object.freeze({ EMPTY: 0, CUBE: 1, BOXES: 2, CROSS: 3, LIQUID: 4 })
export const SECTION_CELLS = 4096
const OPEN_LIGHT = 0xf0
const MAX_LOOKS = 1 << 16
const OFFSET = 1 << 21
const LINE_STEP = 0.2
const HEADINGS = [[0, -1, 0], [0, 1, 0], [1, 0, 0], [-1, 0, 0], [0, 0, 1], [0, 0, -1]]
const BESIDE = [[1, 0], [-1, 0], [0, 1], [0, -1]]

/**
 * Look of a block state.
 * @typedef {{name: string, kind: number, faces: number[], boxes: number[], wet: number, level: number, lava: number,
 *   gives: number, filter: number}} Look
 */
/**
 * `base`: looks as the land was built, of the blocks that differ now.
 * @typedef {{cx: number, cz: number, cells: (Uint16Array | null)[], light: (Uint8Array | number)[], base: Map<number,
 *   number>, dirty: boolean}} Column
 */
/** A changed block; a look below 0 undoes all changes before it. @typedef {[number, number, number, number]} Change3 */

/** Return the number of a column. @param {number} cx @param {number} cz */
export const columnKey = (cx, cz) => (cx + OFFSET) * 2 * OFFSET + cz + OFFSET

/** Blocks and light of the loaded columns. */
export class LandModel {
  /** @param {{min_y: number, sections: number}} facts */
  constructor ({ min_y: low, sections }) {
    this.low = low
    this.sections = sections
    this.high = low + sections * 16
    /** @type {Look[]} */
    this.looks = []
    this.kind = new Uint8Array(MAX_LOOKS)
    this.filter = new Uint8Array(MAX_LOOKS)
    this.gives = new Uint8Array(MAX_LOOKS)
    /** @type {Map<number, Column>} */
    this.columns = new Map()
    /** @type {Column | null} */
    this.last = null
    /** @type {Change3[]} */
    this.changes = []
    /** Numbers of changes that build the land anew, in order. @type {number[]} */
    this.resets = []
    /** Column -> place in it -> numbers of its changes, in order. @type {Map<number, Map<number, number[]>>} */
    this.changed = new Map()
    /** Number of changes that have happened. */
    this.moment = 0
  }

  /** @param {Look[]} looks the next ones */
  addLooks (looks) {
    for (const look of looks) {
      const number = this.looks.push(look) - 1
      this.kind[number] = look.kind
      this.filter[number] = look.filter
      this.gives[number] = look.gives
    }
  }

  /** @param {number} cx @param {number} cz @returns {Column | null} */
  columnAt (cx, cz) {
    const { last } = this
    if (last !== null && last.cx === cx && last.cz === cz) return last
    const found = this.columns.get(columnKey(cx, cz)) ?? null
    if (found !== null) this.last = found
    return found
  }

  /** Return the look of a block; air where nothing is loaded. @param {number} x @param {number} y @param {number} z */
  lookAt (x, y, z) {
    if (y < this.low || y >= this.high) return 0
    const cells = this.columnAt(x >> 4, z >> 4)?.cells[(y - this.low) >> 4] ?? null
    return cells === null ? 0 : cells[((y - this.low) & 15) << 8 | (z & 15) << 4 | (x & 15)]
  }

  /**
   * Return the light of a block, `sky << 4 | lamps`; -1 if none is known.
   * @param {number} x
   * @param {number} y
   * @param {number} z
   */
  lightAt (x, y, z) {
    if (y >= this.high) return OPEN_LIGHT
    if (y < this.low) return -1
    const column = this.columnAt(x >> 4, z >> 4)
    if (column === null) return -1
    const section = column.light[(y - this.low) >> 4]
    return typeof section === 'number' ? section : section[((y - this.low) & 15) << 8 | (z & 15) << 4 | (x & 15)]
  }

  /**
   * Add columns as `engine/view/survey.js` sends them.
   * @param {ArrayBuffer} buffer
   * @param {boolean} [anew] true to replace columns that are loaded
   */
  addColumns (buffer, anew = false) {
    const view = new DataView(buffer)
    for (let at = 0; at < buffer.byteLength;) {
      const [cx, cz, mask] = [view.getInt32(at, true), view.getInt32(at + 4, true), view.getUint32(at + 8, true)]
      at += 12
      /** @type {(Uint16Array | null)[]} */
      const cells = new Array(this.sections).fill(null)
      for (let index = 0; index < this.sections; index++) {
        if ((mask >>> index & 1) === 0) continue
        cells[index] = new Uint16Array(buffer.slice(at, at + 2 * SECTION_CELLS))
        at += 2 * SECTION_CELLS
      }
      if (anew) this.dropColumn(columnKey(cx, cz))
      this.addColumn(cx, cz, cells)
    }
  }

  /** @param {number} cx @param {number} cz @param {(Uint16Array | null)[]} cells */
  addColumn (cx, cz, cells) {
    const key = columnKey(cx, cz)
    if (this.columns.has(key)) return
    /** @type {Column} */
    const column = { cx, cz, cells, light: new Array(this.sections).fill(0), base: new Map(), dirty: true }
    for (const [place, numbers] of this.changed.get(key) ?? []) {
      this.putCell(column, place, this.valueOf(column, place, numbers))
    }
    this.columns.set(key, column)
    this.lightColumn(column)
    this.markAround(cx * 16, cz * 16, 16)
  }

  /** @param {number} key of a column that is not needed any more */
  dropColumn (key) {
    this.columns.delete(key)
    this.last = null
  }

  /**
   * Return true if a column and the eight around it are loaded, so that its light is final.
   * @param {number} cx
   * @param {number} cz
   */
  isReady (cx, cz) {
    for (let dx = -1; dx <= 1; dx++) {
      for (let dz = -1; dz <= 1; dz++) if (!this.columns.has(columnKey(cx + dx, cz + dz))) return false
    }
    return true
  }

  /**
   * Return the distance along a line at which the first block that hides things is met, or Infinity.
   * @param {number[]} from @param {number[]} along direction of length 1 @param {number} length
   */
  freeAlong ([x, y, z], along, length) {
    for (let far = 0; far < length; far += LINE_STEP) {
      const look = this.lookAt(Math.floor(x + along[0] * far), Math.floor(y + along[1] * far),
        Math.floor(z + along[2] * far))
      if (this.kind[look] === SHAPE.CUBE || (this.kind[look] === SHAPE.BOXES && this.filter[look] > 0)) return far
    }
    return Infinity
  }

  // Changes.

  /** @param {Change3[]} changes the next ones */
  addChanges (changes) {
    for (const change of changes) {
      const number = this.changes.push(change) - 1
      const [x, y, z, look] = change
      if (look < 0) {
        this.resets.push(number)
        continue
      }
      if (y < this.low || y >= this.high) continue
      const key = columnKey(x >> 4, z >> 4)
      const places = this.changed.get(key) ?? new Map()
      this.changed.set(key, places)
      const place = (y - this.low) << 8 | (z & 15) << 4 | (x & 15)
      const numbers = places.get(place)
      if (numbers) numbers.push(number)
      else places.set(place, [number])
    }
  }

  /** Return the number of the first change since the land was built last. @param {number} moment */
  lastReset (moment) {
    let found = 0
    for (const reset of this.resets) if (reset < moment) found = reset
    return found
  }

  /**
   * Return the look of a place now.
   * @param {Column} column
   * @param {number} place
   * @param {number[]} numbers of its changes
   */
  valueOf (column, place, numbers) {
    const from = this.lastReset(this.moment)
    let found = -1
    for (const number of numbers) if (number < this.moment && number >= from) found = number
    return found >= 0 ? this.changes[found][3] : column.base.get(place) ?? cellAt(column, place)
  }

  /** Show the land after that number of changes. @param {number} moment */
  setMoment (moment) {
    const [first, end] = moment > this.moment ? [this.moment, moment] : [moment, this.moment]
    if (first === end) return
    const from = this.resets.some((reset) => reset >= first && reset < end) ? this.lastReset(first) : first
    this.moment = moment
    const seen = new Set()
    for (let number = from; number < end; number++) {
      const [x, y, z, look] = this.changes[number]
      if (look < 0 || y < this.low || y >= this.high) continue
      const at = `${x},${y},${z}`
      if (seen.has(at)) continue
      seen.add(at)
      const key = columnKey(x >> 4, z >> 4)
      const column = this.columns.get(key)
      if (!column) continue
      const place = (y - this.low) << 8 | (z & 15) << 4 | (x & 15)
      const numbers = /** @type {number[]} */ (this.changed.get(key)?.get(place))
      if (this.putCell(column, place, this.valueOf(column, place, numbers))) this.relight(x, y, z)
    }
  }

  /** Set a cell, and return true if it changed. @param {Column} column @param {number} place @param {number} look */
  putCell (column, place, look) {
    const before = cellAt(column, place)
    if (before === look) return false
    if (!column.base.has(place)) column.base.set(place, before)
    const cells = column.cells[place >> 12] ??= new Uint16Array(SECTION_CELLS)
    cells[place & 4095] = look
    return true
  }

  // Light.

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} z
   * @param {number} shift 4 for the sky, 0 for lamps
   * @param {number} level
   */
  putLight (x, y, z, shift, level) {
    const column = /** @type {Column} */ (this.columnAt(x >> 4, z >> 4))
    const index = (y - this.low) >> 4
    let section = column.light[index]
    if (typeof section === 'number') column.light[index] = section = new Uint8Array(SECTION_CELLS).fill(section)
    const at = ((y - this.low) & 15) << 8 | (z & 15) << 4 | (x & 15)
    section[at] = shift === 4 ? level << 4 | section[at] & 15 : section[at] & 0xf0 | level
    this.markAround(x, z, 1)
  }

  /**
   * Mark the columns that show these blocks or border on them.
   * @param {number} x
   * @param {number} z
   * @param {number} side
   */
  markAround (x, z, side) {
    for (let cx = (x - 1) >> 4; cx <= (x + side) >> 4; cx++) {
      for (let cz = (z - 1) >> 4; cz <= (z + side) >> 4; cz++) {
        const column = this.columns.get(columnKey(cx, cz))
        if (column) column.dirty = true
      }
    }
  }

  /** Light a new column: the sky straight down, lamps, and what the columns beside give. @param {Column} column */
  lightColumn (column) {
    const { low, sections } = this
    let top = sections
    while (top > 0 && column.cells[top - 1] === null) top--
    column.light.fill(OPEN_LIGHT, top)
    const floors = this.skyDown(column, top)
    /** @type {number[]} */
    const sky = []
    /** @type {number[]} */
    const lamps = []
    const [x0, z0] = [column.cx * 16, column.cz * 16]
    for (let place = 0; place < 256; place++) {
      const [x, z, floor] = [place & 15, place >> 4, floors[place]]
      if (floor > low) sky.push(x0 + x, floor, z0 + z)
      for (const [dx, dz] of BESIDE) {
        if ((x + dx | z + dz) & ~15) continue
        const other = floors[place + dz * 16 + dx]
        for (let y = floor + 1; y < other; y++) sky.push(x0 + x, y, z0 + z)
        if (other > floor) sky.push(x0 + x, floor, z0 + z)
      }
    }
    for (let index = 0; index < top; index++) {
      const cells = column.cells[index]
      if (cells === null) continue
      for (let at = 0; at < SECTION_CELLS; at++) {
        const level = this.gives[cells[at]]
        if (level === 0) continue
        const [x, y, z] = [x0 + (at & 15), low + index * 16 + (at >> 8), z0 + (at >> 4 & 15)]
        this.putLight(x, y, z, 0, level)
        lamps.push(x, y, z)
      }
    }
    for (const [dx, dz] of BESIDE) this.queueBorder(column, dx, dz, top, sky, lamps)
    this.spread(sky, 4)
    this.spread(lamps, 0)
  }

  /**
   * Fill the blocks open to the sky.
   * @param {Column} column
   * @param {number} top
   * @returns {Int32Array} lowest open y of each place
   */
  skyDown (column, top) {
    const floors = new Int32Array(256).fill(this.low + top * 16)
    let open = 256
    for (let index = top - 1; index >= 0 && open > 0; index--) {
      const cells = column.cells[index]
      const light = new Uint8Array(SECTION_CELLS)
      column.light[index] = light
      for (let up = 15; up >= 0; up--) {
        const y = this.low + index * 16 + up
        for (let place = 0; place < 256; place++) {
          if (floors[place] !== y + 1) continue
          if (cells !== null && this.filter[cells[up << 8 | place]] > 0) open--
          else {
            light[up << 8 | place] = OPEN_LIGHT
            floors[place] = y
          }
        }
      }
    }
    return floors
  }

  /**
   * Queue the blocks on both sides of a border from which light goes across.
   * @param {Column} column
   * @param {number} dx
   * @param {number} dz
   * @param {number} top
   * @param {number[]} sky
   * @param {number[]} lamps
   */
  queueBorder (column, dx, dz, top, sky, lamps) {
    const other = this.columns.get(columnKey(column.cx + dx, column.cz + dz))
    if (!other) return
    while (top < this.sections && other.cells[top] !== null) top++
    const high = this.low + top * 16
    for (let along = 0; along < 16; along++) {
      const x = column.cx * 16 + (dx > 0 ? 15 : dx < 0 ? 0 : along)
      const z = column.cz * 16 + (dz > 0 ? 15 : dz < 0 ? 0 : along)
      for (let y = this.low; y < high; y++) {
        const [mine, its] = [this.lightAt(x, y, z), this.lightAt(x + dx, y, z + dz)]
        if (mine === its) continue
        if (mine >> 4 > (its >> 4) + 1) sky.push(x, y, z)
        else if (its >> 4 > (mine >> 4) + 1) sky.push(x + dx, y, z + dz)
        if ((mine & 15) > (its & 15) + 1) lamps.push(x, y, z)
        else if ((its & 15) > (mine & 15) + 1) lamps.push(x + dx, y, z + dz)
      }
    }
  }

  /** Let light spread from queued blocks. @param {number[]} queue x, y, z of each @param {number} shift */
  spread (queue, shift) {
    for (let at = 0; at < queue.length; at += 3) {
      const [x, y, z] = [queue[at], queue[at + 1], queue[at + 2]]
      const level = this.lightAt(x, y, z) >> shift & 15
      if (level < 2) continue
      for (const [dx, dy, dz] of HEADINGS) {
        const there = this.lightAt(x + dx, y + dy, z + dz)
        if (there < 0 || y + dy >= this.high) continue
        const loss = this.filter[this.lookAt(x + dx, y + dy, z + dz)]
        const next = shift === 4 && dy < 0 && level === 15 && loss === 0 ? 15 : level - Math.max(1, loss)
        if (next <= (there >> shift & 15)) continue
        this.putLight(x + dx, y + dy, z + dz, shift, next)
        queue.push(x + dx, y + dy, z + dz)
      }
    }
  }

  /** Correct the light around a changed block. @param {number} x @param {number} y @param {number} z */
  relight (x, y, z) {
    this.markAround(x, z, 1)
    for (const shift of [4, 0]) {
      const again = this.darken(x, y, z, shift)
      const gives = shift === 0 ? this.gives[this.lookAt(x, y, z)] : 0
      if (gives > 0) {
        this.putLight(x, y, z, 0, gives)
        again.push(x, y, z)
      }
      // The block itself takes what its neighbours have now.
      for (const [dx, dy, dz] of HEADINGS) {
        if (y + dy >= this.high) this.shineIn(x, y, z, again)
        else again.push(x + dx, y + dy, z + dz)
      }
      this.spread(again, shift)
    }
  }

  /**
   * Let the open sky into the highest block.
   * @param {number} x
   * @param {number} y
   * @param {number} z
   * @param {number[]} queue
   */
  shineIn (x, y, z, queue) {
    const loss = this.filter[this.lookAt(x, y, z)]
    if (loss < 15) this.putLight(x, y, z, 4, 15 - loss)
    queue.push(x, y, z)
  }

  /**
   * Remove the light that came through a block. Return the blocks from which it has to spread again.
   * @param {number} x0 @param {number} y0 @param {number} z0 @param {number} shift
   */
  darken (x0, y0, z0, shift) {
    /** @type {number[]} */
    const again = []
    const queue = [x0, y0, z0, this.lightAt(x0, y0, z0) >> shift & 15]
    this.putLight(x0, y0, z0, shift, 0)
    for (let at = 0; at < queue.length; at += 4) {
      const [x, y, z, level] = [queue[at], queue[at + 1], queue[at + 2], queue[at + 3]]
      for (const [dx, dy, dz] of HEADINGS) {
        const there = this.lightAt(x + dx, y + dy, z + dz)
        if (there < 0 || y + dy >= this.high) continue
        const its = there >> shift & 15
        if (its === 0) continue
        const fromHere = its < level || (shift === 4 && dy < 0 && level === 15 && its === 15)
        if (!fromHere) {
          again.push(x + dx, y + dy, z + dz)
          continue
        }
        const gives = shift === 0 ? this.gives[this.lookAt(x + dx, y + dy, z + dz)] : 0
        this.putLight(x + dx, y + dy, z + dz, shift, gives)
        if (gives > 0) again.push(x + dx, y + dy, z + dz)
        queue.push(x + dx, y + dy, z + dz, its)
      }
    }
    return again
  }
}

/** @param {Column} column @param {number} place */
function cellAt (column, place) { return column.cells[place >> 12]?.[place & 4095] ?? 0 }
