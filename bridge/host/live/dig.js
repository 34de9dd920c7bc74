'use strict'
/**
 * Digging and placing, confirmed by the server: mineflayer shows a block as broken when its own time is up, whatever
 * the server says.
 */
const { Vec3 } = require('vec3')
const { named } = require('../../../skills_js/bot_facade/errors')
const { bounded, listening, until } = require('./bounded')
const { trackCall, isClientTimeout } = require('./pending_calls')
const { halt } = require('./walk')
const { REACH, eyeDistance, point } = require('./sight')

/** @typedef {import('../bots/live_bot').LiveBot} LiveBot */

const TICK_MS = 50
/**
 * Ticks of the server to wait after the block is due: it tells its age once in 20, and has 20 more to tell the block's
 * fate.
 */
const VERDICT_TICKS = 40
/** Longest wait for the server's answer after the last stroke, in ms. */
const VERDICT_MS = 30_000
/** Time between two stops, in ms: mineflayer ignores a stop while the head still turns. */
const STOP_MS = 25
/** Margin in ms: a block broken sooner than own strokes could have done it was struck by somebody else first. */
const TOO_SOON_MS = 60
const LAND_MS = 1500
/** Longest time of an own tick on a busy machine, in ms. */
const TURN_MS = 1000
/** Longest wait for a block that was placed, in ms of the server's time. */
const PLACE_MS = 6000

/**
 * @param {LiveBot} bot
 * @param {AbortSignal} signal
 * @param {number} x
 * @param {number} y
 * @param {number} z
 * @returns {Promise<boolean>} once the block is gone: whether this bot broke it
 * @throws {BlockGone}
 * @throws {NotBroken}
 * @throws {OutOfReach}
 */
async function dig (bot, signal, x, y, z) {
  const position = point(x, y, z)
  const block = diggable(bot, position)
  halt(bot)
  // In the air digging takes five times as long, so land first.
  await until({ signal, ms: LAND_MS, what: 'landing' }, 10, () => bot.entity.onGround).catch((error) => {
    if (error.name !== 'TimedOut') throw error
  })
  const time = bot.digTime(block)
  if (!Number.isFinite(time)) throw named('NotBroken', `${block.name} at ${position} cannot be broken`)
  const began = performance.now()
  const due = bot.time.age + Math.ceil(time / TICK_MS)
  const server = reportsOn(bot, block)
  try {
    await strokes(bot, signal, block, time)
    // A block that falls or that others break ends mineflayer's dig.
    if (performance.now() - began < time - TOO_SOON_MS) return false
    return await verdict(bot, signal, block, { due, server })
  } finally {
    server.stop()
  }
}

/**
 * @typedef {{x: number, y: number, z: number}} Cell
 * @typedef {{chunkCoordinates: Cell, records: number[]}} SectionChange records: state << 12 | place in the section
 * @typedef {object} Reports what the server tells of one block from now on
 * @property {() => boolean} changed true once the server has told another state than the one at the start
 * @property {(call: () => void) => void} onNext sets what is called at each report, also of the same state
 * @property {() => void} stop
 */

/**
 * @param {LiveBot} bot
 * @param {import('prismarine-block').Block} block
 * @returns {Reports}
 */
function reportsOn (bot, { position, stateId }) {
  let changed = false
  let next = () => {}
  const hear = (/** @type {number} */ told) => {
    changed ||= told !== stateId
    next()
  }
  const cell = (position.x & 15) << 8 | (position.z & 15) << 4 | (position.y & 15)
  const stop = listening(bot._client, {
    block_change: (/** @type {{location: Cell, type: number}} */ { location, type }) => {
      if (position.equals(new Vec3(location.x, location.y, location.z))) hear(type)
    },
    multi_block_change: (/** @type {SectionChange} */ { chunkCoordinates: { x, y, z }, records }) => {
      if (x !== position.x >> 4 || y !== position.y >> 4 || z !== position.z >> 4) return
      for (const record of records) if ((record & 0xfff) === cell) hear(record >> 12)
    }
  })
  return { changed: () => changed, onNext: (call) => { next = call }, stop }
}

/**
 * @param {LiveBot} bot
 * @param {import('vec3').Vec3} position
 * @returns {any} the block
 */
function diggable (bot, position) {
  const block = bot.blockAt(position)
  if (block === null) throw named('BlockGone', `the land at ${position} is not loaded`)
  if (block.boundingBox === 'empty' && !block.diggable) {
    throw named('BlockGone', `there is ${block.name} at ${position}, nothing to dig`)
  }
  if (block.type === 0) throw named('BlockGone', `there is air at ${position}, nothing to dig`)
  if (!block.diggable) throw named('NotBroken', `${block.name} at ${position} cannot be broken`)
  const distance = eyeDistance(bot, position)
  if (distance > REACH) {
    throw named('OutOfReach', `${block.name} at ${position} is ${distance.toFixed(1)} blocks away; go within 4.5 first`)
  }
  return block
}

/**
 * @param {LiveBot} bot
 * @param {AbortSignal} signal
 * @param {import('prismarine-block').Block} block
 * @param {number} time - ms that it takes
 */
async function strokes (bot, signal, block, time) {
  /** @type {NodeJS.Timeout | undefined} */
  let stopping
  const cancel = () => { stopping ??= setInterval(() => bot.stopDigging(), STOP_MS) }
  const late = setTimeout(cancel, time + 5000)
  signal.addEventListener('abort', cancel)
  try {
    await bot.dig(block, true)
  } catch (error) {
    if (signal.aborted) throw named('Cancelled', `digging ${block.name} at ${block.position} was stopped`)
    if (stopping) {
      throw named('TimedOut', `${block.name} at ${block.position} did not break in ${Math.round(time + 5000)} ms`)
    }
    if (/aborted/i.test(error.message)) {
      throw named('Cancelled', `digging ${block.name} at ${block.position} was stopped`)
    }
    throw named('NotBroken', `${block.name} at ${block.position}: ${error.message}`)
  } finally {
    clearTimeout(late)
    clearInterval(stopping)
    signal.removeEventListener('abort', cancel)
  }
}

/**
 * Wait for the server's word on the block. Its acknowledgement of the strokes is none: a server that has fallen behind
 * breaks the block later, when it is due in its own ticks.
 * @param {LiveBot} bot
 * @param {AbortSignal} signal
 * @param {import('prismarine-block').Block} block
 * @param {{due: number, server: Reports}} expected - `due`: the server's age then, as far as it has been told
 * @returns {Promise<boolean>} true: the bot broke the block
 * @throws {NotBroken}
 */
async function verdict (bot, signal, block, { due, server }) {
  const { position } = block
  if (!server.changed()) {
    await bounded({ signal, ms: VERDICT_MS, what: 'waiting for the server' }, (resolve) => {
      // What the same packet burst says of the block counts too, so look once it has been read.
      const heard = () => setImmediate(() => resolve(undefined))
      server.onNext(heard)
      return listening(bot, { time: () => { if (bot.time.age > due + VERDICT_TICKS) heard() } })
    }).catch((error) => {
      // A server that says nothing has not refused.
      if (error.name !== 'TimedOut') throw error
    })
  }
  const now = bot.blockAt(position)
  if (now !== null && now.stateId === block.stateId) {
    throw named('NotBroken', `the server did not let ${block.name} at ${position} be broken: it still stands`)
  }
  return true
}

/**
 * @param {LiveBot} bot
 * @param {AbortSignal} signal
 * @param {number[]} reference - the block to place against
 * @param {number[]} face - of the reference block, a unit vector
 * @returns {Promise<void>} once the block stands
 * @throws {NotPlaced}
 * @throws {OutOfReach}
 */
async function place (bot, signal, reference, face) {
  const at = point(reference[0], reference[1], reference[2])
  const side = point(face[0], face[1], face[2])
  const target = at.plus(side)
  const held = bot.heldItem
  if (!held) throw named('NotPlaced', 'there is nothing in the hand to place; equip a block first')
  if (Math.abs(face[0]) + Math.abs(face[1]) + Math.abs(face[2]) !== 1) {
    throw named('BadArgument', `the face is ${side}; give a unit vector such as (0, 1, 0)`)
  }
  const against = bot.blockAt(at)
  if (!against || against.type === 0) {
    throw named('NotPlaced', `there is ${against?.name ?? 'no loaded land'} at ${at} to place ${held.name} against`)
  }
  const before = bot.blockAt(target)
  if (before && before.boundingBox === 'block') throw named('NotPlaced', `${before.name} is in the way at ${target}`)
  if (eyeDistance(bot, at) > REACH) {
    throw named('OutOfReach', `${at} is too far away to place at; go within 4.5 blocks first`)
  }
  halt(bot)
  await turnTo(bot, signal, at.offset(0.5 + face[0] / 2, 0.5 + face[1] / 2, 0.5 + face[2] / 2))
  await bounded({ signal, ms: PLACE_MS, what: `placing ${held.name}`, server: bot }, (resolve, reject) => {
    const refused = (/** @type {any} */ error) =>
      reject(named('NotPlaced', `${held.name} at ${target}: ${error.message}`))
    trackCall(bot, bot.placeBlock(against, side)).then(resolve, (/** @type {Error & { code?: string }} */ error) => {
      if (!isClientTimeout(error)) refused(error)
    })
    return listening(bot, { [`blockUpdate:${target}`]: (/** @type {any} */ _old, /** @type {any} */ now) => {
      if (now?.type !== before?.type) resolve(undefined)
    } })
  }).catch((error) => {
    throw error.name === 'TimedOut' ? named('NotPlaced', `${held.name} at ${target}: the server did not answer`) : error
  })
  if (bot.blockAt(target)?.type === before?.type) {
    throw named('NotPlaced', `the server did not place ${held.name} at ${target}`)
  }
}

/**
 * Turn at once, and resolve when the server knows it: mineflayer sends a forced look only with its next tick, and a
 * block placed before that faces as the head did earlier.
 * @param {LiveBot} bot
 * @param {AbortSignal} signal
 * @param {Vec3} target
 */
async function turnTo (bot, signal, target) {
  const { yaw, pitch } = bot.entity
  await bot.lookAt(target, true)
  if (bot.entity.yaw === yaw && bot.entity.pitch === pitch) return
  await bounded(
    { signal, ms: TURN_MS, what: 'turning the head' },
    (resolve) => listening(bot, { physicsTick: () => resolve(undefined) })
  )
}

/**
 * Stop digging, whatever state mineflayer is in and whoever digs: the pathfinder may still be taking its tool.
 * @param {LiveBot} bot
 * @returns {Promise<void>}
 */
async function stopDigging (bot) {
  for (let round = 0; round < 40 && (bot.targetDigBlock !== null || bot.pathfinder.isMining()); round++) {
    bot.stopDigging()
    await new Promise((resolve) => setTimeout(resolve, STOP_MS))
  }
}

module.exports = { dig, place, stopDigging }
