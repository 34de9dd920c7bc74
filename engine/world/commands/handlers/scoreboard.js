'use strict'
/** Handler of scoreboard: objectives and scores. */
const { criterion, READ_ONLY } = require('../../rules/operators/scoreboard')
const { plainText } = require('../../stacks')
const { CommandError } = require('../reader')

const PLAIN_SCORES = 'This world shows scores under their holders\' own names and as numbers'

/** @typedef {import('../commands').Handler} Handler */
/** @typedef {import('../source').Source} Source */
/** @typedef {import('../../rules/operators/scoreboard').Objective} Objective */

/** @param {Objective} objective */
function label (objective) { return `[${objective.displayName}]` }

/** @param {Source} source @param {string} name @returns {Objective} */
function objectiveOf (source, name) {
  const objective = source.world.scoreboard.objectives.get(name)
  if (!objective) throw source.error('arguments.objective.notFound', name)
  return objective
}

/** Return an objective whose scores may be set. @param {Source} source @param {string} name */
function writable (source, name) {
  const objective = objectiveOf(source, name)
  if (READ_ONLY.has(objective.criteria)) throw source.error('arguments.objective.readonly', name)
  return objective
}

/**
 * Return the names of score holders: players, other entities by UUID, made-up names, * for all known.
 * @param {Source} source
 * @param {any} value
 * @returns {string[]}
 */
function holders (source, value) {
  if ('holder' in value) {
    if (value.holder !== '*') return [value.holder]
    const all = source.world.scoreboard.holders()
    if (all.length === 0) throw source.error('argument.scoreHolder.empty')
    return all
  }
  const found = value.find(source)
  if (found.length === 0) throw source.error('argument.entity.notfound.entity')
  return found.map((/** @type {any} */ e) => e.name ?? e.uuid)
}

/** @type {Handler} */
function scoreboard (args, source) {
  return args.is('objectives') && args.word(1) === 'objectives' ? objectives(args, source) : players(args, source)
}

/** @param {import('../tree').Arguments} args @param {Source} source */
function objectives (args, source) {
  const board = source.world.scoreboard
  switch (args.word(2)) {
    case 'add': return addObjective(args, source)
    case 'list': {
      const all = [...board.objectives.values()]
      if (all.length === 0) source.say('commands.scoreboard.objectives.list.empty')
      else source.say('commands.scoreboard.objectives.list.success', all.length, all.map(label).join(', '))
      return all.length
    }
    case 'remove': {
      const objective = objectiveOf(source, args.get('objective'))
      board.remove(objective)
      source.say('commands.scoreboard.objectives.remove.success', label(objective))
      return board.objectives.size
    }
    case 'setdisplay': return setDisplay(args, source)
    default: return modify(args, source)
  }
}

/** @param {import('../tree').Arguments} args @param {Source} source */
function addObjective (args, source) {
  const { world } = source
  const name = args.get('objective')
  if (world.scoreboard.objectives.has(name)) throw source.error('commands.scoreboard.objectives.add.duplicate')
  const text = args.get('criteria').text
  const criteria = criterion(world.data, text)
  if (!criteria) throw source.error('argument.criteria.invalid', text)
  const shown = args.has('displayName') ? plainText(args.get('displayName')) : name
  source.say('commands.scoreboard.objectives.add.success', label(world.scoreboard.add(name, criteria, shown)))
  return world.scoreboard.objectives.size
}

/** @param {import('../tree').Arguments} args @param {Source} source */
function setDisplay (args, source) {
  const { displays } = source.world.scoreboard
  const slot = args.get('slot')
  const objective = args.has('objective') ? objectiveOf(source, args.get('objective')) : null
  if (!objective) {
    if (!displays.delete(slot)) throw source.error('commands.scoreboard.objectives.display.alreadyEmpty')
    source.say('commands.scoreboard.objectives.display.cleared', slot)
  } else {
    if (displays.get(slot) === objective.name) throw source.error('commands.scoreboard.objectives.display.alreadySet')
    displays.set(slot, objective.name)
    source.say('commands.scoreboard.objectives.display.set', slot, objective.displayName)
  }
  source.world.emit('scoreboard', { kind: 'display', objective: objective?.name ?? '', slot })
  return 0
}

/** @param {import('../tree').Arguments} args @param {Source} source */
function modify (args, source) {
  const objective = objectiveOf(source, args.get('objective'))
  if (!args.is('displayname') && !args.is('rendertype')) {
    throw new CommandError(`${PLAIN_SCORES}: it has no scoreboard objectives modify ${args.word(4)}`)
  }
  if (args.is('displayname')) {
    objective.displayName = plainText(args.get('displayName'))
    source.say('commands.scoreboard.objectives.modify.displayname', objective.name, label(objective))
  } else if (args.is('rendertype')) {
    objective.renderType = args.is('hearts') ? 'hearts' : 'integer'
    source.say('commands.scoreboard.objectives.modify.rendertype', label(objective))
  }
  source.world.emit('scoreboard', { kind: 'objective', objective: objective.name })
  return 0
}

/** @param {import('../tree').Arguments} args @param {Source} source */
function players (args, source) {
  switch (args.word(2)) {
    case 'get': return getScore(args, source)
    case 'list': return list(args, source)
    case 'reset': return reset(args, source)
    case 'operation': return operation(args, source)
    case 'set': case 'add': case 'remove': return change(args, source)
    case 'display': throw new CommandError(`${PLAIN_SCORES}: it has no scoreboard players display ${args.word(3)}`)
    default: return enable(args, source)
  }
}

/** @param {import('../tree').Arguments} args @param {Source} source */
function getScore (args, source) {
  const objective = objectiveOf(source, args.get('objective'))
  const [holder] = holders(source, args.get('target'))
  const score = objective.scores.get(holder)
  if (score === undefined) throw source.error('commands.scoreboard.players.get.null', objective.name, holder)
  source.say('commands.scoreboard.players.get.success', holder, score, label(objective))
  return score
}

/** @param {import('../tree').Arguments} args @param {Source} source */
function change (args, source) {
  const objective = writable(source, args.get('objective'))
  const names = holders(source, args.get('targets'))
  const amount = args.get('score')
  const word = args.word(2)
  if (word !== 'set' && amount < 0) throw source.error('argument.integer.low', 0, amount)
  let total = 0
  for (const name of names) {
    const old = objective.scores.get(name) ?? 0
    source.world.scoreboard.set(objective, name, word === 'set' ? amount : word === 'add' ? old + amount : old - amount)
    total += /** @type {number} */ (objective.scores.get(name))
  }
  if (word === 'set') {
    if (names.length === 1) {
      source.say('commands.scoreboard.players.set.success.single', label(objective), names[0], amount)
    } else {
      source.say('commands.scoreboard.players.set.success.multiple', label(objective), names.length, amount)
    }
    return amount * names.length
  }
  const key = `commands.scoreboard.players.${word}.success`
  if (names.length === 1) source.say(`${key}.single`, amount, label(objective), names[0], total)
  else source.say(`${key}.multiple`, amount, label(objective), names.length)
  return total
}

/** @param {import('../tree').Arguments} args @param {Source} source */
function list (args, source) {
  const { scoreboard } = source.world
  if (!args.has('target')) {
    const names = scoreboard.holders()
    if (names.length === 0) source.say('commands.scoreboard.players.list.empty')
    else source.say('commands.scoreboard.players.list.success', names.length, names.join(', '))
    return names.length
  }
  const [holder] = holders(source, args.get('target'))
  const scores = [...scoreboard.objectives.values()].filter((o) => o.scores.has(holder))
  if (scores.length === 0) source.say('commands.scoreboard.players.list.entity.empty', holder)
  else source.say('commands.scoreboard.players.list.entity.success', holder, scores.length)
  for (const objective of scores) {
    source.say('commands.scoreboard.players.list.entity.entry', label(objective),
      /** @type {number} */ (objective.scores.get(holder)))
  }
  return scores.length
}

/** @param {import('../tree').Arguments} args @param {Source} source */
function reset (args, source) {
  const { scoreboard } = source.world
  const names = holders(source, args.get('targets'))
  const only = args.has('objective') ? objectiveOf(source, args.get('objective')) : null
  for (const objective of only ? [only] : scoreboard.objectives.values()) {
    for (const name of names) objective.scores.delete(name)
  }
  const key = `commands.scoreboard.players.reset.${only ? 'specific' : 'all'}`
  const before = only ? [label(only)] : []
  if (names.length === 1) source.say(`${key}.single`, ...before, names[0])
  else source.say(`${key}.multiple`, ...before, names.length)
  return names.length
}

/** @type {Record<string, (a: number, b: number) => number>} */
const OPERATIONS = { '=': (_a, b) => b, '+=': (a, b) => a + b, '-=': (a, b) => a - b, '*=': (a, b) => Math.imul(a, b),
  '/=': (a, b) => Math.floor(a / b), '%=': (a, b) => a - Math.floor(a / b) * b, '<': Math.min, '>': Math.max }

/** @param {import('../tree').Arguments} args @param {Source} source */
function operation (args, source) {
  const { scoreboard } = source.world
  const objective = writable(source, args.get('targetObjective'))
  const from = objectiveOf(source, args.get('sourceObjective'))
  const names = holders(source, args.get('targets'))
  const sign = args.get('operation')
  let value = 0
  for (const name of names) {
    for (const other of holders(source, args.get('source'))) {
      const [a, b] = [objective.scores.get(name) ?? 0, from.scores.get(other) ?? 0]
      if ((sign === '/=' || sign === '%=') && b === 0) throw source.error('arguments.operation.div0')
      if (sign === '><') scoreboard.set(from, other, a)
      scoreboard.set(objective, name, sign === '><' ? b : OPERATIONS[sign](a, b))
    }
    value = /** @type {number} */ (objective.scores.get(name))
  }
  if (names.length === 1) {
    source.say('commands.scoreboard.players.operation.success.single', label(objective), names[0], value)
  } else {
    source.say('commands.scoreboard.players.operation.success.multiple', label(objective), names.length)
  }
  return value
}

/** @param {import('../tree').Arguments} args @param {Source} source @returns {number} */
function enable (args, source) {
  const objective = objectiveOf(source, args.get('objective'))
  if (objective.criteria !== 'trigger') throw source.error('commands.scoreboard.players.enable.invalid')
  const names = holders(source, args.get('targets'))
  const locked = names.filter((name) => !objective.unlocked.has(name))
  if (locked.length === 0) throw source.error('commands.scoreboard.players.enable.failed')
  for (const name of locked) {
    objective.unlocked.add(name)
    if (!objective.scores.has(name)) source.world.scoreboard.set(objective, name, 0)
  }
  if (names.length === 1) source.say('commands.scoreboard.players.enable.success.single', label(objective), names[0])
  else source.say('commands.scoreboard.players.enable.success.multiple', label(objective), names.length)
  return locked.length
}

module.exports = { scoreboard }
Object.defineProperty(module.exports, 'holders', { value: holders, enumerable: false })
Object.defineProperty(module.exports, 'objectiveOf', { value: objectiveOf, enumerable: false })
