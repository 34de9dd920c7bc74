/** The map: ground, apples, areas, players with names and words, seen from above and drawn on one canvas. */
import { Areas } from './areas.mjs'
import { drawBubbles } from './bubbles.mjs'
import { Camera } from './camera.mjs'
import { drawGround, drawTops, landmarks, readGround } from './ground.mjs'
import { Sprites } from './sprites.mjs'

/** Maximum number of players that all have names; in larger crowds names need free space. */
const NAMED = 60
/** Zoom in pixels per block from which all players have names. */
const NEAR = 14
/** Colours of common mobs; all others are brown. */
const MOBS = Object.freeze({ __proto__: null, sheep: '#f2f0ea', cow: '#5b4636', pig: '#eaa6a0', chicken: '#fbf3d0',
  villager: '#a0764a', zombie: '#4b7a3a', skeleton: '#c4c4c4', creeper: '#63b04b', spider: '#3b2f2f', horse: '#8b5a2b',
  cod: '#b39a74', wolf: '#cfcac4' })
/** Zoom in pixels per block from which mobs and items on the ground have names. */
const THINGS_NAMED = 16
const DROPS = '#d9a441'

/** @typedef {{name: string, colour: string, x: number, z: number, left: number, top: number}} Dot */
/**
* Input of a drawing; `stamp` differs for each moment and state of the record.
 * @typedef {{scene: any, at: number, stamp: string, place: (name: string) => number[] | null, colours: Map<string,
 *   string>, chosen: string, speed: number, heard: {from: string, to: string[]}[], ahead: boolean}} Look
 */

/** Map that draws one moment after another. */
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
    /** Left, top, right and bottom of the buttons on the map, which bubbles avoid. */
    this.tools = [0, 0, 0, 0]
    this.areas = false
    this.bubbles = true
    this.tint = new Areas()
    this.sprites = new Sprites()
    /** Image of what is constant while the map stands still; saved when it is drawn unchanged a second time. */
    this.backdrop = { key: '', drawn: false, canvas: document.createElement('canvas') }
    /** @type {unknown[]} all that decided what was drawn last */
    this.drawn = []
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
    this.backdrop.key = ''
  }

  /**
* Update columns that players have changed; only differences are redrawn.
   * @param {import('./scene.mjs').Cursor} cursor whose scene is shown
   */
  setTops (cursor) {
    const pen = this.picture?.getContext('2d')
    if (!pen || !this.ground || (this.turf.cursor === cursor && this.turf.count === cursor.turf)) return
    this.turf = { cursor, count: cursor.turf }
    const now = cursor.scene.top ?? {}
    drawTops(pen, this.ground, this.colours, this.tops, now)
    this.tops = { ...now }
    this.backdrop.key = ''
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
* Draw a view unless the map shows it already.
   * @param {Look} view
   */
  draw (view) {
    const { pen, camera } = this
    this.dark = document.documentElement.classList.contains('dark')
    this.sprites.suit(this.ratio, this.dark)
    if (this.isDrawn(view)) return
    pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0)
    this.drawBackdrop(view.scene)
    this.drawCells(view.scene)
    this.drawDrops(view.scene)
    this.drawMobs(view.scene)
    this.dots = []
    for (const [name, colour] of view.colours) {
      const spot = view.place(name)
      if (!spot) continue
      const [left, top] = camera.toScreen(spot[0], spot[2])
      this.dots.push({ name, colour, x: spot[0], z: spot[2], left, top })
    }
    if (this.areas && this.dots.length) {
      this.tint.paint(this.dots)
      this.tint.draw(pen, camera)
    }
    this.drawHearing(view.heard)
    this.drawDots(view)
    if (this.bubbles) drawBubbles(this, view)
    this.drawScale()
  }

  /**
* Return true if the map already shows this view, so that an idle page costs almost nothing.
   * @param {Look} view
   */
  isDrawn ({ at, stamp, colours, chosen, speed, heard, ahead }) {
    const { camera, canvas } = this
    const now = [at, stamp, colours, chosen, speed, heard, ahead, this.areas, this.bubbles, this.dark, this.ratio,
      this.picture, this.turf.count,
      camera.x, camera.z, camera.zoom, canvas.width, canvas.height]
    const same = now.every((each, place) => Object.is(each, this.drawn[place]))
    this.drawn = now
    return same
  }

  /** Draw ground and towns, from one image while the map stands still. @param {any} scene */
  drawBackdrop (scene) {
    const { backdrop, canvas, camera } = this
    const key = [camera.x, camera.z, camera.zoom, canvas.width, canvas.height, this.dark,
      Object.keys(scene.run?.towns ?? {}).length].join(' ')
    if (key !== backdrop.key || !backdrop.drawn) {
      this.layGround(this.pen, scene)
      // A map that follows a player changes in each frame, and copies would be wasted.
      backdrop.drawn = key === backdrop.key
      backdrop.key = key
      if (!backdrop.drawn) return
      backdrop.canvas.width = canvas.width
      backdrop.canvas.height = canvas.height
      const pen = /** @type {CanvasRenderingContext2D} */ (backdrop.canvas.getContext('2d', { alpha: false }))
      pen.drawImage(canvas, 0, 0)
    } else this.pen.drawImage(backdrop.canvas, 0, 0, camera.width, camera.height)
  }

  /**
   * @param {CanvasRenderingContext2D} pen
   * @param {any} scene
   */
  layGround (pen, scene) {
    pen.fillStyle = this.dark ? '#101215' : '#eceae4'
    pen.fillRect(0, 0, this.camera.width, this.camera.height)
    this.drawGround()
    this.drawTowns(scene)
  }

  drawGround () {
    if (!this.picture || !this.ground) return
    const [left, top] = this.camera.toScreen(this.ground.corner[0], this.ground.corner[1])
    this.pen.imageSmoothingEnabled = this.camera.zoom < 1
    this.pen.globalAlpha = this.dark ? 0.62 : 1
    this.pen.drawImage(this.picture, left, top, this.ground.width * this.camera.zoom,
      this.ground.depth * this.camera.zoom)
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

  /** Draw towns as discs with their names. @param {any} scene */
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
      const label = this.sprites.label(name)
      pen.globalAlpha = 0.75
      this.sprites.put(pen, label, left - label.width / 2, top - reach - label.height - 2)
      pen.globalAlpha = 1
    }
  }

  /** Draw mobs as small squares coloured by kind, with names if zoomed in. @param {any} scene */
  drawMobs (scene) {
    const half = Math.min(5, Math.max(1.5, this.camera.zoom * 0.22))
    for (const [kind, x, , z] of Object.values(scene.mob ?? {})) {
      this.drawThing(kind, MOBS[/** @type {keyof typeof MOBS} */ (kind)] ?? '#6d4c41', half, x, z)
    }
  }

  /** Draw items on the ground as smaller squares. @param {any} scene */
  drawDrops (scene) {
    const half = Math.min(3, Math.max(1, this.camera.zoom * 0.12))
    for (const [kind, count, x, , z] of Object.values(scene.drop ?? {})) {
      this.drawThing(count > 1 ? `${count} ${kind}` : kind, DROPS, half, x, z)
    }
  }

  /**
   * @param {string} name @param {string} colour @param {number} half the square's side in pixels
   * @param {number} x @param {number} z
   */
  drawThing (name, colour, half, x, z) {
    const { pen, camera } = this
    const [left, top] = camera.toScreen(x, z)
    if (left < -20 || top < -20 || left > camera.width + 20 || top > camera.height + 20) return
    pen.fillStyle = colour
    pen.strokeStyle = this.dark ? '#000000' : '#3a3a3a'
    pen.lineWidth = 1
    pen.fillRect(left - half, top - half, 2 * half, 2 * half)
    pen.strokeRect(left - half, top - half, 2 * half, 2 * half)
    if (camera.zoom < THINGS_NAMED) return
    const label = this.sprites.label(name)
    pen.globalAlpha = 0.7
    this.sprites.put(pen, label, left - label.width / 2, top + half + 1)
    pen.globalAlpha = 1
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
    const size = Math.round(Math.min(9, Math.max(3.5, camera.zoom * 0.42)) * 2) / 2
    const all = this.dots.length <= NAMED || camera.zoom >= NEAR
    const seen = this.dots.filter((dot) =>
      dot.left > -80 && dot.top > -20 && dot.left < camera.width + 80 && dot.top < camera.height + 20)
    /**
     * @type {Map<number, number[]>} ends of names in each line of the map: of two in one place the second is left away
     */
    const named = new Map()
    for (const dot of seen) {
      const pale = ahead || Boolean(scene.out?.[dot.name])
      pen.globalAlpha = pale ? 0.4 : 1
      this.sprites.put(pen, this.sprites.dot(dot.colour, size), dot.left - size - 2, dot.top - size - 2)
      if (dot.name === chosen) {
        pen.strokeStyle = this.dark ? '#ffffff' : '#111111'
        pen.lineWidth = 1.5
        pen.beginPath()
        pen.arc(dot.left, dot.top, size + 5, 0, 7)
        pen.stroke()
      }
      if (all || dot.name === chosen) {
        const label = this.sprites.label(dot.name)
        const [left, top] = [dot.left - label.width / 2, dot.top + size + 1]
        if (dot.name === chosen || hasRoom(named, left, top, label.width)) this.sprites.put(pen, label, left, top)
      }
    }
    pen.globalAlpha = 1
  }

  drawScale () {
    const { pen, camera } = this
    const blocks = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((each) => each * camera.zoom >= 60) ?? 1000
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
* Return the topmost player drawn at a position, or null.
   * @param {number} left
   * @param {number} top
   */
  playerAt (left, top) {
    const near = this.dots.map((dot) => ({ dot, far: Math.hypot(dot.left - left, dot.top - top) }))
      .filter(({ far }) => far < 14)
    return near.sort((one, other) => one.far - other.far)[0]?.dot ?? null
  }
}

/** Height of a line of names, in pixels. */
const LINE = 12

/**
* Return true and reserve the place if a name fits there without covering another.
 * @param {Map<number, number[]>} named lines of the map, and where names in them begin and end
 * @param {number} left
 * @param {number} top
 * @param {number} width
 */
export function hasRoom (named, left, top, width) {
  const lines = [Math.floor(top / LINE), Math.floor((top + LINE - 1) / LINE)]
  for (const line of lines) {
    const taken = named.get(line) ?? []
    for (let place = 0; place < taken.length; place += 2) {
      if (left < taken[place + 1] && taken[place] < left + width) return false
    }
  }
  for (const line of new Set(lines)) named.set(line, [...named.get(line) ?? [], left, left + width])
  return true
}
