'use strict'
/** NBT paths, as in /data get: a.b[0]."c d"{x:1}[{id:"..."}][]. */
const { elements } = require('./values')
const { readCompound } = require('./snbt')

/** @typedef {import('./values').Tag} Tag */
/**
 * @typedef {{ kind: 'key', name: string } | { kind: 'index', index: number } | { kind: 'all' } | { kind: 'match',
 *   pattern: Tag } | { kind: 'filter', pattern: Tag }} Step
 */

/** @param {import('../commands/reader').Reader} reader @returns {{ text: string, steps: Step[] }} */
function readPath (reader) {
  const start = reader.at
  /** @type {Step[]} */
  const steps = []
  while (reader.at < reader.text.length && reader.peek() !== ' ') {
    steps.push(...readStep(reader, steps.length === 0))
    const c = reader.peek()
    if (c === '' || c === ' ' || c === '[' || c === '{') continue
    reader.expect('.')
  }
  if (steps.length === 0) throw reader.error('arguments.nbtpath.node.invalid')
  return { text: reader.text.slice(start, reader.at), steps }
}

/** @param {import('../commands/reader').Reader} reader @param {boolean} first @returns {Step[]} */
function readStep (reader, first) {
  const c = reader.peek()
  if (c === '{') {
    if (!first) return [{ kind: 'filter', pattern: readCompound(reader) }]
    return [{ kind: 'filter', pattern: readCompound(reader) }]
  }
  if (c === '[') return [readIndex(reader)]
  const name = c === '"' || c === '\'' ? reader.quoted() : reader.readWhile(/[^\s"'[\]{}.]/)
  if (!name) throw reader.error('arguments.nbtpath.node.invalid')
  return [{ kind: 'key', name }]
}

/** @param {import('../commands/reader').Reader} reader @returns {Step} */
function readIndex (reader) {
  reader.expect('[')
  const c = reader.peek()
  /** @type {Step} */
  let step
  if (c === '{') step = { kind: 'match', pattern: readCompound(reader) }
  else if (c === ']') step = { kind: 'all' }
  else step = { kind: 'index', index: reader.integer() }
  reader.expect(']')
  return step
}

/** Return all tags at a path. @param {Tag} root @param {Step[]} steps @returns {Tag[]} */
function follow (root, steps) {
  let found = [root]
  for (const step of steps) found = found.flatMap((tag) => next(tag, step))
  return found
}

/** @param {Tag} tag @param {Step} step @returns {Tag[]} */
function next (tag, step) {
  switch (step.kind) {
    case 'key': return tag.type === 'compound' && Object.hasOwn(tag.value, step.name) ? [tag.value[step.name]] : []
    case 'filter': return matches(step.pattern, tag) ? [tag] : []
    case 'all': return elements(tag)
    case 'match': return elements(tag).filter((item) => matches(step.pattern, item))
    default: {
      const items = elements(tag)
      const item = items[step.index < 0 ? items.length + step.index : step.index]
      return item ? [item] : []
    }
  }
}

/**
 * Return true if the tag contains everything in the pattern.
 * @param {Tag} pattern
 * @param {Tag} tag
 * @returns {boolean}
 */
function matches (pattern, tag) {
  if (pattern.type !== tag.type) return false
  if (pattern.type === 'compound') {
    return Object.entries(pattern.value)
      .every(([key, value]) => Object.hasOwn(tag.value, key) && matches(value, tag.value[key]))
  }
  if (pattern.type === 'list') {
    return elements(pattern).every((want) => elements(tag).some((item) => matches(want, item)))
  }
  return JSON.stringify(pattern.value) === JSON.stringify(tag.value)
}

module.exports = { readPath, follow, matches }
