'use strict'
/**
 * Parser of commands over the version's own command tree (from minecraft-data), equivalent to vanilla's dispatcher: the
 * same commands are accepted, and refusals have the same text and position.
 */
const { CommandError } = require('./reader')
const { parseArgument } = require('./arguments')

/**
 * @typedef {{ type: 'root' | 'literal' | 'argument', name: string, executable: boolean, redirects: string[], children:
 *   TreeNode[], parser?: { parser: string, modifier: any } }} TreeNode
 */
/**
 * @typedef {{ name: string, literal: boolean, value: any, start: number, end: number }} Step one word or argument of
 *   the command
 */
/** @typedef {{ steps: Step[], executable: boolean, at: number, errors: CommandError[] }} Walk */

/**
 * Return the node at which parsing continues after a node.
 * @param {TreeNode} node
 * @param {TreeNode} root
 * @returns {TreeNode}
 */
function onward (node, root) {
  if (node.redirects.length > 0) {
    return /** @type {TreeNode} */ (root.children.find((child) => child.name === node.redirects[0]) ?? node)
  }
  // "execute ... run" and "return run" continue at the root; the tree encodes that by an empty node.
  return node.type === 'literal' && node.name === 'run' && node.children.length === 0 ? root : node
}

/**
 * @param {import('./reader').Reader} reader
 * @param {TreeNode} root
 * @param {import('../data').GameData} data
 * @returns {Step[]}
 * @throws {CommandError}
 */
function walkCommand (reader, root, data) {
  const walk = follow(reader, { node: root, root, data, steps: [], executable: false })
  if (walk.executable && walk.at >= reader.text.length) return walk.steps
  if (walk.errors.length === 1) throw walk.errors[0]
  reader.at = walk.at
  throw reader.error(walk.steps.length === 0 || walk.at >= reader.text.length ? 'command.unknown.command'
    : 'command.unknown.argument')
}

/**
 * Return the parse from a node that reads furthest.
 * @param {import('./reader').Reader} reader
 * @param {{ node: TreeNode, root: TreeNode, data: import('../data').GameData, steps: Step[], executable: boolean }}
 *   from
 * @returns {Walk}
 */
function follow (reader, { node, root, data, steps, executable }) {
  const start = reader.at
  /** @type {CommandError[]} */
  const errors = []
  /** @type {Walk | null} */
  let best = null
  for (const child of candidates(reader, node)) {
    reader.at = start
    try {
      const value = readNode(reader, child, data)
      if (!reader.done && reader.peek() !== ' ') throw reader.error('command.expected.separator')
      const next = [...steps, { name: child.name, literal: child.type === 'literal', value, start, end: reader.at }]
      const walk = goOn(reader, child, root, data, next)
      if (walk.executable && walk.at >= reader.text.length) return walk
      if (!best || walk.at > best.at || (walk.errors.length === 0 && best.errors.length > 0 && walk.at === best.at)) {
        best = walk
      }
    } catch (error) {
      if (!(error instanceof CommandError)) throw error
      errors.push(error)
    }
  }
  return best ?? { steps, executable: false, at: start, errors: errors.length === 1 ? errors : [] ,
    ...(start >= reader.text.length ? { executable } : {}) }
}

/**
 * @param {import('./reader').Reader} reader
 * @param {TreeNode} child
 * @param {TreeNode} root
 * @param {import('../data').GameData} data
 * @param {Step[]} steps
 * @returns {Walk}
 */
function goOn (reader, child, root, data, steps) {
  if (reader.done) return { steps, executable: child.executable, at: reader.at, errors: [] }
  const node = onward(child, root)
  if (node.children.length === 0) return { steps, executable: false, at: reader.at, errors: [] }
  reader.at++
  return follow(reader, { node, root, data, steps, executable: child.executable })
}

/**
 * Return the children that may match; a matching literal rules out arguments.
 * @param {import('./reader').Reader} reader
 * @param {TreeNode} node
 */
function candidates (reader, node) {
  const word = /^[^ ]*/.exec(reader.rest)?.[0]
  const literal = node.children.find((child) => child.type === 'literal' && child.name === word)
  return literal ? [literal] : node.children.filter((child) => child.type === 'argument')
}

/** @param {import('./reader').Reader} reader @param {TreeNode} child @param {import('../data').GameData} data */
function readNode (reader, child, data) {
  if (child.type === 'literal') {
    reader.at += child.name.length
    return child.name
  }
  return parseArgument(reader, /** @type {{ parser: string, modifier: any }} */ (child.parser), data)
}

/** The words and values of one command, for its handler. */
class Arguments {
  /** @param {Step[]} steps */
  constructor (steps) {
    this.steps = steps
    this.literals = new Set(steps.filter((s) => s.literal).map((s) => s.name))
    /** @type {Map<string, any>} */
    this.values = new Map(steps.filter((s) => !s.literal).map((s) => [s.name, s.value]))
  }

  /** Return true if a literal word was given. @param {string} word */
  is (word) { return this.literals.has(word) }
  /** @param {string} name */
  has (name) { return this.values.has(name) }
  /** Return the value of an argument, or the default. @param {string} name @param {any} [otherwise] */
  get (name, otherwise) { return this.values.has(name) ? this.values.get(name) : otherwise }
  /** Return the word at an index; 0 is the command's name. @param {number} index */
  word (index) { return this.steps[index]?.name ?? '' }
}

module.exports = { walkCommand, Arguments }
