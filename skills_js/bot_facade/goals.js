/**
 * Goals of walking, with the names and arguments of mineflayer-pathfinder's. A goal here is data: the host makes the
 * real one from the result of `goalData`, since only the host knows the world.
 */
'use strict'
const { named } = require('./errors')
const { seal } = require('./harden')

/**
 * Base of all goals; `data` is sent to the host.
 * @typedef {Goal} FacadeGoal
 */
class Goal {
  /** @param {object} data */
  constructor (data) {
    Object.assign(this, data)
    Object.defineProperty(this, 'data', { value: data })
  }
}

/**
 * @param {string} what
 * @param {any[]} values
 * @returns {any[]} the values, all finite
 */
function finite (what, ...values) {
  if (values.every((value) => typeof value === 'number' && Number.isFinite(value))) return values
  throw named(
    'BadArgument', `new ${what}(${values.map((value) => String(value).slice(0, 20)).join(', ')}): give finite numbers`
  )
}

/** @param {any} point @param {string} what */
function parts (point, what) {
  if (point === null || typeof point !== 'object') {
    throw named('BadArgument', `new ${what}(${String(point).slice(0, 20)}): give a position`)
  }
  return finite(what, point.x, point.y, point.z)
}

/** Goal of standing in that block. */
class GoalBlock extends Goal {
  /** @param {any[]} at */
  constructor (...at) {
    const [x, y, z] = finite('GoalBlock', ...at.slice(0, 3))
    super({ kind: 'block', x, y, z })
  }
}

/** Goal of standing within `range` blocks of the position. */
class GoalNear extends Goal {
  /** @param {any[]} at */
  constructor (...at) {
    const [x, y, z, range] = finite('GoalNear', ...at.slice(0, 4))
    super({ kind: 'near', x, y, z, range })
  }
}

/** Goal of standing in that column, at any height. */
class GoalXZ extends Goal {
  /** @param {any[]} at */
  constructor (...at) {
    const [x, z] = finite('GoalXZ', ...at.slice(0, 2))
    super({ kind: 'xz', x, z })
  }
}

/** Goal of standing within `range` blocks of that column. */
class GoalNearXZ extends Goal {
  /** @param {any[]} at */
  constructor (...at) {
    const [x, z, range] = finite('GoalNearXZ', ...at.slice(0, 3))
    super({ kind: 'nearXZ', x, z, range })
  }
}

/** Goal of standing at that height. */
class GoalY extends Goal {
  /** @param {any[]} at */
  constructor (...at) {
    super({ kind: 'y', y: finite('GoalY', ...at.slice(0, 1))[0] })
  }
}

/** Goal of standing beside the block, not in it. */
class GoalGetToBlock extends Goal {
  /** @param {any[]} at */
  constructor (...at) {
    const [x, y, z] = finite('GoalGetToBlock', ...at.slice(0, 3))
    super({ kind: 'getToBlock', x, y, z })
  }
}

/**
 * Goal of standing where a face of the block at (x, y, z) is seen and within `reach` of the eye; an addition to
 * mineflayer-pathfinder's goals.
 */
class GoalReach extends Goal {
  /** @param {any[]} at */
  constructor (...at) {
    const [x, y, z, reach] = finite('GoalReach', ...at.slice(0, 4))
    super({ kind: 'reach', x, y, z, reach })
  }
}

/** Goal of standing where a face of the block is seen. */
class GoalLookAtBlock extends Goal {
  /** @param {any} position @param {any} [_world] @param {{reach?: number}} [options] */
  constructor (position, _world, options) {
    const [x, y, z] = parts(position, 'GoalLookAtBlock')
    super({ kind: 'reach', x, y, z, reach: finite('GoalLookAtBlock', options?.reach ?? 4.5)[0] })
  }
}

/** Goal of standing where the block can be broken. */
class GoalBreakBlock extends Goal {
  /** @param {any[]} at */
  constructor (...at) {
    const [x, y, z] = finite('GoalBreakBlock', ...at.slice(0, 3))
    super({ kind: 'reach', x, y, z, reach: 4.5 })
  }
}

/** Goal of standing where a block can be placed at the position, but not in it. */
class GoalPlaceBlock extends Goal {
  /** @param {any} position @param {any} [_world] @param {{range?: number}} [options] */
  constructor (position, _world, options) {
    const [x, y, z] = parts(position, 'GoalPlaceBlock')
    super({ kind: 'place', x, y, z, range: finite('GoalPlaceBlock', options?.range ?? 4)[0] })
  }
}

/** Goal of standing within `range` blocks of an entity, wherever it goes. */
class GoalFollow extends Goal {
  /** @param {any} entity @param {number} range */
  constructor (entity, range) {
    if (!Number.isInteger(entity?.id)) {
      throw named('BadArgument', 'new GoalFollow(entity, range): give an entity of bot.entities')
    }
    super({ kind: 'follow', id: entity.id, range: finite('GoalFollow', range)[0] })
  }
}

/** @param {any} goals @param {string} what */
function several (goals, what) {
  if (!Array.isArray(goals) || goals.length === 0 || goals.length > 64 ||
    !goals.every((goal) => goal instanceof Goal)) {
    throw named('BadArgument', `new ${what}(goals): give an array of 1 to 64 goals`)
  }
  return goals.map(goalData)
}

/** Goal of reaching any one of the goals. */
class GoalCompositeAny extends Goal {
  /** @param {any} goals */
  constructor (goals) { super({ kind: 'any', goals: several(goals, 'GoalCompositeAny') }) }
}

/** Goal of reaching all of the goals at once. */
class GoalCompositeAll extends Goal {
  /** @param {any} goals */
  constructor (goals) { super({ kind: 'all', goals: several(goals, 'GoalCompositeAll') }) }
}

/** Goal of standing where another goal is not reached. */
class GoalInvert extends Goal {
  /** @param {any} goal */
  constructor (goal) { super({ kind: 'not', goal: goalData(goal) }) }
}

/**
 * @param {any} goal
 * @returns {any} plain data for the host
 */
function goalData (goal) {
  if (goal instanceof Goal) return /** @type {any} */ (goal).data
  throw named('BadArgument', 'give a goal such as new GoalNear(x, y, z, range)')
}

const goals = Object.freeze({
  Goal,
  GoalBlock,
  GoalNear,
  GoalXZ,
  GoalNearXZ,
  GoalY,
  GoalGetToBlock,
  GoalReach,
  GoalLookAtBlock,
  GoalBreakBlock,
  GoalPlaceBlock,
  GoalFollow,
  GoalCompositeAny,
  GoalCompositeAll,
  GoalInvert
})
seal(...Object.values(goals))

module.exports = { ...goals, goalData, goals }
