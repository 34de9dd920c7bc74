'use strict'
/**
 * Blocks as texts: the name, and the properties in which a state differs from the block's usual one.
 *
 * @module skills_js/block_text
 */
const { propertiesOf } = require('../engine/world/data')

/**
 * Properties that no picture shows and that change by themselves, such as a leaf's distance to its trunk.
 */
const HIDDEN = new Set(['distance', 'enabled', 'has_record', 'instrument', 'locked', 'moisture', 'note', 'occupied',
  'persistent', 'power', 'powered', 'stage', 'triggered', 'unstable'])
/** Blocks whose age changes all the time and is not seen. */
const AGELESS = new Set(['cactus', 'chorus_flower', 'fire', 'kelp', 'sugar_cane', 'twisting_vines', 'weeping_vines',
  'cave_vines'])

/** @typedef {Parameters<typeof propertiesOf>[0]} BlockInfo minecraft-data's */

/**
 * Return a state as `name`, or `name[property=value,...]` with the visible properties that are not the usual ones, as
 * commands write it.
 * @param {BlockInfo} info of the block
 * @param {number} stateId
 * @returns {string}
 */
function blockText (info, stateId) {
  const { defaultState } = info
  if (!info.states?.length || defaultState === undefined || stateId === defaultState) return info.name
  const usual = propertiesOf(info, defaultState)
  const found = Object.entries(propertiesOf(info, stateId)).filter(([key, value]) => value !== usual[key] &&
    !HIDDEN.has(key) && !(key === 'age' && AGELESS.has(info.name)))
  if (found.length === 0) return info.name
  return `${info.name}[${found.map((pair) => pair.join('=')).sort().join()}]`
}

/** Return name and properties of a block's text; no properties if it has the usual ones. @param {string} text */
function partsOf (text) {
  const open = text.indexOf('[')
  return open < 0 ? { name: text, state: '' } : { name: text.slice(0, open), state: text.slice(open + 1, -1) }
}

module.exports = { blockText, partsOf }
