'use strict'
/** Conditions of `execute if` and `unless`, and vanilla's replies to a condition without `run`. */
const { corners, isBlock, places } = require('./areas')
const { holders, objectiveOf } = require('./handlers/scoreboard')
const { follow, matches } = require('../nbt/path')
const { containerNbt } = require('../nbt/items')
const { dimensionAt } = require('../dimensions')
const { subjectOf } = require('./subjects')
const { biomesOf } = require('./biomes')
const { fullName } = require('./functions')
const { nameTable } = require('../../name_table')

/** Vanilla's limit of blocks that one comparison reads. */
const MAX_COMPARED_BLOCKS = 32768
/** Conditions whose reply is a count. */
const COUNTING = new Set(['blocks', 'data', 'entity'])

/** @typedef {import('./source').Source} Source */
/** @typedef {{ next: () => any }} Steps */
/** @typedef {{ source: Source, kind: string, found: boolean | number, unless: boolean }} Tested */

/**
 * Conditions by name: each returns true or false, or a count.
 * @type {Record<string, (take: Steps, source: Source) => boolean | number>}
 */
const CONDITIONS = nameTable({
  block: (take, source) => { const pos = source.block(take.next()); return isBlock(source.world, pos, take.next()) },
  blocks: (take, source) => {
    const [from, to, destination] = [take.next(), take.next(), take.next()]
    return alike(source, corners(source, from, to), source.block(destination), take.next() === 'masked')
  },
  entity: (take, source) => take.next().find(source).length,
  loaded: (take, source) => { source.block(take.next()); return true },
  dimension: (take, source) => take.next() === `minecraft:${dimensionAt(source.pos.x)}`,
  score: (take, source) => {
    const [holder] = holders(source, take.next())
    const score = objectiveOf(source, take.next()).scores.get(holder)
    const sign = take.next()
    if (sign === 'matches') {
      const range = take.next()
      return score !== undefined && score >= range.min && score <= range.max
    }
    const [otherHolder] = holders(source, take.next())
    const other = objectiveOf(source, take.next()).scores.get(otherHolder)
    if (score === undefined || other === undefined) return false
    return { '<': score < other, '<=': score <= other, '=': score === other, '>=': score >= other,
      '>': score > other }[/** @type {'<'} */ (sign)]
  },
  biome: (take, source) => {
    const { x, y, z } = source.block(take.next())
    return biomesOf(source, take.next()).has(source.world.biomeAt(x, y, z))
  },
  function: (take, source) => {
    const { returned, value } = source.world.commands.functions.call(fullName(take.next()), source)
    return returned && value !== 0
  },
  // No data pack's predicates are loaded.
  predicate: (take, source) => { throw source.error('predicate.unknown', take.next()) },
  data: (take, source) => {
    const kind = take.next()
    const what = take.next()
    const path = take.next()
    return follow(subjectOf(source, kind, what).read(), path.steps).length
  }
})

/**
 * Count the equal blocks of a box and the same box elsewhere, contents included; false if a block differs.
 * @param {Source} source
 * @param {ReturnType<typeof corners>} box
 * @param {import('../types').Pos} to
 * @param {boolean} masked air in the box is not compared
 */
function alike (source, [low, high, volume], to, masked) {
  if (volume > MAX_COMPARED_BLOCKS) throw source.error('commands.execute.blocks.toobig', MAX_COMPARED_BLOCKS, volume)
  const { world } = source
  let count = 0
  for (const pos of places(low, high)) {
    const state = world.stateAt(pos.x, pos.y, pos.z)
    if (masked && state.air) continue
    const there = { x: pos.x - low.x + to.x, y: pos.y - low.y + to.y, z: pos.z - low.z + to.z }
    if (world.blockAt(pos.x, pos.y, pos.z) !== world.blockAt(there.x, there.y, there.z) ||
      !sameContents(world, pos, there)) {
      return false
    }
    count++
  }
  return count
}

/** @param {import('../world').World} world @param {import('../types').Pos} a @param {import('../types').Pos} b */
function sameContents (world, a, b) {
  const [one, other] = [a, b].map((pos) => world.blockEntities.at(pos)).map((entity) => entity && containerNbt(entity))
  return one && other ? matches(one, other) && matches(other, one) : one === other
}

/**
 * Reply to a branch that ends without `run`.
 * @param {Tested} tested its last condition
 * @returns {number}
 * @throws {import('./reader').CommandError} the test has failed
 */
function answer ({ source, kind, found, unless }) {
  const count = Number(found)
  const passed = (found !== false && (found !== 0 || kind === 'blocks')) !== unless
  if (!passed && unless && COUNTING.has(kind)) throw source.error('commands.execute.conditional.fail_count', count)
  if (!passed) throw source.error('commands.execute.conditional.fail')
  if (unless || !COUNTING.has(kind)) source.say('commands.execute.conditional.pass')
  else source.say('commands.execute.conditional.pass_count', count)
  return unless || !COUNTING.has(kind) ? 1 : count
}

module.exports = { CONDITIONS, answer }
