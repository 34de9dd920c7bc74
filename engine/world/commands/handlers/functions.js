'use strict'
/** function, schedule, return. */
const { CommandError } = require('../reader')
const { Return } = require('../functions')

/** @typedef {import('../commands').Handler} Handler */

const INT = 2147483647

/** @param {import('../tree').Arguments} args @param {string} name of the argument @returns {string} */
function functionName (args, name) {
  const given = args.get(name)
  if (given.startsWith('#')) throw new CommandError(`function tags (${given}) are not run by this world engine`)
  return given.includes(':') ? given : `minecraft:${given}`
}

/** @type {Handler} */
function run (args, source) {
  if (args.has('arguments') || args.is('with')) throw new CommandError('function macros are not run by this world engine')
  const { functions } = source.world.commands
  const name = functionName(args, 'name')
  functions.lines(name, source)
  source.say('commands.function.scheduled.single', name)
  return functions.run(name, source)
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
  if (args.is('run')) throw new CommandError('return run is not run by this world engine')
  const value = args.is('fail') ? 0 : args.get('value')
  if (source.world.commands.functions.depth > 0) throw new Return(value, !args.is('fail'))
  return value
}

module.exports = { function: run, schedule, return: end }
