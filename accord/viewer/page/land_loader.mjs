/** Loading of a land around the camera, and of its changes: what the mesher needs, nearest first. */
import { Mesher } from './mesher.mjs'
import { partlyClear } from './mesh_maker.mjs'
import { columnKey } from './land_model.mjs'
import { firstAfter } from './scene.mjs'
import { TEXTURE_WORDS } from './gl_scene.mjs'
import { inflated } from './source.mjs'

/** Columns of a request, and requests at a time. */
const COLUMNS_AT_ONCE = 16
const MAX_REQUESTS = 2
/** Interval between requests for changes of a run that is played, in milliseconds. */
const CHANGES_MS = 700
/** Interval before a failed request is repeated, in milliseconds. */
const AGAIN_AFTER_MS = 1500
const BLOCKS_AT_ONCE = 40
/** Text of a block: its name, and properties that are not the usual ones. */
const BLOCK = /^[a-z0-9_]{1,60}(\[[a-z0-9_=,]{1,900}\])?$/

/**
 * Source of a land: see `accord/viewer/server.py`.
 * @typedef {{part: (what: string, query?: Record<string, any>) => Promise<any>, columns: (places: [number, number][])
 *   =>
 *   Promise<ArrayBuffer>}} LandSource
 */

/** Loader of one land. */
export class LandLoader {
  /**
   * @param {LandSource} source
   * @param {{min_y: number, sections: number}} facts
   * @param {{mesh: (news: import('./mesh_server.mjs').MesherNews) => void, textures: (words: Uint32Array) => void,
   *   failed:
   *   (error: unknown) => void}} listener
   */
  constructor (source, facts, listener) {
    this.source = source
    this.listener = listener
    this.mesher = new Mesher((news) => this.hear(news), listener.failed)
    this.mesher.order({ kind: 'begin', facts })
    this.looks = 0
    this.textures = 0
    /** @type {Promise<unknown>} */
    this.newsComing = Promise.resolve()
    /** Columns that are loaded or on their way. @type {Set<number>} */
    this.asked = new Set()
    this.requests = 0
    this.center = { cx: NaN, cz: NaN, far: 0 }
    /** Moments of changes, in order. @type {number[]} */
    this.times = []
    this.lastChange = 0
    this.looked = -Infinity
    this.asking = false
    this.moment = -1
    /** Look of each block's text. @type {Map<string, number>} */
    this.names = new Map([['air', 0]])
    this.ended = false
  }

  /** @param {import('./mesh_server.mjs').MesherNews} news */
  hear (news) {
    if (this.ended) return
    if ('dropped' in news) for (const [cx, cz] of news.dropped) this.asked.delete(columnKey(cx, cz))
    this.listener.mesh(news)
  }

  /** Look from a column over so many columns. @param {number} cx @param {number} cz @param {number} far */
  aim (cx, cz, far) {
    const { center } = this
    if (center.cx !== cx || center.cz !== cz || center.far !== far) {
      this.center = { cx, cz, far }
      this.mesher.order({ kind: 'view', cx, cz, far })
    }
    while (this.requests < MAX_REQUESTS && this.requestColumns());
  }

  /** Request the nearest columns that are missing, and return false if there are none. */
  requestColumns () {
    const { cx, cz, far } = this.center
    /** @type {[number, number, number][]} */
    const missing = []
    const reach = far + 1
    for (let x = -reach; x <= reach; x++) {
      for (let z = -reach; z <= reach; z++) {
        // One column more on all sides: meshes need their neighbours.
        const distance = x * x + z * z
        if (distance > (reach + 1) ** 2 || this.asked.has(columnKey(cx + x, cz + z))) continue
        missing.push([cx + x, cz + z, distance])
      }
    }
    if (missing.length === 0) return false
    const wanted = missing.sort((one, other) => one[2] - other[2]).slice(0, COLUMNS_AT_ONCE)
    this.load(wanted.map(([x, z]) => [x, z]))
    return true
  }

  /** @param {[number, number][]} places */
  async load (places) {
    this.requests++
    for (const [x, z] of places) this.asked.add(columnKey(x, z))
    try {
      const buffer = await this.source.columns(places)
      const words = new Uint16Array(buffer)
      await this.need(highestLook(words))
      if (!this.ended) this.mesher.order({ kind: 'columns', buffer }, [buffer])
    } catch (error) {
      this.listener.failed(error)
      setTimeout(() => { for (const [x, z] of places) this.asked.delete(columnKey(x, z)) }, AGAIN_AFTER_MS)
    } finally {
      this.requests--
    }
  }

  /** Load columns again that have changed, if they were loaded. @param {[number, number][]} places */
  async reload (places) {
    const loaded = places.filter(([x, z]) => this.asked.has(columnKey(x, z)))
    for (let from = 0; from < loaded.length && !this.ended; from += COLUMNS_AT_ONCE) {
      const buffer = await this.source.columns(loaded.slice(from, from + COLUMNS_AT_ONCE))
      await this.need(highestLook(new Uint16Array(buffer)))
      if (!this.ended) this.mesher.order({ kind: 'columns', buffer, anew: true }, [buffer])
    }
  }

  /** Load looks and textures until that look is known. @param {number} look */
  async need (look) {
    // Twice, since the first answer may have been on its way before the look had a number.
    for (let tries = 0; tries < 2 && look >= this.looks && !this.ended; tries++) await this.news({})
  }

  /** Load new looks and textures. @param {{names?: string}} query @returns {Promise<number[]>} looks of the names */
  news (query) {
    const coming = this.newsComing.then(async () => {
      const told = await this.source.part('news', { look: this.looks, texture: this.textures, ...query })
      const words = new Uint32Array(await inflated(told.textures))
      const clear = partlyClear(words, TEXTURE_WORDS, this.textures)
      if (words.length) this.listener.textures(words)
      this.textures += words.length / TEXTURE_WORDS
      this.looks += told.looks.length
      this.mesher.order({ kind: 'looks', looks: told.looks, clear })
      return told.named
    })
    this.newsComing = coming.catch(() => {})
    return coming
  }

  /** Show the land of a moment. @param {number} at @param {number} now milliseconds @param {boolean} grows */
  follow (at, now, grows) {
    if (!this.asking && (grows || this.looked === -Infinity) && now - this.looked > CHANGES_MS) {
      this.looked = now
      this.loadChanges()
    }
    const moment = firstAfter(this.times, at)
    if (moment !== this.moment) {
      this.moment = moment
      this.mesher.order({ kind: 'moment', moment })
    }
    this.mesher.work()
  }

  async loadChanges () {
    this.asking = true
    try {
      for (;;) {
        /** @type {[number, number, number, number, number, string][]} */
        const rows = await this.source.part('blocks', { after: this.lastChange })
        if (rows.length === 0 || this.ended) break
        await this.learn(rows.map((row) => row[5]))
        const changes = rows.map(([, , x, y, z, name]) =>
          /** @type {[number, number, number, number]} */ ([x, y, z, name === '' ? -1 : this.names.get(name) ?? 0]))
        this.mesher.order({ kind: 'changes', changes })
        for (const row of rows) this.times.push(row[1])
        this.lastChange = rows[rows.length - 1][0]
        // The mesher has now more changes than the last order named.
        this.moment = -1
      }
    } catch (error) {
      this.looked = -Infinity
      this.listener.failed(error)
    } finally {
      this.asking = false
    }
  }

  /** Learn the looks of blocks by their texts. @param {string[]} names */
  async learn (names) {
    const unknown = [...new Set(names)].filter((name) => BLOCK.test(name) && !this.names.has(name))
    for (let from = 0; from < unknown.length; from += BLOCKS_AT_ONCE) {
      const asked = unknown.slice(from, from + BLOCKS_AT_ONCE)
      const looks = await this.news({ names: asked.join() })
      asked.forEach((name, place) => this.names.set(name, looks[place] ?? 0))
      await this.need(Math.max(...looks))
    }
  }

  end () {
    this.ended = true
    this.mesher.end()
  }
}

/** Return the highest look in columns as they are sent. @param {Uint16Array} words */
export function highestLook (words) {
  let most = 0
  for (let at = 0; at < words.length;) {
    const sections = bitsOf(words[at + 4]) + bitsOf(words[at + 5])
    at += 6
    for (const end = at + sections * 4096; at < end; at++) if (words[at] > most) most = words[at]
  }
  return most
}

/** @param {number} mask */
function bitsOf (mask) {
  let count = 0
  for (let rest = mask; rest; rest &= rest - 1) count++
  return count
}
