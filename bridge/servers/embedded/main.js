'use strict'
/**
 * Process of the embedded server.
 *
 * Settings come as one JSON line on standard input, which then stays open: its end ends the server, so that nothing
 * outlives a parent that was killed. Standard output carries JSON lines: first {"ready":true,"port","rcon"} or
 * {"error":{"code","message"}}, then {"level","text"} records.
 */
const { createInterface } = require('node:readline')
// Packages ask for the home directory as they load; a user without one, as in many containers, would end it there.
process.env.HOME ??= '/nonexistent'
const { readSettings } = require('./settings')
const { EmbeddedServer } = require('./server')

const EXIT = Object.freeze({ CLEAN: 0, FAULT: 1, SETTINGS: 2, PORT: 3 })
/** Longest time for kicked clients to read why, in ms. */
const FAREWELL_MS = 500
/** Longest first line; a longer one is no settings. */
const MAX_LINE = 1 << 20

/** @param {object} record */
function say (record) {
  process.stdout.write(`${JSON.stringify(record)}\n`)
}

/** @type {import('./front').Log} */
function log (level, text) {
  say({ level, text })
}

/**
 * @param {number} code
 * @param {string} name
 * @param {string} message
 */
function fail (code, name, message) {
  process.stdout.write(`${JSON.stringify({ error: { code: name, message } })}\n`, () => process.exit(code))
}

/**
 * @param {EmbeddedServer} server
 * @returns {(reason: string) => void} ends the server once
 */
function stopper (server) {
  let stopping = false
  return (reason) => {
    if (stopping) return
    stopping = true
    log('info', `Stopping server: ${reason}`)
    const end = () => process.exit(EXIT.CLEAN)
    setTimeout(end, FAREWELL_MS)
    server.stop().then(end)
  }
}

/** @param {string} line the settings */
async function serve (line) {
  let settings
  try {
    settings = readSettings(line)
  } catch (error) {
    return fail(EXIT.SETTINGS, 'ESETTINGS', error.message)
  }
  /** @type {(reason: string) => void} */
  let stop = () => {}
  const server = new EmbeddedServer(settings, { log, onStop: () => setImmediate(stop, 'stop command') })
  stop = stopper(server)
  process.on('SIGTERM', () => stop('SIGTERM'))
  process.on('SIGINT', () => stop('SIGINT'))
  process.stdin.on('end', () => stop('end of standard input'))
  process.stdin.on('error', () => stop('standard input broke'))
  try {
    say({ ready: true, ...await server.start() })
  } catch (error) {
    fail(EXIT.PORT, error.code ?? 'ELISTEN', error.message)
  }
}

/** End the server when the reader of its log is gone; anything else unforeseen is a fault. */
function guard () {
  process.stdout.on('error', () => process.exit(EXIT.CLEAN))
  process.on('uncaughtException', (error) => fail(EXIT.FAULT, 'EFAULT', String(error.stack)))
}

/** Wait for the first line, leaving standard input open. */
function main () {
  guard()
  const lines = createInterface({ input: process.stdin })
  let read = 0
  process.stdin.on('data', (chunk) => {
    read += chunk.length
    if (read > MAX_LINE) fail(EXIT.SETTINGS, 'ESETTINGS', `settings: more than ${MAX_LINE} bytes`)
  })
  const nothing = () => fail(EXIT.SETTINGS, 'ESETTINGS', 'settings: standard input ended before the first line')
  lines.once('close', nothing)
  lines.once('line', (line) => {
    lines.off('close', nothing)
    serve(line)
  })
}

main()
