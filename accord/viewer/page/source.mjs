/** Sources of records: the page's server, or the page itself if it was exported. */

import { isOnChannel } from './words.mjs'

/** Missing answer or refusal of a source; any other error is the page's own. */
export class SourceError extends Error {}

/**
 * @param {string} path
 * @param {Record<string, any>} [query]
 * @param {RequestInit} [how]
 */
async function ask (path, query = {}, how) {
  const asked = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== '' && value !== undefined))
  /** @type {[Response, any]} */
  const [answer, told] = await answered(`api/${path}${asked.size ? `?${asked}` : ''}`, how).catch((error) => {
    throw new SourceError(`no answer: ${error.message}`)
  })
  if (!answer.ok) throw new SourceError(told.error ?? `the server says ${answer.status}`)
  return told
}

/** @param {string} url @param {RequestInit} [how] @returns {Promise<[Response, any]>} */
async function answered (url, how) {
  const answer = await fetch(url, how)
  return [answer, await answer.json()]
}

/** @param {number} number @param {[number, number][]} places of columns @returns {Promise<ArrayBuffer>} */
async function askColumns (number, places) {
  const at = places.map((place) => place.join()).join(';')
  const answer = await fetch(`api/run/${number}/columns?${new URLSearchParams({ at })}`).catch((error) => {
    throw new SourceError(`no answer: ${error.message}`)
  })
  if (!answer.ok) throw new SourceError((await answer.json()).error ?? `the server says ${answer.status}`)
  return answer.arrayBuffer()
}

/** Records of a server. */
export class Server {
  async runs () {
    return ask('runs')
  }

  /** @param {string} [what] pause, go or end; nothing asks how it stands */
  async steer (what) {
    return (what ? await ask('control', { what }, { method: 'POST' }) : await ask('control')).state
  }

  /** @param {number} number of a run */
  run (number) {
    return {
      reach: (/** @type {number} */ read) => ask(`run/${number}/reach`, { read }),
      chunk: (/** @type {number} */ n, /** @type {number} */ after) =>
        ask(`run/${number}/chunk/${n}`, after ? { after } : {}),
      part: (/** @type {string} */ what, /** @type {Record<string, any>} */ query = {}) =>
        ask(`run/${number}/${what}`, query),
      columns: (/** @type {[number, number][]} */ places) => askColumns(number, places)
    }
  }
}

/** @param {string} text base64 of zlib-compressed bytes @returns {Promise<ArrayBuffer>} */
export function inflated (text) {
  const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0))
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'))).arrayBuffer()
}

/** @param {string} text base64 of zlib-compressed JSON */
export async function unpacked (text) {
  return JSON.parse(new TextDecoder().decode(await inflated(text)))
}

/** A name in a list separated by commas, with properties in brackets. */
const LISTED = /[^,[\]]+(\[[^[\]]*\])?/g
/** Nothing, compressed. */
const NO_BYTES = 'eJwDAAAAAAE='

/** The single record embedded in an exported page. */
export class EmbeddedRecord {
  /** @param {any} held what `accord/viewer/export.py` put into the page */
  constructor (held) {
    this.held = held
    /** @type {Map<string, Promise<any>>} */
    this.open = new Map()
  }

  async runs () {
    return { runs: [this.held.run], newest: false }
  }

  async steer () {
    return null
  }

  /** @param {string} key */
  unpack (key) {
    const found = this.open.get(key) ?? unpacked(this.held.parts[key])
    this.open.set(key, found)
    return found
  }

  run () {
    return {
      reach: async () => this.held.reach,
      chunk: async (/** @type {number} */ n) => unpacked(this.held.chunks[n]),
      part: (/** @type {string} */ what, /** @type {Record<string, any>} */ query = {}) => this.part(what, query),
      columns: (/** @type {[number, number][]} */ places) => this.columns(places)
    }
  }

  /**
   * @param {string} what
   * @param {Record<string, any>} query
   */
  async part (what, query) {
    if (what === 'line' || what === 'ground' || what === 'call') {
      const line = (await this.unpack(`${what}s`))[query.o]
      if (!line) throw new SourceError('left out of this file: see the record')
      return line
    }
    if (what === 'deeds') return (await this.unpack('deeds'))[query.player] ?? []
    if (what === 'words') return this.words(query)
    if (what === 'calls') return this.calls(query)
    if ((what === 'marks' || what === 'blocks') && query.after) return []
    if (what === 'news') return this.news(query)
    return this.unpack(what)
  }

  /** Return looks and textures, all at the first request. @param {Record<string, any>} query */
  async news ({ look = 0, names = '' }) {
    const told = await this.unpack('news')
    const named = (names.match(LISTED) ?? []).map((/** @type {string} */ name) =>
      Object.hasOwn(told.named, name) ? told.named[name] : 0)
    return look ? { looks: [], textures: NO_BYTES, named } : { looks: told.looks, textures: told.textures, named }
  }

  /**
   * Return columns; what was left out of the file is empty.
   * @param {[number, number][]} places
   * @returns {Promise<ArrayBuffer>}
   */
  async columns (places) {
    /** @type {Record<string, string>} */
    const kept = await this.unpack('columns')
    const parts = await Promise.all(places.map(async ([cx, cz]) => {
      const found = kept[`${cx},${cz}`]
      return found === undefined ? new Int32Array([cx, cz, 0]).buffer : inflated(found)
    }))
    return new Blob(parts).arrayBuffer()
  }

  /** @param {Record<string, any>} query */
  async words (query) {
    const text = String(query.text ?? '').toLowerCase()
    const rows = (await this.unpack('words')).filter((/** @type {any[]} */ row) =>
      (query.before === '' || row[0] <= (query.before ?? Infinity)) &&
      (!query.who || row[2] === query.who || row[3] === query.who) && String(row[4]).toLowerCase().includes(text) &&
      (!query.kinds || query.kinds.split(',').includes(row[1])) && isOnChannel(row, query.channel ?? ''))
    return rows.slice(-400)
  }

  /** @param {Record<string, any>} query */
  async calls (query) {
    const text = String(query.text ?? '').toLowerCase()
    const texts = text ? await this.unpack('calls') : {}
    const rows = (await this.unpack('asked')).filter((/** @type {any[]} */ row) => row[0] >= (query.start ?? 0) &&
      (!query.player || row[1] === query.player) && (!query.role || row[2] === query.role) &&
      (!text || JSON.stringify(texts[row[10]] ?? row).toLowerCase().includes(text)))
    return { rows: rows.slice(0, 200), next: rows.length > 200 ? rows[200][0] : null }
  }
}
