/**
 * Meshes of columns: squares with a texture number and light, equal neighbours merged. Squares that no sky reaches are
 * apart (`deep`), since only a camera nearby sees them, and so are clear ones, which are drawn last.
 */
import { SHAPE, columnKey } from './land_model.mjs'

/** Units of a vertex per block. */
export const PER_BLOCK = 64
/** Bytes of a vertex: three int16, a uint16 texture, and four bytes: light, face, occlusion and flags, corner. */
export const VERTEX_BYTES = 12
/** Flags of a vertex: it shines by itself; it is water. */
export const GLOWS = 16
export const WATERY = 32
/** Number of the face of planes that cross a block. */
export const CROSSED = 6
/** Side of a section with the blocks around it. */
const WIDE = 18
const PADDED = WIDE * WIDE * WIDE
/** Steps to the neighbour before each face: down, up, north, south, west, east. */
const BEFORE = [-WIDE * WIDE, WIDE * WIDE, -WIDE, WIDE, -1, 1]
/** Axes of each face as 0 x, 1 y, 2 z: across it, and its two edges. */
const AXES = [[1, 0, 2], [1, 0, 2], [2, 0, 1], [2, 0, 1], [0, 2, 1], [0, 2, 1]]
const STRIDES = [1, WIDE * WIDE, WIDE]
/** Faces whose corners, along first and second edge, run counter-clockwise as seen from outside. */
const IN_ORDER = [true, false, false, true, true, false]
/** Which ends of both edges the corners are at, in this order and in the other. */
const ENDS = 0 | 1 << 2 | 3 << 4 | 2 << 6
const ENDS_TURNED = 2 | 3 << 2 | 1 << 4 | 0 << 6
const BRIGHT = 255

/** @typedef {import('./land_model.mjs').LandModel} LandModel */
/** @typedef {import('./land_model.mjs').Look} Look */
/**
 * Squares of a column: first those in the light of the sky, then the deep ones, then the clear ones.
 * @typedef {{cx: number, cz: number, vertices: ArrayBuffer, lit: number, deep: number, clear: number, low: number,
 *   high: number}} ColumnMesh
 */

/**
 * Paint of a square; `shade`: openness of each corner, two bits each.
 * @typedef {{texture: number, light: number, shade: number, flags: number}} SquarePaint
 */

/** Writer of squares. */
class SquareWriter {
  constructor () {
    this.count = 0
    this.view = new DataView(new ArrayBuffer(256 * 4 * VERTEX_BYTES))
  }

  /**
   * @param {ArrayLike<number>} corners x, y, z of four corners, in units
   * @param {number} face
   * @param {SquarePaint} paint
   * @param {number} [ends] of each corner, two bits each: it is at the far end of its first edge, of its second edge
   */
  put (corners, face, { texture, light, shade, flags }, ends = 0) {
    const at = this.count++ * 4 * VERTEX_BYTES
    if (at + 4 * VERTEX_BYTES > this.view.byteLength) {
      const more = new Uint8Array(this.view.byteLength * 2)
      more.set(new Uint8Array(this.view.buffer))
      this.view = new DataView(more.buffer)
    }
    const { view } = this
    // Cut along the diagonal that joins the darker corners would show as a crease.
    const turn = (shade & 3) + (shade >> 4 & 3) < (shade >> 2 & 3) + (shade >> 6) ? 1 : 0
    for (let number = 0; number < 4; number++) {
      const corner = (number + turn) & 3
      const to = at + number * VERTEX_BYTES
      view.setInt16(to, corners[corner * 3], true)
      view.setInt16(to + 2, corners[corner * 3 + 1], true)
      view.setInt16(to + 4, corners[corner * 3 + 2], true)
      view.setUint16(to + 6, texture, true)
      view.setUint8(to + 8, light)
      view.setUint8(to + 9, face)
      view.setUint8(to + 10, (shade >> corner * 2 & 3) | flags)
      view.setUint8(to + 11, ends >> corner * 2 & 3)
    }
  }

  bytes () { return new Uint8Array(this.view.buffer, 0, this.count * 4 * VERTEX_BYTES) }
}

/** Maker of meshes of one land. */
export class MeshMaker {
  /** @param {LandModel} model */
  constructor (model) {
    this.model = model
    /** 1 for textures with holes that one sees through partly. @type {Set<number>} */
    this.clearTextures = new Set()
    this.looks = new Uint16Array(PADDED)
    this.light = new Uint8Array(PADDED)
    this.keys = new Float64Array(256)
    this.corners = new Float64Array(12)
    this.writers = this.newWriters()
    this.y0 = 0
    this.high = 0
    this.low = 0
  }

  newWriters () { return { lit: new SquareWriter(), deep: new SquareWriter(), clear: new SquareWriter() } }

  /** @param {number} cx @param {number} cz @returns {ColumnMesh | null} null if the column is not loaded */
  meshOf (cx, cz) {
    const { model } = this
    const column = model.columns.get(columnKey(cx, cz))
    if (!column) return null
    column.dirty = false
    this.writers = this.newWriters()
    this.high = 0
    this.low = model.sections * 16
    for (let index = 0; index < model.sections; index++) {
      if (column.cells[index] !== null) this.meshSection(cx, cz, index)
    }
    const { lit, deep, clear } = this.writers
    const vertices = new Uint8Array((lit.count + deep.count + clear.count) * 4 * VERTEX_BYTES)
    vertices.set(lit.bytes())
    vertices.set(deep.bytes(), lit.bytes().length)
    vertices.set(clear.bytes(), lit.bytes().length + deep.bytes().length)
    return { cx, cz, vertices: vertices.buffer, lit: lit.count, deep: deep.count, clear: clear.count,
      low: Math.min(this.low, this.high), high: this.high }
  }

  /** @param {number} cx @param {number} cz @param {number} index */
  meshSection (cx, cz, index) {
    this.y0 = index * 16
    this.fillPadded(cx, cz, index)
    const { model, looks } = this
    let special = false
    let cubes = false
    for (let y = 0; y < 16; y++) {
      for (let z = 0; z < 16; z++) {
        let at = (y + 1) * WIDE * WIDE + (z + 1) * WIDE + 1
        for (let x = 0; x < 16; x++, at++) {
          const kind = model.kind[looks[at]]
          if (kind === SHAPE.CUBE) cubes = true
          else if (kind !== SHAPE.EMPTY) {
            special = true
            this.meshShape(x, y, z, at, kind)
          }
        }
      }
    }
    if (cubes || special) {
      this.low = Math.min(this.low, this.y0)
      this.high = Math.max(this.high, this.y0 + 16)
    }
    if (cubes) for (let face = 0; face < 6; face++) this.meshFaces(face)
  }

  /**
   * Copy a section with the blocks and the light around it.
   * @param {number} cx
   * @param {number} cz
   * @param {number} index
   */
  fillPadded (cx, cz, index) {
    const { model } = this
    this.looks.fill(0)
    for (let dy = -1; dy <= 1; dy++) {
      const section = index + dy
      const [fromY, toY] = dy < 0 ? [15, 16] : dy > 0 ? [0, 1] : [0, 16]
      for (let dz = -1; dz <= 1; dz++) {
        const [fromZ, toZ] = dz < 0 ? [15, 16] : dz > 0 ? [0, 1] : [0, 16]
        for (let dx = -1; dx <= 1; dx++) {
          const [fromX, toX] = dx < 0 ? [15, 16] : dx > 0 ? [0, 1] : [0, 16]
          const column = model.columnAt(cx + dx, cz + dz)
          const cells = column?.cells[section] ?? null
          const light = section >= model.sections ? 0xf0 : column?.light[section] ?? 0
          for (let y = fromY; y < toY; y++) {
            for (let z = fromZ; z < toZ; z++) {
              let to = (y + 1 + dy * 16) * WIDE * WIDE + (z + 1 + dz * 16) * WIDE + fromX + 1 + dx * 16
              let from = y << 8 | z << 4 | fromX
              for (let x = fromX; x < toX; x++, to++, from++) {
                if (cells !== null) this.looks[to] = cells[from]
                this.light[to] = typeof light === 'number' ? light : light[from]
              }
            }
          }
        }
      }
    }
    // Nobody sees the world's underside.
    if (index === 0) this.looks.fill(this.solidLook(), 0, WIDE * WIDE)
  }

  /** Return any look that hides what is behind it. */
  solidLook () { return Math.max(0, this.model.looks.findIndex(({ kind }) => kind === SHAPE.CUBE)) }

  /** Write the faces of cubes towards one side, merged where they are equal. @param {number} face */
  meshFaces (face) {
    const [across, first, second] = AXES[face]
    const { keys } = this
    for (let depth = 0; depth < 16; depth++) {
      let any = false
      for (let b = 0; b < 16; b++) {
        for (let a = 0; a < 16; a++) {
          const at = (depth + 1) * STRIDES[across] + (a + 1) * STRIDES[first] + (b + 1) * STRIDES[second]
          const key = this.faceKey(face, at, STRIDES[first], STRIDES[second])
          keys[b << 4 | a] = key
          if (key > 0) any = true
        }
      }
      if (any) this.mergeFaces(face, depth)
    }
  }

  /**
   * Return what is drawn on a face as one number, or 0 for nothing.
   * @param {number} face @param {number} at @param {number} first step along its first edge @param {number} second
   */
  faceKey (face, at, first, second) {
    const { model, looks } = this
    const own = looks[at]
    if (model.kind[own] !== SHAPE.CUBE) return 0
    const before = at + BEFORE[face]
    if (model.kind[looks[before]] === SHAPE.CUBE) return 0
    const look = model.looks[own]
    const shines = look.gives > 7
    const light = shines ? BRIGHT : this.light[before]
    const shade = shines ? BRIGHT : this.occlusion(before, first, second)
    return 1 + look.faces[face] + light * 0x10000 + shade * 0x1000000 + (shines ? 0x100000000 : 0)
  }

  /**
   * Return how open each corner of a face is, 0 to 3, two bits each.
   * @param {number} at before the face
   * @param {number} first
   * @param {number} second
   */
  occlusion (at, first, second) {
    const solid = (/** @type {number} */ place) => this.model.kind[this.looks[place]] === SHAPE.CUBE ? 1 : 0
    const [west, east, north, south] = [solid(at - first), solid(at + first), solid(at - second), solid(at + second)]
    const corner = (/** @type {number} */ one, /** @type {number} */ two, /** @type {number} */ place) =>
      one && two ? 0 : 3 - one - two - solid(place)
    return corner(west, north, at - first - second) | corner(east, north, at + first - second) << 2 |
      corner(east, south, at + first + second) << 4 | corner(west, south, at - first + second) << 6
  }

  /** @param {number} face @param {number} depth */
  mergeFaces (face, depth) {
    const { keys } = this
    for (let b = 0; b < 16; b++) {
      for (let a = 0; a < 16;) {
        const key = keys[b << 4 | a]
        if (key === 0) { a++; continue }
        let [wide, tall] = [1, 1]
        const shade = Math.floor((key - 1) / 0x1000000) & 255
        // Only evenly open squares merge: corners of others differ.
        if (shade === BRIGHT) {
          while (a + wide < 16 && keys[b << 4 | a + wide] === key) wide++
          grow: for (; b + tall < 16; tall++) {
            for (let i = 0; i < wide; i++) if (keys[b + tall << 4 | a + i] !== key) break grow
          }
        }
        for (let j = 0; j < tall; j++) for (let i = 0; i < wide; i++) keys[b + j << 4 | a + i] = 0
        const plain = key - 1
        this.putFace(face, depth + (face & 1), [a, b, a + wide, b + tall], { texture: plain % 0x10000,
          light: Math.floor(plain / 0x10000) & 255, shade, flags: plain >= 0x100000000 ? GLOWS : 0 })
        a += wide
      }
    }
  }

  /**
   * Write a square of one of the six sides.
   * @param {number} face
   * @param {number} depth in blocks of the section
   * @param {number[]} edges start along the first and the second edge, and ends
   * @param {SquarePaint} paint
   */
  putFace (face, depth, [a0, b0, a1, b1], paint) {
    const [across, first, second] = AXES[face]
    const { corners } = this
    const inOrder = IN_ORDER[face]
    for (let number = 0; number < 4; number++) {
      const place = inOrder ? number : 3 - number
      corners[number * 3 + across] = Math.round(depth * PER_BLOCK)
      corners[number * 3 + first] = Math.round((place === 1 || place === 2 ? a1 : a0) * PER_BLOCK)
      corners[number * 3 + second] = Math.round((place >= 2 ? b1 : b0) * PER_BLOCK)
      corners[number * 3 + 1] += this.y0 * PER_BLOCK
    }
    const { shade } = paint
    const turned = inOrder ? shade : shade >> 6 & 3 | (shade >> 4 & 3) << 2 | (shade >> 2 & 3) << 4 | (shade & 3) << 6
    this.writerFor(paint).put(corners, face, { ...paint, shade: turned }, inOrder ? ENDS : ENDS_TURNED)
  }

  /** Return the writer for squares of a paint. @param {SquarePaint} paint */
  writerFor ({ texture, light, flags }) {
    const { clear, lit, deep } = this.writers
    return flags & WATERY || this.clearTextures.has(texture) ? clear : light >> 4 > 0 || flags & GLOWS ? lit : deep
  }

  /** @param {number} x @param {number} y @param {number} z @param {number} at @param {number} kind */
  meshShape (x, y, z, at, kind) {
    const look = this.model.looks[this.looks[at]]
    if (kind === SHAPE.LIQUID || look.wet) this.meshLiquid(x, y, z, at, look)
    if (kind === SHAPE.CROSS) this.meshCross(x, y, z, at, look)
    else if (kind === SHAPE.BOXES) this.meshBoxes(x, y, z, at, look)
  }

  /**
   * Write the two planes of a plant, both sides of each.
   * @param {number} x
   * @param {number} y
   * @param {number} z
   * @param {number} at
   * @param {Look} look
   */
  meshCross (x, y, z, at, look) {
    const texture = look.faces[2]
    const flags = look.gives > 7 ? GLOWS : 0
    const { corners } = this
    for (const [z0, z1] of [[0, 1], [1, 0]]) {
      for (const back of [false, true]) {
        for (let number = 0; number < 4; number++) {
          const place = back ? 3 - number : number
          const right = place === 1 || place === 2
          corners[number * 3] = (x + (right ? 1 : 0)) * PER_BLOCK
          corners[number * 3 + 1] = (this.y0 + y + (place >= 2 ? 1 : 0)) * PER_BLOCK
          corners[number * 3 + 2] = (z + (right ? z1 : z0)) * PER_BLOCK
        }
        const light = flags ? BRIGHT : this.light[at]
        const paint = { texture, light, shade: BRIGHT, flags }
        this.writerFor(paint).put(corners, CROSSED, paint)
      }
    }
  }

  /** @param {number} x @param {number} y @param {number} z @param {number} at @param {Look} look */
  meshBoxes (x, y, z, at, look) {
    const { boxes } = look
    const place = [x, y, z]
    const flags = look.gives > 7 ? GLOWS : 0
    for (let box = 0; box < boxes.length; box += 6) {
      for (let face = 0; face < 6; face++) {
        const [across, first, second] = AXES[face]
        const depth = boxes[box + across + (face & 1 ? 3 : 0)]
        const atEdge = depth === (face & 1)
        const before = at + BEFORE[face]
        const other = this.looks[before]
        if (atEdge && (this.model.kind[other] === SHAPE.CUBE || other === this.looks[at])) continue
        const [a0, b0] = [first, second].map((axis) => place[axis] + boxes[box + axis])
        const [a1, b1] = [first, second].map((axis) => place[axis] + boxes[box + axis + 3])
        const light = flags ? BRIGHT : brighter(this.light[before], this.light[at])
        this.putFace(face, place[across] + depth, [a0, b0, a1, b1],
          { texture: look.faces[face], light, shade: BRIGHT, flags })
      }
    }
  }

  /**
   * Write the surfaces of water or lava.
   * @param {number} x
   * @param {number} y
   * @param {number} z
   * @param {number} at
   * @param {Look} look
   */
  meshLiquid (x, y, z, at, look) {
    const isLava = look.lava === 1
    const same = (/** @type {number} */ place) => {
      const other = this.model.looks[this.looks[place]]
      if (isLava) return other?.lava === 1
      return other !== undefined && !other.lava && (other.wet === 1 || other.kind === SHAPE.LIQUID)
    }
    const height = same(at + BEFORE[1]) ? 1 : look.kind === SHAPE.LIQUID && look.level ? look.level : 8 / 9
    const place = [x, y, z]
    const flags = isLava ? GLOWS : WATERY
    for (let face = 0; face < 6; face++) {
      const before = at + BEFORE[face]
      const [across, first, second] = AXES[face]
      if (same(before)) continue
      const covered = this.model.kind[this.looks[before]] === SHAPE.CUBE
      if (covered && !(face === 1 && height < 1)) continue
      const depth = face === 1 ? height : face & 1
      const tall = face < 2 ? 1 : height
      const light = isLava ? BRIGHT : brighter(this.light[before], this.light[at])
      this.putFace(face, place[across] + depth,
        [place[first], place[second], place[first] + 1, place[second] + tall],
        { texture: look.kind === SHAPE.LIQUID ? look.faces[face] : 0, light, shade: BRIGHT, flags })
    }
  }
}

/** Return the higher sky light and the higher lamp light of two. @param {number} one @param {number} other */
const brighter = (one, other) => Math.max(one & 0xf0, other & 0xf0) | Math.max(one & 15, other & 15)

/**
 * Return the textures through which one sees partly, of texels with five sizes each.
 * @param {Uint32Array} words alpha in the highest byte
 * @param {number} perTexture
 * @param {number} first number of the first texture
 */
export function partlyClear (words, perTexture, first) {
  const found = []
  for (let number = 0; number * perTexture < words.length; number++) {
    const texels = words.subarray(number * perTexture, number * perTexture + 256)
    if (texels.some((texel) => texel >>> 24 > 0 && texel >>> 24 < 255)) found.push(first + number)
  }
  return found
}

