'use strict'
/**
 * Signs: four lines on each side, written by the player who placed or clicked the sign (minecraft.wiki, "Sign"; block
 * entity format of 1.20.4). Dye colours a side, glow ink makes it glow, honeycomb locks the sign.
 */
const { tags, elements, number } = require('../../nbt/values')
const { plainText } = require('../../stacks')

/** @typedef {import('../../types').Pos} Pos */
/** @typedef {import('../../player').Player} Player */
/** @typedef {import('../../types').Verdict} Verdict */
/** @typedef {{ messages: string[], color: string, glowing: boolean }} Side `messages` are JSON text components */
/**
 * `editor` is the name of the player who may write now.
 *
 * @typedef {{ front: Side, back: Side, waxed: boolean, editor: string | null }} Sign
 */

const LINES = 4
/** Maximum length of a line in characters, and maximum distance of the writer in blocks. */
const LINE_LENGTH = 384
const WRITE_REACH = 8
const EMPTY_LINE = JSON.stringify({ text: '' })
const FACING_YAW = /** @type {Record<string, number>} */ ({ south: 0, west: 90, north: 180, east: 270 })

/** @param {string} name block name */
function isSign (name) { return name.endsWith('_sign') }

/** @returns {Side} */
function blankSide () { return { messages: Array(LINES).fill(EMPTY_LINE), color: 'black', glowing: false } }

/** @returns {Sign} */
function blankSign () { return { front: blankSide(), back: blankSide(), waxed: false, editor: null } }

/** @param {Side} side */
function sideNbt ({ messages, color, glowing }) {
  return tags.compound({ messages: tags.list(messages.map((line) => tags.string(line))), color: tags.string(color),
    has_glowing_text: tags.byte(glowing ? 1 : 0) })
}

/**
 * Return the fields of a sign as saved and as sent.
 *
 * @param {Sign} sign
 * @returns {Record<string, import('../../nbt/values').Tag>}
 */
function signNbt (sign) {
  return { front_text: sideNbt(sign.front), back_text: sideNbt(sign.back), is_waxed: tags.byte(sign.waxed ? 1 : 0) }
}

/** @param {Side} side @param {any} tag */
function loadSide (side, tag) {
  if (!tag) return
  const messages = elements(tag.value.messages).map((line) => String(line.value))
  if (messages.length === LINES) side.messages = messages
  if (tag.value.color) side.color = String(tag.value.color.value)
  side.glowing = number(tag.value.has_glowing_text, Number(side.glowing)) === 1
}

/** @param {Sign} sign @param {import('../../nbt/values').Tag} tag a block's NBT */
function loadSign (sign, tag) {
  loadSide(sign.front, tag.value.front_text)
  loadSide(sign.back, tag.value.back_text)
  sign.waxed = number(tag.value.is_waxed, Number(sign.waxed)) === 1
}

/** Return the lines of a side as plain text. @param {Side} side @returns {string[]} */
function linesOf (side) { return side.messages.map((line) => plainText(line)) }

/** Return the yaw of a sign's front, in degrees. @param {import('../../data').BlockState} state */
function frontYaw ({ props }) { return props.facing ? FACING_YAW[props.facing] : Number(props.rotation ?? 0) * 22.5 }

/**
 * Return true if a player stands before a sign's front.
 *
 * @param {Player} player
 * @param {Pos} pos
 * @param {import('../../data').BlockState} state
 * @returns {boolean}
 */
function facesFront (player, pos, state) {
  const yaw = frontYaw(state) * Math.PI / 180
  return (player.x - pos.x - 0.5) * -Math.sin(yaw) + (player.z - pos.z - 0.5) * Math.cos(yaw) > 0
}

/** Signs of one world. */
class Signs {
  /** @param {Pick<import('../../world').World, 'blockEntities' | 'emit' | 'players' | 'stateAt'>} world */
  constructor (world) { this.world = world }

  /** @param {Pos} pos @returns {Sign | null} */
  at (pos) { return this.world.blockEntities.at(pos)?.sign ?? null }

  /** Show a player the screen to write on a sign. @param {Player} player @param {Pos} pos @param {boolean} front */
  open (player, pos, front) {
    const sign = this.at(pos)
    if (!sign) return
    sign.editor = player.name
    this.world.emit('openSign', { player, pos, front })
  }

  /**
   * Handle a click with any item in the hand.
   *
   * @param {Player} player
   * @param {Pos} pos
   * @returns {boolean} true if the click was for the sign
   */
  use (player, pos) {
    const sign = this.at(pos)
    if (!sign) return false
    const front = facesFront(player, pos, this.world.stateAt(pos.x, pos.y, pos.z))
    if (sign.waxed) return true
    if (this.treat(player, pos, sign, front ? sign.front : sign.back)) return true
    const other = sign.editor && this.world.players.get(sign.editor)
    if (other && other !== player && other.within(pos, WRITE_REACH)) return true
    this.open(player, pos, front)
    return true
  }

  /** Apply dye, ink or wax. @param {Player} player @param {Pos} pos @param {Sign} sign @param {Side} side */
  treat (player, pos, sign, side) {
    const name = player.heldItem?.name ?? ''
    const dye = /^(\w+)_dye$/.exec(name)?.[1]
    const written = side.messages.some((line) => plainText(line) !== '')
    if (name === 'honeycomb') sign.waxed = true
    else if (dye && written && side.color !== dye) side.color = dye
    else if (name === 'glow_ink_sac' && written && !side.glowing) side.glowing = true
    else if (name === 'ink_sac' && side.glowing) side.glowing = false
    else return false
    player.consume(0)
    this.announceSign(pos)
    return true
  }

  /**
   * Write a player's lines on a sign.
   * @param {Player} player
   * @param {Pos} pos
   * @param {boolean} front
   * @param {string[]} lines
   * @returns {Verdict}
   */
  write (player, pos, front, lines) {
    const sign = this.at(pos)
    if (!sign || sign.waxed || sign.editor !== player.name || !player.within(pos, WRITE_REACH)) {
      return { ok: false, reason: 'that sign is not open for writing' }
    }
    if (lines.length !== LINES || lines.some((line) => line.length > LINE_LENGTH)) {
      return { ok: false, reason: `a sign takes ${LINES} lines of up to ${LINE_LENGTH} characters` }
    }
    sign.editor = null
    const side = front ? sign.front : sign.back
    side.messages = lines.map((line) =>
      JSON.stringify({ text: line.replace(/\u00a7.?/g, '').replace(/[\u0000-\u001f\u007f]/g, '') }))
    this.announceSign(pos)
    return { ok: true }
  }

  /** @param {Pos} pos */
  announceSign (pos) { this.world.emit('blockEntity', { x: pos.x, y: pos.y, z: pos.z }) }
}

module.exports = { Signs, isSign, blankSign, signNbt, loadSign, linesOf }
