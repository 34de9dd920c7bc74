'use strict'
/** Looks of a version's block states in flat tables that rays read; a state is looked up at its first hit. */
const { shapeOf, KIND, FACING } = require('./shapes')
const { materialOf, UNKNOWN } = require('./materials')
const { Textures } = require('./textures')

const FACES = 6
/** Faces in the order of the protocol. */
const FACE = Object.freeze({ DOWN: 0, UP: 1, NORTH: 2, SOUTH: 3, WEST: 4, EAST: 5 })

/** @typedef {import('../world/data').GameData} GameData */
/** @typedef {import('./materials').Material} Material */

/** Looks of all block states of a version. */
class Looks {
  /** @param {GameData} data */
  constructor (data) {
    this.data = data
    this.textures = new Textures()
    const count = data.states.length
    /** Kind of the shape; `KIND.UNKNOWN` until asked for. */
    this.kind = new Uint8Array(count).fill(KIND.UNKNOWN)
    this.kind[0] = KIND.EMPTY
    /** Texture of each face. */
    this.faces = new Uint16Array(count * FACES)
    /** Boxes of the state, six numbers each. @type {(Float64Array | null)[]} */
    this.boxes = new Array(count).fill(null)
    /** 1 if water stands around the shape. */
    this.wet = new Uint8Array(count)
    /** Height of a liquid. */
    this.level = new Float64Array(count)
    /** 1 for lava, which hides what is in it. */
    this.lava = new Uint8Array(count)
    /** Light that the state gives, 0 to 15: it is drawn at least as bright. */
    this.glow = new Uint8Array(count)
  }

  /**
   * Fill in the tables for a state.
   * @param {number} stateId
   * @param {number} glow light that it gives, 0 to 15
   * @returns {number} its kind
   */
  learn (stateId, glow) {
    const state = this.data.state(stateId)
    const { kind, boxes, wet, level } = shapeOf(state)
    const material = kind === KIND.EMPTY ? { side: UNKNOWN } : materialOf(state.name, state.props) ?? { side: UNKNOWN }
    this.paintFaces(stateId, material, state.props)
    const opaque = this.textures.opaque[this.faces[stateId * FACES]] === 1
    this.kind[stateId] = kind === KIND.CUBE && !opaque ? KIND.BOXES : kind
    this.boxes[stateId] = new Float64Array(boxes.flat())
    this.wet[stateId] = wet ? 1 : 0
    this.level[stateId] = level
    this.lava[stateId] = state.name === 'lava' ? 1 : 0
    this.glow[stateId] = glow
    return this.kind[stateId]
  }

  /** @param {number} stateId @param {Material} material @param {Readonly<Record<string, string>>} props */
  paintFaces (stateId, { side, top = side, bottom = top, front }, props) {
    const at = stateId * FACES
    const number = this.textures.number(side)
    this.faces.fill(number, at, at + FACES)
    const [low, high] = props.axis === 'x' ? [FACE.WEST, FACE.EAST] : props.axis === 'z' ? [FACE.NORTH, FACE.SOUTH]
      : [0, 1]
    this.faces[at + low] = this.textures.number(bottom)
    this.faces[at + high] = this.textures.number(top)
    if (front) this.faces[at + (FACING[props.facing] ?? FACE.NORTH)] = this.textures.number(front)
  }
}

module.exports = { Looks, FACE, FACES }
