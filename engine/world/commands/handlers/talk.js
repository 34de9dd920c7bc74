'use strict'
/** Handlers of say, me, msg, tellraw, title, list, help and random. */
const { plainText } = require('../../stacks')
const { readSelector } = require('../selectors')
const { RandomStream } = require('../../random')

/** @typedef {import('../commands').Handler} Handler */
/** @typedef {import('../source').Source} Source */
/** @typedef {import('../../player').Player} Player */

/**
 * Replace selectors in a message by names, unless a player without operator rights wrote it.
 * @param {Source} source
 * @param {string} text
 */
function message (source, text) {
  if (!source.console && source.player && !source.player.op) return text
  const { Reader, CommandError } = require('../reader')
  return text.replace(/@[aeprs](\[[^\]]*\])?/g, (found) => {
    try {
      const selector = readSelector(new Reader(found, source.world.data.text.bind(source.world.data)),
        { players: false, single: false, data: source.world.data })
      return selector.find(source).map((e) => e.displayName).join(', ')
    } catch (error) {
      if (error instanceof CommandError) return found
      throw error
    }
  })
}

/** @type {Handler} */
function say (args, source) {
  const text = source.world.data.text('chat.type.announcement', source.name, message(source, args.get('message')))
  source.world.emit('system', { player: null, text, overlay: false })
  // The console hears its own announcement and needs no other reply.
  return 1
}

/** @type {Handler} */
function me (args, source) {
  source.world.emit('system',
    { player: null, text: source.world.data.text('chat.type.emote', source.name, message(source, args.get('action'))),
    overlay: false })
  return 1
}

/** @type {Handler} */
function msg (args, source) {
  const { data } = source.world
  const text = message(source, args.get('message'))
  const targets = /** @type {Player[]} */ (args.get('targets').some(source))
  for (const player of targets) {
    source.world.emit('system',
      { player, text: data.text('commands.message.display.incoming', source.name, text), overlay: false,
      from: source.name })
    source.say('commands.message.display.outgoing', player.name, text)
  }
  return targets.length
}

/** @type {Handler} */
function tellraw (args, source) {
  const component = args.get('message')
  const targets = /** @type {Player[]} */ (args.get('targets').some(source))
  for (const player of targets) {
    source.world.emit('system',
      { player, text: plainText(component), overlay: false, component: JSON.stringify(component) })
  }
  return targets.length
}

/** @type {Handler} */
function title (args, source) {
  const targets = /** @type {Player[]} */ (args.get('targets').some(source))
  const kind = /** @type {any} */ (args.word(2))
  const component = args.has('title') ? JSON.stringify(args.get('title')) : undefined
  const times = kind === 'times'
    ? /** @type {[number, number, number]} */ ([args.get('fadeIn'), args.get('stay'), args.get('fadeOut')]) : undefined
  for (const player of targets) source.world.emit('title', { player, kind, component, times })
  const key = { clear: 'cleared', reset: 'reset', times: 'times' }[/** @type {'clear'} */ (kind)] ?? `show.${kind}`
  if (targets.length === 1) source.say(`commands.title.${key}.single`, targets[0].name)
  else source.say(`commands.title.${key}.multiple`, targets.length)
  return targets.length
}

/** @type {Handler} */
function list (args, source) {
  const players = [...source.world.players.values()]
  const { data, commands } = source.world
  const names = players.map((p) => (args.is('uuids') ? data.text('commands.list.nameAndId', p.name, p.uuid) : p.name))
  source.say('commands.list.players', players.length, commands.maxPlayers, names.join(', '))
  return players.length
}

/** @type {Handler} */
function help (_args, source) {
  for (const name of source.world.commands.names) source.out.push(`/${name}`)
  return source.world.commands.names.length
}

/** @type {Handler} */
function random (args, source) {
  if (args.word(1) === 'reset') return reset(args, source)
  const { min, max } = args.get('range')
  if (max - min < 1) throw source.error('commands.random.error.range_too_small')
  if (!(max - min < 2147483647)) throw source.error('commands.random.error.range_too_large')
  const value = source.world.random.stream(args.has('sequence') ? `sequence ${args.get('sequence')}` : 'command')
    .int(min, max)
  if (args.word(1) === 'roll') {
    source.world.emit('system',
      { player: null, text: source.world.data.text('commands.random.roll', source.name, value, min, max),
      overlay: false })
  } else {
    source.say('commands.random.sample.success', value)
  }
  return value
}

/**
 * Reset random sequences. The words that mix in the world's seed change nothing here.
 * @param {import('../tree').Arguments} args
 * @param {Source} source
 */
function reset (args, source) {
  const { streams } = source.world.random
  const names = args.has('sequence') ? [`sequence ${args.get('sequence')}`]
    : [...streams.keys()].filter((name) => name.startsWith('sequence '))
  for (const name of names) {
    if (args.has('seed')) streams.set(name, new RandomStream(`${args.get('seed')}/${name}`))
    else streams.delete(name)
  }
  if (args.has('sequence')) source.say('commands.random.reset.success', args.get('sequence'))
  else source.say('commands.random.reset.all.success', names.length)
  return names.length
}

module.exports = { say, me, msg, tellraw, title, list, help, random }
