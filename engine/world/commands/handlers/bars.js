'use strict'
/** Handler of bossbar. */
const { BossBar } = require('../../rules/operators/boss_bars')
const { plainText } = require('../../stacks')
const { CommandError } = require('../reader')

/** @typedef {import('../commands').Handler} Handler */
/** @typedef {import('../source').Source} Source */
/** @typedef {import('../tree').Arguments} Arguments */

/** @param {BossBar} bar */
const label = (bar) => `[${plainText(JSON.stringify(bar.title))}]`

/** @param {Arguments} args @param {Source} source @returns {BossBar} */
function barOf (args, source) {
  const bar = source.world.commands.bars.get(args.get('id'))
  if (!bar) throw source.error('commands.bossbar.unknown', args.get('id'))
  return bar
}

/** @type {Handler} */
function bossbar (args, source) {
  const { bars } = source.world.commands
  const word = args.word(1)
  if (word === 'list') return listBars(source)
  if (word === 'add') {
    if (bars.has(args.get('id'))) throw source.error('commands.bossbar.create.failed', args.get('id'))
    const bar = new BossBar(source.world, args.get('id'), args.get('name'))
    bars.set(bar.id, bar)
    source.say('commands.bossbar.create.success', label(bar))
    return bars.size
  }
  const bar = barOf(args, source)
  if (word === 'get') return getBar(args, source, bar)
  if (word === 'set') return setBar(args, source, bar)
  bar.show(false)
  bars.delete(bar.id)
  source.say('commands.bossbar.remove.success', label(bar))
  return bars.size
}

/** @param {Source} source */
function listBars (source) {
  const bars = [...source.world.commands.bars.values()]
  if (bars.length === 0) source.say('commands.bossbar.list.bars.none')
  else source.say('commands.bossbar.list.bars.some', bars.length, bars.map(label).join(', '))
  return bars.length
}

/** @param {Arguments} args @param {Source} source @param {BossBar} bar */
function getBar (args, source, bar) {
  const what = args.word(3)
  if (what === 'players') {
    const names = bar.present.map((player) => player.name)
    if (names.length === 0) source.say('commands.bossbar.get.players.none', label(bar))
    else source.say('commands.bossbar.get.players.some', label(bar), names.length, names.join(', '))
    return names.length
  }
  if (what === 'visible') {
    source.say(`commands.bossbar.get.visible.${bar.visible ? 'visible' : 'hidden'}`, label(bar))
    return Number(bar.visible)
  }
  const value = what === 'max' ? bar.max : bar.value
  source.say(`commands.bossbar.get.${what}`, label(bar), value)
  return value
}

/**
 * Properties of /bossbar set: [field of the bar, argument or word, change on the wire, key of the texts].
 * @type {Record<string, [string, string | null, import('../../rules/operators/boss_bars').Change]>}
 */
const FIELDS = { color: ['color', null, 'style'], style: ['style', null, 'style'], value: ['value', 'value', 'health'],
  max: ['max', 'max', 'health'], name: ['title', 'name', 'title'] }

/** @param {Arguments} args @param {Source} source @param {BossBar} bar */
function setBar (args, source, bar) {
  const what = args.word(3)
  if (what === 'players') return setPlayers(args, source, bar)
  if (what === 'visible') return setVisible(args, source, bar)
  const field = FIELDS[what]
  if (!field) throw new CommandError(`bossbar set ${what} is not run by this world engine`)
  const [name, argument, change] = field
  const value = argument === null ? args.word(4) : args.get(argument)
  const own = /** @type {any} */ (bar)
  if (JSON.stringify(own[name]) === JSON.stringify(value)) throw source.error(`commands.bossbar.set.${what}.unchanged`)
  if (what === 'max' && value < 1) throw source.error('argument.integer.low', 1, value)
  own[name] = value
  bar.announceChange(change)
  source.say(`commands.bossbar.set.${what}.success`, label(bar), ...(typeof value === 'number' ? [value] : []))
  return typeof value === 'number' ? value : 0
}

/** @param {Arguments} args @param {Source} source @param {BossBar} bar */
function setPlayers (args, source, bar) {
  const names = new Set(args.has('targets')
    ? args.get('targets').find(source).map((/** @type {import('../../player').Player} */ player) => player.name) : [])
  if (names.size === bar.names.size && [...names].every((name) => bar.names.has(name))) {
    throw source.error('commands.bossbar.set.players.unchanged')
  }
  bar.setPlayers(names)
  if (names.size === 0) source.say('commands.bossbar.set.players.success.none', label(bar))
  else source.say('commands.bossbar.set.players.success.some', label(bar), names.size, [...names].join(', '))
  return names.size
}

/** @param {Arguments} args @param {Source} source @param {BossBar} bar */
function setVisible (args, source, bar) {
  const visible = args.get('visible')
  const word = visible ? 'visible' : 'hidden'
  if (bar.visible === visible) throw source.error(`commands.bossbar.set.visibility.unchanged.${word}`)
  bar.show(visible)
  source.say(`commands.bossbar.set.visible.success.${word}`, label(bar))
  return 0
}

module.exports = { bossbar }
