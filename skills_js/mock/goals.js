'use strict'
/**
 * Goals of walking in the mock world, made from the facade's plain data (skills_js/bot_facade/goals.js).
 *
 * @module skills_js/mock/goals
 */
const { named } = require('../bot_facade/errors')
const { EYE_HEIGHT, eyeDistance, seesBlock } = require('./sight')
const { length3 } = require('../../engine/lengths')

/** Deepest nesting of goals. */
const MAX_DEPTH = 4

/**
 * @typedef {import('../../engine/body/astar').Goal} Goal
 * @typedef {import('./client').Client} Client
 */

/** @param {number} dx @param {number} dz @returns {number} the shortest way over squares and their diagonals */
function flat (dx, dz) {
  const x = Math.abs(dx); const z = Math.abs(dz)
  return Math.abs(x - z) + Math.min(x, z) * Math.SQRT2
}

/** @param {number} dy from the goal up to the cell @returns {number} beside a block also counts one below its top */
const beside = (dy) => Math.abs(dy < 0 ? dy + 1 : dy)

/** @param {any} data @returns {any} its x, y and z as whole numbers */
function cellOf (data) {
  return { x: Math.floor(data.x), y: Math.floor(data.y), z: Math.floor(data.z) }
}

/** @type {Record<string, (client: Client, data: any, depth: number) => Goal>} */
const KINDS = {
  block: (_client, data) => {
    const at = cellOf(data)
    return {
      estimate: (x, y, z) => flat(at.x - x, at.z - z) + Math.abs(at.y - y),
      reached: (x, y, z) => x === at.x && y === at.y && z === at.z,
      boxes: [[at.x, at.y, at.z, at.x, at.y, at.z]]
    }
  },
  near: (_client, data) => near(cellOf(data), data.range),
  xz: (_client, data) => {
    const at = { x: Math.floor(data.x), z: Math.floor(data.z) }
    return { estimate: (x, _y, z) => flat(at.x - x, at.z - z), reached: (x, _y, z) => x === at.x && z === at.z }
  },
  nearXZ: (_client, data) => {
    const at = { x: Math.floor(data.x), z: Math.floor(data.z) }
    return {
      estimate: (x, _y, z) => flat(at.x - x, at.z - z),
      reached: (x, _y, z) => (at.x - x) ** 2 + (at.z - z) ** 2 <= data.range ** 2
    }
  },
  y: (_client, data) => ({ estimate: (_x, y) => Math.abs(data.y - y), reached: (_x, y) => y === Math.floor(data.y) }),
  getToBlock: (_client, data) => {
    const at = cellOf(data)
    return {
      estimate: (x, y, z) => flat(x - at.x, z - at.z) + beside(y - at.y),
      reached: (x, y, z) => Math.abs(x - at.x) + beside(y - at.y) + Math.abs(z - at.z) === 1,
      boxes: boxesAround(at, 2)
    }
  },
  reach: (client, data) => reach(client, cellOf(data), data.reach),
  place: (_client, data) => place(cellOf(data), data.range),
  follow: (client, data) => follow(client, data.id, data.range),
  any: (client, { goals }, depth) => {
    const parts = goals.map((/** @type {any} */ part) => toGoal(client, part, depth + 1))
    return {
      estimate: (x, y, z) => Math.min(...parts.map((/** @type {Goal} */ part) => part.estimate(x, y, z))),
      reached: (x, y, z) => parts.some((/** @type {Goal} */ part) => part.reached(x, y, z)),
      boxes: parts.every((/** @type {Goal} */ part) => part.boxes !== undefined)
        ? parts.flatMap((/** @type {Goal} */ part) => part.boxes ?? [])
        : undefined
    }
  },
  all: (client, { goals }, depth) => {
    const parts = goals.map((/** @type {any} */ part) => toGoal(client, part, depth + 1))
    return {
      estimate: (x, y, z) => Math.max(...parts.map((/** @type {Goal} */ part) => part.estimate(x, y, z))),
      reached: (x, y, z) => parts.every((/** @type {Goal} */ part) => part.reached(x, y, z)),
      boxes: parts.find((/** @type {Goal} */ part) => part.boxes !== undefined)?.boxes
    }
  },
  not: (client, { goal }, depth) => {
    const part = toGoal(client, goal, depth + 1)
    return { estimate: (x, y, z) => -part.estimate(x, y, z), reached: (x, y, z) => !part.reached(x, y, z) }
  }
}

/**
 * @param {{x: number, y: number, z: number}} at
 * @param {number} far blocks along each axis, at most
 * @returns {import('../../engine/body/unreachable').Box[]}
 */
function boxesAround ({ x, y, z }, far) {
  return [[
    Math.ceil(x - far), Math.ceil(y - far), Math.ceil(z - far), Math.floor(x + far), Math.floor(y + far),
    Math.floor(z + far)
  ]]
}

/** @param {any} at @param {number} range @returns {Goal} */
function near (at, range) {
  return {
    estimate: (x, y, z) => flat(at.x - x, at.z - z) + Math.abs(at.y - y),
    reached: (x, y, z) => (at.x - x) ** 2 + (at.y - y) ** 2 + (at.z - z) ** 2 <= range * range,
    boxes: boxesAround(at, range)
  }
}

/** @param {Client} client @param {any} block @param {number} reach @returns {Goal} the block is seen and in reach */
function reach (client, block, reach) {
  return {
    estimate: (x, y, z) => Math.max(0, length3(x - block.x, z - block.z, y - block.y) - reach),
    reached: (x, y, z) => {
      const eye = { x: x + 0.5, y: y + EYE_HEIGHT, z: z + 0.5 }
      return eyeDistance(eye, block) <= reach && seesBlock(client.simulation.space, eye, block, reach)
    },
    boxes: boxesAround({ x: block.x, y: block.y + 0.5 - EYE_HEIGHT, z: block.z }, reach)
  }
}

/** @param {any} at @param {number} range @returns {Goal} near, and not where the block is to be */
function place (at, range) {
  const distance = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ z) =>
    length3(x - at.x, y - at.y, z - at.z)
  return {
    estimate: (x, y, z) => Math.max(0, distance(x, y, z) - range),
    reached: (x, y, z) => !(x === at.x && z === at.z && (y === at.y || y + 1 === at.y)) && distance(x, y, z) <= range,
    boxes: boxesAround(at, range)
  }
}

/** @param {Client} client @param {number} id @param {number} range @returns {Goal} wherever the entity is by then */
function follow (client, id, range) {
  const { entities } = client.simulation.world
  if (!entities.has(id)) throw named('EntityGone', 'the entity to follow is no longer there')
  const goal = () => near(cellOf(entities.get(id) ?? client.body), range)
  return { estimate: (x, y, z) => goal().estimate(x, y, z), reached: (x, y, z) => goal().reached(x, y, z) }
}

/**
 * @param {Client} client
 * @param {any} data of the bot facade's goals
 * @param {number} [depth]
 * @returns {Goal}
 * @throws {BadArgument}
 */
function toGoal (client, data, depth = 0) {
  const make = typeof data?.kind === 'string' && Object.hasOwn(KINDS, data.kind) ? KINDS[data.kind] : undefined
  const lists = data?.goals === undefined ||
    (Array.isArray(data.goals) && data.goals.length > 0 && data.goals.length <= 64)
  const finite = ['x', 'y', 'z', 'range', 'reach'].every((key) => data?.[key] === undefined ||
    Number.isFinite(data[key]))
  if (make === undefined || !lists || !finite || depth > MAX_DEPTH) {
    throw named('BadArgument', 'the goal is of an unknown kind, or nested too deeply')
  }
  const goal = make(client, data, depth)
  if (depth === 0 && goal.boxes !== undefined && isFixed(data)) goal.key = JSON.stringify(data)
  return goal
}

/**
 * @param {any} data of a goal
 * @returns {boolean} it is reached in the same cells as long as the blocks there stay as they are
 */
function isFixed ({ kind, goals = [], goal }) {
  return kind !== 'follow' && goals.every(isFixed) && (goal === undefined || isFixed(goal))
}

module.exports = { toGoal }
