'use strict'
/** Handlers of time, weather, gamerule, difficulty, defaultgamemode, setworldspawn, forceload and seed. */
const { DAY } = require('../../rules/sky/sky')

/** @typedef {import('../commands').Handler} Handler */

/** @type {Record<string, number>} */
const TIMES = { day: 1000, noon: 6000, night: 13000, midnight: 18000 }
const OVERWORLD = 'minecraft:overworld'
const FORCED_LIMIT = 256
const INT = 2147483647

/** @type {Handler} */
function time (args, source) {
  const { sky, age } = source.world
  if (args.is('query')) {
    const value = args.is('gametime') ? age % INT : args.is('daytime') ? sky.daylight : sky.day % INT
    source.say('commands.time.query', value)
    return value
  }
  if (args.is('add')) sky.setTime(sky.timeOfDay + args.get('time'))
  else sky.setTime(args.get('time', TIMES[args.word(2)]))
  source.say('commands.time.set', args.is('add') ? sky.daylight : sky.timeOfDay)
  return sky.timeOfDay % DAY
}

/** @type {Handler} */
function weather (args, source) {
  const kind = /** @type {'clear' | 'rain' | 'thunder'} */ (args.word(1))
  source.world.sky.setWeather(kind, args.get('duration', 0))
  source.say(`commands.weather.set.${kind}`)
  return args.get('duration', -1)
}

/** @type {Handler} */
function gamerule (args, source) {
  const { rules } = source.world
  const name = args.word(1)
  if (args.has('value')) {
    rules[name] = args.get('value')
    // An explicit gamerule turns on spawning on flat land, too, where it is off by default.
    if (name === 'doMobSpawning') source.world.spawning.on = rules[name] === true
    source.say('commands.gamerule.set', name, String(rules[name]))
  } else source.say('commands.gamerule.query', name, String(rules[name]))
  return Number(rules[name])
}

/** @type {Handler} */
function difficulty (args, source) {
  const { world } = source
  const name = args.word(1)
  if (!name) {
    source.say('commands.difficulty.query', world.data.text(`options.difficulty.${world.difficulty}`))
    return ['peaceful', 'easy', 'normal', 'hard'].indexOf(world.difficulty)
  }
  if (world.difficulty === name) throw source.error('commands.difficulty.failure', name)
  world.difficulty = name
  world.emit('difficulty', { difficulty: name })
  source.say('commands.difficulty.success', world.data.text(`options.difficulty.${name}`))
  return 0
}

/** @type {Handler} */
function defaultgamemode (args, source) {
  source.world.defaultGamemode = args.get('gamemode')
  source.say('commands.defaultgamemode.success', source.world.data.text(`gameMode.${args.get('gamemode')}`))
  return 0
}

/** @type {Handler} */
function setworldspawn (args, source) {
  const at = args.has('pos') ? source.block(args.get('pos'))
    : { x: Math.floor(source.pos.x), y: Math.floor(source.pos.y), z: Math.floor(source.pos.z) }
  const angle = args.has('angle') ? args.get('angle').value : 0
  source.world.spawn = { x: at.x + 0.5, y: at.y, z: at.z + 0.5, angle }
  source.world.emit('spawn', source.world.spawn)
  source.say('commands.setworldspawn.success', at.x, at.y, at.z, angle.toFixed(1))
  return 1
}

/** All columns are always loaded; the marks are kept for queries. @type {Handler} */
function forceload (args, source) {
  const { forced } = source.world.commands
  const at = (/** @type {any[]} */ [x, z]) =>
    [(x.kind ? Math.floor(source.pos.x) + x.value : x.value) >> 4,
    (z.kind ? Math.floor(source.pos.z) + z.value : z.value) >> 4]
  const label = (/** @type {number[]} */ [x, z]) => `[${x}, ${z}]`
  const word = args.word(1)
  if (word === 'query') return queryForced(args, source, forced, at, label)
  if (args.is('all')) {
    forced.clear()
    source.say('commands.forceload.removed.all', OVERWORLD)
    return 0
  }
  const a = at(args.get('from'))
  const b = at(args.get('to', args.get('from')))
  const [low, high] = [[Math.min(a[0], b[0]), Math.min(a[1], b[1])], [Math.max(a[0], b[0]), Math.max(a[1], b[1])]]
  const size = (high[0] - low[0] + 1) * (high[1] - low[1] + 1)
  if (size > FORCED_LIMIT) throw source.error('commands.forceload.toobig', FORCED_LIMIT, size)
  let count = 0
  for (let x = low[0]; x <= high[0]; x++) {
    for (let z = low[1]; z <= high[1]; z++) {
      const key = label([x, z])
      if (word === 'add' ? !forced.has(key) && forced.add(key) : forced.delete(key)) count++
    }
  }
  const kind = word === 'add' ? 'added' : 'removed'
  if (count === 0) throw source.error(`commands.forceload.${kind}.failure`)
  if (count === 1) source.say(`commands.forceload.${kind}.single`, label(low), OVERWORLD)
  else source.say(`commands.forceload.${kind}.multiple`, count, OVERWORLD, label(low), label(high))
  return count
}

/**
 * @param {import('../tree').Arguments} args
 * @param {import('../source').Source} source
 * @param {Set<string>} forced
 * @param {(place: any[]) => number[]} at
 * @param {(place: number[]) => string} label
 */
function queryForced (args, source, forced, at, label) {
  if (args.has('pos')) {
    const key = label(at(args.get('pos')))
    if (!forced.has(key)) throw source.error('commands.forceload.query.failure', key, OVERWORLD)
    source.say('commands.forceload.query.success', key, OVERWORLD)
    return 1
  }
  if (forced.size === 0) throw source.error('commands.forceload.added.none', OVERWORLD)
  if (forced.size === 1) source.say('commands.forceload.list.single', OVERWORLD, [...forced][0])
  else source.say('commands.forceload.list.multiple', forced.size, OVERWORLD, [...forced].join(', '))
  return forced.size
}

/** @type {Handler} */
function seed (_args, source) {
  source.say('commands.seed.success', `[${source.world.seed}]`)
  return Number.isFinite(Number(source.world.seed)) ? Number(source.world.seed) | 0 : 0
}

module.exports = { time, weather, gamerule, difficulty, defaultgamemode, setworldspawn, forceload, seed }
