'use strict'
/** Handlers of advancement, recipe and trigger. Only commands grant advancements here. */
const { PARENTS, above, below } = require('../../rules/operators/advancements')
const { objectiveOf } = require('./scoreboard')
const { nameTable } = require('../../../name_table')

/** @typedef {import('../commands').Handler} Handler */
/** @typedef {import('../source').Source} Source */
/** @typedef {import('../../player').Player} Player */

/** Advancements by the word that selects them. @type {Record<string, (name: string) => string[]>} */
const SCOPES = nameTable({
  only: (name) => [name], from: (name) => [name, ...below(name)], until: (name) => [...above(name), name],
  through: (name) => [...above(name), name, ...below(name)]
})

/** @param {Source} source @param {string} name */
function label (source, name) { return `[${source.world.data.text(`advancements.${name.replace('/', '.')}.title`)}]` }

/** @type {Handler} */
function advancement (args, source) {
  const word = args.word(1)
  const players = /** @type {Player[]} */ (args.get('targets').some(source))
  const scope = args.steps[3].name
  const name = String(args.get('advancement', '')).replace(/^minecraft:/, '')
  if (scope !== 'everything' && !PARENTS.has(name)) {
    throw source.error('advancement.advancementNotFound', args.get('advancement'))
  }
  if (args.has('criterion')) {
    throw source.error('commands.advancement.criterionNotFound', label(source, name), args.get('criterion'))
  }
  const meant = scope === 'everything' ? [...PARENTS.keys()] : SCOPES[scope](name)
  let count = 0
  for (const player of players) {
    const changed = meant.filter((each) => player.advancements.has(each) !== (word === 'grant'))
    count += changed.length
    for (const each of changed) word === 'grant' ? grant(source, player, each) : player.advancements.delete(each)
  }
  const one = meant.length === 1 ? 'one' : 'many'
  const to = players.length === 1 ? 'one' : 'many'
  const text = [meant.length === 1 ? label(source, meant[0]) : meant.length,
    players.length === 1 ? players[0].displayName : players.length]
  if (count === 0) throw source.error(`commands.advancement.${word}.${one}.to.${to}.failure`, ...text)
  source.say(`commands.advancement.${word}.${one}.to.${to}.success`, ...text)
  return count
}

/** @param {Source} source @param {Player} player @param {string} name */
function grant (source, player, name) {
  player.advancements.add(name)
  if (!source.world.rules.announceAdvancements || name.endsWith('/root')) return
  source.world.emit('system',
    { player: null, text: source.world.data.text('chat.type.advancement.task', player.name, label(source, name)),
    overlay: false })
}

/** Recipes are stored by the item that they make. @type {Handler} */
function recipe (args, source) {
  const { registry } = source.world
  const players = /** @type {Player[]} */ (args.get('targets').some(source))
  const all = () => Object.keys(registry.recipes).map((id) => registry.items[Number(id)].name)
  const name = String(args.get('recipe', '')).replace(/^minecraft:/, '')
  const meant = args.has('recipe') ? all().filter((made) => made === name) : all()
  if (meant.length === 0) throw source.error('recipe.notFound', args.get('recipe'))
  const give = args.word(1) === 'give'
  let count = 0
  for (const player of players) {
    for (const made of meant) {
      if (give ? !player.recipes.has(made) && player.recipes.add(made) : player.recipes.delete(made)) count++
    }
  }
  if (count === 0) throw source.error(`commands.recipe.${args.word(1)}.failed`)
  if (players.length === 1) source.say(`commands.recipe.${args.word(1)}.success.single`, count, players[0].displayName)
  else source.say(`commands.recipe.${args.word(1)}.success.multiple`, count, players.length)
  return count
}

/** @type {Handler} */
function trigger (args, source) {
  const player = source.needPlayer()
  const objective = objectiveOf(source, args.get('objective'))
  if (objective.criteria !== 'trigger') throw source.error('commands.trigger.failed.invalid')
  if (!objective.unlocked.delete(player.name)) throw source.error('commands.trigger.failed.unprimed')
  const value = args.get('value', 1)
  const before = objective.scores.get(player.name) ?? 0
  source.world.scoreboard.set(objective, player.name, args.is('set') ? value : before + value)
  const shown = `[${objective.displayName}]`
  if (!args.has('value')) source.say('commands.trigger.simple.success', shown)
  else source.say(`commands.trigger.${args.is('set') ? 'set' : 'add'}.success`, shown, value)
  return /** @type {number} */ (objective.scores.get(player.name))
}

module.exports = { advancement, recipe, trigger }
