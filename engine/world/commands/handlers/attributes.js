'use strict'
/** Handlers of attribute and ride. */
const { attributesOf } = require('../../rules/damage/attributes')
const { dimensionAt } = require('../../dimensions')

/** @typedef {import('../commands').Handler} Handler */
/** @typedef {import('../source').Source} Source */
/** @typedef {import('../tree').Arguments} Arguments */

const OPERATIONS = /** @type {Record<string, 0 | 1 | 2>} */ ({ add: 0, multiply_base: 1, multiply: 2 })

/** Format a number like Java's double. @param {number} value */
const double = (value) => (Number.isInteger(value) ? value.toFixed(1) : String(value))

/** @type {Handler} */
function attribute (args, source) {
  const target = args.get('target').one(source)
  if (!target.living) throw source.error('commands.attribute.failed.entity', target.displayName)
  const name = args.get('attribute')
  const label = source.world.data.text(`attribute.name.${name}`)
  const found = attributesOf(target).get(name)
  if (!found) throw source.error('commands.attribute.failed.no_attribute', target.displayName, label)
  const at = { target, name, label, found }
  if (args.is('modifier')) return modifier(args, source, at)
  const base = args.is('base')
  if (base && args.is('set')) {
    found.base = args.get('value')
    attributesOf(target).changed(name)
    source.say('commands.attribute.base_value.set.success', label, target.displayName, double(found.base))
    return 1
  }
  const value = base ? found.base : found.value
  source.say(`commands.attribute.${base ? 'base_value' : 'value'}.get.success`, label, target.displayName,
    double(value))
  return Math.trunc(value * args.get('scale', 1))
}

/**
 * @param {Arguments} args
 * @param {Source} source
 * @param {{ target: any, name: string, label: string, found: any }} at
 */
function modifier (args, source, { target, name, label, found }) {
  const uuid = args.get('uuid')
  const known = found.modifiers.get(uuid)
  if (args.is('add') && !args.is('remove') && args.has('name')) {
    if (known) throw source.error('commands.attribute.failed.modifier_already_present', uuid, label, target.displayName)
    found.modifiers.set(uuid,
      { name: args.get('name'), amount: args.get('value'), operation: OPERATIONS[args.word(args.steps.length - 1)] })
    attributesOf(target).changed(name)
    source.say('commands.attribute.modifier.add.success', uuid, label, target.displayName)
    return 1
  }
  if (!known) throw source.error('commands.attribute.failed.no_modifier', label, target.displayName, uuid)
  if (args.is('remove')) {
    found.modifiers.delete(uuid)
    attributesOf(target).changed(name)
    source.say('commands.attribute.modifier.remove.success', uuid, label, target.displayName)
    return 1
  }
  source.say('commands.attribute.modifier.value.get.success', uuid, label, target.displayName, double(known.amount))
  return Math.trunc(known.amount * args.get('scale', 1))
}

/** @type {Handler} */
function ride (args, source) {
  const target = args.get('target').one(source)
  if (args.is('dismount')) {
    const { vehicle } = target
    if (!vehicle) throw source.error('commands.ride.not_riding', target.displayName)
    target.dismount()
    source.say('commands.ride.dismount.success', target.displayName, vehicle.displayName)
    return 1
  }
  const vehicle = args.get('vehicle').one(source)
  if (target.vehicle) throw source.error('commands.ride.already_riding', target.displayName, target.vehicle.displayName)
  if (vehicle.type === 'player') throw source.error('commands.ride.mount.failure.cant_ride_players')
  for (let below = vehicle; below; below = below.vehicle) {
    if (below === target) throw source.error('commands.ride.mount.failure.loop')
  }
  if (dimensionAt(target.x) !== dimensionAt(vehicle.x)) {
    throw source.error('commands.ride.mount.failure.wrong_dimension')
  }
  if (vehicle.passengers.length >= (vehicle.seats ?? Infinity)) {
    throw source.error('commands.ride.mount.failure.generic', target.displayName, vehicle.displayName)
  }
  target.mount(vehicle)
  source.say('commands.ride.mount.success', target.displayName, vehicle.displayName)
  return 1
}

module.exports = { attribute, ride }
