'use strict'
/**
 * Process of one mock world: isolates and engine, with an empty environment and under Node's permission model. It takes
 * requests from Python on its standard input and answers on its standard output; when the input ends, it ends. The
 * first line of the input is the world's settings: Python may start this process before it knows them.
 */
const fs = require('node:fs')
// The same seed gives the same bytes wherever it is played: programs see no zone of the machine's.
process.env.TZ = 'UTC'
const { readLines, gatheringWriter } = require('../host/lines')
const { boundIsolates } = require('./heaps')
const { WorldHost } = require('./world_host')

/** Largest request in bytes: the prepared run of a whole village, some hundred programs. */
const MAX_REQUEST = 1 << 27
/** Time between two heartbeats, in ms: programs may compute for long, on their own threads. */
const BEAT_MS = 2000

/** Serve until the input ends. */
function main () {
  boundIsolates()
  WorldHost.prepare()
  const input = process.stdin
  const say = gatheringWriter(process.stdout)
  // What any library prints must not end up among the answers.
  for (const method of /** @type {const} */ (['log', 'info', 'debug', 'warn', 'error'])) {
    Object.assign(console, { [method]: () => {} })
  }
  /** Events since the last write; they are sent before the answer that they belong to. @type {object[]} */
  let events = []
  let seq = 0
  const flush = () => {
    if (events.length > 0) say({ events })
    events = []
  }
  const answer = (/** @type {object} */ message) => { flush(); say(message) }
  const open = (/** @type {import('./world_host').WorldSettings} */ settings) => {
    const opened = new WorldHost(settings, (event) => {
      events.push({ seq: ++seq, ...event })
      if (events.length >= 256) flush()
    }, (run, results) => answer({ run, results }), () => say({ alive: true }))
    say({ ready: true })
    setInterval(() => say({ alive: true }), BEAT_MS)
    return opened
  }
  /** @type {WorldHost|undefined} */
  let host
  readLines(input, ({ id, verb, ...request }) => {
    if (!host) {
      host = open(/** @type {any} */ (request))
      return
    }
    // The documented boundary of this process: whatever a request throws becomes its reply.
    host.handle(verb, request).then(
      (value) => answer({ id, ok: true, value: value ?? null }),
      (error) =>
        answer({ id, ok: false, error: { name: String(error.name), message: String(error.message).slice(0, 2000) } }))
  }, (reason) => fail(new Error(reason)), MAX_REQUEST)
  input.on('end', () => process.exit(0))
  input.on('error', () => process.exit(0))
  process.on('uncaughtException', fail)
  process.on('unhandledRejection', fail)
}

/** @param {unknown} error that no part expected: the world may be wrong from here on, so it ends */
function fail (error) {
  fs.writeSync(2, `${error instanceof Error ? error.stack : String(error)}\n`)
  process.exit(4)
}

main()
