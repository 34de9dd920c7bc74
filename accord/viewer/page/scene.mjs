/** Scenes: the state at a moment, built from chunks of a record (see `accord/viewer/scene.py`). */

/** @typedef {[number, string, string, any]} Change a moment, a section, a key, and its value from then on */
/** @typedef {{n: number, at: number, until: number, count: number, scene: any, changes: Change[]}} Chunk */
/**
 * @typedef {{t: number[], from: number[], p: (number[] | null)[]}} Track moments, when each move began, and places;
 *   null while the player is away
 */

/** Maximum interval between two position samples in seconds; players without a sample for longer stood still. */
const LOOK_S = 6
/** Maximum speed of a walking player in blocks per second; faster moves are teleports. */
const FASTEST = 14

/** Moves of a player that are looked through for its direction, and the shortest one that has a direction. */
const LEGS = 60
const STEP = 0.25

/** @param {any} scene a copy that can be changed */
export function copyScene (scene) {
  // Objects without prototype, since a player may be called `constructor` or `__proto__`.
  return Object.fromEntries(Object.entries(scene)
    .map(([section, held]) => [section, Object.assign(Object.create(null), held)]))
}

/**
 * @param {any} scene
 * @param {Change} change
 */
export function applyChange (scene, [, section, key, value]) {
  const held = Object.hasOwn(scene, section) ? scene[section] : (scene[section] = Object.create(null))
  if (value === null) delete held[key]
  else held[key] = value
}

/**
* Return the first index whose moment is after `at`.
 * @param {number[]} moments in order
 * @param {number} at
 */
export function firstAfter (moments, at) {
  let [low, high] = [0, moments.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (moments[middle] <= at) low = middle + 1
    else high = middle
  }
  return low
}

/** One chunk, with the scene at the last requested moment. */
export class Cursor {
  /** @param {Chunk} chunk */
  constructor (chunk) {
    this.chunk = chunk
    this.scene = copyScene(chunk.scene)
    this.next = 0
    /** Counter that changes whenever the set of changed columns does. */
    this.turf = 0
    /** @type {Map<string, Track>} */
    this.tracks = new Map()
    /** @type {number[]} moments at which places were looked at */
    this.looks = []
    for (const [name, spot] of Object.entries(chunk.scene.at ?? {})) {
      this.tracks.set(name, { t: [chunk.at], from: [chunk.at], p: [spot] })
    }
    this.read(chunk.changes)
  }

  rewind () {
    this.scene = copyScene(this.chunk.scene)
    this.next = 0
    this.turf++
  }

  /** @param {Change[]} changes that came to the open chunk */
  grow (changes, until = this.chunk.until) {
    for (const change of changes) this.chunk.changes.push(change)
    this.chunk.until = until
    this.read(changes)
  }

  /** @param {Change[]} changes */
  read (changes) {
    for (const [at, section, name, spot] of changes) {
      if (section !== 'at') continue
      const last = this.looks.at(-1)
      if (last !== at) this.looks.push(at)
      const track = this.tracks.get(name) ?? { t: [], from: [], p: [] }
      this.tracks.set(name, track)
      const before = this.looks.at(-2) ?? this.chunk.at
      track.t.push(at)
      track.from.push(Math.max(before, at - LOOK_S))
      track.p.push(spot)
    }
  }

  /** @param {number} at the scene at that moment; it belongs to this cursor and is changed by the next call */
  sceneAt (at) {
    const changes = this.chunk.changes
    if (this.next > 0 && changes[this.next - 1][0] > at) this.rewind()
    while (this.next < changes.length && changes[this.next][0] <= at) {
      const change = changes[this.next++]
      if (change[1] === 'top') this.turf++
      applyChange(this.scene, change)
    }
    return this.scene
  }

  /**
* Return a player's first position in this chunk, or null.
   * @param {string} name
   */
  firstPlace (name) {
    return this.tracks.get(name)?.p.find((spot) => spot !== null) ?? null
  }

  /**
* Return all positions of players in this chunk.
   * @returns {number[][]}
   */
  places () {
    return [...this.tracks.values()].flatMap(({ p }) => p.filter((spot) => spot !== null))
  }

  /** Return the first ground of this chunk, or null. */
  firstGround () {
    return this.chunk.changes.find(([, section, key]) => section === 'run' && key === 'ground')?.[3] ?? null
  }

  /**
   * Return the direction in which a player walks, or walked last, in degrees: 0 to the south, 90 to the west.
   * @param {string} name
   * @param {number} at
   */
  headingAt (name, at) {
    const track = this.tracks.get(name)
    if (!track) return 0
    const next = firstAfter(track.t, at)
    for (let place = Math.min(next, track.p.length - 1); place > 0 && place > next - LEGS; place--) {
      const [from, to] = [track.p[place - 1], track.p[place]]
      if (!from || !to || (place === next && at <= track.from[next])) continue
      const [dx, dz] = [to[0] - from[0], to[2] - from[2]]
      if (Math.hypot(dx, dz) >= STEP) return Math.atan2(-dx, dz) * 180 / Math.PI + 0
    }
    return 0
  }

  /**
* Return a player's position at a moment, interpolated between samples, or null if it is absent.
   * @param {string} name
   * @param {number} at
   * @returns {number[] | null}
   */
  placeAt (name, at) {
    const track = this.tracks.get(name)
    if (!track) return null
    const next = firstAfter(track.t, at)
    const [last, coming] = [track.p[next - 1] ?? null, track.p[next]]
    if (!last || !coming || at <= track.from[next]) return last
    const share = (at - track.from[next]) / (track.t[next] - track.from[next])
    const far = Math.hypot(coming[0] - last[0], coming[2] - last[2])
    if (far > FASTEST * (track.t[next] - track.from[next])) return last
    return last.map((part, axis) => part + (coming[axis] - part) * share)
  }
}
