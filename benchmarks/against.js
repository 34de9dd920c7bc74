'use strict'
/**
 * Comparison of the mock world of this checkout with another's, in alternating rounds, so that a busy machine slows
 * both: game time per processor time for Double-Vein, for wanderers and for players on survival terrain, and the ratio.
 * Run: `node benchmarks/against.js OTHER_CHECKOUT [ROUNDS] [mock.js] [terrain.js]`; two minutes a round of both.
 */
const { execFileSync } = require('node:child_process')
const path = require('node:path')

const FLAGS = ['--expose-gc', '--no-node-snapshot']
const [other, rounds = '3', ...given] = process.argv.slice(2)
const scripts = given.length > 0 ? given : ['mock.js', 'terrain.js']

/**
 * @param {string} root
 * @param {string} script
 * @returns {Record<string, number>} what -> times real time, of the processor's time
 */
function measured (root, script) {
  const said = JSON.parse(execFileSync(process.execPath, [...FLAGS, path.join(root, 'benchmarks', script), '--json'],
    { encoding: 'utf8' }))
  const rows = script === 'terrain.js' ? [said.lives] : said.rows
  return Object.fromEntries(rows.map((/** @type {any} */ row) => [row.what, row.times_real_time]))
}

/** @param {number[]} values @returns {number} */
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]

/** @param {string} script */
function compare (script) {
  /** @type {Record<string, [number[], number[]]>} what -> the other's, ours */
  const found = {}
  for (let round = 0; round < Number(rounds); round++) {
    for (const [side, root] of [other, path.join(__dirname, '..')].entries()) {
      for (const [what, times] of Object.entries(measured(root, script))) (found[what] ??= [[], []])[side].push(times)
    }
  }
  return Object.entries(found)
    .map(([what, [theirs, ours]]) =>
    ({ what, other: median(theirs), here: median(ours),
    ratio: Math.round(1000 * median(ours) / median(theirs)) / 1000 }))
}

if (other === undefined) {
  console.error('give another checkout of this repository, e.g. node benchmarks/against.js ../accord-before')
  process.exitCode = 2
} else console.table(scripts.flatMap(compare))
