'use strict'
/** Handlers of particle, playsound and stopsound. */
const { readBlock, readItem } = require('../things')
const { CommandError } = require('../reader')
const { nameTable } = require('../../../name_table')

/** @typedef {import('../commands').Handler} Handler */
/** @typedef {import('../reader').Reader} Reader */
/** @typedef {import('../../player').Player} Player */

/** Distance in blocks up to which particles are sent to a player, normally and with "force". */
const SEEN = Object.freeze({ normal: 32, force: 512 })
/** Range of a sound of volume 1, in blocks. */
const EARSHOT = 16

/** Count of numbers after a particle's name. @type {Record<string, string[]>} */
const NUMBERS = nameTable({
  dust: ['red', 'green', 'blue', 'scale'],
  dust_color_transition: ['fromRed', 'fromGreen', 'fromBlue', 'scale', 'toRed', 'toGreen', 'toBlue'],
  sculk_charge: ['rotation'], shriek: ['delayInTicksBeforeShown']
})

/**
 * Parse a particle with its parameters.
 * @param {Reader} reader
 * @param {import('../../data').GameData} data
 * @returns {{ name: string, data?: any }}
 */
function readParticle (reader, data) {
  const start = reader.at
  const name = reader.location().replace(/^minecraft:/, '')
  if (!Object.hasOwn(data.registry.particlesByName, name)) {
    throw reader.errorAt(start, 'particle.notFound', `minecraft:${name}`)
  }
  const next = () => reader.expect(' ')
  if (/^(block|block_marker|falling_dust)$/.test(name)) {
    next()
    return { name, data: { blockState: readBlock(reader, data, false).stateId } }
  }
  if (name === 'item') {
    next()
    return { name, data: { item: readItem(reader, data, false) } }
  }
  if (name === 'vibration') throw new CommandError('particle vibration is not shown by this world engine')
  if (!NUMBERS[name]) return { name }
  return { name, data: Object.fromEntries(NUMBERS[name].map((field) => {
    next()
    return [field, reader.decimal('float')]
  })) }
}

/** @type {Handler} */
function particle (args, source) {
  const { world } = source
  const { name, data } = args.get('name')
  const at = args.has('pos') ? source.resolve(args.get('pos')) : source.pos
  const delta = args.has('delta') ? spread(args.get('delta')) : { x: 0, y: 0, z: 0 }
  const force = args.is('force')
  const viewers = /** @type {Player[]} */ (args.has('viewers') ? args.get('viewers').some(source)
    : [...world.players.values()])
  const far = force ? SEEN.force : SEEN.normal
  const seeing = viewers.filter((player) => Math.hypot(player.x - at.x, player.y - at.y, player.z - at.z) < far)
  if (seeing.length === 0) throw source.error('commands.particle.failed')
  for (const player of seeing) {
    world.emit('particle', { name, data: itemData(world, data), ...at, dx: delta.x, dy: delta.y, dz: delta.z,
      speed: args.get('speed', 0), count: args.get('count', 0), force, player })
  }
  source.say('commands.particle.success', `minecraft:${name}`)
  return seeing.length
}

/** Spreads are not places: whole numbers are not centred in a block. @param {import('../arguments').Place} place */
function spread (place) {
  const plain = (/** @type {import('../arguments').Coordinate} */ c) => (c.centred ? c.value - 0.5 : c.value)
  return { x: plain(place.x), y: place.y.value, z: plain(place.z) }
}

/** @param {import('../../world').World} world @param {any} data */
function itemData (world, data) {
  return data?.item ? { item: world.Item.toNotch(world.stacks.make(data.item.name, 1, data.item.nbt)) } : data
}

/** @type {Handler} */
function playsound (args, source) {
  const sound = args.get('sound')
  const at = args.has('pos') ? source.resolve(args.get('pos')) : source.pos
  const volume = args.get('volume', 1)
  const least = args.get('minVolume', 0)
  const range = EARSHOT * Math.max(1, volume)
  const players = /** @type {Player[]} */ (args.get('targets').some(source))
  let heard = 0
  for (const player of players) {
    const far = Math.hypot(player.x - at.x, player.y - at.y, player.z - at.z)
    if (far > range && least <= 0) continue
    heard++
    // Beyond its range a sound with a minimum volume comes from two blocks away, in its direction.
    const from = far > range
      ? { x: player.x + (at.x - player.x) / far * 2, y: player.y + (at.y - player.y) / far * 2,
      z: player.z + (at.z - player.z) / far * 2 } : at
    source.world.emit('heard',
      { player, name: sound, category: args.word(2), ...from, volume: far > range ? least : volume,
      pitch: args.get('pitch', 1) })
  }
  if (heard === 0) throw source.error('commands.playsound.failed')
  if (players.length === 1) source.say('commands.playsound.success.single', sound, players[0].name)
  else source.say('commands.playsound.success.multiple', sound, players.length)
  return heard
}

/** @type {Handler} */
function stopsound (args, source) {
  const players = /** @type {Player[]} */ (args.get('targets').some(source))
  const word = args.word(2)
  const category = word && word !== '*' ? word : undefined
  const sound = args.get('sound')
  for (const player of players) source.world.emit('hush', { player, category, name: sound })
  if (category && sound) source.say('commands.stopsound.success.source.sound', sound, category)
  else if (category) source.say('commands.stopsound.success.source.any', category)
  else if (sound) source.say('commands.stopsound.success.sourceless.sound', sound)
  else source.say('commands.stopsound.success.sourceless.any')
  return players.length
}

module.exports = { particle, playsound, stopsound }
Object.defineProperty(module.exports, 'readParticle', { value: readParticle, enumerable: false })
