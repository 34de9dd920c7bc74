'use strict'
/** Command tree for clients of each permission level, for their colours and completion. */

/** @typedef {import('./codec').Codec} Codec */
/** @typedef {import('../../../engine/world/commands/tree').TreeNode} TreeNode */

const KIND = Object.freeze({ root: 0, literal: 1, argument: 2 })
/**
 * minecraft-data's names of argument types that the protocol's definitions call otherwise.
 * @type {Record<string, string>}
 */
const RENAMED = { 'minecraft:nbt_compound_tag': 'minecraft:nbt' }
const STRING_KINDS = Object.freeze({ word: 'SINGLE_WORD', phrase: 'QUOTABLE_PHRASE', greedy: 'GREEDY_PHRASE' })
/** Arguments whose values the server suggests. */
const ASKED = /^minecraft:(resource_location|function|objective|team|score_holder)$/
/** Argument types whose properties the definitions of the protocol do not know; they go out as words. */
const UNKNOWN_TO_PROTOCOL = new Set(['minecraft:nbt_tag', 'minecraft:style'])

/** @param {any} modifier */
function bounds (modifier) {
  const { min, max } = modifier ?? {}
  return {
    flags: { unused: 0, max_present: max === undefined ? 0 : 1, min_present: min === undefined ? 0 : 1 }, min, max
  }
}

/** @param {string} parser @param {any} modifier what the protocol says besides the type */
function propertiesOf (parser, modifier) {
  if (/^brigadier:(float|double|integer|long)$/.test(parser)) return bounds(modifier)
  if (parser === 'brigadier:string') return STRING_KINDS[/** @type {'word'} */ (modifier?.type ?? 'word')]
  if (parser === 'minecraft:entity') {
    return {
      unused: 0,
      onlyAllowPlayers: modifier?.type === 'players' ? 1 : 0,
      onlyAllowEntities: modifier?.amount === 'single' ? 1 : 0
    }
  }
  if (parser === 'minecraft:score_holder') return { unused: 0, allowMultiple: modifier?.amount === 'multiple' ? 1 : 0 }
  if (parser === 'minecraft:time') return { min: modifier?.min ?? 0 }
  if (/^minecraft:resource/.test(parser) && parser !== 'minecraft:resource_location') {
    return { registry: String(modifier?.registry) }
  }
  return undefined
}

/** Trees of all levels, each made on first use. */
class CommandTrees {
  /** @param {Codec} codec @param {TreeNode[]} roots by permission level */
  constructor (codec, roots) {
    this._codec = codec
    this._roots = roots
    /** @type {Buffer[]} */
    this._frames = []
  }

  /** @param {number} level 0 to 4 @returns {Buffer} framed declare_commands */
  frame (level) {
    return this._frames[level] ??= this._codec.encode(
      'play', 'declare_commands', { nodes: flatten(this._roots[level]), rootIndex: 0 }
    )
  }
}

/** @param {TreeNode} root @returns {object[]} nodes that name their children by index */
function flatten (root) {
  /** @type {TreeNode[]} */
  const order = [root]
  /** @type {Map<TreeNode, number>} */
  const indices = new Map([[root, 0]])
  for (const node of order) {
    for (const child of node.children) {
      indices.set(child, order.length)
      order.push(child)
    }
  }
  const index = (/** @type {TreeNode} */ node) => /** @type {number} */ (indices.get(node))
  return order.map((node) => wireNode(node, node.children.map(index), redirectOf(node, root, index)))
}

/**
 * @param {TreeNode} node
 * @param {TreeNode} root
 * @param {(node: TreeNode) => number} index
 * @returns {number | undefined}
 */
function redirectOf (node, root, index) {
  const target = node.redirects.length > 0 && root.children.find((child) => child.name === node.redirects[0])
  if (target) return index(target)
  return node.type === 'literal' && node.name === 'run' && node.children.length === 0 ? 0 : undefined
}

/** @param {TreeNode} node @param {number[]} children @param {number | undefined} redirectNode */
function wireNode (node, children, redirectNode) {
  const given = RENAMED[node.parser?.parser ?? ''] ?? node.parser?.parser ?? ''
  const plain = UNKNOWN_TO_PROTOCOL.has(given)
  const parser = plain ? 'brigadier:string' : given
  const asked = node.type === 'argument' && ASKED.test(given)
  const flags = {
    unused: 0,
    has_custom_suggestions: asked ? 1 : 0,
    has_redirect_node: redirectNode === undefined ? 0 : 1,
    has_command: node.executable ? 1 : 0,
    command_node_type: KIND[node.type]
  }
  if (node.type !== 'argument') return { flags, children, redirectNode, extraNodeData: { name: node.name } }
  return {
    flags,
    children,
    redirectNode,
    extraNodeData: {
      name: node.name,
      parser,
      properties: propertiesOf(parser, plain ? { type: 'word' } : node.parser?.modifier),
      suggestionType: asked ? 'minecraft:ask_server' : undefined
    }
  }
}

module.exports = { CommandTrees }
