'use strict'
/** JSON lines on pipes between the supervisor and its bot hosts, with a limit on the length of received lines. */

/**
 * Longest line accepted: the largest honest message, a prepared program, is bounded by its own limit
 * (isolates/run_groups.js).
 */
const MAX_LINE = 1 << 20

/**
 * Call `onMessage` with every JSON object that arrives on `stream`, one per line.
 *
 * A line that is too long or is no JSON object ends the reading: `onFault(reason)` is called once, and nothing after
 * it.
 * @param {import('node:stream').Readable} stream
 * @param {(message: any) => void} onMessage
 * @param {(reason: string) => void} onFault
 * @param {number} [maxLine] longest line accepted, in characters
 */
function readLines (stream, onMessage, onFault, maxLine = MAX_LINE) {
  let rest = ''
  let faulty = false
  const fault = (/** @type {string} */ reason) => {
    faulty = true
    rest = ''
    onFault(reason)
  }
  stream.setEncoding('utf8')
  stream.on('data', (/** @type {string} */ text) => {
    if (faulty) return
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > maxLine) return fault(`a line longer than ${maxLine} characters`)
    for (const line of lines) {
      if (faulty) return
      if (line.length > maxLine) return fault(`a line longer than ${maxLine} characters`)
      const message = parse(line)
      if (!message) return fault('a line that is not a JSON object')
      onMessage(message)
    }
  })
}

/**
 * @param {string} line
 * @returns {Record<string, any>|null}
 */
function parse (line) {
  try {
    const value = JSON.parse(line)
    return value && typeof value === 'object' && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

/**
 * Return a function that writes one object as one line. It does nothing once the pipe is closed: the owner learns of
 * that from the end of the process, not from a failed write.
 * @param {import('node:stream').Writable} stream
 * @returns {(message: object) => void}
 */
function lineWriter (stream) {
  stream.on('error', () => stream.destroy())
  return (message) => {
    if (!stream.destroyed && stream.writable) stream.write(JSON.stringify(message) + '\n')
  }
}

/**
 * Return a writer like `lineWriter` that gathers the lines of one turn of the event loop into one write: each write
 * wakes the other side.
 * @param {import('node:stream').Writable} stream
 * @returns {(message: object) => void}
 */
function gatheringWriter (stream) {
  stream.on('error', () => stream.destroy())
  let lines = ''
  const write = () => {
    const gathered = lines
    lines = ''
    if (!stream.destroyed && stream.writable) stream.write(gathered)
  }
  return (message) => {
    if (lines === '') setImmediate(write)
    lines += JSON.stringify(message) + '\n'
  }
}

module.exports = { MAX_LINE, readLines, lineWriter, gatheringWriter }
