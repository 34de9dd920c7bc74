/**
 * Arguments of primitives, read once at the call, so that the report of an action tells what the primitive really
 * worked with. A program may change its own objects while an action runs, or answer differently each time it is asked.
 */
'use strict'
const { Entity } = require('./entity')
const { Vec3 } = require('./vec3')

/** Characters of an argument in an action's report. */
const MAX_SHOWN = 120

/**
 * @param {any} value - an argument as a program hands it over
 * @returns {any} the same as the bot facade's own: a place as a Vec3, other objects copied; what cannot change stays
 */
function copyArgument (value) {
  if (value === null || typeof value !== 'object' || value instanceof Entity) return value
  if (Array.isArray(value)) return [...value]
  const { position } = value
  const { x, y, z } = position ? position : value
  return [x, y, z].every(Number.isFinite) ? new Vec3(x, y, z) : { ...value }
}

/**
 * @param {unknown} value - of `copyArgument`
 * @returns {unknown} plain data, short
 */
function describeArgument (value) {
  if (typeof value === 'function') return '(function)'
  if (value instanceof Vec3) return value.toArray()
  if (value instanceof Entity) return value.position.toArray()
  if (value === null || typeof value !== 'object') {
    return typeof value === 'string' ? value.slice(0, MAX_SHOWN) : primitive(value)
  }
  try {
    const json = JSON.stringify(value)
    return json.length > MAX_SHOWN ? `${json.slice(0, MAX_SHOWN)}...` : JSON.parse(json)
  } catch {
    return '(object)'
  }
}

/** @param {unknown} value - null, undefined, a number, a truth value, or what JSON does not have @returns {any} */
function primitive (value) {
  return ['bigint', 'symbol'].includes(typeof value) ? String(value) : value ?? null
}

module.exports = { copyArgument, describeArgument }
