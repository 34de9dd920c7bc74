/** The map: ground, apples, areas, players with names and what they say, from above. Drawn on one canvas. */
import { plain } from './dom.mjs'
import { Camera } from './camera.mjs'
import { drawGround, drawTops, landmarks, readGround } from './ground.mjs'

/** Real seconds that a bubble is there at least, and seconds of the record. */
const BUBBLE_S = 4
/** Players of whom all have names on the map; of more only where there is room. */
const NAMED = 60
/** Pixels of a block from which on all are named. */
const NEAR = 14
const BUBBLES = 40
const FONT = '12px system-ui, sans-serif'
/** Colours of mobs that are often met; all others are brown. */
const MOBS = Object.freeze({ __proto__: null, sheep: '#f2f0ea', cow: '#5b4636', pig: '#eaa6a0', chicken: '#fbf3d0', villager: '#a0764a', zombie: '#4b7a3a', skeleton: '#c4c4c4', creeper: '#63b04b', spider: '#3b2f2f', horse: '#8b5a2b', cod: '#b39a74', wolf: '#cfcac4' })
/** Pixels of a block from which on mobs have names. */
const MOB_NAMED = 16
/** Blocks of a cell of an area of influence, and how many cells around a player count. */
const CELL = 2
const REACH = 5

/** @typedef {{name: string, colour: string, x: number, z: number, left: number, top: number}} Dot */

/** Draws one moment after another. */
export class WorldMap {
  /** @param {HTMLCanvasElement} canvas */
  constructor (canvas) {
    this.canvas = canvas
    this.pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'))
    this.camera = new Camera()
    /** @type {import('./ground.mjs').Ground | null} */
    this.ground = null
    /** @type {HTMLCanvasElement | null} */
    this.picture = null
    /** @type {string[]} */
    this.colours = []
    /** @type {Record<string, import('./ground.mjs').Top>} changed columns, as the picture has them */
    this.tops = {}
    /** @type {{cursor: import('./scene.mjs').Cursor | null, count: number}} the tops that were drawn last */
    this.turf = { cursor: null, count: -1 }
    /** @type {Dot[]} the players as they were drawn last */
    this.dots = []
    this.areas = false
    this.bubbles = true
    /** @type {Map<string, HTMLCanvasElement>} */
    this.labels = new Map()
    /** @type {Map<string, HTMLCanvasElement>} what is drawn often, drawn once */
    this.sprites = new Map()
    /** @type {Map<string, {lines: string[], width: number}>} */
    this.texts = new Map()
    this.dark = false
    this.ratio = 1
  }

  /** @param {any} told a `ground` event with colours, or null */
  setGround (told) {
    this.ground = told ? readGround(told) : null
    this.picture = told && this.ground ? drawGround(this.ground, told.colours) : null
    this.colours = told?.colours ?? []
    this.tops = {}
    this.turf = { cursor: null, count: -1 }
  }

  /**
   * What players have mined and placed until then; only what is not drawn so is drawn anew.
   * @param {import('./scene.mjs').Cursor} cursor whose scene is shown
   */
  setTops (cursor) {
    const pen = this.picture?.getContext('2d')
    if (!pen || !this.ground || (this.turf.cursor === cursor && this.turf.count === cursor.turf)) return
    this.turf = { cursor, count: cursor.turf }
    const now = cursor.scene.top ?? {}
    drawTops(pen, this.ground, this.colours, this.tops, now)
    this.tops = { ...now }
  }

  /** Fit the canvas to its place on the page. */
  resize () {
    const box = this.canvas.getBoundingClientRect()
    this.ratio = Math.min(2, window.devicePixelRatio || 1)
    const [width, height] = [Math.round(box.width * this.ratio), Math.round(box.height * this.ratio)]
    if (width !== this.canvas.width || height !== this.canvas.height) {
      this.canvas.width = width
      this.canvas.height = height
    }
    this.camera.width = box.width
    this.camera.height = box.height
  }

  /** @param {number[][]} places of players: all that is to be seen */
  fit (places) {
    let [west, north, east, south] = this.ground ? landmarks(this.ground) : [Infinity, Infinity, -Infinity, -Infinity]
    for (const [x, , z] of places) {
      west = Math.min(west, x)
      north = Math.min(north, z)
      east = Math.max(east, x)
      south = Math.max(south, z)
    }
    this.camera.fit(west > east ? [-12, -12, 12, 12] : [west, north, east, south])
    this.camera.moved = false
  }

  /**
   * @param {{scene: any, at: number, place: (name: string) => number[] | null, colours: Map<string, string>, chosen: string, speed: number, heard: {from: string, to: string[]}[], ahead: boolean}} view
   */
  draw (view) {
    const { pen, camera } = this
    this.dark = document.documentElement.classList.contains('dark')
    pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0)
    pen.fillStyle = this.dark ? '#101215' : '#eceae4'
    pen.fillRect(0, 0, camera.width, camera.height)
    this.drawGround()
    this.drawTowns(view.scene)
    this.drawCells(view.scene)
    this.drawMobs(view.scene)
    this.dots = []
    for (const [name, colour] of view.colours) {
      const spot = view.place(name)
      if (!spot) continue
      const [left, top] = camera.toScreen(spot[0], spot[2])
      this.dots.push({ name, colour, x: spot[0], z: spot[2], left, top })
    }
    if (this.areas) this.drawAreas()
    this.drawHearing(view.heard)
    this.drawDots(view)
    if (this.bubbles) this.drawBubbles(view)
    this.drawScale()
  }

  drawGround () {
    if (!this.picture || !this.ground) return
    const [left, top] = this.camera.toScreen(this.ground.corner[0], this.ground.corner[1])
    this.pen.imageSmoothingEnabled = this.camera.zoom < 1
    this.pen.globalAlpha = this.dark ? 0.62 : 1
    this.pen.drawImage(this.picture, left, top, this.ground.width * this.camera.zoom, this.ground.depth * this.camera.zoom)
    this.pen.globalAlpha = 1
  }

  /** @param {any} scene what grows in cells of a commons */
  drawCells (scene) {
    const [x0, , z0] = scene.run?.origin ?? [0, 0, 0]
    this.pen.fillStyle = '#c8322b'
    for (const key of Object.keys(scene.cell ?? {})) {
      const [x, z] = key.split(',').map(Number)
      const [left, top] = this.camera.toScreen(x + x0 + 0.5, z + z0 + 0.5)
      this.pen.beginPath()
      this.pen.arc(left, top, Math.max(1.5, this.camera.zoom * 0.28), 0, 7)
      this.pen.fill()
    }
  }

  /** Towns as discs with their names. @param {any} scene */
  drawTowns (scene) {
    const { pen, camera } = this
    for (const [name, [x, z, radius]] of Object.entries(scene.run?.towns ?? {})) {
      const [left, top] = camera.toScreen(x, z)
      const reach = radius * camera.zoom
      pen.fillStyle = this.dark ? 'rgb(255 255 255 / 6%)' : 'rgb(0 0 0 / 5%)'
      pen.strokeStyle = this.dark ? 'rgb(255 255 255 / 35%)' : 'rgb(0 0 0 / 30%)'
      pen.lineWidth = 1
      pen.beginPath()
      pen.arc(left, top, reach, 0, 7)
      pen.fill()
      pen.stroke()
      const label = this.label(name)
      pen.globalAlpha = 0.75
      pen.drawImage(label, left - label.width / 4, top - reach - label.height / 2 - 2, label.width / 2, label.height / 2)
      pen.globalAlpha = 1
    }
  }

  /** Mobs as small squares, each kind in its shade, with their names where there is room. @param {any} scene */
  drawMobs (scene) {
    const { pen, camera } = this
    const half = Math.min(5, Math.max(1.5, camera.zoom * 0.22))
    for (const [kind, x, , z] of Object.values(scene.mob ?? {})) {
      const [left, top] = camera.toScreen(x, z)
      if (left < -20 || top < -20 || left > camera.width + 20 || top > camera.height + 20) continue
      pen.fillStyle = MOBS[/** @type {keyof typeof MOBS} */ (kind)] ?? '#6d4c41'
      pen.strokeStyle = this.dark ? '#000000' : '#3a3a3a'
      pen.lineWidth = 1
      pen.fillRect(left - half, top - half, 2 * half, 2 * half)
      pen.strokeRect(left - half, top - half, 2 * half, 2 * half)
      if (camera.zoom < MOB_NAMED) continue
      const label = this.label(kind)
      pen.globalAlpha = 0.7
      pen.drawImage(label, left - label.width / 4, top + half + 1, label.width / 2, label.height / 2)
      pen.globalAlpha = 1
    }
  }

  /** Around each colour's players the ground is tinted: the nearer and the more of them, the stronger. */
  drawAreas () {
    /** @type {Map<string, Map<string, number>>} */
    const cells = new Map()
    for (const { colour, x, z } of this.dots) {
      const [column, row] = [Math.floor(x / CELL), Math.floor(z / CELL)]
      for (let dx = -REACH; dx <= REACH; dx++) {
        for (let dz = -REACH; dz <= REACH; dz++) {
          const far = Math.hypot(dx, dz)
          if (far > REACH) continue
          const key = `${column + dx},${row + dz}`
          const here = cells.get(key) ?? new Map()
          cells.set(key, here)
          here.set(colour, (here.get(colour) ?? 0) + 1 - far / (REACH + 1))
        }
      }
    }
    const side = CELL * this.camera.zoom
    for (const [key, weights] of cells) {
      const [colour, weight] = [...weights].reduce((best, each) => each[1] > best[1] ? each : best)
      const [column, row] = key.split(',').map(Number)
      const [left, top] = this.camera.toScreen(column * CELL, row * CELL)
      this.pen.globalAlpha = Math.min(0.45, weight * 0.22)
      this.pen.fillStyle = colour
      // On whole pixels, so that cells neither overlap nor leave gaps.
      this.pen.fillRect(Math.round(left), Math.round(top), Math.round(left + side) - Math.round(left), Math.round(top + side) - Math.round(top))
    }
    this.pen.globalAlpha = 1
  }

  /** @param {{from: string, to: string[]}[]} heard lines from speakers to who heard them */
  drawHearing (heard) {
    const at = new Map(this.dots.map((dot) => [dot.name, dot]))
    this.pen.lineWidth = 1.2
    for (const { from, to } of heard) {
      const speaker = at.get(from)
      if (!speaker) continue
      this.pen.strokeStyle = speaker.colour
      this.pen.globalAlpha = 0.55
      this.pen.beginPath()
      for (const name of to) {
        const hearer = at.get(name)
        if (!hearer) continue
        this.pen.moveTo(speaker.left, speaker.top)
        this.pen.lineTo(hearer.left, hearer.top)
      }
      this.pen.stroke()
      this.pen.globalAlpha = 1
    }
  }

  /** @param {{scene: any, chosen: string, ahead: boolean}} view */
  drawDots ({ scene, chosen, ahead }) {
    const { pen, camera } = this
    const size = Math.min(9, Math.max(3.5, camera.zoom * 0.42))
    const all = this.dots.length <= NAMED || camera.zoom >= NEAR
    // A whole number of pixels: what is drawn once is not squeezed when it is put on the map.
    const side = Math.ceil(2 * size + 4)
    const seen = this.dots.filter((dot) => dot.left > -80 && dot.top > -20 && dot.left < camera.width + 80 && dot.top < camera.height + 20)
    for (const dot of seen) {
      const pale = ahead || Boolean(scene.out?.[dot.name])
      const sprite = this.sprite(`${dot.colour} ${size.toFixed(1)} ${this.dark}`, side, side, (own) => drawDot(own, size, dot.colour, this.dark))
      pen.globalAlpha = pale ? 0.4 : 1
      pen.drawImage(sprite, dot.left - size - 2, dot.top - size - 2, side, side)
      if (dot.name === chosen) {
        pen.strokeStyle = this.dark ? '#ffffff' : '#111111'
        pen.lineWidth = 1.5
        pen.beginPath()
        pen.arc(dot.left, dot.top, size + 5, 0, 7)
        pen.stroke()
      }
      if (all || dot.name === chosen) {
        const label = this.label(dot.name)
        pen.drawImage(label, dot.left - label.width / 4, dot.top + size + 1, label.width / 2, label.height / 2)
      }
    }
    pen.globalAlpha = 1
  }

  /**
   * A small picture, drawn once.
   * @param {string} key
   * @param {number} width in pixels of the page
   * @param {number} height
   * @param {(pen: CanvasRenderingContext2D) => void} drawn
   */
  sprite (key, width, height, drawn) {
    const found = this.sprites.get(key)
    if (found) return found
    const made = document.createElement('canvas')
    made.width = Math.ceil(width * this.ratio)
    made.height = Math.ceil(height * this.ratio)
    const pen = /** @type {CanvasRenderingContext2D} */ (made.getContext('2d'))
    pen.scale(this.ratio, this.ratio)
    drawn(pen)
    this.sprites.set(key, made)
    if (this.sprites.size > 400) this.sprites.delete(/** @type {string} */ (this.sprites.keys().next().value))
    return made
  }

  /**
   * A bubble's lines, and how wide it is.
   * @param {string} text
   * @param {boolean} whole
   */
  laidOut (text, whole) {
    const key = `${whole} ${text}`
    const found = this.texts.get(key)
    if (found) return found
    this.pen.font = FONT
    const lines = wrapped(text, whole ? 44 : 30, whole ? 6 : 2)
    const made = { lines, width: Math.ceil(Math.max(...lines.map((line) => this.pen.measureText(line).width))) + 14 }
    this.texts.set(key, made)
    if (this.texts.size > 1000) this.texts.clear()
    return made
  }

  /**
   * A name, drawn once.
   * @param {string} name
   */
  label (name) {
    const key = `${this.dark} ${name}`
    const found = this.labels.get(key)
    if (found) return found
    const made = document.createElement('canvas')
    const text = plain(name).slice(0, 40)
    const pen = /** @type {CanvasRenderingContext2D} */ (made.getContext('2d'))
    const font = '22px system-ui, sans-serif'
    pen.font = font
    made.width = Math.ceil(pen.measureText(text).width) + 10
    made.height = 30
    pen.font = font
    pen.textBaseline = 'middle'
    pen.lineWidth = 5
    pen.lineJoin = 'round'
    pen.strokeStyle = this.dark ? 'rgb(0 0 0 / 75%)' : 'rgb(255 255 255 / 85%)'
    pen.strokeText(text, 5, 15)
    pen.fillStyle = this.dark ? '#f0eee9' : '#1b1d21'
    pen.fillText(text, 5, 15)
    this.labels.set(key, made)
    return made
  }

  /** @param {{scene: any, at: number, speed: number, chosen: string}} view */
  drawBubbles ({ scene, at, speed, chosen }) {
    const age = BUBBLE_S * Math.max(1, speed / 4)
    const said = this.dots.filter(({ name }) => {
      const words = scene.say?.[name]
      return words && words.at <= at && at - words.at < age
    }).sort((one, other) => scene.say[one.name].at - scene.say[other.name].at).slice(-BUBBLES)
    /** @type {number[][]} left, top, right, bottom of bubbles that are drawn */
    const taken = []
    // The latest words have the best places; who was asked for has the first.
    for (const dot of said.reverse().sort((one, other) => Number(other.name === chosen) - Number(one.name === chosen))) {
      this.drawBubble(dot, plain(scene.say[dot.name].text), dot.name === chosen, taken)
    }
  }

  /**
   * @param {Dot} dot
   * @param {string} text
   * @param {boolean} whole
   * @param {number[][]} taken places of others; a bubble that finds none is left away
   */
  drawBubble (dot, text, whole, taken) {
    const { pen } = this
    const { lines, width } = this.laidOut(text, whole)
    const height = lines.length * 15 + 9
    const left = Math.min(Math.max(4, dot.left - width / 2), this.camera.width - width - 4)
    let top = dot.top - 14 - height
    for (const [l, t, r, b] of [...taken].sort((one, other) => other[3] - one[3])) {
      if (left < r + 2 && l < left + width + 2 && top < b + 2 && t < top + height + 2) top = t - height - 3
    }
    if (top < dot.top - 150 || top < -height / 2) return
    taken.push([left, top, left + width, top + height])
    const key = `${dot.colour} ${this.dark} ${whole} ${text}`
    pen.drawImage(this.sprite(key, width + 2, height + 2, (own) => drawBubble(own, lines, width, height, dot.colour, this.dark)), left - 1, top - 1, width + 2, height + 2)
    pen.strokeStyle = dot.colour
    pen.lineWidth = 1.3
    pen.beginPath()
    pen.moveTo(dot.left, dot.top - 6)
    pen.lineTo(dot.left, top + height)
    pen.stroke()
  }

  drawScale () {
    const { pen, camera } = this
    const blocks = [1, 2, 5, 10, 20, 50, 100].find((each) => each * camera.zoom >= 60) ?? 100
    const [right, top] = [camera.width - 14, camera.height - 16]
    pen.strokeStyle = pen.fillStyle = this.dark ? '#d8d5cf' : '#3c4047'
    pen.lineWidth = 2
    pen.beginPath()
    pen.moveTo(right - blocks * camera.zoom, top)
    pen.lineTo(right, top)
    pen.stroke()
    pen.font = '11px system-ui, sans-serif'
    pen.textAlign = 'right'
    pen.fillText(`${blocks} block${blocks > 1 ? 's' : ''} · north is up`, right, top - 6)
    pen.textAlign = 'left'
  }

  /**
   * The player that was drawn there, the topmost; null for none.
   * @param {number} left
   * @param {number} top
   */
  playerAt (left, top) {
    const near = this.dots.map((dot) => ({ dot, far: Math.hypot(dot.left - left, dot.top - top) })).filter(({ far }) => far < 14)
    return near.sort((one, other) => one.far - other.far)[0]?.dot ?? null
  }
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {number} size
 * @param {string} colour
 * @param {boolean} dark
 */
function drawDot (pen, size, colour, dark) {
  pen.fillStyle = colour
  pen.strokeStyle = dark ? '#101215' : '#ffffff'
  pen.lineWidth = 1.5
  pen.beginPath()
  pen.arc(size + 2, size + 2, size, 0, 7)
  pen.fill()
  pen.stroke()
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {string[]} lines
 * @param {number} width
 * @param {number} height
 * @param {string} colour
 * @param {boolean} dark
 */
function drawBubble (pen, lines, width, height, colour, dark) {
  pen.font = FONT
  pen.fillStyle = dark ? 'rgb(36 39 45 / 94%)' : 'rgb(255 255 255 / 94%)'
  pen.strokeStyle = colour
  pen.lineWidth = 1.3
  pen.beginPath()
  pen.roundRect(1, 1, width, height, 6)
  pen.fill()
  pen.stroke()
  pen.fillStyle = dark ? '#eceae5' : '#1b1d21'
  lines.forEach((line, number) => pen.fillText(line, 8, 17 + number * 15))
}

/**
 * A text in lines of about so many characters; what has no room ends in three dots.
 * @param {string} text
 * @param {number} width
 * @param {number} most
 */
export function wrapped (text, width, most) {
  const lines = ['']
  for (const word of text.split(/\s+/).flatMap((each) => each.match(new RegExp(`.{1,${width}}`, 'gu')) ?? [])) {
    const line = lines[lines.length - 1]
    if (line && line.length + word.length + 1 > width) lines.push(word)
    else lines[lines.length - 1] = line ? `${line} ${word}` : word
  }
  return lines.length > most ? [...lines.slice(0, most - 1), `${lines[most - 1].slice(0, width - 1)}…`] : lines
}
