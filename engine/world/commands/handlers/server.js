'use strict'
/** Handlers of kick, op, deop, whitelist, save-all, save-on, save-off and stop. */

/** @typedef {import('../commands').Handler} Handler */
/** @typedef {import('../source').Source} Source */

/**
 * Return profile names: of present players, or the given name for absent ones.
 * @param {import('../selectors').Selector} selector
 * @param {Source} source
 * @returns {string[]}
 */
function profiles (selector, source) {
  const found = selector.find(source).map((e) => /** @type {any} */ (e).name).filter(Boolean)
  if (found.length > 0) return found
  if (selector.name) return [selector.name]
  throw source.error('argument.entity.notfound.player')
}

/** @type {Handler} */
function kick (args, source) {
  const targets = args.get('targets').some(source)
  const reason = args.get('reason') ?? source.world.data.text('multiplayer.disconnect.kicked')
  for (const player of targets) {
    source.world.emit('kick', { player, reason })
    source.say('commands.kick.success', player.name, reason)
  }
  return targets.length
}

/** @param {boolean} on @returns {Handler} */
const setOp = (on) => (args, source) => {
  const { ops, neverOps } = source.world.commands
  const changed = profiles(args.get('targets'), source)
    .filter((name) => (on ? !neverOps.has(name) && !ops.has(name) && ops.add(name)
    : ops.delete(name) || source.world.players.get(name)?.op))
  if (changed.length === 0) throw source.error(`commands.${on ? 'op' : 'deop'}.failed`)
  for (const name of changed) {
    const player = source.world.players.get(name)
    if (player) {
      player.op = on
      source.world.emit('op', { player })
    }
    source.say(`commands.${on ? 'op' : 'deop'}.success`, name)
  }
  return changed.length
}

/** Keep the whitelist; the front enforces it (bridge/servers/embedded/front.js). @type {Handler} */
function whitelist (args, source) {
  const list = source.world.commands.whitelist
  const word = args.word(1)
  if (word === 'on' || word === 'off') {
    if (list.on === (word === 'on')) {
      throw source.error(word === 'on' ? 'commands.whitelist.alreadyOn' : 'commands.whitelist.alreadyOff')
    }
    list.on = word === 'on'
    source.say(word === 'on' ? 'commands.whitelist.enabled' : 'commands.whitelist.disabled')
    return 1
  }
  if (word === 'list') {
    if (list.names.size === 0) source.say('commands.whitelist.none')
    else source.say('commands.whitelist.list', list.names.size, [...list.names].join(', '))
    return list.names.size
  }
  if (word === 'reload') {
    source.say('commands.whitelist.reloaded')
    return 1
  }
  const add = word === 'add'
  const changed = profiles(args.get('targets'), source)
    .filter((name) => (add ? !list.names.has(name) && list.names.add(name) : list.names.delete(name)))
  if (changed.length === 0) throw source.error(`commands.whitelist.${word}.failed`)
  for (const name of changed) source.say(`commands.whitelist.${word}.success`, name)
  return changed.length
}

/** Nothing needs saving: worlds are rebuilt from their seed and commands. @type {Handler} */
function saveAll (_args, source) {
  source.say('commands.save.saving')
  source.say('commands.save.success')
  return 1
}

/** @param {boolean} on @returns {Handler} */
const setSaving = (on) => (_args, source) => {
  const { commands } = source.world
  if (commands.saving === on) throw source.error(on ? 'commands.save.alreadyOn' : 'commands.save.alreadyOff')
  commands.saving = on
  source.say(on ? 'commands.save.enabled' : 'commands.save.disabled')
  return 1
}

/** @type {Handler} */
function stop (_args, source) {
  source.say('commands.stop.stopping')
  source.world.emit('stop', {})
  return 1
}

module.exports = { kick, op: setOp(true), deop: setOp(false), whitelist, 'save-all': saveAll,
  'save-on': setSaving(true), 'save-off': setSaving(false), stop }
