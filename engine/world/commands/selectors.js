'use strict'
/**
 * Target selectors: a player's name, a UUID, or @p @a @r @s @e with options. Parsed first, resolved when the command
 * runs.
 */
const { matches } = require('../nbt/path')
const { readCompound } = require('../nbt/snbt')
const { readRange } = require('./ranges')
const { CommandError } = require('./reader')
const { nameTable } = require('../../name_table')

/** @typedef {import('./reader').Reader} Reader */
/** @typedef {import('./source').Source} Source */
/** @typedef {import('../entities/entity').Entity} Entity */
/** @typedef {{ text: string, not: boolean, key: string, value: any }} Option */

const SORTS = ['nearest', 'furthest', 'random', 'arbitrary']
const NUMBERS = new Set(['x', 'y', 'z', 'dx', 'dy', 'dz'])
const NEGATABLE = new Set(['name', 'type', 'gamemode', 'tag', 'team', 'nbt'])
const ONCE = new Set(['advancements', 'x', 'y', 'z', 'dx', 'dy', 'dz', 'distance', 'limit', 'sort', 'level', 'scores',
  'x_rotation', 'y_rotation'])
/** Vanilla's entity type tags. @type {Record<string, Set<string>>} */
const TYPE_TAGS = nameTable({
  skeletons: new Set(['skeleton', 'stray', 'wither_skeleton', 'skeleton_horse']),
  raiders: new Set(['evoker', 'pillager', 'ravager', 'vindicator', 'illusioner', 'witch']),
  arrows: new Set(['arrow', 'spectral_arrow']),
  impact_projectiles: new Set(['arrow', 'spectral_arrow', 'snowball', 'fireball', 'small_fireball', 'egg', 'trident',
    'dragon_fireball', 'wither_skull']), beehive_inhabitors: new Set(['bee']),
    frog_food: new Set(['slime', 'magma_cube']),
  axolotl_always_hostiles: new Set(['drowned', 'guardian', 'elder_guardian']),
  axolotl_hunt_targets: new Set(['tropical_fish', 'pufferfish', 'salmon', 'cod', 'squid', 'glow_squid', 'tadpole'])
})
/** @type {Record<string, { players: boolean, limit: number, sort: string }>} */
const LETTERS = { p: { players: true, limit: 1, sort: 'nearest' },
  a: { players: true, limit: Infinity, sort: 'arbitrary' }, r: { players: true, limit: 1, sort: 'random' },
  s: { players: false, limit: 1, sort: 'arbitrary' }, e: { players: false, limit: Infinity, sort: 'arbitrary' } }

/** A parsed selector. */
class Selector {
  /** @param {{ name?: string, letter?: string, options?: Option[], mustBePlayers: boolean }} parts */
  constructor ({ name = '', letter = '', options = [], mustBePlayers }) {
    this.name = name
    this.letter = letter
    this.options = options
    this.mustBePlayers = mustBePlayers
    const own = LETTERS[letter] ?? { players: true, limit: 1, sort: 'arbitrary' }
    this.players = own.players
    this.limit = options.find((o) => o.key === 'limit')?.value ?? own.limit
    this.sort = options.find((o) => o.key === 'sort')?.value ?? own.sort
  }

  /** True if the selector can match players only. */
  get onlyPlayers () {
    return this.players || this.letter === 's' ||
      this.options.some((o) => o.key === 'type' && !o.not && o.value === 'player')
  }

  /**
   * Return all matching entities, possibly none.
   * @param {Source} source
   * @returns {Entity[]}
   */
  find (source) {
    const { world } = source
    if (this.name) return this.byName(world)
    if (this.letter === 's') return source.entity && this.fits(source.entity, source) ? [source.entity] : []
    const all = this.players ? [...world.players.values()] : [...world.entities.values()]
    const alive = all.filter((e) => this.players || !(/** @type {any} */ (e).dead))
    const found = this.sorted(alive.filter((e) => this.fits(e, source)), source)
    return found.slice(0, this.limit)
  }

  /** @param {import('../world').World} world @returns {Entity[]} */
  byName (world) {
    const player = world.players.get(this.name) ??
      [...world.players.values()].find((p) => p.name.toLowerCase() === this.name.toLowerCase())
    if (player) return [player]
    return [...world.entities.values()].filter((e) => e.uuid === this.name)
  }

  /** @param {Entity[]} list @param {Source} source */
  sorted (list, source) {
    const { x, y, z } = this.origin(source)
    const far = (/** @type {Entity} */ e) => (e.x - x) ** 2 + (e.y - y) ** 2 + (e.z - z) ** 2
    if (this.sort === 'nearest') return list.sort((a, b) => far(a) - far(b))
    if (this.sort === 'furthest') return list.sort((a, b) => far(b) - far(a))
    if (this.sort !== 'random') return list
    const random = source.world.random.stream('selectors')
    for (let i = list.length - 1; i > 0; i--) {
      const j = random.int(0, i)
      ;[list[i], list[j]] = [list[j], list[i]]
    }
    return list
  }

  /** @param {Source} source */
  origin (source) {
    const at = { ...source.pos }
    for (const { key, value } of this.options) if (key === 'x' || key === 'y' || key === 'z') at[key] = value
    return at
  }

  /** @param {Entity} entity @param {Source} source */
  fits (entity, source) {
    const at = this.origin(source)
    const box = this.options.filter((o) => /^d[xyz]$/.test(o.key))
    if (box.length > 0 && !inBox(entity, at, box)) return false
    return this.options.every((option) => fitsOption(entity, option, at) !== option.not)
  }

  /** Return all matching entities, at least one. @param {Source} source */
  some (source) {
    const found = this.find(source)
    if (found.length === 0) {
      throw new CommandError(source.world.data.text(this.mustBePlayers || this.name || this.players
        ? 'argument.entity.notfound.player' : 'argument.entity.notfound.entity'))
    }
    return found
  }

  /** Return the one matching entity. @param {Source} source */
  one (source) { return this.some(source)[0] }
}

/** @param {Entity} entity @param {{ x: number, y: number, z: number }} at @param {Option[]} options */
function inBox (entity, at, options) {
  const d = Object.fromEntries(options.map((o) => [o.key, o.value]))
  return /** @type {const} */ (['x', 'y', 'z']).every((axis, i) => {
    const size = d[`d${axis}`] ?? 0
    const low = at[axis] + Math.min(0, size)
    const high = at[axis] + Math.max(0, size) + 1
    return entity.box[i] < high && entity.box[i + 3] > low
  })
}

/**
 * Return true if an entity fits an option, regardless of a leading "!".
 * @param {any} entity
 * @param {Option} option
 * @param {{ x: number, y: number, z: number }} at
 * @returns {boolean}
 */
function fitsOption (entity, { key, value }, at) {
  switch (key) {
    case 'name': return entity.displayName === value
    case 'type': return value.startsWith('#') ? (TYPE_TAGS[value.slice(1)]?.has(entity.type) ?? false)
      : entity.type === value
    case 'gamemode': return entity.gamemode === value
    case 'tag': return value === '' ? entity.tags.size === 0 : entity.tags.has(value)
    case 'team': return (entity.world.teams.byMember.get(entity.name ?? entity.uuid)?.name ?? '') === value
    case 'advancements': return Object.entries(value)
      .every(([name, done]) => (entity.advancements?.has(name) ?? false) === done)
    case 'level': return inside(entity.experience?.level ?? 0, value)
    case 'distance': return inside(Math.hypot(entity.x - at.x, entity.y - at.y, entity.z - at.z), value)
    case 'x_rotation': return inside(entity.pitch, value)
    case 'y_rotation': return inside(entity.yaw, value)
    case 'scores': return Object.entries(value).every(([name, range]) => {
      const score = entity.world.scoreboard.objectives.get(name)?.scores.get(entity.name ?? entity.uuid)
      return score !== undefined && inside(score, range)
    })
    case 'nbt': return matches(value, { type: 'compound', value: entity.nbt() })
    default: return true
  }
}

/** @param {number} value @param {any} range */
function inside (value, range) { return value >= range.min && value <= range.max }

/**
 * @param {Reader} reader
 * @param {{ players: boolean, single: boolean, data: import('../data').GameData }} wanted
 * @returns {Selector}
 */
function readSelector (reader, { players, single, data }) {
  const start = reader.at
  if (reader.peek() === '@' && !reader.selectors) throw reader.error('argument.entity.selector.not_allowed')
  const selector = reader.peek() === '@' ? readAt(reader, players, data) : readName(reader, players)
  if (single && selector.limit > 1) {
    throw reader.errorAt(start, players ? 'argument.player.toomany' : 'argument.entity.toomany')
  }
  if (players && !selector.onlyPlayers) throw reader.errorAt(start, 'argument.player.entities')
  return selector
}

/** @param {Reader} reader @param {boolean} players */
function readName (reader, players) {
  const start = reader.at
  const name = reader.phrase()
  const uuid = /^[0-9a-f]{1,8}(-[0-9a-f]{1,4}){3}-[0-9a-f]{1,12}$/i.test(name)
  if (!name || (!uuid && name.length > 16)) throw reader.errorAt(start, 'argument.entity.invalid')
  return new Selector({ name, mustBePlayers: players })
}

/** @param {Reader} reader @param {boolean} players @param {import('../data').GameData} data */
function readAt (reader, players, data) {
  reader.at++
  const letter = reader.peek()
  if (!letter || letter === ' ') throw reader.error('argument.entity.selector.missing')
  if (!Object.hasOwn(LETTERS, letter)) {
    throw reader.errorAt(reader.at - 1, 'argument.entity.selector.unknown', `@${letter}`)
  }
  reader.at++
  const options = reader.peek() === '[' ? readOptions(reader, letter, data) : []
  return new Selector({ letter, options, mustBePlayers: players })
}

/** @param {Reader} reader @param {string} letter @param {import('../data').GameData} data @returns {Option[]} */
function readOptions (reader, letter, data) {
  reader.expect('[')
  /** @type {Option[]} */
  const options = []
  reader.skipSpace()
  while (reader.peek() !== ']') {
    reader.skipSpace()
    const start = reader.at
    const key = reader.phrase()
    if (!OPTION_NAMES.has(key)) throw reader.errorAt(start, 'argument.entity.options.unknown', key)
    if ((ONCE.has(key) && options.some((o) => o.key === key)) ||
      (letter === 's' && (key === 'limit' || key === 'sort'))) {
      throw reader.errorAt(start, 'argument.entity.options.inapplicable', key)
    }
    reader.skipSpace()
    if (reader.peek() !== '=') throw reader.error('argument.entity.options.valueless', key)
    reader.at++
    reader.skipSpace()
    const not = NEGATABLE.has(key) && reader.peek() === '!'
    if (not) reader.at++
    options.push({ text: reader.text.slice(start, reader.at), key, not, value: readOption(reader, key, data) })
    reader.skipSpace()
    if (reader.peek() !== ',') break
    reader.at++
    reader.skipSpace()
  }
  if (reader.peek() !== ']') throw reader.error('argument.entity.options.unterminated')
  reader.at++
  return options
}

const OPTION_NAMES = new Set([...ONCE, ...NEGATABLE])

/** @param {Reader} reader @param {string} key @param {import('../data').GameData} data @returns {any} */
function readOption (reader, key, data) {
  const start = reader.at
  if (NUMBERS.has(key)) return reader.decimal()
  if (key === 'distance' || key === 'level' || key.endsWith('_rotation')) {
    const range = readRange(reader, key === 'level')
    if (key === 'distance' && (range.min < 0 && range.min !== -Infinity)) {
      throw reader.errorAt(start, 'argument.entity.options.distance.negative')
    }
    return range
  }
  if (key === 'limit') {
    const limit = reader.integer()
    if (limit < 1) throw reader.errorAt(start, 'argument.entity.options.limit.toosmall')
    return limit
  }
  if (key === 'scores') return readScores(reader)
  if (key === 'advancements') return readAdvancements(reader)
  if (key === 'nbt') return readCompound(reader)
  if (key === 'type' && reader.peek() === '#') return readTypeTag(reader)
  const word = key === 'type' ? reader.location().replace(/^minecraft:/, '') : reader.phrase()
  if (key === 'sort' && !SORTS.includes(word)) {
    throw reader.errorAt(start, 'argument.entity.options.sort.irreversible', word)
  }
  if (key === 'gamemode' && !['survival', 'creative', 'adventure', 'spectator'].includes(word)) {
    throw reader.errorAt(start, 'argument.entity.options.mode.invalid', word)
  }
  if (key === 'type' && !Object.hasOwn(data.registry.entitiesByName, word)) {
    throw reader.errorAt(start, 'argument.entity.options.type.invalid', `minecraft:${word}`)
  }
  return word
}

/** @param {Reader} reader */
function readScores (reader) {
  /** @type {Record<string, { min: number, max: number }>} */
  const scores = {}
  reader.expect('{')
  while (reader.peek() !== '}') {
    reader.skipSpace()
    const name = reader.bareWord()
    reader.skipSpace()
    reader.expect('=')
    scores[name] = readRange(reader, true)
    reader.skipSpace()
    if (reader.peek() !== ',') break
    reader.at++
  }
  reader.expect('}')
  return scores
}

/** Parse a type tag such as #skeletons; an unknown tag matches nothing, as in vanilla. @param {Reader} reader */
function readTypeTag (reader) {
  reader.at++
  return `#${reader.location().replace(/^minecraft:/, '')}`
}

/** Parse a list such as {story/root=true}. @param {Reader} reader */
function readAdvancements (reader) {
  /** @type {Record<string, boolean>} */
  const wanted = {}
  reader.expect('{')
  while (reader.peek() !== '}') {
    reader.skipSpace()
    const name = reader.location().replace(/^minecraft:/, '')
    reader.skipSpace()
    reader.expect('=')
    const start = reader.at
    const word = reader.bareWord()
    if (word !== 'true' && word !== 'false') throw reader.errorAt(start, 'parsing.bool.invalid', word)
    wanted[name] = word === 'true'
    reader.skipSpace()
    if (reader.peek() !== ',') break
    reader.at++
  }
  reader.expect('}')
  return wanted
}

module.exports = { readSelector, Selector }
