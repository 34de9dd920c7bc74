'use strict'
/** Completions of a partly typed command: words of the tree, and names known to the world. */
const { CommandError, Reader } = require('./reader')
const { parseArgument } = require('./arguments')
const { GAME_MASTER } = require('./permissions')
const { nameTable } = require('../../name_table')

/** @typedef {import('./tree').TreeNode} TreeNode */
/** @typedef {import('../world').World} World */

/** Maximum length of a completed text (as of a command in chat), and of the list of answers. */
const MAX_LENGTH = 256
const MAX_SUGGESTIONS = 1000
const SELECTORS = ['@a', '@e', '@p', '@r', '@s']
const COLORS = ['aqua', 'black', 'blue', 'dark_aqua', 'dark_blue', 'dark_gray', 'dark_green', 'dark_purple', 'dark_red',
  'gold', 'gray', 'green', 'light_purple', 'red', 'reset', 'white', 'yellow']

/** @param {Iterable<string>} names */
function spaced (names) { return [...names].map((name) => `minecraft:${name}`) }

/** @param {World} world @param {string} registry */
function registryNames (world, registry) {
  if (registry === 'minecraft:entity_type') return spaced(Object.keys(world.registry.entitiesByName))
  if (registry === 'minecraft:enchantment') return spaced(Object.keys(world.registry.enchantmentsByName))
  return registry === 'minecraft:mob_effect' ? spaced(world.effectIds.keys()) : []
}

/** @param {World} world @param {number} level */
function people (world, level) { return [...world.players.keys(), ...(level >= GAME_MASTER ? SELECTORS : [])] }

/** Values by argument type. @type {Record<string, (world: World, level: number, modifier: any) => string[]>} */
const VALUES = nameTable({
  'brigadier:bool': () => ['false', 'true'],
  'minecraft:gamemode': () => ['adventure', 'creative', 'spectator', 'survival'],
  'minecraft:color': () => COLORS,
  'minecraft:entity': (world, level) => people(world, level),
  'minecraft:score_holder': (world, level) => people(world, level),
  'minecraft:game_profile': (world, level) => people(world, level).filter((name) => name !== '@e'),
  'minecraft:block_pos': () => ['~', '~ ~', '~ ~ ~'],
  'minecraft:vec3': () => ['~', '~ ~', '~ ~ ~'],
  'minecraft:vec2': () => ['~', '~ ~'],
  'minecraft:column_pos': () => ['~', '~ ~'],
  'minecraft:objective': (world) => [...world.scoreboard.objectives.keys()],
  'minecraft:team': (world) => [...(world.teams?.byName.keys() ?? [])],
  'minecraft:item_stack': (world) => spaced(Object.keys(world.registry.itemsByName)),
  'minecraft:item_predicate': (world) => spaced(Object.keys(world.registry.itemsByName)),
  'minecraft:block_state': (world) => spaced(Object.keys(world.registry.blocksByName)),
  'minecraft:block_predicate': (world) => spaced(Object.keys(world.registry.blocksByName)),
  'minecraft:dimension': () => ['minecraft:overworld', 'minecraft:the_end', 'minecraft:the_nether'],
  'minecraft:resource': (world, _level, modifier) => registryNames(world, String(modifier?.registry)),
  'minecraft:entity_anchor': () => ['eyes', 'feet']
})

/**
 * @param {World} world
 * @param {string} text a command as it is typed, with or without its slash
 * @param {number} level permission level of who types
 * @returns {{ start: number, matches: string[] }} what could stand from `start` on, in order
 */
function suggest (world, text, level) {
  const slash = text.startsWith('/') ? 1 : 0
  const nothing = { start: text.length, matches: [] }
  if (text.length > MAX_LENGTH) return nothing
  const root = world.commands.roots[level]
  const reader = new Reader(text.slice(slash), (key, ...args) => world.data.text(key, ...args), level >= GAME_MASTER)
  const places = ends(world, reader, root, root)
  if (places.length === 0) return nothing
  const start = Math.max(...places.map((place) => place.at))
  const typed = reader.text.slice(start)
  const found = new Set(places.filter((place) => place.at === start)
    .flatMap(({ node }) => node.children.flatMap((child) => offers(world, child, level)))
    .filter((offer) => matches(offer, typed)))
  return { start: start + slash, matches: [...found].sort().slice(0, MAX_SUGGESTIONS) }
}

/** @param {World} world @param {TreeNode} child @param {number} level */
function offers (world, child, level) {
  if (child.type === 'literal') return [child.name]
  return VALUES[child.parser?.parser ?? '']?.(world, level, child.parser?.modifier) ?? []
}

/**
 * Return true if `offer` begins with the typed text, with or without its namespace.
 * @param {string} offer
 * @param {string} typed
 */
function matches (offer, typed) {
  const wanted = typed.toLowerCase()
  return offer.toLowerCase().startsWith(wanted) ||
    (wanted !== '' && offer.startsWith('minecraft:') && offer.slice(10).startsWith(wanted))
}

/**
 * Return the nodes whose children may match the last word.
 * @param {World} world
 * @param {import('./reader').Reader} reader
 * @param {TreeNode} node
 * @param {TreeNode} root
 * @returns {{ node: TreeNode, at: number }[]}
 */
function ends (world, reader, node, root) {
  const at = reader.at
  /** @type {{ node: TreeNode, at: number }[]} */
  const found = []
  for (const child of node.children) {
    reader.at = at
    if (!reads(world, reader, child) || reader.peek() !== ' ') continue
    reader.at++
    found.push(...ends(world, reader, onward(child, root), root))
  }
  return found.length > 0 ? found : [{ node, at }]
}

/** @param {World} world @param {import('./reader').Reader} reader @param {TreeNode} child */
function reads (world, reader, child) {
  if (child.type === 'literal') return reader.token() === child.name
  try {
    parseArgument(reader, /** @type {any} */ (child.parser), world.data)
    return true
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    return false
  }
}

/** @param {TreeNode} node @param {TreeNode} root @returns {TreeNode} */
function onward (node, root) {
  if (node.redirects.length > 0) return root.children.find((child) => child.name === node.redirects[0]) ?? node
  return node.type === 'literal' && node.name === 'run' && node.children.length === 0 ? root : node
}

module.exports = { suggest }
