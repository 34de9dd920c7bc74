'use strict'
/**
 * Falls: fallen distance, blocks that break a fall, effect of the ground on a landing body (minecraft.wiki, "Fall
 * damage").
 */
const { trample } = require('../growing/ground')
const { supportOf } = require('./footing')
const { nameTable } = require('../../../name_table')

/** @typedef {import('../../entities/living').LivingEntity} LivingEntity */
/**
 * Effect of landing on a block.
 *
 * @typedef {object} Landing
 * @property {number} [share] share of the distance that counts
 * @property {number} [further] blocks that count in addition
 * @property {number} [damage] factor of the damage
 * @property {boolean} [bounces] does not break the fall of a sneaking body
 * @property {string} [type] type of the damage
 */

/** Height of a harmless fall, in blocks. */
const HARMLESS = 3
/** Depth below the feet, in blocks, at which the ground of a landing is tested. */
const DEPTH = 0.2
/** Share of a fall that remains after a tick in lava. */
const LAVA_SHARE = 0.5
/** Blocks that hold a body in them, which ends its fall. */
const STICKY = new Set(['cobweb', 'sweet_berry_bush', 'powder_snow'])

/** @type {Record<string, Landing>} */
const LANDINGS = nameTable({
  hay_block: { damage: 0.2 }, honey_block: { damage: 0.2 },
  slime_block: { damage: 0, bounces: true }, powder_snow: { damage: 0 }
})
/** @type {Landing} */
const BED = Object.freeze({ share: 0.5 })
/** @type {Landing} */
const STALAGMITE = Object.freeze({ further: 2, damage: 2, type: 'stalagmite' })
/** @type {Landing} */
const GROUND = Object.freeze({})

/** @param {import('../../data').BlockState} state @returns {Landing} */
function landingOn ({ name, props }) {
  if (name === 'pointed_dripstone') {
    return props.vertical_direction === 'up' && props.thickness === 'tip' ? STALAGMITE : GROUND
  }
  return LANDINGS[name] ?? (name.endsWith('_bed') ? BED : GROUND)
}

/**
 * Add to a fall, and damage the body at its end.
 *
 * @param {LivingEntity} body
 * @param {number} dy of the last move
 * @param {boolean} landed
 */
function fall (body, dy, landed) {
  // A body that walks on level ground does not fall.
  if (dy >= 0 && body.fallDistance === 0) return
  const { inside } = body
  if (inside.name === 'lava') body.fallDistance *= LAVA_SHARE
  if ((inside.liquid && inside.name !== 'lava') || STICKY.has(inside.name) || body.effectLevel('slow_falling') ||
    body.effectLevel('levitation') || body.climbing) {
    body.fallDistance = 0
  } else if (dy < 0) body.fallDistance -= dy
  if (landed) land(body)
}

/** @param {LivingEntity} body */
function land (body) {
  const { fallDistance } = body
  trample(body.world, body, fallDistance)
  body.fallDistance = 0
  const { share = 1, further = 0, damage = 1, bounces = false, type = 'fall' } = landingOn(supportOf(body, DEPTH))
  const factor = bounces && body.sneaking ? 1 : damage
  const due = Math.ceil((fallDistance * share + further - HARMLESS - body.effectLevel('jump_boost')) * factor)
  if (due > 0) body.hurt(due, { type, piercing: true })
}

module.exports = { fall, STICKY }
