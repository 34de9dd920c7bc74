'use strict'
/** Block states as saved data: { Name, Properties }. */
const { tags } = require('./values')
const { propertyOf, valuesOf } = require('../data')

/** @typedef {import('./values').Tag} Tag */

/**
 * Return the state id of saved data, or null for an unknown block.
 * @param {import('../data').GameData} data
 * @param {Tag} tag
 * @returns {number | null}
 */
function stateFromNbt (data, tag) {
  const name = String(tag.value?.Name?.value ?? '').replace(/^minecraft:/, '')
  const info = Object.hasOwn(data.registry.blocksByName, name) ? data.registry.blocksByName[name] : null
  if (!info) return null
  const legal = Object.entries(tag.value.Properties?.value ?? {})
    .map(([key, entry]) => [key, String(/** @type {Tag} */ (entry).value)])
    .filter(([key, value]) => {
      const found = propertyOf(info, key)
      return found && valuesOf(found.state).includes(value)
    })
  return data.withProps(info.defaultState, Object.fromEntries(legal))
}

/** @param {import('../data').GameData} data @param {number} stateId @returns {Tag} */
function stateNbt (data, stateId) {
  const { name, props } = data.state(stateId)
  const entries = Object.entries(props).map(([key, value]) => [key, tags.string(value)])
  return tags.compound({ Name: tags.string(`minecraft:${name}`),
    ...(entries.length > 0 ? { Properties: tags.compound(Object.fromEntries(entries)) } : {}) })
}

module.exports = { stateFromNbt, stateNbt }
