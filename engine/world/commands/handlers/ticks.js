'use strict'
/** Handler of tick: the pace of time, for the owner of the clock (bridge/servers/embedded/server.js). */
const { CommandError } = require('../reader')
const { nameTable } = require('../../../name_table')

/** @typedef {import('../commands').Handler} Handler */
/** @typedef {import('../source').Source} Source */

/** Words that need a world with a clock of its own. */
const CLOCKED = new Set(['freeze', 'rate', 'sprint'])
const PLAIN_DECIMALS = 1

/** @type {Handler} */
function tick (args, source) {
  const { world } = source
  const word = args.word(1)
  if (CLOCKED.has(word) && !world.freezable && !args.is('stop')) {
    throw new CommandError(`tick ${word} is not needed here: time passes only while somebody waits for it`)
  }
  return WORDS[word](args, source)
}

/** @type {Record<string, Handler>} */
const WORDS = nameTable({
  freeze: (_args, source) => setFrozen(source, true),
  unfreeze: (_args, source) => setFrozen(source, false),
  query: (_args, source) => {
    const { world } = source
    source.say(`commands.tick.status.${status(world)}`)
    return Math.trunc(world.tickRate)
  },
  rate: (args, source) => {
    const { world } = source
    world.tickRate = args.get('rate')
    world.emit('ticking', {})
    source.say('commands.tick.rate.success', world.tickRate.toFixed(PLAIN_DECIMALS))
    return Math.trunc(world.tickRate)
  },
  step: (args, source) => {
    const { world } = source
    if (args.is('stop')) return stop(source, 'steps', 'step')
    if (!world.frozen) throw source.error('commands.tick.step.fail')
    world.steps = args.get('time', 1)
    world.emit('ticking', { steps: world.steps })
    source.say('commands.tick.step.success', world.steps)
    return 1
  },
  sprint: (args, source) => {
    if (args.is('stop')) return stop(source, 'sprint', 'sprint')
    source.world.sprint = args.get('time')
    source.say('commands.tick.status.sprinting')
    return 1
  }
})

/** @param {import('../../world').World} world */
function status (world) { return world.sprint > 0 ? 'sprinting' : world.frozen ? 'frozen' : 'running' }

/** @param {Source} source @param {boolean} frozen */
function setFrozen (source, frozen) {
  const { world } = source
  world.frozen = frozen
  world.steps = world.sprint = 0
  world.emit('ticking', {})
  source.say(`commands.tick.status.${status(world)}`)
  return Number(frozen)
}

/**
 * End a running step or sprint.
 * @param {Source} source
 * @param {'steps' | 'sprint'} field
 * @param {string} name in the texts
 */
function stop (source, field, name) {
  if (source.world[field] === 0) throw source.error(`commands.tick.${name}.stop.fail`)
  source.world[field] = 0
  source.say(`commands.tick.${name}.stop.success`)
  return 1
}

module.exports = { tick }
