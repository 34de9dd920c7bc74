'use strict'
/**
 * Name of the bot whose program a host is computing for, on the thread that all of its bots share: a line in an unnamed
 * file that host and supervisor have open. A host that hangs or dies can say nothing any more; the line is already
 * there.
 */
const crypto = require('node:crypto')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')

/** File descriptor of the ledger in the host. */
const LEDGER_FD = 6
/** Longest name, in bytes. */
const LINE = 64
const NOBODY = Buffer.alloc(LINE)

/** Supervisor's side, made before the host is spawned, with whose file descriptors it goes. */
class Ledger {
  /** @type {number|null} null where there is no place for such a file: nobody can be named then */
  fd = null

  constructor () {
    const file = path.join(os.tmpdir(), `accord-ledger-${crypto.randomBytes(16).toString('hex')}`)
    try {
      this.fd = fs.openSync(file, 'wx+', 0o600)
      fs.unlinkSync(file)
      fs.writeSync(this.fd, NOBODY, 0, LINE, 0)
    } catch {
      this.close()
    }
  }

  /** @returns {string} whose program the host computed for, or '' */
  read () {
    if (this.fd === null) return ''
    const line = Buffer.alloc(LINE)
    fs.readSync(this.fd, line, 0, LINE, 0)
    return line.toString('utf8').replace(/\0.*$/s, '')
  }

  close () {
    if (this.fd !== null) fs.closeSync(this.fd)
    this.fd = null
  }
}

/** Host's side; each call takes half a microsecond. */
class LedgerLine {
  #line
  #fd
  #open = true

  /** @param {string} name @param {number} [fd] of the ledger; none keeps it */
  constructor (name, fd) {
    this.#fd = fd
    this.#line = Buffer.alloc(LINE)
    this.#line.write(name, 0, LINE - 1)
  }

  /** Note that the host computes for this program. */
  enter () {
    this.#put(this.#line)
  }

  /** Note that the host no longer computes for it. */
  leave () {
    this.#put(NOBODY)
  }

  /** @param {Buffer} line */
  #put (line) {
    if (!this.#open || this.#fd === undefined) return
    try {
      fs.writeSync(this.#fd, line, 0, LINE, 0)
    } catch {
      this.#open = false // no ledger, or no room for it: then nobody can be named
    }
  }
}

module.exports = { LEDGER_FD, Ledger, LedgerLine }
