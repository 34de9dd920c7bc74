'use strict'
/** Edits of NBT along a path. Tags are immutable: every edit returns a new root. */
const { tags, list, elements } = require('./values')
const { matches } = require('./path')
const { nameTable } = require('../../name_table')

/** @typedef {import('./values').Tag} Tag */
/** @typedef {import('./path').Step} Step */
/**
 * @typedef {{ leaf: (old: Tag | undefined) => Tag | undefined, create: boolean }} Edit `leaf` gives what stands at the
 *   path's end afterwards, undefined for nothing; `create`: missing parents are made
 */

/** Vanilla's limit of nested tags. */
const MAX_DEPTH = 512
/** @type {Record<string, string>} */
const ARRAYS = nameTable({ byteArray: 'byte', intArray: 'int', longArray: 'long' })

/** @param {Tag | undefined} tag */
function isCollection (tag) { return tag !== undefined && (tag.type === 'list' || tag.type in ARRAYS) }

/** @param {Tag} a @param {Tag} b */
function sameTag (a, b) { return a.type === b.type && JSON.stringify(a.value) === JSON.stringify(b.value) }

/**
 * Return a compound with one entry set or removed.
 * @param {Tag} tag
 * @param {string} name
 * @param {Tag | undefined} entry
 * @returns {Tag}
 */
function withEntry (tag, name, entry) {
  const value = { ...tag.value }
  if (entry === undefined) delete value[name]
  // Users choose names: "__proto__" is one like any other.
  else Object.defineProperty(value, name, { value: entry, enumerable: true, configurable: true, writable: true })
  return tags.compound(value)
}

/**
 * Return a list or array with other elements, or null if they are of different types.
 * @param {Tag} old
 * @param {Tag[]} items
 * @returns {Tag | null}
 */
function withElements (old, items) {
  const inner = ARRAYS[old.type] ?? items[0]?.type
  if (items.some((item) => item.type !== inner)) return null
  return old.type === 'list' ? list(items) : { type: old.type, value: items.map((item) => item.value) }
}

/** Return the tag to create where a step finds nothing. @param {Step} step @returns {Tag} */
function blankFor (step) {
  if (step.kind === 'filter') return step.pattern
  return step.kind === 'key' ? tags.compound({}) : list([])
}

/**
 * Apply an edit to all tags at a path.
 * @param {Tag} tag
 * @param {Step[]} steps
 * @param {Edit} edit
 * @returns {Tag | undefined} the tag afterwards; undefined when it is taken out itself
 */
function change (tag, steps, edit) {
  const [step, ...rest] = steps
  if (!step) return edit.leaf(tag)
  const go = (/** @type {Tag | undefined} */ old) => {
    if (rest.length === 0) return edit.leaf(old)
    const from = old ?? (edit.create ? blankFor(rest[0]) : undefined)
    return from && change(from, rest, edit)
  }
  if (step.kind === 'filter') return matches(step.pattern, tag) ? go(tag) : tag
  if (step.kind === 'key') return changeEntry(tag, step.name, go)
  return isCollection(tag) ? changeElements(tag, step, go, edit.create) : tag
}

/** @param {Tag} tag @param {string} name @param {(old: Tag | undefined) => Tag | undefined} go @returns {Tag} */
function changeEntry (tag, name, go) {
  if (tag.type !== 'compound') return tag
  const old = Object.hasOwn(tag.value, name) ? tag.value[name] : undefined
  const entry = go(old)
  return entry === old ? tag : withEntry(tag, name, entry)
}

/**
 * @param {Tag} tag
 * @param {Step} step
 * @param {(old: Tag | undefined) => Tag | undefined} go
 * @param {boolean} create
 * @returns {Tag}
 */
function changeElements (tag, step, go, create) {
  const items = elements(tag)
  const index = step.kind === 'index' ? (step.index < 0 ? items.length + step.index : step.index) : -1
  const meant = items.map((item, i) =>
    step.kind === 'all' || (step.kind === 'match' ? matches(step.pattern, item) : i === index))
  const made = items.map((item, i) => (meant[i] ? go(item) : item))
  if (create && step.kind === 'match' && !meant.includes(true)) made.push(go(step.pattern))
  if (create && step.kind === 'all' && items.length === 0) made.push(go(undefined))
  const kept = /** @type {Tag[]} */ (made.filter((item) => item !== undefined))
  return withElements(tag, kept) ?? tag
}

/**
 * Merge two compounds, nested compounds included.
 * @param {Tag} into
 * @param {Tag} from
 * @returns {Tag}
 */
function merged (into, from) {
  let result = into
  for (const [name, entry] of Object.entries(from.value)) {
    const tag = /** @type {Tag} */ (entry)
    const old = Object.hasOwn(result.value, name) ? result.value[name] : undefined
    result = withEntry(result, name, old?.type === 'compound' && tag.type === 'compound' ? merged(old, tag) : tag)
  }
  return result
}

/**
 * Return true if tags are nested deeper than vanilla allows.
 * @param {Tag} tag
 * @param {number} [depth]
 * @returns {boolean}
 */
function tooDeep (tag, depth = 0) {
  if (depth > MAX_DEPTH) return true
  if (tag.type === 'compound') {
    return Object.values(tag.value).some((entry) => tooDeep(/** @type {Tag} */ (entry), depth + 1))
  }
  return tag.type === 'list' && (tag.value.type === 'compound' || tag.value.type === 'list') &&
    elements(tag).some((item) => tooDeep(item, depth + 1))
}

module.exports = { change, merged, sameTag, isCollection, withElements, tooDeep }
