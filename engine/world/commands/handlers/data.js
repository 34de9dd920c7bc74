'use strict'
/** Handlers of data get, merge, modify and remove, and of tag. */
const { follow } = require('../../nbt/path')
const { change, merged, sameTag, isCollection, withElements, tooDeep } = require('../../nbt/edit')
const { writeTag } = require('../../nbt/snbt')
const { tags, list, elements, longValue } = require('../../nbt/values')
const { subjectOf } = require('../subjects')
const { nameTable } = require('../../../name_table')

/** @typedef {import('../commands').Handler} Handler */
/** @typedef {import('../source').Source} Source */
/** @typedef {import('../subjects').Subject} Subject */
/** @typedef {import('../tree').Arguments} Arguments */
/** @typedef {import('../../nbt/values').Tag} Tag */
/** @typedef {{ text: string, steps: import('../../nbt/path').Step[] }} Path */

const NUMERIC = new Set(['byte', 'short', 'int', 'long', 'float', 'double'])

/** @param {Tag} tag */
function numberOf (tag) { return tag.type === 'long' ? Number(longValue(tag)) : Number(tag.value) }

/**
 * Return the block, entity or storage that a command reads or writes.
 * @param {Arguments} args
 * @param {Source} source
 * @returns {Subject}
 */
function targetOf (args, source) {
  return subjectOf(source, /** @type {any} */ (args.word(2)), args.get('targetPos') ?? args.get('target'))
}

/** @type {Record<string, Handler>} */
const WORDS = nameTable({ get, merge, modify, remove })

/** @type {Handler} */
function data (args, source) { return WORDS[args.word(1)](args, source) }

/** @type {Handler} */
function get (args, source) {
  const { kind, names, read } = targetOf(args, source)
  if (!args.has('path')) {
    source.say(`commands.data.${kind}.query`, ...names, writeTag(read()))
    return 1
  }
  const path = args.get('path')
  const found = reached(read(), path, source)
  if (found.length > 1) throw source.error('commands.data.get.multiple')
  if (args.has('scale')) {
    if (!NUMERIC.has(found[0].type)) throw source.error('commands.data.get.invalid', path.text)
    const value = Math.floor(numberOf(found[0]) * args.get('scale'))
    source.say(`commands.data.${kind}.get`, path.text, ...names, args.get('scale').toFixed(2), value)
    return value
  }
  source.say(`commands.data.${kind}.query`, ...names, writeTag(found[0]))
  return size(found[0])
}

/** Return all tags at a path, at least one. @param {Tag} tag @param {Path} path @param {Source} source */
function reached (tag, path, source) {
  const found = follow(tag, path.steps)
  if (found.length === 0) throw source.error('arguments.nbtpath.nothing_found', path.text)
  return found
}

/** Return vanilla's result of a query: the floor of a number, else the length. @param {Tag} tag */
function size (tag) {
  if (NUMERIC.has(tag.type)) return Math.floor(numberOf(tag))
  if (tag.type === 'compound') return Object.keys(tag.value).length
  return tag.type === 'string' ? tag.value.length : elements(tag).length
}

/**
 * Write the changed data, and reply.
 * @param {Source} source
 * @param {Subject} subject
 * @param {Tag} tag
 * @param {number} count of changes
 * @returns {number}
 */
function finish (source, { kind, names, write }, tag, count) {
  if (count === 0) throw source.error('commands.data.merge.failed')
  if (tooDeep(tag)) throw source.error('arguments.nbtpath.too_deep')
  write(tag)
  source.say(`commands.data.${kind}.modified`, ...names)
  return count
}

/** @type {Handler} */
function merge (args, source) {
  const subject = targetOf(args, source)
  const before = subject.read()
  const after = merged(before, args.get('nbt'))
  return finish(source, subject, after, Number(!sameTag(before, after)))
}

/** @type {Handler} */
function remove (args, source) {
  const subject = targetOf(args, source)
  const path = args.get('path')
  let count = 0
  const leaf = (/** @type {Tag | undefined} */ old) => { count += Number(old !== undefined); return undefined }
  const tag = change(subject.read(), path.steps, { leaf, create: false })
  return finish(source, subject, tag ?? tags.compound({}), count)
}

/**
 * Operations of /data modify: the new tag at the path's end, and the number of changes.
 * @typedef {(old: Tag | undefined, sources: Tag[], source: Source, args: Arguments) => { tag: Tag, count: number }}
 *   Operation
 */

/** @param {(length: number, args: Arguments) => number} place index at which elements come in @returns {Operation} */
const inserting = (place) => (old, sources, source, args) => {
  const into = old ?? list([])
  if (!isCollection(into)) throw source.error('commands.data.modify.expected_list', writeTag(into))
  const items = elements(into)
  const at = place(items.length, args)
  if (at < 0 || at > items.length) throw source.error('commands.data.modify.invalid_index', args.get('index', at))
  const tag = withElements(into, [...items.slice(0, at), ...sources, ...items.slice(at)])
  return tag ? { tag, count: sources.length } : { tag: into, count: 0 }
}

/** @type {Record<string, Operation>} */
const OPERATIONS = nameTable({
  set: (old, sources) => {
    const tag = sources[sources.length - 1]
    return { tag, count: Number(!old || !sameTag(old, tag)) }
  },
  append: inserting((length) => length),
  prepend: inserting(() => 0),
  insert: inserting((length, args) => (args.get('index') < 0 ? length + args.get('index') + 1 : args.get('index'))),
  merge: (old, sources, source) => {
    const into = old ?? tags.compound({})
    if (into.type !== 'compound') throw source.error('commands.data.modify.expected_object', writeTag(into))
    const wrong = sources.find((tag) => tag.type !== 'compound')
    if (wrong) throw source.error('commands.data.modify.expected_object', writeTag(wrong))
    const tag = sources.reduce(merged, into)
    return { tag, count: Number(!sameTag(into, tag)) }
  }
})

/** @type {Handler} */
function modify (args, source) {
  const subject = targetOf(args, source)
  const operation = OPERATIONS[args.steps[5].name]
  const sources = sourcesOf(args, source)
  const path = /** @type {Path} */ (args.get('targetPath'))
  let [ends, count] = [0, 0]
  const leaf = (/** @type {Tag | undefined} */ old) => {
    const done = operation(old, sources, source, args)
    ends++
    count += done.count
    return done.tag
  }
  const tag = change(subject.read(), path.steps, { leaf, create: true })
  if (ends === 0) throw source.error('arguments.nbtpath.nothing_found', path.text)
  return finish(source, subject, /** @type {Tag} */ (tag), count)
}

/**
 * Return the tags to put in: a value, tags found elsewhere, or those as text.
 * @param {Arguments} args
 * @param {Source} source
 * @returns {Tag[]}
 */
function sourcesOf (args, source) {
  if (args.has('value')) return [args.get('value')]
  const at = args.steps.findIndex(({ literal, name }) => !literal && (name === 'sourcePos' || name === 'source'))
  const from = subjectOf(source, /** @type {any} */ (args.word(at - 1)), args.steps[at].value).read()
  const found = args.has('sourcePath') ? reached(from, args.get('sourcePath'), source) : [from]
  return args.is('string') ? found.map((tag) => tags.string(cut(textOf(tag, source), args, source))) : found
}

/** Return a single value as text. @param {Tag} tag @param {Source} source @returns {string} */
function textOf (tag, source) {
  if (tag.type === 'string') return tag.value
  if (!NUMERIC.has(tag.type)) throw source.error('commands.data.modify.expected_value', writeTag(tag))
  return writeTag(tag)
}

/**
 * @param {string} text
 * @param {Arguments} args
 * @param {Source} source
 * @returns {string} the part from `start` to before `end`; below 0 they count from the text's end
 */
function cut (text, args, source) {
  const place = (/** @type {number} */ index) => (index < 0 ? text.length + index : index)
  const [start, end] = [args.get('start', 0), args.get('end', text.length)]
  const [from, to] = [place(start), place(end)]
  if (from < 0 || to > text.length || from > to) {
    throw source.error('commands.data.modify.invalid_substring', start, end)
  }
  return text.slice(from, to)
}

/** @type {Handler} */
function tag (args, source) {
  const targets = /** @type {import('../../entities/entity').Entity[]} */ (args.get('targets').some(source))
  const name = args.get('name')
  const one = targets[0].displayName
  if (args.is('list')) {
    const all = [...new Set(targets.flatMap((t) => [...t.tags]))]
    const kind = targets.length === 1 ? 'single' : 'multiple'
    const who = targets.length === 1 ? one : targets.length
    if (all.length === 0) source.say(`commands.tag.list.${kind}.empty`, who)
    else source.say(`commands.tag.list.${kind}.success`, who, all.length, all.join(', '))
    return all.length
  }
  const word = args.word(2) === 'add' ? 'add' : 'remove'
  const done = targets.filter((t) =>
    (word === 'add' ? !t.tags.has(name) && t.tags.size < 1024 && t.tags.add(name) : t.tags.delete(name)))
  if (done.length === 0) throw source.error(`commands.tag.${word}.failed`)
  if (done.length === 1) source.say(`commands.tag.${word}.success.single`, name, done[0].displayName)
  else source.say(`commands.tag.${word}.success.multiple`, name, done.length)
  return done.length
}

module.exports = { data, tag }
