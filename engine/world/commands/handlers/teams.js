'use strict'
/** Handlers of team and teammsg. */
const { plainText } = require('../../stacks')
const { CommandError } = require('../reader')
const { COLORS } = require('../../rules/operators/teams')
const { nameTable } = require('../../../name_table')

/** @typedef {import('../commands').Handler} Handler */
/** @typedef {import('../source').Source} Source */
/** @typedef {import('../tree').Arguments} Arguments */
/** @typedef {import('../../rules/operators/teams').Team} Team */

/** @param {Team} team */
const label = (team) => `[${plainText(JSON.stringify(team.displayName))}]`

/** @param {Arguments} args @param {Source} source @returns {Team} */
function teamOf (args, source) {
  const team = source.world.teams.byName.get(args.get('team'))
  if (!team) throw source.error('team.notFound', args.get('team'))
  return team
}

/** Return the names of a score holder argument. @param {Arguments} args @param {Source} source @returns {string[]} */
function members (args, source) {
  const given = args.get('members')
  if (!given) return [source.needEntity().displayName]
  if (given.holder === '*') return source.world.scoreboard.holders()
  return given.holder !== undefined ? [given.holder]
    : given.some(source).map((/** @type {any} */ body) => body.name ?? body.uuid)
}

/** @type {Record<string, Handler>} */
const WORDS = nameTable({
  list: (args, source) => (args.has('team') ? listMembers(teamOf(args, source), source) : listTeams(source)),
  add: (args, source) => {
    const { teams } = source.world
    const name = args.get('team')
    if (teams.byName.has(name)) throw source.error('commands.team.add.duplicate')
    const team = teams.add(name, args.get('displayName', name))
    source.say('commands.team.add.success', label(team))
    return teams.byName.size
  },
  remove: (args, source) => {
    const team = teamOf(args, source)
    source.world.teams.remove(team)
    source.say('commands.team.remove.success', label(team))
    return source.world.teams.byName.size
  },
  empty: (args, source) => {
    const team = teamOf(args, source)
    const count = source.world.teams.leave([...team.members])
    if (count === 0) throw source.error('commands.team.empty.unchanged')
    source.say('commands.team.empty.success', count, label(team))
    return count
  },
  join: (args, source) => {
    const team = teamOf(args, source)
    const names = members(args, source)
    source.world.teams.join(team, names)
    if (names.length === 1) source.say('commands.team.join.success.single', names[0], label(team))
    else source.say('commands.team.join.success.multiple', names.length, label(team))
    return names.length
  },
  leave: (args, source) => {
    const names = members(args, source)
    source.world.teams.leave(names)
    if (names.length === 1) source.say('commands.team.leave.success.single', names[0])
    else source.say('commands.team.leave.success.multiple', names.length)
    return names.length
  },
  modify
})

/** @type {Handler} */
function team (args, source) { return WORDS[args.word(1)](args, source) }

/** @param {Source} source */
function listTeams (source) {
  const teams = [...source.world.teams.byName.values()]
  if (teams.length === 0) source.say('commands.team.list.teams.empty')
  else source.say('commands.team.list.teams.success', teams.length, teams.map(label).join(', '))
  return teams.length
}

/** @param {Team} team @param {Source} source */
function listMembers (team, source) {
  const names = [...team.members]
  if (names.length === 0) source.say('commands.team.list.members.empty', label(team))
  else source.say('commands.team.list.members.success', label(team), names.length, names.join(', '))
  return names.length
}

/** @param {Arguments} args @param {Source} source */
function modify (args, source) {
  const team = teamOf(args, source)
  const option = args.word(3)
  const own = /** @type {any} */ (team)
  const { key, field, value } = wanted(args, source, option)
  if (JSON.stringify(own[field]) === JSON.stringify(value)) throw source.error(unchanged(key, value))
  own[field] = value
  source.world.teams.changed(team)
  answer(source, team, key, value)
  return 0
}

/**
 * Return the field that a word of /team modify sets, and its value; `key` names the texts.
 * @param {Arguments} args
 * @param {Source} source
 * @param {string} option
 */
function wanted (args, source, option) {
  if (option === 'friendlyFire' || option === 'seeFriendlyInvisibles') {
    return { key: option === 'friendlyFire' ? 'friendlyfire' : option, field: option, value: args.get('allowed') }
  }
  if (option === 'displayName') return { key: 'name', field: option, value: args.get('displayName') }
  if (option === 'prefix' || option === 'suffix') return { key: option, field: option, value: args.get(option) }
  if (option !== 'color') return { key: option, field: option, value: args.word(4) }
  const color = args.get('value')
  if (color !== 'reset' && !COLORS.includes(color)) throw source.error('argument.color.invalid', color)
  return { key: 'color', field: 'color', value: color }
}

/** @param {string} key @param {unknown} value */
function unchanged (key, value) {
  if (typeof value === 'boolean') return `commands.team.option.${key}.already${value ? 'Enabled' : 'Disabled'}`
  return `commands.team.option.${key}.unchanged`
}

/** @param {Source} source @param {Team} team @param {string} key @param {any} value */
function answer (source, team, key, value) {
  const prefix = `commands.team.option.${key}`
  const { data } = source.world
  if (typeof value === 'boolean') return source.say(`${prefix}.${value ? 'enabled' : 'disabled'}`, label(team))
  if (key === 'prefix' || key === 'suffix') return source.say(`${prefix}.success`, plainText(JSON.stringify(value)))
  if (key === 'name') return source.say(`${prefix}.success`, label(team))
  const words = key === 'color' ? value
    : data.text(`team.${key === 'collisionRule' ? 'collision' : 'visibility'}.${value}`)
  return source.say(`${prefix}.success`, label(team), words)
}

/** @type {Handler} */
function teammsg (args, source) {
  const { world } = source
  const own = source.player && world.teams.byMember.get(source.player.name)
  if (!own || !source.player) throw new CommandError(world.data.text('commands.teammsg.failed.noteam'))
  const text = args.get('message')
  for (const name of own.members) {
    const player = world.players.get(name)
    if (!player) continue
    const key = player === source.player ? 'chat.type.team.sent' : 'chat.type.team.text'
    world.emit('system', { player, text: world.data.text(key, label(own), source.name, text), overlay: false,
      from: source.name })
  }
  return own.members.size
}

module.exports = { team, teammsg }
