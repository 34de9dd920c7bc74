'use strict'
/**
 * Argument types of the command tree: each parses text into a value; values that depend on the source are resolved
 * later.
 */
const { readTag, readCompound } = require('../nbt/snbt')
const { readPath } = require('../nbt/path')
const { readRange } = require('./ranges')
const { readSelector } = require('./selectors')
const { readBlock, readItem } = require('./things')
const { CommandError } = require('./reader')
const { HEIGHTMAPS } = require('./heights')
const { nameTable } = require('../../name_table')

/** Names of slots in commands. */
const ITEM_SLOTS = [/^armor\.(chest|feet|head|legs)$/, /^weapon(\.(mainhand|offhand))?$/,
  /^horse\.(saddle|chest|armor)$/,
  /^(container|enderchest|hotbar|inventory|horse|villager)\.\d+$/]

/** @typedef {import('./reader').Reader} Reader */
/** @typedef {import('../data').GameData} GameData */
/**
 * @typedef {{ value: number, kind: '' | '~' | '^', centred?: boolean }} Coordinate `centred`: a whole number, moved to
 *   its block's middle
 */
/** @typedef {{ x: Coordinate, y: Coordinate, z: Coordinate, block: boolean }} Place */

const GAMEMODES = ['survival', 'creative', 'adventure', 'spectator']
/** @type {Record<string, number>} */
const TIME_UNITS = { '': 1, t: 1, s: 20, d: 24000 }

/**
 * Parse one coordinate.
 * @param {Reader} reader
 * @param {boolean} block whole numbers only
 * @param {boolean} [local]
 * @returns {Coordinate}
 */
function readCoordinate (reader, block, local) {
  const c = reader.peek()
  if (c === '' || c === ' ') throw reader.error(block ? 'argument.pos.missing.int' : 'argument.pos.missing.double')
  if ((c === '^') !== Boolean(local ?? c === '^')) throw reader.error('argument.pos.mixed')
  if (c === '~' || c === '^') {
    reader.at++
    const bare = reader.peek() === '' || reader.peek() === ' '
    return { value: bare ? 0 : reader.decimal(), kind: c }
  }
  if (!block) {
    const start = reader.at
    const value = reader.decimal()
    // Vanilla centres whole numbers of x and z in the block.
    return { value: reader.text.slice(start, reader.at).includes('.') ? value : value, kind: '' }
  }
  return { value: reader.integer(), kind: '' }
}

/** Parse three coordinates. @param {Reader} reader @param {boolean} block @returns {Place} */
function readPlace (reader, block) {
  const start = reader.at
  const read = []
  for (let i = 0; i < 3; i++) {
    if (i > 0) {
      if (reader.peek() !== ' ') throw reader.errorAt(start, 'argument.pos3d.incomplete')
      reader.at++
    }
    const from = reader.at
    const one = readCoordinate(reader, block, i > 0 ? read[0].kind === '^' : undefined)
    const plainWhole = !block && one.kind === '' && !reader.text.slice(from, reader.at).includes('.')
    read.push(plainWhole && i !== 1 ? { ...one, value: one.value + 0.5, centred: true } : one)
  }
  return { x: read[0], y: read[1], z: read[2], block }
}

/**
 * @param {Reader} reader
 * @param {number} n
 * @param {boolean} block
 * @param {string} incomplete
 * @returns {Coordinate[]}
 */
function readSome (reader, n, block, incomplete) {
  const start = reader.at
  const read = []
  for (let i = 0; i < n; i++) {
    if (i > 0) {
      if (reader.peek() !== ' ') throw reader.errorAt(start, incomplete)
      reader.at++
    }
    read.push(readCoordinate(reader, block, false))
  }
  return read
}

/** @param {Reader} reader @param {any} modifier @param {'integer' | 'double' | 'float' | 'long'} kind */
function bounded (reader, modifier, kind) {
  const start = reader.at
  const value = kind === 'integer' || kind === 'long' ? reader.integer()
    : reader.decimal(kind === 'float' ? 'float' : 'double')
  for (const [bound, key, wrong] of /** @type {[string, string, (limit: number) => boolean][]} */ ([['min', 'low',
    (l) => value < l], ['max', 'big', (l) => value > l]])) {
    const limit = modifier?.[bound]
    if (typeof limit === 'number' && wrong(limit)) {
      reader.at = start
      throw reader.errorAt(start, `argument.${kind}.${key}`, limit, value)
    }
  }
  return value
}

/** Parse JSON text up to its end. @param {Reader} reader */
function readComponent (reader) {
  const text = reader.rest
  // Take the longest prefix that ends at a space or at the end of the text and parses; components are nearly always the
  // last argument.
  for (let end = text.length; end > 0; end = text.lastIndexOf(' ', end - 1)) {
    try {
      const value = JSON.parse(text.slice(0, end))
      if (value === null || typeof value === 'number' || typeof value === 'boolean') break
      reader.at += end
      return value
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
    }
  }
  throw reader.error('argument.component.invalid', 'not a text component')
}

/** @param {Reader} reader @param {string} key @param {(name: string) => boolean} known @param {boolean} [full] */
function resource (reader, key, known, full) {
  const start = reader.at
  const name = reader.location().replace(/^minecraft:/, '')
  if (!known(name)) {
    reader.at = start
    throw reader.errorAt(start, 'argument.resource.not_found', `minecraft:${name}`, key)
  }
  return full ? `minecraft:${name}` : name
}

/**
 * Return the names known to a registry; unknown registries accept any name.
 * @param {GameData} data
 * @param {string} registry
 * @returns {(name: string) => boolean}
 */
function registryOf (data, registry) {
  if (registry === 'minecraft:entity_type') return (name) => Object.hasOwn(data.registry.entitiesByName, name)
  if (registry === 'minecraft:enchantment') return (name) => Object.hasOwn(data.registry.enchantmentsByName, name)
  if (registry === 'minecraft:worldgen/biome') return (name) => Object.hasOwn(data.registry.biomesByName, name)
  if (registry === 'minecraft:mob_effect') {
    return (name) => Object.hasOwn(data.registry.language, `effect.minecraft.${name}`)
  }
  return () => true
}

/** @type {Record<string, (reader: Reader, modifier: any, data: GameData) => any>} */
const PARSERS = nameTable({
  'brigadier:bool': (reader) => {
    const start = reader.at
    const word = reader.phrase()
    if (word !== 'true' && word !== 'false') {
      throw reader.errorAt(start, word ? 'parsing.bool.invalid' : 'parsing.bool.expected', word)
    }
    return word === 'true'
  },
  'brigadier:integer': (reader, modifier) => bounded(reader, modifier, 'integer'),
  'brigadier:long': (reader, modifier) => bounded(reader, modifier, 'long'),
  'brigadier:double': (reader, modifier) => bounded(reader, modifier, 'double'),
  'brigadier:float': (reader, modifier) => bounded(reader, modifier, 'float'),
  'brigadier:string': (reader, modifier) => {
    if (modifier?.type === 'greedy') return rest(reader)
    return modifier?.type === 'word' ? reader.bareWord() : reader.phrase()
  },
  'minecraft:message': (reader) => rest(reader),
  'minecraft:entity': (reader, modifier, data) =>
    readSelector(reader, { players: modifier?.type === 'players', single: modifier?.amount === 'single', data }),
  'minecraft:game_profile': (reader, _modifier, data) => readSelector(reader, { players: true, single: false, data }),
  'minecraft:score_holder': (reader, modifier, data) =>
    (reader.peek() === '@' ? readSelector(reader, { players: false, single: modifier?.amount === 'single', data })
    : { holder: reader.token() }),
  'minecraft:block_pos': (reader) => readPlace(reader, true),
  'minecraft:vec3': (reader) => readPlace(reader, false),
  'minecraft:vec2': (reader) => readSome(reader, 2, false, 'argument.pos2d.incomplete'),
  'minecraft:column_pos': (reader) => readSome(reader, 2, true, 'argument.pos2d.incomplete'),
  'minecraft:rotation': (reader) => readSome(reader, 2, false, 'argument.rotation.incomplete'),
  'minecraft:angle': (reader) => readSome(reader, 1, false, 'argument.angle.incomplete')[0],
  'minecraft:block_state': (reader, _modifier, data) => readBlock(reader, data, false),
  'minecraft:block_predicate': (reader, _modifier, data) => readBlock(reader, data, true),
  'minecraft:item_stack': (reader, _modifier, data) => readItem(reader, data, false),
  'minecraft:item_predicate': (reader, _modifier, data) => readItem(reader, data, true),
  'minecraft:nbt_compound_tag': (reader) => readCompound(reader),
  'minecraft:nbt_tag': (reader) => readTag(reader),
  'minecraft:nbt_path': (reader) => readPath(reader),
  'minecraft:component': (reader) => readComponent(reader),
  'minecraft:style': (reader) => readComponent(reader),
  'minecraft:int_range': (reader) => readRange(reader, true),
  'minecraft:float_range': (reader) => readRange(reader, false),
  'minecraft:gamemode': (reader) => {
    const start = reader.at
    const word = reader.bareWord()
    if (!GAMEMODES.includes(word)) throw reader.errorAt(start, 'argument.gamemode.invalid', word)
    return word
  },
  'minecraft:time': (reader, modifier) => {
    const start = reader.at
    const value = reader.numeric('float', /^-?(\d+\.?\d*|\.\d+)$/, -Infinity, Infinity)
    const unit = TIME_UNITS[reader.bareWord()]
    if (unit === undefined) throw reader.errorAt(start, 'argument.time.invalid_unit')
    const ticks = Math.round(value * unit)
    if (ticks < (modifier?.min ?? 0)) {
      throw reader.errorAt(start, 'argument.time.tick_count_too_low', modifier?.min ?? 0, ticks)
    }
    return ticks
  },
  'minecraft:entity_anchor': (reader) => oneOf(reader, ['feet', 'eyes'], 'argument.anchor.invalid'),
  'minecraft:item_slot': (reader) => {
    const start = reader.at
    const word = reader.token()
    if (!ITEM_SLOTS.some((slots) => slots.test(word))) throw reader.errorAt(start, 'slot.unknown', word)
    return word
  },
  'minecraft:swizzle': (reader) => {
    const start = reader.at
    const word = reader.readWhile(/[xyz]/)
    if (!word || new Set(word).size !== word.length) throw reader.errorAt(start, 'arguments.swizzle.invalid')
    return word
  },
  'minecraft:resource': (reader, modifier, data) =>
    resource(reader, String(modifier?.registry), registryOf(data, String(modifier?.registry))),
  'minecraft:resource_location': (reader) => reader.location(),
  'minecraft:dimension': (reader) => {
    const start = reader.at
    const name = reader.location()
    if (!/^minecraft:(overworld|the_nether|the_end)$/.test(name)) {
      throw reader.errorAt(start, 'argument.dimension.invalid', name)
    }
    return name
  },
  'minecraft:objective_criteria': (reader) => ({ text: reader.token(), at: reader.at }),
  'minecraft:objective': (reader) => reader.bareWord(),
  'minecraft:team': (reader) => reader.bareWord(),
  'minecraft:color': (reader) => reader.bareWord(),
  'minecraft:scoreboard_slot': (reader) => {
    const start = reader.at
    const word = reader.token()
    if (!/^(list|sidebar|below_name|sidebar\.team\.[a-z_]+)$/.test(word)) {
      throw reader.errorAt(start, 'argument.scoreboardDisplaySlot.invalid', word)
    }
    return word
  },
  'minecraft:operation': (reader) => {
    const start = reader.at
    const word = reader.token()
    if (!['=', '+=', '-=', '*=', '/=', '%=', '<', '>', '><'].includes(word)) {
      throw reader.errorAt(start, 'arguments.operation.invalid')
    }
    return word
  },
  'minecraft:uuid': (reader) => {
    const start = reader.at
    const word = reader.readWhile(/[0-9a-fA-F-]/)
    if (!/^[0-9a-f]{1,8}(-[0-9a-f]{1,4}){3}-[0-9a-f]{1,12}$/i.test(word)) {
      throw reader.errorAt(start, 'argument.uuid.invalid')
    }
    return word.toLowerCase()
  },
  'minecraft:heightmap': (reader) => oneOf(reader, [...HEIGHTMAPS], 'argument.enum.invalid'),
  'minecraft:particle': (reader, _modifier, data) => require('./handlers/shown').readParticle(reader, data),
  'minecraft:function': (reader) => (reader.peek() === '#' ? reader.token() : reader.location())
})

/** @param {Reader} reader */
function rest (reader) {
  const text = reader.rest
  reader.at = reader.text.length
  return text
}

/** @param {Reader} reader @param {string[]} legal @param {string} key */
function oneOf (reader, legal, key) {
  const start = reader.at
  const word = reader.bareWord()
  if (!legal.includes(word)) throw reader.errorAt(start, key, word)
  return word
}

/**
 * @param {Reader} reader
 * @param {{ parser: string, modifier: any }} parser
 * @param {GameData} data
 * @returns {any}
 */
function parseArgument (reader, { parser, modifier }, data) {
  const parse = PARSERS[parser]
  // Other types (particles, structures ...) occur only in commands that the engine does not run.
  if (!parse) return reader.token()
  if (reader.done && parser !== 'minecraft:message') {
    throw new CommandError(reader.say('command.unknown.command'), reader.text, reader.at)
  }
  return parse(reader, modifier, data)
}

module.exports = { parseArgument }
