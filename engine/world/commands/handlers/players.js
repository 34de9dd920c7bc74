'use strict'
/** Handlers of teleport, gamemode, spectate, kill, effect, experience, spawnpoint and damage. */

/** @typedef {import('../commands').Handler} Handler */
/** @typedef {import('../source').Source} Source */
/** @typedef {import('../../entities/entity').Entity} Entity */
/** @typedef {import('../../player').Player} Player */

/** Format a coordinate like vanilla's replies. @param {number} value */
function metres (value) { return value.toFixed(6) }

/**
 * @param {Source} source
 * @param {string} key
 * @param {Entity[]} list
 * @param {(string | number)[]} [before]
 * @param {(string | number)[]} [after]
 */
function replyForTargets (source, key, list, before = [], after = []) {
  if (list.length === 1) source.say(`${key}.single`, ...before, list[0].displayName, ...after)
  else source.say(`${key}.multiple`, ...before, list.length, ...after)
}

/** @param {Entity} entity @param {{ x: number, y: number, z: number, yaw?: number, pitch?: number }} to */
function moveEntity (entity, to) {
  const player = entity.world.players.get(/** @type {any} */ (entity).name)
  if (player && player === entity) return player.teleport(to)
  entity.resume()
  Object.assign(entity, { x: to.x, y: to.y, z: to.z, yaw: to.yaw ?? entity.yaw, pitch: to.pitch ?? entity.pitch, vx: 0,
    vy: 0, vz: 0, fallDistance: 0, onGround: false })
  entity.world.emit('entityMove', { entity })
}

/** @type {Handler} */
function teleport (args, source) {
  const targets = /** @type {Entity[]} */ (args.has('targets') ? args.get('targets').some(source)
    : [source.needEntity()])
  if (args.has('destination')) {
    const to = args.get('destination').one(source)
    for (const target of targets) moveEntity(target, { x: to.x, y: to.y, z: to.z, yaw: to.yaw, pitch: to.pitch })
    replyForTargets(source, 'commands.teleport.success.entity', targets, [], [to.displayName])
    return targets.length
  }
  const at = source.resolve(args.get('location'))
  if (!(Math.abs(at.x) < 3e7 && Math.abs(at.z) < 3e7 && Math.abs(at.y) < 2e7)) {
    throw source.error('commands.teleport.invalidPosition')
  }
  const turned = args.has('rotation') ? source.rotation(args.get('rotation')) : {}
  for (const target of targets) moveEntity(target, { ...at, ...turned, ...looking(args, source, at, target) })
  replyForTargets(source, 'commands.teleport.success.location', targets, [], [metres(at.x), metres(at.y), metres(at.z)])
  return targets.length
}

/**
 * Return the view toward the target of `facing`.
 * @param {import('../tree').Arguments} args
 * @param {Source} source
 * @param {{ x: number, y: number, z: number }} at
 * @param {Entity} target
 */
function looking (args, source, at, target) {
  if (!args.is('facing')) return {}
  const goal = args.has('facingLocation') ? source.resolve(args.get('facingLocation'))
    : lookPoint(args.get('facingEntity').one(source), args.get('facingAnchor', 'feet'))
  return viewTo({ x: at.x, y: at.y + target.eyeHeight, z: at.z }, goal)
}

/** @param {Entity} entity @param {'feet' | 'eyes'} anchor */
function lookPoint (entity, anchor) {
  return anchor === 'eyes' ? entity.eyes : { x: entity.x, y: entity.y, z: entity.z }
}

/**
 * @param {{ x: number, y: number, z: number }} from
 * @param {{ x: number, y: number, z: number }} to
 * @returns {{ yaw: number, pitch: number }}
 */
function viewTo (from, to) {
  const [dx, dy, dz] = [to.x - from.x, to.y - from.y, to.z - from.z]
  return { yaw: Math.atan2(-dx, dz) * 180 / Math.PI, pitch: -Math.atan2(dy, Math.hypot(dx, dz)) * 180 / Math.PI }
}

/** @type {Handler} */
function gamemode (args, source) {
  const mode = args.get('gamemode')
  const players = /** @type {Player[]} */ (args.has('target') ? args.get('target').some(source) : [source.needPlayer()])
  const name = source.world.data.text(`gameMode.${mode}`)
  let changed = 0
  for (const player of players) {
    if (!player.setGamemode(mode)) continue
    changed++
    if (player === source.entity) source.say('commands.gamemode.success.self', name)
    else {
      source.world.emit('system', { player, text: source.world.data.text('gameMode.changed', name), overlay: false })
      source.say('commands.gamemode.success.other', player.name, name)
    }
  }
  return changed
}

/** @type {Handler} */
function spectate (args, source) {
  const player = args.has('player') ? args.get('player').one(source) : source.needPlayer()
  const target = args.has('target') ? args.get('target').one(source) : null
  if (target === player) throw source.error('commands.spectate.self')
  if (player.gamemode !== 'spectator') throw source.error('commands.spectate.not_spectator', player.name)
  player.camera = target
  if (target) player.teleport({ x: target.x, y: target.y, z: target.z, yaw: target.yaw, pitch: target.pitch })
  source.world.emit('camera', { player, target })
  if (target) source.say('commands.spectate.success.started', target.displayName)
  else source.say('commands.spectate.success.stopped')
  return 1
}

/** @type {Handler} */
function kill (args, source) {
  const targets = /** @type {Entity[]} */ (args.has('targets') ? args.get('targets').some(source)
    : [source.needEntity()])
  const names = targets.map((t) => t.displayName)
  for (const target of targets) {
    if (target.living) /** @type {any} */ (target).hurt(3.4e38, { type: 'genericKill', piercing: true, absolute: true })
    else target.remove()
  }
  if (names.length === 1) source.say('commands.kill.success.single', names[0])
  else source.say('commands.kill.success.multiple', names.length)
  return names.length
}

/** @type {Handler} */
function damage (args, source) {
  const target = args.get('target').one(source)
  const amount = args.get('amount')
  const attacker = args.has('entity') ? args.get('entity').one(source) : null
  if (!target.living || !target.hurt(amount,
    { type: attacker ? 'mob' : 'generic', attacker, direct: attacker, piercing: !args.has('damageType') })) {
    throw source.error('commands.damage.invulnerable')
  }
  source.say('commands.damage.success', amount.toFixed(1), target.displayName)
  return 1
}

/** @type {Handler} */
function effect (args, source) {
  const targets = /** @type {any[]} */ (args.has('targets') ? args.get('targets').some(source)
    : [source.needEntity()]).filter((t) => t.living)
  const name = args.get('effect')
  const label = name ? source.world.data.text(`effect.minecraft.${name}`) : ''
  if (args.is('give')) {
    const ticks = args.is('infinite') ? -1
      : args.has('seconds') ? args.get('seconds') * 20 : name.startsWith('instant_') ? 1 : 600
    const done = targets.filter((t) =>
      t.addEffect(name, ticks, args.get('amplifier', 0), !args.get('hideParticles', false)))
    if (done.length === 0) throw source.error('commands.effect.give.failed')
    replyForTargets(source, 'commands.effect.give.success', done, [label])
    return done.length
  }
  const done = targets.filter((t) =>
    (name ? t.removeEffect(name) : [...t.effects.keys()].map((e) => t.removeEffect(e)).length > 0))
  const kind = name ? 'specific' : 'everything'
  if (done.length === 0) throw source.error(`commands.effect.clear.${kind}.failed`)
  replyForTargets(source, `commands.effect.clear.${kind}.success`, done, name ? [label] : [])
  return done.length
}

/** @type {Handler} */
function experience (args, source) {
  const levels = args.is('levels')
  const unit = levels ? 'levels' : 'points'
  if (args.is('query')) {
    const player = args.get('targets').one(source)
    const value = levels ? player.experience.level : pointsInLevel(player)
    source.say(`commands.experience.query.${unit}`, player.name, value)
    return value
  }
  const players = /** @type {Player[]} */ (args.get('targets', args.get('target')).some(source))
  const amount = args.get('amount')
  for (const player of players) {
    if (args.is('add')) addExperience(player, amount, levels)
    else if (!setExperience(player, amount, levels)) throw source.error('commands.experience.set.points.invalid')
  }
  replyForTargets(source, `commands.experience.${args.is('add') ? 'add' : 'set'}.${unit}.success`, players, [amount])
  return players.length
}

/** @param {Player} player */
function pointsInLevel (player) {
  return Math.round(player.experience.progress * require('../../player').levelCost(player.experience.level))
}

/** @param {Player} player @param {number} amount @param {boolean} levels */
function addExperience (player, amount, levels) {
  if (!levels) return player.addExperience(amount)
  player.experience.level = Math.max(0, player.experience.level + amount)
  player.world.emit('experience', { player })
}

/** @param {Player} player @param {number} amount @param {boolean} levels */
function setExperience (player, amount, levels) {
  const cost = require('../../player').levelCost(player.experience.level)
  if (levels) player.experience.level = amount
  else if (amount >= cost) return false
  else player.experience.progress = amount / cost
  player.world.emit('experience', { player })
  return true
}

/** @type {Handler} */
function spawnpoint (args, source) {
  const players = /** @type {Player[]} */ (args.has('targets') ? args.get('targets').some(source)
    : [source.needPlayer()])
  const at = args.has('pos') ? source.block(args.get('pos'))
    : { x: Math.floor(source.pos.x), y: Math.floor(source.pos.y), z: Math.floor(source.pos.z) }
  const angle = args.has('angle') ? args.get('angle').value : 0
  for (const player of players) player.spawnPoint = { x: at.x + 0.5, y: at.y, z: at.z + 0.5, angle }
  const where = [at.x, at.y, at.z, angle.toFixed(1), 'minecraft:overworld']
  if (players.length === 1) source.say('commands.spawnpoint.success.single', ...where, players[0].name)
  else source.say('commands.spawnpoint.success.multiple', ...where, players.length)
  return players.length
}

module.exports = { teleport, gamemode, spectate, kill, damage, effect, experience, spawnpoint }
Object.defineProperty(module.exports, 'viewTo', { value: viewTo, enumerable: false })
Object.defineProperty(module.exports, 'lookPoint', { value: lookPoint, enumerable: false })
Object.defineProperty(module.exports, 'moveEntity', { value: moveEntity, enumerable: false })
