'use strict'
/** Handlers of function, schedule and return. */
const { CommandError } = require('../reader')
const { follow } = require('../../nbt/path')
const { Return, filled, fullName } = require('../functions')
const { subjectOf } = require('../subjects')

/** @typedef {import('../commands').Handler} Handler */

const INT = 2147483647

/** @param {import('../tree').Arguments} args @param {string} name of the argument @returns {string} */
function functionName (args, name) {
  const given = args.get(name)
  if (given.startsWith('#')) throw new CommandError(`This world has no function tags (${given}): name one function`)
  return fullName(given)
}

/**
 * Return the values for a macro's words, if there are any.
 * @param {import('../tree').Arguments} args
 * @param {import('../source').Source} source
 */
function macroValues (args, source) {
  if (args.has('arguments')) return args.get('arguments')
  if (!args.is('with')) return null
  const { read } = subjectOf(source, /** @type {any} */ (args.word(3)), args.get('sourcePos') ?? args.get('source'))
  const [tag] = args.has('path') ? follow(read(), args.get('path').steps) : [read()]
  if (!tag) throw source.error('arguments.nbtpath.nothing_found', args.get('path').text)
  if (tag.type !== 'compound') throw source.error('commands.function.error.argument_not_compound', tag.type)
  return tag
}

/** @type {Handler} */
function run (args, source) {
  const { functions } = source.world.commands
  const name = functionName(args, 'name')
  const values = macroValues(args, source)
  // Refuse a macro that cannot be filled in before any reply.
  filled(name, functions.lines(name, source), values, source)
  source.say('commands.function.scheduled.single', name)
  return functions.run(name, source, values)
}

/** @type {Handler} */
function schedule (args, source) {
  const { functions } = source.world.commands
  if (args.word(1) === 'clear') {
    const name = args.get('function')
    const count = functions.unschedule(name.includes(':') ? name : `minecraft:${name}`)
    if (count === 0) throw source.error('commands.schedule.cleared.failure', name)
    source.say('commands.schedule.cleared.success', count, name)
    return count
  }
  const name = functionName(args, 'function')
  functions.lines(name, source)
  const ticks = args.get('time')
  if (ticks === 0) throw source.error('commands.schedule.same_tick')
  functions.schedule(name, ticks, args.is('append'))
  const due = source.world.age + ticks
  source.say('commands.schedule.created.function', name, ticks, due)
  return due % INT
}

/** @type {Handler} */
function end (args, source) {
  if (args.is('run')) return endWith(args, source)
  const value = args.is('fail') ? 0 : args.get('value')
  if (source.world.commands.functions.depth > 0) throw new Return(value, !args.is('fail'))
  return value
}

/** Return with another command's result. @type {Handler} */
function endWith (args, source) {
  const { commands } = source.world
  let value = 0
  let ok = true
  try {
    value = commands.dispatch(args.steps.slice(2), source)
  } catch (error) {
    if (!(error instanceof CommandError) || commands.functions.depth === 0) throw error
    ok = false
  }
  if (commands.functions.depth > 0) throw new Return(value, ok)
  return value
}

module.exports = { function: run, schedule, return: end }
