'use strict'
/** data get and merge; tag. */
const { follow } = require('../../nbt/path')
const { writeTag } = require('../../nbt/snbt')
const { containerNbt } = require('../../nbt/items')
const { elements, longValue } = require('../../nbt/values')

/** @typedef {import('../commands').Handler} Handler */
/** @typedef {import('../source').Source} Source */
/** @typedef {import('../../nbt/values').Tag} Tag */

const NUMERIC = new Set(['byte', 'short', 'int', 'long', 'float', 'double'])

/** @param {Tag} tag */
function numberOf (tag) { return tag.type === 'long' ? Number(longValue(tag)) : Number(tag.value) }

/** What is asked about: its data and the words of the reply. @param {import('../tree').Arguments} args @param {Source} source @returns {{ tag: Tag, kind: 'block' | 'entity' | 'storage', names: (string | number)[] }} */
function subject (args, source) {
  const { world } = source
  if (args.has('targetPos')) {
    const pos = source.block(args.get('targetPos'))
    const entity = world.blockEntities.at(pos)
    if (!entity) throw source.error('commands.data.block.invalid')
    return { tag: containerNbt(entity), kind: 'block', names: [pos.x, pos.y, pos.z] }
  }
  if (args.is('entity')) {
    const entity = args.get('target').one(source)
    return { tag: world.nbt.compound(entity.nbt()), kind: 'entity', names: [entity.displayName] }
  }
  return { tag: world.commands.storage.get(args.get('target')) ?? world.nbt.compound({}), kind: 'storage', names: [args.get('target')] }
}

/** @type {Handler} */
function data (args, source) {
  if (args.word(1) === 'merge') return merge(args, source)
  if (args.word(1) !== 'get') throw source.error('command.unknown.argument')
  const { tag, kind, names } = subject(args, source)
  if (!args.has('path')) {
    source.say(`commands.data.${kind}.query`, ...names, writeTag(tag))
    return 1
  }
  const path = args.get('path')
  const found = follow(tag, path.steps)
  if (found.length === 0) throw source.error('arguments.nbtpath.nothing_found', path.text)
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

/** Vanilla's result of a query: a number's floor, else how long it is. @param {Tag} tag */
function size (tag) {
  if (NUMERIC.has(tag.type)) return Math.floor(numberOf(tag))
  if (tag.type === 'compound') return Object.keys(tag.value).length
  return tag.type === 'string' ? tag.value.length : elements(tag).length
}

/** @param {import('../tree').Arguments} args @param {Source} source @returns {number} */
function merge (args, source) {
  const nbt = args.get('nbt')
  if (args.has('targetPos')) {
    const { names } = subject(args, source)
    source.world.loadBlockEntity(source.block(args.get('targetPos')), nbt)
    source.say('commands.data.block.modified', ...names)
    return 1
  }
  if (args.is('entity')) {
    const entity = args.get('target').one(source)
    if (source.world.players.has(entity.name)) throw source.error('commands.data.entity.invalid')
    require('./summon').applyNbt(entity, nbt)
    source.say('commands.data.entity.modified', entity.displayName)
    return 1
  }
  const { storage } = source.world.commands
  const name = args.get('target')
  storage.set(name, source.world.nbt.compound({ ...storage.get(name)?.value, ...nbt.value }))
  source.say('commands.data.storage.modified', name)
  return 1
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
  const done = targets.filter((t) => (word === 'add' ? !t.tags.has(name) && t.tags.size < 1024 && t.tags.add(name) : t.tags.delete(name)))
  if (done.length === 0) throw source.error(`commands.tag.${word}.failed`)
  if (done.length === 1) source.say(`commands.tag.${word}.success.single`, name, done[0].displayName)
  else source.say(`commands.tag.${word}.success.multiple`, name, done.length)
  return done.length
}

module.exports = { data, tag }
Object.defineProperty(module.exports, 'numberOf', { value: numberOf, enumerable: false })
