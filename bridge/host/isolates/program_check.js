'use strict'
/**
 * Process that parses programs as bot hosts do, so that a model learns of a syntax error before its program is played
 * (bridge/program_check.py). Each line of JSON in, `{ "source": ... }`, gives one line out, `{ "error":
 * ProgramError|null }`; the process ends with its input. No program runs here.
 */
const readline = require('node:readline')
const { CpuWatch } = require('./cpu_watch')
const { syntaxError } = require('./syntax')

const watch = new CpuWatch()

async function main () {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const error = await syntaxError(JSON.parse(line).source, watch)
      .catch((/** @type {Error} */ { name, message }) => ({ name, message, line: null, column: null }))
    process.stdout.write(`${JSON.stringify({ error })}\n`)
  }
}

main().then(() => process.exit(0), () => process.exit(1))
