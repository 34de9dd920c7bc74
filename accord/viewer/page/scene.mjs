/** Scenes: what is true at a moment, from chunks of a record (`accord/viewer/scene.py` says what they are). */

/** @typedef {[number, string, string, any]} Change a moment, a section, a key, and its value from then on */
/** @typedef {{n: number, at: number, until: number, count: number, scene: any, changes: Change[]}} Chunk */
/** @typedef {{t: number[], from: number[], p: (number[] | null)[]}} Track moments, when each move began, and places; null while the player is away */

/** Seconds between two looks at places at most; whoever was not told of for longer has stood still. */
const LOOK_S = 6
/** Blocks a second; whoever is faster was moved. */
const FASTEST = 14

/** @param {any} scene a copy that can be changed */
export function copy (scene) {
  // Without a prototype: a player may be called `constructor` or `__proto__`.
  return Object.fromEntries(Object.entries(scene).map(([section, held]) => [section, Object.assign(Object.create(null), held)]))
}

/**
 * @param {any} scene
 * @param {Change} change
 */
export function apply (scene, [, section, key, value]) {
  const held = Object.hasOwn(scene, section) ? scene[section] : (scene[section] = Object.create(null))
  if (value === null) delete held[key]
  else held[key] = value
}

/**
 * The first index whose moment is after `at`.
 * @param {number[]} moments in order
 * @param {number} at
 */
export function after (moments, at) {
  let [low, high] = [0, moments.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (moments[middle] <= at) low = middle + 1
    else high = middle
  }
  return low
}

/** One chunk, and the scene at the moment in it that was asked for last. */
export class Cursor {
  /** @param {Chunk} chunk */
  constructor (chunk) {
    this.chunk = chunk
    this.scene = copy(chunk.scene)
    this.next = 0
    /** Another number whenever the columns that have changed are others. */
    this.turf = 0
    /** @type {Map<string, Track>} */
    this.tracks = new Map()
    /** @type {number[]} moments at which places were looked at */
    this.looks = []
    for (const [name, spot] of Object.entries(chunk.scene.at ?? {})) this.tracks.set(name, { t: [chunk.at], from: [chunk.at], p: [spot] })
    this.read(chunk.changes)
  }

  rewind () {
    this.scene = copy(this.chunk.scene)
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
      apply(this.scene, change)
    }
    return this.scene
  }

  /**
   * Where a player is first seen in this chunk; null where it never is.
   * @param {string} name
   */
  firstPlace (name) {
    return this.tracks.get(name)?.p.find((spot) => spot !== null) ?? null
  }

  /**
   * Every place at which a player was seen in this chunk.
   * @returns {number[][]}
   */
  places () {
    return [...this.tracks.values()].flatMap(({ p }) => p.filter((spot) => spot !== null))
  }

  /** The ground that is laid first in this chunk; null for none. */
  firstGround () {
    return this.chunk.changes.find(([, section, key]) => section === 'run' && key === 'ground')?.[3] ?? null
  }

  /**
   * Where a player is at that moment, between the places that were looked at; null where it is not there.
   * @param {string} name
   * @param {number} at
   * @returns {number[] | null}
   */
  placeAt (name, at) {
    const track = this.tracks.get(name)
    if (!track) return null
    const next = after(track.t, at)
    const [last, coming] = [track.p[next - 1] ?? null, track.p[next]]
    if (!last || !coming || at <= track.from[next]) return last
    const share = (at - track.from[next]) / (track.t[next] - track.from[next])
    const far = Math.hypot(coming[0] - last[0], coming[2] - last[2])
    if (far > FASTEST * (track.t[next] - track.from[next])) return last
    return last.map((part, axis) => part + (coming[axis] - part) * share)
  }
}
