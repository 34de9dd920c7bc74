/** The game through a player's own eyes: the view in three dimensions, fed by the player's client. */
import { coloursOf } from './colours.mjs'
import { columnKey } from './land_model.mjs'
import { SourceError } from './source.mjs'
import { Space } from './space.mjs'

/** Sight in columns; the player's client loads as many. */
const SIGHT = 5
/** Share of the way to the last reported place that a body goes in a second, and the distance that is a jump. */
const FOLLOW = 22
const JUMP = 4
/** Height by which sneaking lowers the eyes, in blocks. */
const SNEAK = 0.35

/** @typedef {{at: number[], yaw: number, held: string}} Seen */

/** @param {string} path @returns {Promise<Response>} */
async function ask (path) {
  const answer = await fetch(path).catch((error) => { throw new SourceError(`no answer: ${error.message}`) })
  if (!answer.ok) throw new SourceError((await answer.json()).error ?? `the server says ${answer.status}`)
  return answer
}

/** Source of the land around a player (`accord/viewer/seat_server.py`). */
export class SeatSource {
  /** @param {string} me */
  constructor (me) {
    this.me = me
  }

  /** @param {string} what @param {Record<string, any>} [query] @returns {Promise<any>} */
  async part (what, query = {}) {
    // Changes come as reports of whole columns.
    if (what === 'blocks') return []
    if (what === 'land') {
      return { able: true, state: 'ready', why: '', notes: [], facts: await this.part('facts') }
    }
    const given = what === 'bodies' ? { players: this.me, ...query } : query
    const asked = new URLSearchParams(Object.entries(given).map(([key, value]) => [key, String(value)]))
    return (await ask(`api/land/${what}?${asked}`)).json()
  }

  /** @param {[number, number][]} places @returns {Promise<ArrayBuffer>} */
  async columns (places) {
    const at = places.map((place) => place.join()).join(';')
    return (await ask(`api/land/columns?${new URLSearchParams({ at })}`)).arrayBuffer()
  }
}

/** The view through the player's eyes. */
export class SeatSpace extends Space {
  /** @param {(error: unknown) => void} failed @param {string} me */
  constructor (failed, me) {
    super(failed)
    this.me = me
    this.sight = SIGHT
    this.bubbles = false
    // The camera is a head: it never glides.
    this.flight.calm = true
    this.yaw = 0
    this.pitch = 0
    this.sneaks = false
    this.weather = 'clear'
    this.time = 0
    /** @type {Map<string, Seen>} */
    this.players = new Map()
    /** Places as they are drawn, on their way to the reported ones. @type {Map<string, number[]>} */
    this.shown = new Map()
    /** Items on the ground, as scenes hold them. @type {Record<string, any>} */
    this.drops = {}
    /** @type {Record<string, any>} */
    this.mobs = {}
    /** @type {[number, number, number, string[]][]} */
    this.words = []
    /** @type {Map<string, string>} */
    this.colours = new Map()
    /** @type {Promise<unknown>} */
    this.reloading = Promise.resolve()
  }

  /** Begin to look at the world that the player has entered. */
  async begin () {
    await this.know(new SeatSource(this.me))
    this.open()
  }

  /** @param {{at: number[], sneaks: boolean, time: number, rains: boolean}} report */
  moveSelf ({ at, sneaks, time, rains }) {
    this.sneaks = sneaks
    this.weather = rains ? 'rain' : 'clear'
    this.time = time
    this.see(this.me, { at, yaw: this.yaw, held: '' })
  }

  /** @param {any} report of everybody else */
  moveOthers ({ players, drops, mobs }) {
    const there = new Set([this.me, ...players.map((/** @type {any[]} */ each) => each[0])])
    for (const name of [...this.players.keys()]) if (!there.has(name)) this.players.delete(name)
    for (const [name, x, y, z, yaw, held] of players) this.see(name, { at: [x, y, z], yaw, held })
    // What an item is comes a moment after the item itself.
    this.drops = Object.fromEntries(drops.filter((/** @type {any[]} */ each) => each[4])
      .map((/** @type {any[]} */ [id, x, y, z, kind]) => [id, [kind, 1, x, y, z]]))
    this.mobs = Object.fromEntries(mobs.map((/** @type {any[]} */ [id, ...rest]) => [id, rest]))
  }

  /** Signs as the player's client knows them now. */
  get signs () { return this.words }

  /** @param {string} name @param {Seen} seen */
  see (name, seen) {
    this.players.set(name, seen)
    if (!this.colours.has(name)) this.colours = coloursOf([...this.colours.keys(), name])
  }

  /** Load columns again that have changed. @param {[number, number][]} places */
  change (places) {
    const { loader } = this
    if (!loader) return
    // One after the other, so that an older state never replaces a newer one.
    this.reloading = this.reloading.then(() => loader.reload(places)).catch(this.failed)
  }

  /** Draw one picture. @param {number} now milliseconds @param {number} passed seconds since the last one */
  paint (now, passed) {
    for (const [name, { at }] of this.players) this.shown.set(name, stepTo(this.shown.get(name), at, passed * FOLLOW))
    for (const name of this.shown.keys()) if (!this.players.has(name)) this.shown.delete(name)
    if (this.skies) Object.assign(this.skies.facts, { time: this.time, weather: this.weather })
    this.flight.setMode('eyes')
    this.flight.aside = { yaw: 0, pitch: this.pitch }
    const held = Object.fromEntries([...this.players].filter(([, each]) => each.held).map(([name, each]) =>
      [name, each.held]))
    const view = /** @type {any} */ ({ chosen: this.players.has(this.me) ? this.me : '', colours: this.colours,
      place: (/** @type {string} */ name) => this.eyesOf(name),
      heading: (/** @type {string} */ name) => name === this.me ? this.yaw : this.players.get(name)?.yaw ?? 0,
      scene: { held, mob: this.mobs, drop: this.drops }, at: 0, seconds: 0, places: () => [], ahead: false })
    this.draw(view, now, passed, false)
  }

  /** @param {string} name */
  eyesOf (name) {
    const at = this.shown.get(name)
    return at && name === this.me && this.sneaks ? [at[0], at[1] - SNEAK, at[2]] : at ?? null
  }

  /** @param {any} view @param {any} seen */
  placeBodies (view, seen) {
    super.placeBodies(view, seen)
    // Nobody reads its own name.
    this.dots = this.dots.filter((dot) => dot.name !== this.me)
  }

  /** True once the column that the player stands in is drawn. */
  get stands () {
    const at = this.shown.get(this.me)
    return at !== undefined && this.scene?.columns.has(columnKey(at[0] >> 4, at[2] >> 4)) === true
  }
}

/**
 * Return the next place on the way to a place.
 * @param {number[] | undefined} from @param {number[]} to @param {number} share of the way
 */
export function stepTo (from, to, share) {
  if (!from || Math.hypot(...to.map((part, axis) => part - from[axis])) > JUMP) return to
  return from.map((part, axis) => part + (to[axis] - part) * Math.min(1, share))
}
