/** The whole page: one run at one moment, on the map and in the panels. */
import { drawMarks, marksNear, nextMark } from './bar.mjs'
import { Clock } from './clock.mjs'
import { paint, waysOf } from './colours.mjs'
import { createButtons, drawLegend, drawSteering, drawTools } from './controls.mjs'
import { byId, clockText, fill, h, safeText } from './dom.mjs'
import { showFault } from './faults.mjs'
import { blockAt } from './ground.mjs'
import { actionFor } from './keys.mjs'
import { WorldMap } from './map.mjs'
import { panels } from './panels.mjs'
import { readPlace, writePlace } from './place.mjs'
import { Run, byName } from './record.mjs'
import { handlePointer } from './pointer.mjs'
import { SourceError } from './source.mjs'
import { Space } from './space.mjs'
import { handleSpace } from './space_controls.mjs'
import { SpaceSwitch } from './space_switch.mjs'

/** Intervals in milliseconds between redraws of panels, updates of the address, and requests for news and runs. */
const PANELS_MS = 250
const ADDRESS_MS = 1000
const ASK_MS = 400
const RUNS_MS = 3000
/** Time after which a panel whose request failed is drawn anew, in milliseconds. */
const AGAIN_MS = 1000
/** Keys of what is drawn, before anything is. */
const NOTHING = { scene: {}, at: 0, stamp: '', place: () => null, colours: new Map(), chosen: '', speed: 1, heard: [],
  ahead: false }
const UNDRAWN = { panel: '', panels: 0, address: 0, ground: '', marks: '', tools: '', legend: '', fitted: '' }

/** The application. */
export class App {
  /** @param {import('./source.mjs').Server | import('./source.mjs').EmbeddedRecord} source */
  constructor (source) {
    this.source = source
    this.place = readPlace(location.hash)
    this.clock = new Clock()
    this.map = new WorldMap(byId('map'))
    this.space = new Space((error) => this.failed(error))
    this.switch = new SpaceSwitch(this)
    this.panels = panels()
    /** @type {any[]} */
    this.runs = []
    this.number = -1
    /** @type {Run | null} */
    this.run = null
    this.scene = /** @type {any} */ ({})
    this.way = ''
    this.hearing = false
    /** @type {{from: string, to: string[]}[]} */
    this.heard = []
    this.drawn = { ...UNDRAWN }
    this.then = 0
    /** Number of drawn frames and their total time, for benchmarks. */
    this.frames = { count: 0, ms: 0 }
    this.error = ''
    /** @type {ReturnType<App['coloured']> & {key: string} | null} */
    this.colouring = null
    /** @type {Map<string, unknown>} what was written where on the page */
    this.written = new Map()
    /** @type {import('./scene.mjs').Cursor | null} */
    this.cursor = null
    this.barWidth = 1
    this.steering = /** @type {string | null} */ (null)
    this.heardKey = ''
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.asking = undefined
  }

  async start () {
    this.theme(matchMedia('(prefers-color-scheme: dark)').matches)
    createButtons(this)
    handlePointer(this)
    handleSpace(this)
    // A frame may have written the old place into the address before this is heard.
    addEventListener('hashchange', (event) => this.go(readPlace(new URL(event.newURL).hash)))
    addEventListener('keydown', (event) => {
      const act = actionFor(event)
      if (!act) return
      event.preventDefault()
      act(this.acts(), event.shiftKey)
    })
    await this.findRuns(true)
    requestAnimationFrame((now) => this.frame(now))
  }

  /** @param {boolean} first */
  async findRuns (first) {
    try {
      const told = await this.source.runs()
      this.runs = byName(told.runs)
      const newest = this.runs.reduce((last, run) => run.number > (last?.number ?? -1) ? run : last, null)
      const wanted = this.runs.find((run) => run.name === this.place.run) ?? (told.newest ? newest : this.runs[0])
      fill(byId('runs'), this.runs.map((run) => {
        const label = `${run.name}: ${run.scenario} ${run.condition}, seed ${run.seed}${run.live ? ' (live)' : ''}`
        return h('option', { value: String(run.number), selected: run.number === this.number }, safeText(label))
      }))
      const newer = told.newest && this.clock.live && wanted && this.run?.reach.ended && newest.number !== this.number
      if (newer) this.show(newest.number)
      else if (wanted && (first || this.number < 0)) this.show(wanted.number)
      this.error = ''
    } catch (error) {
      this.failed(error)
    }
    this.steering = await this.source.steer().catch(() => null)
    setTimeout(() => this.findRuns(false), RUNS_MS)
  }

  /** @param {number} number of a run to show */
  show (number) {
    this.number = number
    const source = this.source.run(number)
    this.run = new Run(source)
    this.space.know(source).catch((error) => this.failed(error))
    this.place.run = this.runs.find((run) => run.number === number)?.name ?? ''
    byId('runs').value = String(number)
    this.scene = {}
    this.colouring = null
    this.cursor = null
    this.map.camera.moved = false
    this.drawn = { ...UNDRAWN }
    this.written.clear()
    this.began = false
    this.ask()
  }

  /**
   * Show an error: over the map if the source did not answer, otherwise as a fault of the page.
   * @param {unknown} error
   */
  failed (error) {
    if (error instanceof SourceError) this.error = error.message
    else showFault(error)
  }

  /** Request news of the shown run, repeatedly. */
  async ask () {
    const run = this.run
    clearTimeout(this.asking)
    try {
      if (run) {
        await run.look()
        if (run === this.run && !this.began) this.begin(run)
      }
      this.error = run?.error ?? ''
    } catch (error) {
      this.failed(error)
    }
    // If another run was chosen meanwhile, its own requests are on their way.
    if (run !== this.run) return
    const quiet = run && !run.reach.live && run.reach.read >= run.reach.size
    this.asking = setTimeout(() => this.ask(), quiet ? 1500 : ASK_MS)
  }

  /** @param {Run} run whose length is known now */
  begin (run) {
    this.began = true
    this.clock.until = run.reach.until
    if (run.reach.live && this.place.t === null) this.clock.follow()
    else this.clock.await(this.place.t ?? 0)
  }

  /** @param {import('./place.mjs').Place} place an address that was given */
  go (place) {
    const run = this.runs.find((each) => each.name === place.run)
    this.place = place
    if (run && run.number !== this.number) this.show(run.number)
    else if (place.t !== null) this.clock.await(place.t)
    this.drawn.panel = ''
  }

  acts () {
    const turn = (/** @type {number} */ step) => {
      const names = Object.keys(this.scene.player ?? {})
      this.choose(names[(names.indexOf(this.place.agent) + step + names.length) % names.length] ?? '')
    }
    return {
      toggle: () => this.clock.toggle(),
      jump: (/** @type {number} */ seconds) => this.seek(this.clock.at + seconds),
      mark: (/** @type {number} */ step) => {
        const at = nextMark(this.run?.marks ?? [], this.clock.at, step)
        if (at !== null) this.seek(at)
      },
      speed: (/** @type {number} */ step) => this.clock.change(step),
      start: () => this.seek(0),
      end: () => this.clock.follow(),
      agent: turn,
      nobody: () => this.choose(''),
      follow: () => this.setFollow(!this.place.follow || this.place.eyes),
      eyes: () => this.switch.toggleEyes(),
      space: () => this.switch.toggle(),
      zoom: (/** @type {number} */ times) => this.switch.zoom(times),
      whole: () => {
        this.map.camera.moved = false
        this.drawn.fitted = ''
        this.setFollow(false)
        this.switch.overlook()
      },
      hearing: () => { this.hearing = !this.hearing; this.heard = [] },
      areas: () => { this.map.areas = !this.map.areas },
      bubbles: () => { this.space.bubbles = this.map.bubbles = !this.map.bubbles },
      tab: (/** @type {string} */ name) => this.open(name),
      theme: () => this.theme(!document.documentElement.classList.contains('dark')),
      pan: (/** @type {number} */ right, /** @type {number} */ down) => this.map.camera.pan(right, down)
    }
  }

  /** @param {boolean} dark */
  theme (dark) {
    document.documentElement.classList.toggle('dark', dark)
    this.drawn.marks = ''
  }

  /** @param {number} at */
  seek (at) {
    this.clock.seek(at)
    this.drawn.address = 0
  }

  /** @param {string} name of an agent; empty for none */
  choose (name) {
    this.place.agent = name
    if (!name) this.place.follow = this.place.eyes = false
    else if (this.place.tab !== 'agents' && this.place.tab !== 'words' && this.place.tab !== 'calls') {
      this.place.tab = 'agents'
    }
    this.drawn.panel = ''
    this.drawn.address = 0
  }

  /** @param {boolean} on */
  setFollow (on) {
    this.place.follow = on && this.place.agent !== ''
    this.place.eyes = false
    this.drawn.panel = ''
    this.drawn.tools = ''
  }

  /** @param {string} tab */
  open (tab) {
    this.place.tab = tab
    this.drawn.panel = ''
    byId('panel').scrollTop = 0
  }

  /** @param {number} now milliseconds */
  frame (now) {
    // Requested first, so that drawing continues after an error in this frame, which the page shows.
    requestAnimationFrame((later) => this.frame(later))
    const seconds = Math.min(0.25, (now - this.then) / 1000)
    this.then = now
    const began = performance.now()
    if (this.run && this.began) {
      const { until, read, size } = this.run.reach
      this.clock.tick(seconds, until, read >= size)
      this.draw(this.run, now)
    } else this.drawNothing()
    this.frames.count++
    this.frames.ms += performance.now() - began
  }

  drawNothing () {
    this.map.resize()
    this.map.draw(NOTHING)
    this.notice(this.error || (this.runs.length ? 'Reading the record …' : 'Waiting for the first run …'))
  }

  /** @param {string} text */
  notice (text) {
    this.set('notice', 'hidden', !text)
    this.set('notice', 'textContent', text)
  }

  /**
   * Set a property of an element only if it changed, since every write triggers a new layout.
   * @param {string} id
   * @param {'hidden' | 'textContent' | 'max' | 'value' | 'ariaValueText' | 'ariaPressed'} what
   * @param {unknown} value
   */
  set (id, what, value) {
    const key = `${id} ${what}`
    if (Object.is(this.written.get(key), value)) return
    this.written.set(key, value)
    byId(id)[what] = value
  }

  /**
   * @param {Run} run
   * @param {number} now
   */
  draw (run, now) {
    const at = this.clock.at
    const cursor = run.cursor(at)
    this.map.resize()
    // Read before anything is written; reading a size afterwards would cause another layout.
    this.barWidth = byId('marks').clientWidth
    if (cursor) {
      this.scene = cursor.sceneAt(at)
      this.cursor = cursor
      this.lay(run)
      this.map.setTops(cursor)
    }
    if (!this.cursor) return this.drawNothing()
    const shown = this.cursor
    const often = now - this.drawn.panels > PANELS_MS
    const stamp = `${this.number} ${shown.chunk.n} ${shown.next} ${shown.chunk.changes.length}`
    const key = `${stamp} ${this.way}`
    if (!this.colouring || (often && key !== this.colouring.key)) this.colouring = { ...this.coloured(), key }
    const { ways, way, of: colours, meaning } = this.colouring
    // Before the first episode, while players negotiate, they are shown at their first positions.
    const ahead = !this.scene.run?.episode
    const place = (/** @type {string} */ name) => shown.placeAt(name, at) ?? (ahead ? shown.firstPlace(name) : null)
    this.aim()
    if (this.hearing) this.listen(run, at)
    const look = { scene: this.scene, at, stamp, place, colours, chosen: this.place.agent,
      speed: this.clock.playing ? this.clock.speed : 1, heard: this.hearing ? this.heard : NOTHING.heard, ahead }
    const told = this.switch.draw(look, shown, now, run.reach.live || run.reach.read < run.reach.size)
    if (told === null) this.map.draw(look)
    this.notice(this.error || (colours.size ? told ?? '' : 'Nobody is here yet.'))
    this.drawFrame(run, at, way, ways, meaning)
    if (often) {
      this.drawn.panels = now
      this.drawPanel(run, at, way, colours)
    }
    if (now - this.drawn.address > ADDRESS_MS) {
      this.drawn.address = now
      const { camera } = this.map
      const view = camera.moved && !this.place.follow ? { x: camera.x, z: camera.z, zoom: camera.zoom }
        : { x: null, z: null, zoom: null }
      const t = this.clock.live ? null : at
      history.replaceState(null, '', writePlace({ ...this.place, ...view, t, camera: this.switch.camera() }))
    }
  }

  /** Return the players' current colours and the colours' meanings. */
  coloured () {
    const ways = waysOf(this.scene)
    const way = ways.includes(this.way) ? this.way : ways.includes('role') ? 'role' : 'player'
    return { ways, way, ...paint(this.scene, way) }
  }

  /** Show the ground of the current moment. @param {Run} run */
  lay (run) {
    const ref = this.scene.run?.ground ?? this.cursor?.firstGround()
    const key = ref ? `${this.number} ${ref[0]}` : ''
    if (key === this.drawn.ground) return
    this.drawn.ground = key
    if (!ref) this.map.setGround(null)
    else run.line(ref, 'ground').then((told) => {
      if (key === this.drawn.ground) this.map.setGround(told.rows ? told : null)
    })
  }

  /** Move the camera to the followed player, the address's place, or all of the scene. */
  aim () {
    const { camera } = this.map
    const spot = this.place.follow ? this.cursor?.placeAt(this.place.agent, this.clock.at) : null
    if (spot) {
      if (!camera.moved) camera.zoom = 18
      camera.moved = true
      camera.centre(spot[0], spot[2])
    } else if (this.place.zoom !== null && this.place.x !== null && this.place.z !== null) {
      Object.assign(camera, { x: this.place.x, z: this.place.z, zoom: this.place.zoom, moved: true })
      this.place.zoom = null
    } else if (!camera.moved && this.cursor) {
      // Once per ground and window size, so that the map does not move while it is viewed.
      const key =
        `${this.drawn.ground} ${this.map.ground?.width} ${camera.width} ${camera.height} ${this.cursor.tracks.size}`
      if (key === this.drawn.fitted) return
      this.drawn.fitted = key
      this.map.fit(this.cursor.places())
    }
  }

  /** Find out who heard the latest words. @param {Run} run @param {number} at */
  listen (run, at) {
    const said = Object.entries(this.scene.say ?? {})
      .filter(([, words]) => words.at <= at && at - words.at < 6)
    const key = said.map(([name, words]) => `${name} ${words.ref[0]}`).join()
    if (key === this.heardKey) return
    this.heardKey = key
    const hearers = said.slice(-20).map(async ([from, words]) => {
      const line = await run.line(words.ref)
      return { from, to: line.data?.hearers ?? (words.to ? [words.to] : []) }
    })
    Promise.all(hearers).then((heard) => { this.heard = heard.filter(({ to }) => Array.isArray(to)) })
  }

  /**
   * Draw the time-dependent parts around the map.
   * @param {Run} run
   * @param {number} at
   * @param {string} way
   * @param {string[]} ways
   * @param {Map<string, string>} meaning
   */
  drawFrame (run, at, way, ways, meaning) {
    const { reach } = run
    const moves = this.clock.playing || this.clock.live
    this.set('time', 'max', String(Math.max(reach.until, 0.001)))
    // While time advances, the handle moves by whole pixels.
    const grain = moves ? reach.until / Math.max(1, this.barWidth) : 0
    this.set('time', 'value', String(grain && at < reach.until ? Math.floor(at / grain) * grain : at))
    this.set('time', 'ariaValueText', clockText(at))
    this.set('moment', 'textContent', `${clockText(at)} / ${clockText(reach.until)}${reach.live ? ' live' : ''}`)
    this.set('play', 'textContent', moves ? '❚❚' : '▶')
    this.set('speed', 'value', String(this.clock.speed))
    this.set('live', 'ariaPressed', String(this.clock.live))
    const share = Math.floor(reach.read / reach.size * 100)
    const reading = reach.read < reach.size && !reach.live ? ` – reading the record, ${share} %` : ''
    const skipped = reach.skipped ? ` – ${reach.skipped} lines could not be read` : ''
    const sealed = reach.sealed ? ' – people play: what is private is shown when the run is over' : ''
    this.set('stage', 'textContent', safeText(`${this.scene.run?.stage ?? ''}${reading}${skipped}${sealed}`))
    const marks = `${run.marks.length} ${reach.until} ${this.barWidth} ${reach.read}`
    if (marks !== this.drawn.marks) {
      this.drawn.marks = marks
      drawMarks(byId('marks'), run.marks, reach.until, reach.size ? reach.read / reach.size : 1)
    }
    drawTools(this, way, ways)
    drawLegend(this, way, meaning)
    drawSteering(this)
  }

  /**
   * @param {Run} run
   * @param {number} at
   * @param {string} way
   * @param {Map<string, string>} colours
   */
  drawPanel (run, at, way, colours) {
    const { tab, agent: chosen, follow } = this.place
    const panel = this.panels[tab]
    const view = {
      run, scene: this.scene, at, chosen, follow, way, colours, place: this.place,
      choose: (/** @type {string} */ name) => this.choose(name),
      setFollow: (/** @type {boolean} */ on) => this.setFollow(on),
      seek: (/** @type {number} */ moment) => this.seek(moment),
      redraw: () => { this.drawn.panel = '' }
    }
    const key = `${this.number} ${tab} ${panel.key(view)}`
    if (key === this.drawn.panel) return
    this.drawn.panel = key
    if (panel.root.parentElement !== byId('panel')) {
      fill(byId('panel'), [panel.root])
      for (const each of byId('tabs').children) each.setAttribute('aria-selected', String(each.dataset.tab === tab))
    }
    const focus = document.activeElement
    Promise.resolve(panel.show(view)).catch((error) => {
      this.failed(error)
      if (error instanceof SourceError) setTimeout(() => { this.drawn.panel = '' }, AGAIN_MS)
    })
    if (focus instanceof HTMLElement && focus.isConnected && focus !== document.activeElement) {
      focus.focus({ preventScroll: true })
    }
  }

  /** Return the player or block under the pointer. @param {number} left @param {number} top */
  under (left, top) {
    const player = this.map.playerAt(left, top)
    if (player) {
      const { role, act } = this.scene
      return { player: player.name,
        text: [player.name, role?.[player.name], act?.[player.name]?.text].filter(Boolean).join(' · ') }
    }
    const [x, z] = this.map.camera.toWorld(left, top)
    const block = this.map.ground && blockAt(this.map.ground, x, z, this.map.tops)
    const name = block?.name ? ` ${block.name.replaceAll('_', ' ')}` : ''
    return { player: '', text: `${Math.floor(x)}, ${Math.floor(z)}${name}` }
  }

  /** Return the marks at a position on the bar. @param {number} left @param {number} width */
  marksAt (left, width) {
    return this.run ? marksNear(this.run.marks, this.run.reach.until, width, left) : []
  }
}
