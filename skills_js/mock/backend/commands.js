'use strict'
/**
 * Commands of the host API in the mock world: what a player does at once.
 *
 * @module skills_js/mock/backend/commands
 */
const { named } = require('../../bot_facade/errors')
const { CONTROLS } = require('./reads')
const { chat, whisper } = require('./talk')
const { wander } = require('./walk')

/**
 * @param {import('../client').Client} client
 * @returns {Record<string, (...args: any[]) => any>}
 */
function createCommands (client) {
  const { body, player } = client
  return {
    chat: (text) => chat(client, text),
    whisper: (to, text) => whisper(client, to, text),
    setControl: (control, on) => {
      if (!CONTROLS.includes(control)) {
        throw named('BadArgument', `${JSON.stringify(control)} is no control; use ${CONTROLS.join(', ')}`)
      }
      press(client, control, on)
    },
    clearControls: () => { for (const control of CONTROLS) press(client, control, false) },
    setGoal: (goal, dynamic, movements) => {
      client.stopWalk()
      if (goal !== null && goal !== undefined) {
        client.tasks.start(wander(client, goal, dynamic, movements ?? null), () => {})
      }
    },
    stopWalking: () => client.stopWalk(),
    stopDigging: () => {
      if (client.digging === null) return
      client.digging = null
      player.abortDig()
    },
    selectSlot: (slot) => {
      if (slot < 0 || slot > 8) throw named('BadArgument', `the slot is ${slot}; give 0 to 8`)
      player.holdSlot(slot)
    },
    useItem: (offHand) => { player.useItem(offHand ? 1 : 0) },
    releaseItem: () => { player.releaseItem() },
    swing: () => {},
    steer: (left, forward) => { player.steer(Math.sign(forward), Math.sign(left)) }
  }

  /** @param {import('../client').Client} _client @param {import('./reads').Control} control @param {boolean} on */
  function press (_client, control, on) {
    if (body[control] === on) return
    body[control] = on
    if (control === 'sneak') player.setSneaking(on)
    if (control === 'sprint') player.setSprinting(on)
  }
}

module.exports = { createCommands }
