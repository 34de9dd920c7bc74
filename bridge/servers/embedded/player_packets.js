'use strict'
/** What a player's client may send, by packet name; packets that are not here are read and disregarded. */
const { ProtocolError } = require('./codec')
const { isSane } = require('./viewer')

/** @typedef {import('./player_session').PlayerSession} PlayerSession */

const FACES = Object.freeze([[0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1], [-1, 0, 0], [1, 0, 0]])
const USE_ENTITY = Object.freeze(/** @type {const} */ (['interact', 'attack', 'interact_at']))
/** Longest chat line of a Minecraft client. */
const CHAT_LENGTH = 256
/** Room for the command and a name before the line. */
const COMMAND_LENGTH = CHAT_LENGTH + 24
/** Control characters and the section sign are illegal in chat. */
const ILLEGAL_CHAT = /[\u0000-\u001f\u007f\u00a7]/g
/** The one thing that a player may command: to say something to one other player. */
const WHISPER = /^(?:tell|msg|w) (\w{1,16}) (.+)$/
const UNKNOWN_COMMAND = JSON.stringify({ translate: 'commands.help.failed', color: 'red' })

/**
 * @param {PlayerSession} session
 * @param {{x?: number, y?: number, z?: number, yaw?: number, pitch?: number, onGround: boolean}} params
 */
function move (session, params) {
  if (!isSane(params)) throw new ProtocolError('Invalid move player packet received')
  if (session.teleporting) return
  const { x, y, z, yaw, pitch, onGround } = params
  session.player.moveTo({ x, y, z, yaw, pitch, onGround })
  session.view.follow(session.player.x, session.player.z)
}

/**
 * @param {PlayerSession} session
 * @param {{x: number, y: number, z: number}} pos block that the client changed on its own
 * @param {number} face the side on which it may have changed the neighbour
 */
function correct (session, pos, face) {
  session.sendBlock(pos)
  const offset = FACES[face]
  if (offset) session.sendBlock({ x: pos.x + offset[0], y: pos.y + offset[1], z: pos.z + offset[2] })
}

/** Digging and the other meanings of its packet, by status. @type {((session: PlayerSession, params: any) => void)[]} */
const DIG = [
  (session, { location, face }) => { if (!session.player.startDig(location, face).ok) correct(session, location, -1) },
  (session) => session.player.abortDig(),
  (session, { location }) => { if (!session.player.finishDig(location).ok) correct(session, location, -1) },
  (session) => { session.player.dropHeld(true) },
  (session) => { session.player.dropHeld(false) },
  (session) => { session.player.releaseItem() },
  (session) => { session.player.swapHands() }
]

/**
 * @param {PlayerSession} session
 * @param {any} params
 */
function place (session, { hand, location, direction, cursorX, cursorY, cursorZ, sequence }) {
  if (!isSane({ x: cursorX, y: cursorY, z: cursorZ }) || !FACES[direction]) throw new ProtocolError('Invalid block placement')
  const request = { pos: location, face: direction, cursor: { x: cursorX, y: cursorY, z: cursorZ }, hand: /** @type {0 | 1} */ (hand === 1 ? 1 : 0) }
  if (!session.player.place(request).ok) correct(session, location, direction)
  session.sequence = Math.max(session.sequence, sequence ?? -1)
}

/**
 * @param {PlayerSession} session
 * @param {any} params
 */
function click (session, { windowId, stateId, slot, mouseButton, mode, changedSlots, cursorItem }) {
  const { Item } = session.front.world
  session.player.click({
    windowId,
    slot,
    button: mouseButton,
    mode,
    stateId,
    changed: changedSlots.map((/** @type {any} */ change) => ({ slot: change.location, item: Item.fromNotch(change.item) })),
    cursor: Item.fromNotch(cursorItem)
  })
}

/**
 * @param {PlayerSession} session
 * @param {{command: string}} params - without the slash
 */
function command (session, { command }) {
  const whisper = WHISPER.exec(command.replace(ILLEGAL_CHAT, '').slice(0, COMMAND_LENGTH))
  // Selectors are for operators, so only a name passes.
  if (whisper === null) return session.sendSystem(UNKNOWN_COMMAND)
  session.front.world.command(`msg ${whisper[1]} ${whisper[2]}`, session.player)
}

/** @type {Record<string, (session: PlayerSession) => void>} */
const ENTITY_ACTIONS = {
  start_sneaking: ({ player }) => player.setSneaking(true),
  stop_sneaking: ({ player }) => player.setSneaking(false),
  start_sprinting: ({ player }) => player.setSprinting(true),
  stop_sprinting: ({ player }) => player.setSprinting(false)
}

/** @type {Record<string, (session: PlayerSession, params: any) => void>} */
const HANDLERS = {
  teleport_confirm: (session, { teleportId }) => session.confirmTeleport(teleportId),
  position: move,
  position_look: move,
  look: move,
  flying: move,
  keep_alive: (session) => session.alive(),
  chunk_batch_received: (session) => session.view.acknowledge(),
  block_dig: (session, params) => {
    DIG[params.status]?.(session, params)
    session.sequence = Math.max(session.sequence, params.sequence ?? -1)
  },
  block_place: place,
  use_item: (session, { hand, sequence }) => {
    session.player.useItem(hand === 1 ? 1 : 0)
    session.sequence = Math.max(session.sequence, sequence ?? -1)
  },
  use_entity: (session, { target, mouse }) => {
    if (USE_ENTITY[mouse]) session.player.useEntity(target, USE_ENTITY[mouse])
  },
  window_click: click,
  set_creative_slot: (session, { slot, item }) => { session.player.creativeSlot(slot, session.front.world.Item.fromNotch(item)) },
  close_window: (session, { windowId }) => session.player.closeWindow(windowId),
  held_item_slot: (session, { slotId }) => { session.player.holdSlot(slotId) },
  client_command: (session, { actionId }) => { if (actionId === 'perform_respawn') session.player.respawn() },
  entity_action: (session, { actionId }) => ENTITY_ACTIONS[actionId]?.(session),
  arm_animation: (session, { hand }) => session.front.swing(session, hand),
  chat_message: (session, { message }) => {
    const text = message.replace(ILLEGAL_CHAT, '').slice(0, CHAT_LENGTH).trim()
    if (text.startsWith('/')) session.sendSystem(UNKNOWN_COMMAND)
    else if (text) session.player.chat(text)
  },
  chat_command: command,
  tab_complete: (session, { transactionId }) => session.write('tab_complete', { transactionId, start: 0, length: 0, matches: [] })
}

/** Packet name -> what it makes the player do. */
const PLAYER_PACKETS = new Map(Object.entries(HANDLERS))

/** Packets of every tick, whose answers (if any) can wait for the tick. */
const QUIET = new Set(['position', 'position_look', 'look', 'flying', 'keep_alive', 'arm_animation', 'chunk_batch_received'])

module.exports = { PLAYER_PACKETS, QUIET }
