'use strict'
/** Handler of worldborder. */
const { LARGEST, FURTHEST } = require('../../rules/operators/world_border')

/** @typedef {import('../commands').Handler} Handler */
/** @typedef {import('../source').Source} Source */
/** @typedef {import('../tree').Arguments} Arguments */

/** @param {number} value */
const one = (value) => value.toFixed(1)

/** @type {Handler} */
function worldborder (args, source) {
  const { border } = source.world
  const word = args.word(1)
  if (word === 'get') {
    source.say('commands.worldborder.get', Math.round(border.size))
    return Math.floor(border.size + 0.5)
  }
  if (word === 'center') return centre(args, source)
  if (word === 'damage' || word === 'warning') return setNumber(args, source, `${word}.${args.word(2)}`)
  return resize(source, args.get('distance') + (word === 'add' ? border.size : 0),
    args.get('time', 0) + (word === 'add' ? border.left / 1000 : 0))
}

/** @param {Arguments} args @param {Source} source */
function centre (args, source) {
  const { border } = source.world
  const [x, z] = args.get('pos')
  const at = { x: x.kind ? source.pos.x + x.value : x.value, z: z.kind ? source.pos.z + z.value : z.value }
  if (at.x === border.x && at.z === border.z) throw source.error('commands.worldborder.center.failed')
  if (Math.abs(at.x) > FURTHEST || Math.abs(at.z) > FURTHEST) {
    throw source.error('commands.worldborder.set.failed.far', one(FURTHEST))
  }
  Object.assign(border, at)
  border.announceBorder()
  source.say('commands.worldborder.center.success', at.x.toFixed(2), at.z.toFixed(2))
  return 0
}

/** @param {Source} source @param {number} size @param {number} seconds */
function resize (source, size, seconds) {
  const { border } = source.world
  const before = border.size
  if (size === before) throw source.error('commands.worldborder.set.failed.nochange')
  if (size < 1) throw source.error('commands.worldborder.set.failed.small')
  if (size > LARGEST) throw source.error('commands.worldborder.set.failed.big', one(LARGEST))
  border.resize(size, seconds)
  if (seconds <= 0) source.say('commands.worldborder.set.immediate', one(size))
  else source.say(`commands.worldborder.set.${size > before ? 'grow' : 'shrink'}`, one(size), String(seconds))
  return Math.trunc(size - before)
}

/**
 * Numbers of the border by the words that set them: field, argument, format.
 * @type {Record<string, ['damagePerBlock' | 'buffer' | 'warningBlocks' | 'warningTime', string, (value: number) =>
 *   string]>}
 */
const NUMBERS = {
  'damage.amount': ['damagePerBlock', 'damagePerBlock', (value) => value.toFixed(2)],
  'damage.buffer': ['buffer', 'distance', (value) => value.toFixed(2)],
  'warning.distance': ['warningBlocks', 'distance', String],
  'warning.time': ['warningTime', 'time', String]
}

/** @param {Arguments} args @param {Source} source @param {string} words */
function setNumber (args, source, words) {
  const { border } = source.world
  const [field, argument, written] = NUMBERS[words]
  const value = args.get(argument)
  if (border[field] === value) throw source.error(`commands.worldborder.${words}.failed`)
  border[field] = value
  border.announceBorder()
  source.say(`commands.worldborder.${words}.success`, written(value))
  return Math.trunc(value)
}

module.exports = { worldborder }
