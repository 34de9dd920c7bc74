'use strict'
/**
 * Guard that bounds and counts the parts of clients' packets, before the general parser sees them.
 *
 * A list of TAG_End entries takes no bytes per entry, so nine bytes can announce two thousand million of them, and the
 * general parser would build them all. Only two packets of a client carry NBT: a window click and a creative slot; two
 * more carry lists of texts, a book and a signed command. This module walks them without building anything and refuses
 * what no client sends.
 */

const WINDOW_CLICK = 0x0d
const SET_CREATIVE_SLOT = 0x2f
const EDIT_BOOK = 0x11
const CHAT_COMMAND = 0x04
const MAX_DEPTH = 64
/** Most tags; a shulker box full of enchanted things has under a thousand. */
const MAX_TAGS = 4096
/** Most pages of a book that vanilla reads, and signatures of one command. */
const MAX_PAGES = 200
const MAX_SIGNATURES = 8
const SIGNATURE_BYTES = 256
const MAX_CHANGED_SLOTS = 128

const TAG = Object.freeze({ END: 0, BYTE_ARRAY: 7, STRING: 8, LIST: 9, COMPOUND: 10, INT_ARRAY: 11, LONG_ARRAY: 12 })
/** Bytes of the fixed-size tags, by type. */
const FIXED = Object.freeze([0, 1, 2, 4, 8, 4, 8])
/** Bytes per entry of the array tags. */
const ENTRY = Object.freeze({ [TAG.BYTE_ARRAY]: 1, [TAG.INT_ARRAY]: 4, [TAG.LONG_ARRAY]: 8 })

/** Reader of one packet; every read past its end throws a RangeError. */
class Walker {
  /** @param {Buffer} buffer */
  constructor (buffer) {
    this.buffer = buffer
    this.at = 0
    this.tags = 0
  }

  byte () {
    return this.buffer.readUInt8(this.at++)
  }

  /** @param {number} count */
  skip (count) {
    if (count < 0 || this.at + count > this.buffer.length) throw new RangeError(`NBT length ${count} leaves the packet`)
    this.at += count
  }

  varint () {
    let value = 0
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte()
      value |= (byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
    throw new RangeError('VarInt of more than five bytes')
  }

  int () {
    const value = this.buffer.readInt32BE(this.at)
    this.at += 4
    return value
  }

  string () {
    const length = this.buffer.readUInt16BE(this.at)
    this.skip(2 + length)
  }

  /**
   * @param {number} type
   * @param {number} depth
   */
  tag (type, depth) {
    if (depth > MAX_DEPTH) throw new RangeError(`NBT nested deeper than ${MAX_DEPTH}`)
    if (++this.tags > MAX_TAGS) throw new RangeError(`NBT of more than ${MAX_TAGS} tags`)
    if (type < FIXED.length) this.skip(FIXED[type])
    else if (type === TAG.STRING) this.string()
    else if (type === TAG.LIST) this.list(depth)
    else if (type === TAG.COMPOUND) this.compound(depth)
    else if (type in ENTRY) this.skip(this.int() * ENTRY[/** @type {keyof typeof ENTRY} */ (type)])
    else throw new RangeError(`no NBT tag has type ${type}`)
  }

  /** @param {number} depth */
  list (depth) {
    const type = this.byte()
    const count = this.int()
    if (type === TAG.END && count > 0) throw new RangeError(`NBT list of ${count} empty tags`)
    for (let i = 0; i < count; i++) this.tag(type, depth + 1)
  }

  /** @param {number} depth */
  compound (depth) {
    for (let type = this.byte(); type !== TAG.END; type = this.byte()) {
      this.string()
      this.tag(type, depth + 1)
    }
  }

  slot () {
    if (this.byte() === 0) return
    this.varint()
    this.skip(1)
    const root = this.byte()
    if (root !== TAG.END) this.tag(root, 0)
  }

  /** Skip a text with its length as a VarInt. */
  text () {
    this.tags++
    this.skip(this.varint())
  }

  /** @param {number} most @param {string} what */
  count (most, what) {
    const count = this.varint()
    if (count < 0 || count > most) throw new RangeError(`${count} ${what}: at most ${most} are legal`)
    return count
  }

  editBook () {
    this.varint()
    for (let left = this.count(MAX_PAGES, 'pages of a book'); left > 0; left--) this.text()
  }

  chatCommand () {
    this.text()
    this.skip(16)
    for (let left = this.count(MAX_SIGNATURES, 'signatures of a command'); left > 0; left--) {
      this.text()
      this.skip(SIGNATURE_BYTES)
    }
  }

  windowClick () {
    this.skip(1)
    this.varint()
    this.skip(3)
    this.varint()
    const changed = this.varint()
    if (changed < 0 || changed > MAX_CHANGED_SLOTS) throw new RangeError(`${changed} changed slots in one click`)
    for (let i = 0; i < changed; i++) {
      this.skip(2)
      this.slot()
    }
    this.slot()
  }
}

/**
 * @param {Buffer} payload one play packet of a client
 * @returns {number} NBT tags and texts in it
 * @throws {RangeError} when its NBT is malformed, or anything in it is more than any client sends
 */
function examine (payload) {
  const walker = new Walker(payload)
  const id = walker.varint()
  if (id === WINDOW_CLICK) walker.windowClick()
  else if (id === SET_CREATIVE_SLOT) {
    walker.skip(2)
    walker.slot()
  } else if (id === EDIT_BOOK) walker.editBook()
  else if (id === CHAT_COMMAND) walker.chatCommand()
  return walker.tags
}

module.exports = { examine }
