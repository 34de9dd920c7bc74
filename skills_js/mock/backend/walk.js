'use strict'
/**
 * Walk to a goal; the player's position decides when it ends. Deadlines and texts are those of the live backend.
 *
 * @module skills_js/mock/backend/walk
 */
const { named } = require('../../bot_facade/errors')
const { rulesOf } = require('../../bot_facade/movement_rules')
const { mostMs } = require('../../bot_facade/walking_time')
const { toGoal } = require('../goals')
const { worksOf } = require('./works')
const { TICK_MS } = require('../clock')

/** Largest detour of a path in blocks; longer paths are not searched. */
const DETOUR = 64
/** Ticks between two checks of an entity that is followed. */
const FOLLOW_TICKS = 10

/** @typedef {import('../client').Client} Client */

/**
 * @param {Client} client
 * @param {any} goalData
 * @param {any} movements the bot facade's data; null for the defaults
 * @returns {Generator<void, void, void>} ends where the goal holds
 * @throws {NoPath}
 * @throws {NotReached}
 * @throws {TimedOut}
 */
function * goto (client, goalData, movements) {
  const goal = toGoal(client, goalData)
  if (holds(client, goal) && client.body.onGround) return
  const where = describeGoal(client, goalData)
  if (client.bound) {
    throw notReached(
      client,
      goal,
      where,
      client.asleep ? 'the bot lies in a bed: bot.wake() first' : 'the bot sits in a vehicle: bot.dismount() first'
    )
  }
  const left = () => goal.estimate(...feet(client))
  const rules = rulesOf(client.simulation.world.registry, movements)
  const ms = mostMs(left(), rules.works)
  const walk = begin(client, goal, rules)
  try {
    for (let tick = 0; tick * TICK_MS < ms; tick++) {
      yield
      if (client.walk !== walk) {
        throw named('Cancelled', `walking to ${where} ended: another way was begun or it was stopped`)
      }
      if (client.player.dead) throw notReached(client, goal, where, 'the bot died')
      if (walk.state === 'arrived') return
      if (walk.state === 'stuck') throw notReached(client, goal, where, 'something blocks the way')
      if (walk.state === 'no-path' || walk.state === 'too-far') throw noPath(client, walk, where, rules)
    }
    throw named('TimedOut', `walking to ${where} was not done after ${Math.round(ms / 100) / 10} s`)
  } finally {
    if (client.walk === walk) client.stopWalk()
  }
}

/**
 * Implement bot.pathfinder.setGoal: walk without anybody waiting for it; `dynamic` follows a moving goal.
 * @param {Client} client
 * @param {any} goalData
 * @param {boolean} dynamic
 * @param {any} movements
 * @returns {Generator<number | void, void, void>}
 */
function * wander (client, goalData, dynamic, movements) {
  const goal = toGoal(client, goalData)
  const rules = rulesOf(client.simulation.world.registry, movements)
  let walk = begin(client, goal, rules)
  for (;;) {
    yield dynamic ? FOLLOW_TICKS : 1
    if (client.walk !== walk || client.gone) return
    if (!dynamic && walk.state !== 'walking') {
      client.stopWalk()
      if (walk.state === 'arrived') client.emit('goal_reached')
      return
    }
    if (dynamic && !holds(client, goal)) walk = begin(client, goal, rules)
  }
}

/**
 * @param {Client} client
 * @param {import('../../../engine/body/astar').Goal} goal
 * @param {import('../../bot_facade/movement_rules').MovementRules} rules
 * @returns {import('../../../engine/body/walker').Walk} begun
 */
function begin (client, goal, rules) {
  const { maxDrop, parkour, sprinting } = rules
  const options = {
    detour: DETOUR, maxDrop, parkour, sprinting, crowded: () => client.simulation.crowds.around(client)
  }
  return rules.works ? client.startWorks(goal, options, worksOf(client, rules)) : client.startWalk(goal, options)
}

/** @param {Client} client @param {any} walk @param {string} where @param {{works: boolean}} rules */
function noPath (client, walk, where, { works }) {
  const last = walk.path?.cells.at(-1)
  const nearest = last
    ? `the nearest way ends at (${last.x}, ${last.y}, ${last.z})`
    : 'there is no way from here at all'
  const why = walk.state === 'too-far'
    ? 'the search gave up before it found a way'
    : works ? 'there is no way that these movements allow' : 'there is no way without digging or placing blocks'
  return named('NoPath', `cannot walk to ${where}: ${why}; the bot stands at (${feet(client).join(', ')}), ${nearest}`)
}

/**
 * @param {Client} client
 * @param {import('../../../engine/body/astar').Goal} goal
 * @param {string} where
 * @param {string} why
 */
function notReached (client, goal, where, why) {
  const left = Math.round(goal.estimate(...feet(client)) * 10) / 10
  return named(
    'NotReached',
    `did not reach ${where}: ${why}; the bot stands at (${feet(client).join(', ')}), about ${left} blocks short`
  )
}

/** @param {Client} client @param {any} data @returns {string} the goal in words */
function describeGoal (client, data) {
  const { world } = client.simulation
  if (data.kind === 'follow') {
    /** @type {any} */
    const entity = world.entities.get(data.id)
    return entity?.name ?? entity?.type ?? 'an entity'
  }
  if (data.x === undefined) return data.kind === 'y' ? `height ${data.y}` : 'one of several goals'
  const at = (data.y === undefined ? [data.x, data.z] : [data.x, data.y, data.z]).map(Math.floor)
  if (data.kind === 'reach') {
    const state = client.simulation.space.stateAt(at[0], at[1], at[2])
    return `where ${world.registry.blocksByStateId[state]?.name ?? 'the block'} at (${at.join(', ')}) is in reach`
  }
  return data.range === undefined ? `(${at.join(', ')})` : `within ${data.range} of (${at.join(', ')})`
}

/** @param {Client} client @returns {[number, number, number]} the cell of its feet */
function feet ({ body }) {
  return [Math.floor(body.x), Math.floor(body.y), Math.floor(body.z)]
}

/**
 * @param {Client} client
 * @param {import('../../../engine/body/astar').Goal} goal
 * @returns {boolean} on slabs the feet are inside of what is stood on
 */
function holds (client, goal) {
  const [x, y, z] = feet(client)
  const { body } = client
  return goal.reached(x, y, z) || (body.onGround && body.y - y > 0.001 && goal.reached(x, y + 1, z))
}

module.exports = { goto, wander }
