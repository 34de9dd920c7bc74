'use strict'
/** Packets of a player's client, by name; packets that are not listed here are read and ignored. */
const { ProtocolError } = require('./codec')
const { isSane } = require('./viewer')

/** @typedef {import('./player_session').PlayerSession} PlayerSession */

const FACES = Object.freeze([[0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1], [-1, 0, 0], [1, 0, 0]])
const USE_ENTITY = Object.freeze(/** @type {const} */ (['interact', 'attack', 'interact_at']))
/** Longest chat line of a Minecraft client. */
const CHAT_LENGTH = 256
/** Control characters and the section sign are illegal in chat. */
const ILLEGAL_CHAT = /[\u0000-\u001f\u007f\u00a7]/g
/** Form of a whisper, which may be as long as a line of chat without the command and the name before it. */
const WHISPER = /^(?:tell|msg|w) \S{1,16} /
const TOO_LONG = JSON.stringify({ text: `A command may have ${CHAT_LENGTH} characters`, color: 'red' })

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

/**
 * Digging and the other meanings of its packet, by status.
 * @type {((session: PlayerSession, params: any) => void)[]}
 */
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
  if (!isSane({ x: cursorX, y: cursorY, z: cursorZ }) || !FACES[direction]) {
    throw new ProtocolError('Invalid block placement')
  }
  const request = {
    pos: location,
    face: direction,
    cursor: { x: cursorX, y: cursorY, z: cursorZ },
    hand: /** @type {0 | 1} */ (hand === 1 ? 1 : 0)
  }
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
    changed: changedSlots.map((/** @type {any} */ change) => ({
      slot: change.location, item: Item.fromNotch(change.item)
    })),
    cursor: Item.fromNotch(cursorItem)
  })
}

/**
 * Run a command; the world knows what the player may do. A cut command is refused, since it could mean something else.
 * @param {PlayerSession} session
 * @param {string} text without the slash
 */
function runCommand (session, text) {
  const line = text.replace(ILLEGAL_CHAT, '')
  const free = WHISPER.exec(line)?.[0].length ?? 0
  if (line.length - free > CHAT_LENGTH) return session.sendSystem(TOO_LONG)
  session.front.world.command(line, session.player)
}

/**
 * @param {PlayerSession} session
 * @param {{transactionId: number, text: string}} params
 */
function complete (session, { transactionId, text }) {
  const { start, matches } = session.front.world.commands.suggest(text, session.player)
  session.write('tab_complete', {
    transactionId, start, length: text.length - start, matches: matches.map((match) => ({ match, tooltip: undefined }))
  })
}

/** @type {Record<string, (session: PlayerSession) => void>} */
const ENTITY_ACTIONS = {
  start_sneaking: ({ player }) => player.setSneaking(true),
  stop_sneaking: ({ player }) => player.setSneaking(false),
  start_sprinting: ({ player }) => player.setSprinting(true),
  stop_sprinting: ({ player }) => player.setSprinting(false),
  stop_sleeping: ({ player }) => player.wake(),
  start_fall_flying: ({ player }) => { player.glide() }
}

/** Bit of the "get out" key in steering packets. */
const GET_OUT = 2

/**
 * @param {PlayerSession} session
 * @param {{sideways: number, forward: number, jump: number}} params
 */
function steer (session, { sideways, forward, jump }) {
  if (jump & GET_OUT) session.player.dismount()
  else session.player.steer(Math.sign(forward) || 0, Math.sign(sideways) || 0)
}

/**
 * @param {PlayerSession} session
 * @param {{x: number, y: number, z: number, yaw: number, pitch: number}} params
 */
function moveVehicle (session, params) {
  if (!isSane(params)) throw new ProtocolError('Invalid move vehicle packet received')
  const { vehicle } = session.player
  if (vehicle && !session.player.moveVehicle(params).ok) {
    session.write('vehicle_move', { x: vehicle.x, y: vehicle.y, z: vehicle.z, yaw: vehicle.yaw, pitch: vehicle.pitch })
  }
  session.view.follow(session.player.x, session.player.z)
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
  use_entity: (session, { target, mouse, x, y, z, hand }) => {
    const at = mouse === 2 && isSane({ x, y, z }) ? { x, y, z } : undefined
    if (USE_ENTITY[mouse]) session.player.useEntity(target, USE_ENTITY[mouse], { at, hand: hand === 1 ? 1 : 0 })
  },
  edit_book: (session, { hand, pages, title }) => { session.player.editBook(hand, pages, title ?? undefined) },
  update_sign: (session, { location, isFrontText, text1, text2, text3, text4 }) => {
    session.player.editSign(location, isFrontText, [text1, text2, text3, text4])
  },
  update_command_block: (session, { location, command }) => { session.player.editCommandBlock(location, command) },
  steer_vehicle: steer,
  vehicle_move: moveVehicle,
  window_click: click,
  enchant_item: (session, { windowId, enchantment }) => { session.player.pressButton(windowId, enchantment) },
  name_item: (session, { name }) => { session.player.renameItem(name) },
  select_trade: (session, { slot }) => { session.player.selectTrade(slot) },
  set_creative_slot: (session, { slot, item }) => {
    session.player.creativeSlot(slot, session.front.world.Item.fromNotch(item))
  },
  close_window: (session, { windowId }) => session.player.closeWindow(windowId),
  held_item_slot: (session, { slotId }) => { session.player.holdSlot(slotId) },
  client_command: (session, { actionId }) => { if (actionId === 'perform_respawn') session.player.respawn() },
  entity_action: (session, { actionId }) => ENTITY_ACTIONS[actionId]?.(session),
  arm_animation: (session, { hand }) => session.front.swing(session, hand),
  chat_message: (session, { message }) => {
    const text = message.replace(ILLEGAL_CHAT, '').slice(0, CHAT_LENGTH).trim()
    if (text.startsWith('/')) runCommand(session, text.slice(1))
    else if (text) session.player.chat(text)
  },
  chat_command: (session, params) => runCommand(session, params.command),
  tab_complete: complete
}

/** Packet name -> the player's action. */
const PLAYER_PACKETS = new Map(Object.entries(HANDLERS))

/** Packets of every tick, whose answers (if any) can wait for the tick. */
const QUIET = new Set([
  'position', 'position_look', 'look', 'flying', 'keep_alive', 'arm_animation', 'chunk_batch_received'
])

module.exports = { PLAYER_PACKETS, QUIET }
