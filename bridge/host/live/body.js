'use strict'
/** Body actions that take a moment at most: keys, looking, hitting, using. */
const { named } = require('../../../skills_js/bot_facade/errors')
const { bounded } = require('./bounded')
const { trackCall } = require('./pending_calls')
const { toGoal } = require('./goals')
const { CONTROLS } = require('./reads')
const { REACH, eyeDistance, eyeOf, point } = require('./sight')
const { speakerOf } = require('./talk')
const { halt, setOut } = require('./walk')

/** @typedef {import('../bots/live_bot').LiveBot} LiveBot */

const LOOK_MS = 3000
/** Largest change of pitch in a tick, in radians. */
const PITCH_STEP = 0.15
/** Part of a step that is too small for a packet. */
const UNSEEN = 0.01
/** Vanilla's reach for entities in survival is 3 blocks from the eye to the nearest side; a body is about one wide. */
const HIT_REACH = 4

/** @param {LiveBot} bot @returns {Record<string, (...args: any[]) => any>} commands of the host API */
function createCommands (bot) {
  return {
    chat: (text) => speakerOf(bot).say(text),
    whisper: (to, text) => {
      if (!Object.hasOwn(bot.players, to)) {
        throw named(
          'UnknownPlayer', `no player ${JSON.stringify(to)} is here; players: ${Object.keys(bot.players).join(', ')}`
        )
      }
      speakerOf(bot).say(text, to)
    },
    setControl: (control, on) => {
      if (!CONTROLS.includes(control)) {
        throw named('BadArgument', `${JSON.stringify(control)} is no control; use ${CONTROLS.join(', ')}`)
      }
      bot.setControlState(control, on)
    },
    clearControls: () => bot.clearControlStates(),
    setGoal: (goal, dynamic, movements) => {
      if (goal === null || goal === undefined) return halt(bot)
      setOut(bot, toGoal(bot, goal), movements ?? null, dynamic)
    },
    stopWalking: () => halt(bot),
    stopDigging: () => bot.stopDigging(),
    selectSlot: (slot) => {
      if (slot < 0 || slot > 8) throw named('BadArgument', `the slot is ${slot}; give 0 to 8`)
      bot.setQuickBarSlot(slot)
    },
    useItem: (offHand) => bot.activateItem(offHand),
    releaseItem: () => bot.deactivateItem(),
    swing: () => bot.swingArm(),
    steer: (left, forward) => { if (bot.vehicle) bot.moveVehicle(Math.sign(left), Math.sign(forward)) }
  }
}

/**
 * @param {LiveBot} bot
 * @returns {Record<string, (signal: AbortSignal, ...args: any[]) => Promise<any>>} acts of the host API
 */
function createBodyActs (bot) {
  return {
    look: (signal, yaw, pitch, force) => turnHead(bot, signal, force, () => bot.look(yaw, pitch, force)),
    lookAt: (signal, x, y, z, force) => turnHead(bot, signal, force, () => bot.lookAt(point(x, y, z), force)),
    attack: async (signal, id) => {
      const entity = entityNear(bot, id, 'attack')
      await turn(bot, signal, () => bot.lookAt(entity.position.offset(0, (entity.height ?? 1) * 0.8, 0), true))
      bot.attack(entity)
    },
    activateEntity: async (signal, id) => {
      const entity = entityNear(bot, id, 'use')
      await turn(bot, signal, () => trackCall(bot, bot.activateEntity(entity)))
    },
    activateEntityAt: async (signal, id, x, y, z) => {
      const entity = entityNear(bot, id, 'use')
      await turn(bot, signal, () => bot.lookAt(point(x, y, z), true))
      await turn(bot, signal, () => trackCall(bot, bot.activateEntityAt(entity, point(x, y, z))))
    },
    activateBlock: async (signal, x, y, z, ...side) => {
      const position = point(x, y, z)
      const face = touchedFace(...side)
      const block = bot.blockAt(position)
      if (block === null) throw named('BlockGone', `the land at ${position} is not loaded`)
      if (eyeDistance(bot, position) > REACH) {
        throw named('OutOfReach', `${block.name} at ${position} is out of reach; go within 4.5 blocks first`)
      }
      await turn(bot, signal, () => bot.lookAt(position.offset(0.5, 0.5, 0.5), true))
      await turn(bot, signal, () => trackCall(bot, bot.activateBlock(block, face)))
    }
  }
}

/**
 * @param {number | null} [x]
 * @param {number | null} [y]
 * @param {number | null} [z]
 * @returns {any} the face that is touched; left out: the top, as mineflayer has it
 * @throws {BadArgument}
 */
function touchedFace (x, y, z) {
  if (x === null || x === undefined) return point(0, 1, 0)
  const face = point(x, y ?? 0, z ?? 0)
  if (Math.abs(face.x) + Math.abs(face.y) + Math.abs(face.z) !== 1) {
    throw named('BadArgument', `the face is (${x}, ${y}, ${z}); give a unit vector such as (0, 1, 0)`)
  }
  return face
}

/**
 * @param {LiveBot} bot
 * @param {AbortSignal} signal
 * @param {() => Promise<void>} work
 * @returns {Promise<void>}
 */
function turn (bot, signal, work) {
  return bounded(
    { signal, ms: LOOK_MS, what: 'turning the head', server: bot },
    (resolve, reject) => { work().then(() => resolve(undefined), reject) }
  )
}

/**
 * Turn the head, and resolve when the server knows it: mineflayer considers the head turned as soon as its yaw is
 * right, while it may still be moving up or down.
 * @param {LiveBot} bot
 * @param {AbortSignal} signal
 * @param {boolean} force - at once, in one step
 * @param {() => Promise<void>} work
 * @returns {Promise<void>}
 */
function turnHead (bot, signal, force, work) {
  return bounded({ signal, ms: LOOK_MS, what: 'turning the head', server: bot }, (resolve, reject) => {
    const from = bot.entity.pitch
    let sent = 0
    let done = false
    const settle = () => {
      const steps = force ? 0 : Math.ceil(Math.abs(bot.entity.pitch - from) / PITCH_STEP - UNSEEN)
      if (done && sent >= steps) resolve(undefined)
    }
    // mineflayer tells of a move after each packet, also one of the head alone.
    const moved = () => { sent++; settle() }
    bot.on('move', moved)
    work().then(() => { done = true; settle() }, reject)
    return () => bot.removeListener('move', moved)
  })
}

/**
 * @param {LiveBot} bot
 * @param {number} id
 * @param {string} verb
 * @returns {any} the entity
 * @throws {EntityGone}
 * @throws {OutOfReach}
 */
function entityNear (bot, id, verb) {
  const entity = bot.entities[id]
  if (!entity || entity === bot.entity || entity.isValid === false) {
    throw named('EntityGone', `the entity to ${verb} is no longer there`)
  }
  const distance = eyeOf(bot).distanceTo(entity.position.offset(0, (entity.height ?? 1) / 2, 0))
  if (distance > HIT_REACH) {
    throw named(
      'OutOfReach', `${entity.username ?? entity.name} is ${distance.toFixed(1)} blocks away; go within 3 blocks first`
    )
  }
  return entity
}

module.exports = { createBodyActs, createCommands, entityNear }
