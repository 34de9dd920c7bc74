/**
 * The page in three dimensions: a land, its players and its sky at the page's moment, with names and words over them.
 */
import { BodyBook, InstanceWriter, sharesOf } from './bodies3d.mjs'
import { drawBubbles } from './bubbles.mjs'
import { byId } from './dom.mjs'
import { Flight } from './flight.mjs'
import { GlScene } from './gl_scene.mjs'
import { LandLoader } from './land_loader.mjs'
import { ViewOf } from './matrix.mjs'
import { Skies } from './skies.mjs'
import { SourceError } from './source.mjs'
import { drawNames, drawSigns, drawTownNames } from './tags.mjs'
import { Sprites } from './sprites.mjs'
import { columnKey } from './land_model.mjs'

/** Distances that the user may choose, in columns of 16 blocks. */
export const SIGHTS = Object.freeze([4, 8, 12, 16])
const BLOCKS = 16
/** Interval between questions while a land is being built, in milliseconds. */
const BUILDING_MS = 500
/** Interval between two samples of the light at bodies, in milliseconds. */
const LIGHTS_MS = 300
/** Height of names above feet, in blocks. */
const HEADS = 2.3
const FULL_SUN = 0xf0
/** Pictures after which the resolution is reconsidered, and their mean time above which it is lowered, in ms. */
const PACE_FRAMES = 40
const SLOW_MS = 34
const LOWEST = 0.5
/** Distance from the camera beyond which a body has no things in its hand, in blocks. */
const HANDS = 48
const SPIN = 137
/** Share of the sight up to which a first look goes: fog begins beyond it. */
const CLEAR = 0.5

/** @typedef {import('./map.mjs').Look} MapLook */
/** @typedef {{able: boolean, state: string, why: string, notes: string[], facts: any}} ToldLand */
/** @typedef {MapLook & {seconds: number, heading: (name: string) => number, places: () => number[][]}} SpaceLook */

/**
 * Return the items on the ground by their numbers: kind, number of items in the stack, and place.
 * @param {any} scene
 * @returns {[string, [string, number, number, number, number]][]}
 */
const dropsOf = (scene) => Object.entries(scene.drop ?? {})

/** The view in three dimensions of one page. */
export class Space {
  /** @param {(error: unknown) => void} failed */
  constructor (failed) {
    this.failed = failed
    this.canvas = /** @type {HTMLCanvasElement} */ (byId('space'))
    this.over = /** @type {HTMLCanvasElement} */ (byId('over'))
    this.pen = /** @type {CanvasRenderingContext2D} */ (this.over.getContext('2d'))
    this.sprites = new Sprites()
    this.flight = new Flight()
    this.instances = new InstanceWriter()
    this.sight = 12
    this.bubbles = true
    this.tools = [0, 0, 0, 0]
    /** Size of the canvas in pixels of the page. */
    this.camera = { width: 1, height: 1 }
    /** @type {import('./bubbles.mjs').Speaker[]} the players as they were drawn last */
    this.dots = []
    /** @type {GlScene | null} */
    this.scene = null
    /** Reason why the browser draws nothing, empty if it does or was not asked yet. */
    this.lack = ''
    this.sharpness = 1
    this.pace = { frames: 0, ms: 0, last: 0 }
    /** @type {LandLoader | null} */
    this.loader = null
    /** @type {import('./land_loader.mjs').LandSource | null} */
    this.source = null
    /** @type {ToldLand | null} */
    this.land = null
    /** @type {Skies | null} */
    this.skies = null
    this.book = new BodyBook()
    /** Things whose bodies were asked for. @type {Set<string>} */
    this.wanted = new Set()
    this.asking = false
    /** Light at players and mobs, as it was last. @type {Map<string, number>} */
    this.lights = new Map()
    this.lit = 0
    this.fitted = false
  }

  /** Forget the land of a run. */
  forget () {
    this.loader?.end()
    this.scene?.clear()
    this.loader = this.source = this.land = this.skies = null
    this.book = new BodyBook()
    this.wanted.clear()
    this.lights.clear()
    this.asking = this.fitted = this.flight.moved = false
  }

  /** Find out whether a run has a land. @param {import('./land_loader.mjs').LandSource} source */
  async know (source) {
    this.forget()
    this.source = source
    const land = await source.part('land')
    if (source === this.source) this.land = land
  }

  /** True if the run has a land and the browser can draw it. */
  get able () { return this.land?.able === true && !this.lack }

  /** Signs with words: place and lines. @returns {[number, number, number, string[]][]} */
  get signs () { return this.land?.facts.signs ?? [] }

  /** True if there is a picture to draw. */
  get ready () { return this.loader !== null && this.skies !== null && this.scene !== null }

  /** Prepare drawing: the canvas, then the land, which may have to be built. */
  open () {
    try {
      this.scene ??= this.makeScene()
    } catch (error) {
      this.lack = `No view in three dimensions here: ${error instanceof Error ? error.message : error}. The map stays.`
      return
    }
    if (this.asking || this.ready || !this.source) return
    this.asking = true
    this.build(this.source).catch((error) => {
      this.failed(error)
      const why = error instanceof SourceError ? error.message : 'the land cannot be shown'
      if (this.land) this.land = { ...this.land, state: 'failed', why }
    }).finally(() => { this.asking = false })
  }

  makeScene () {
    const scene = new GlScene(this.canvas)
    this.canvas.addEventListener('webglcontextlost', (event) => {
      event.preventDefault()
      this.lack = 'The graphics card has dropped the view in three dimensions. ' +
        'The map stays; reload the page to try again.'
    })
    return scene
  }

  /** @param {import('./land_loader.mjs').LandSource} source */
  async build (source) {
    for (;;) {
      const land = /** @type {ToldLand} */ (await source.part('land', { build: 1 }))
      if (source !== this.source) return
      this.land = land
      if (land.state === 'ready') break
      if (land.state === 'failed') throw new SourceError(land.why)
      await new Promise((resolve) => setTimeout(resolve, BUILDING_MS))
    }
    const { facts } = this.land
    this.skies = new Skies(await source.part('skies'), facts)
    if (source !== this.source) return
    this.loader = new LandLoader(source, facts, { mesh: (news) => this.take(news),
      textures: (words) => this.scene?.addTextures(words), failed: this.failed })
    this.book.add(await source.part('bodies'))
    // Bodies have textures of their own.
    await this.loader.news({})
  }

  /** @param {import('./mesh_server.mjs').MesherNews} news */
  take (news) {
    if ('mesh' in news) this.scene?.putColumn(news.mesh)
    else if ('free' in news) this.flight.free = news.free
    else if ('lights' in news) this.lights = new Map(news.lights.filter(([, light]) => light >= 0))
    else for (const [cx, cz] of news.dropped) this.scene?.dropColumn(columnKey(cx, cz))
  }

  /** Text over the picture while there is none, or empty. */
  get notice () {
    const { land } = this
    if (this.lack) return this.lack
    if (!land || land.state === 'asleep') return 'Looking for the land …'
    if (land.state === 'building') return 'The land is being built …'
    if (land.state === 'failed') return land.why
    return this.ready && this.scene?.columns.size ? '' : 'Loading the land …'
  }

  /** Fit the canvases to their place on the page. @param {number} ratio pixels of the screen to one of the page */
  resize (ratio) {
    const box = this.over.getBoundingClientRect()
    this.camera = { width: box.width, height: box.height }
    for (const [canvas, share] of /** @type {[HTMLCanvasElement, number][]} */ ([[this.canvas, this.sharpness],
      [this.over, ratio]])) {
      const [width, height] = [Math.max(1, Math.round(box.width * share)), Math.max(1, Math.round(box.height * share))]
      if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height })
    }
  }

  /** Lower the resolution where pictures take too long. @param {number} now milliseconds @param {number} ratio */
  keepPace (now, ratio) {
    const { pace } = this
    const took = now - pace.last
    pace.last = now
    if (took > 500) return
    pace.ms += took
    if (++pace.frames < PACE_FRAMES) return
    const mean = pace.ms / pace.frames
    Object.assign(pace, { frames: 0, ms: 0 })
    if (mean > SLOW_MS && this.sharpness > LOWEST) this.sharpness = Math.max(LOWEST, this.sharpness * 0.75)
    else if (this.sharpness > ratio) this.sharpness = ratio
  }

  /**
   * Draw one picture.
   * @param {SpaceLook} view @param {number} now milliseconds @param {number} passed seconds since the last picture
   * @param {boolean} grows true while more of the record comes
   */
  draw (view, now, passed, grows) {
    const ratio = Math.min(2, window.devicePixelRatio || 1)
    this.keepPace(now, ratio)
    this.resize(ratio)
    const { scene, loader, skies, flight, land } = this
    if (!scene || !loader || !skies || !land) return this.drawOver(view, ratio, null)
    if (!this.fitted) this.overlook(view)
    const followed = view.chosen ? view.place(view.chosen) : null
    if (!followed) flight.setMode('free')
    const feet = followed && { x: followed[0], y: followed[1], z: followed[2], yaw: view.heading(view.chosen) }
    flight.step(passed, feet)
    if (feet && flight.mode === 'behind') loader.mesher.order({ kind: 'way', ...flight.wayBehind(feet) })
    const pose = flight.shown
    loader.aim(Math.floor(pose.x / BLOCKS), Math.floor(pose.z / BLOCKS), this.sight)
    loader.follow(view.at, now, grows)
    const seen = new ViewOf(pose, this.camera.width, this.camera.height, this.sight * BLOCKS)
    const sky = skies.at(view.seconds, pose.x, view.scene.run?.weather)
    this.placeBodies(view, seen)
    if (now - this.lit > LIGHTS_MS) this.askLights(view, now)
    scene.draw(seen, land.facts.min_y, sky, this.instances.written)
    this.drawOver(view, ratio, seen)
  }

  /** Look at all players and the middle of the land. @param {SpaceLook} view */
  overlook (view) {
    const now = [...view.colours.keys()].flatMap((name) => view.place(name) ?? [])
    const places = now.length ? Array.from({ length: now.length / 3 }, (_, at) => now.slice(at * 3, at * 3 + 3))
      : view.places()
    if (places.length === 0) return
    this.fitted = true
    if (!this.flight.moved) this.flight.overlook(places, this.sight * BLOCKS * CLEAR)
  }

  /** @param {SpaceLook} view @param {ViewOf} seen */
  placeBodies (view, seen) {
    const { instances, book, flight } = this
    const { x, y, z, yaw } = seen.pose
    const far = seen.far * seen.far
    instances.begin()
    const from = (/** @type {number[]} */ at) => [at[0] - x, at[1] - y, at[2] - z]
    const near = (/** @type {number[]} */ to) => to[0] ** 2 + to[2] ** 2 < far
    this.dots = []
    for (const [name, colour] of view.colours) {
      const at = view.place(name)
      if (!at) continue
      const to = from(at)
      if (!near(to)) continue
      const [left, top, depth] = seen.toScreen(at[0], at[1] + HEADS, at[2])
      if (depth > 0) this.dots.push({ name, colour, left, top, depth })
      // Nobody sees its own head.
      if (name === view.chosen && flight.mode === 'eyes' && !flight.glide) continue
      const turn = view.heading(name)
      const light = this.lights.get(name) ?? FULL_SUN
      instances.put(book.player(name), to, turn, light, sharesOf(colour))
      const held = view.scene.held?.[name]
      if (typeof held === 'string' && Math.hypot(...to) < HANDS) {
        this.want(held)
        instances.put(book.held(held), to, turn, light)
      }
    }
    for (const [number, [kind, ...at]] of /** @type {[string, [string, number, number, number]][]} */ (
      Object.entries(view.scene.mob ?? {}))) {
      const to = from(at)
      if (!near(to)) continue
      instances.put(book.mob(kind), to, Number(number) * SPIN % 360 || 0, this.lights.get(number) ?? FULL_SUN)
    }
    for (const [number, [kind, , ...at]] of dropsOf(view.scene)) {
      const to = from(at)
      if (near(to)) this.placeThing(kind, to, yaw, this.lights.get(number) ?? FULL_SUN)
    }
    this.placeFruit(view, from, near, yaw)
  }

  /** Ask how light it is where bodies are. @param {SpaceLook} view @param {number} now */
  askLights (view, now) {
    this.lit = now
    const mobs = /** @type {[string, [string, number, number, number]][]} */ (Object.entries(view.scene.mob ?? {}))
    /** @type {[string, number, number, number][]} */
    const places = []
    const add = (/** @type {string} */ name, /** @type {number[] | null} */ at) => {
      if (at) places.push([name, Math.floor(at[0]), Math.floor(at[1] + 0.6), Math.floor(at[2])])
    }
    for (const name of view.colours.keys()) add(name, view.place(name))
    for (const [number, [, ...at]] of mobs) add(number, at)
    for (const [number, [, , ...at]] of dropsOf(view.scene)) add(number, at)
    this.loader?.mesher.order({ kind: 'lights', places })
  }

  /**
   * Place what grows in the cells of a commons.
   * @param {SpaceLook} view
   * @param {(at: number[]) => number[]} from
   * @param {(to: number[]) => boolean} near
   * @param {number} yaw
   */
  placeFruit (view, from, near, yaw) {
    const [x0, y0, z0] = view.scene.run?.origin ?? [0, 0, 0]
    for (const [key, kind] of Object.entries(view.scene.cell ?? {})) {
      const [cx, cz] = key.split(',').map(Number)
      const to = from([cx + x0 + 0.5, y0, cz + z0 + 0.5])
      if (near(to)) this.placeThing(kind, to, yaw, FULL_SUN)
    }
  }

  /**
   * Place an item: flat figures turn to the camera, small blocks stay as they lie.
   * @param {string} kind @param {number[]} to place from the camera @param {number} yaw of the camera
   * @param {number} light
   */
  placeThing (kind, to, yaw, light) {
    this.want(kind)
    const thing = this.book.things.get(kind)
    if (thing) this.instances.put(thing.parts, to, thing.flat ? yaw : 0, light)
  }

  /** Ask for the body of a thing, once. @param {string} name */
  want (name) {
    const { source, loader } = this
    if (this.wanted.has(name) || !source || !loader || this.wanted.size > 500) return
    this.wanted.add(name)
    source.part('bodies', { items: name }).then(async (told) => {
      if (source !== this.source) return
      await loader.news({})
      this.book.add({ ...told, players: [], mobs: [] })
    }).catch(this.failed)
  }

  /**
   * Draw names, words and signs over the picture.
   * @param {SpaceLook} view
   * @param {number} ratio
   * @param {ViewOf | null} seen
   */
  drawOver (view, ratio, seen) {
    const { pen, camera } = this
    const dark = document.documentElement.classList.contains('dark')
    this.sprites.suit(ratio, dark)
    pen.setTransform(ratio, 0, 0, ratio, 0, 0)
    pen.clearRect(0, 0, camera.width, camera.height)
    if (!seen) return
    drawSigns(this, seen, this.signs)
    drawTownNames(this, seen, view.scene)
    drawNames(this, view)
    if (this.bubbles) drawBubbles(this, view)
  }

  /** Return the player drawn at a position, or null. @param {number} left @param {number} top */
  playerAt (left, top) {
    const near = this.dots.map((dot) => ({ dot, far: Math.hypot(dot.left - left, dot.top + 8 - top) }))
      .filter(({ dot, far }) => far < Math.max(18, 260 / (dot.depth ?? 100)))
    return near.sort((one, other) => one.far - other.far)[0]?.dot ?? null
  }
}
