'use strict'
/** Isolates of a process whose own heap has much room hold no more than others. */
const test = require('node:test')
const assert = require('node:assert/strict')
const { execFileSync } = require('node:child_process')
const path = require('node:path')

const ROOM = ['--max-semi-space-size=32', '--min-semi-space-size=16']
const HEAPS = path.join(__dirname, '..', '..', '..', 'bridge', 'mock', 'heaps.js')

/** @param {string[]} flags @param {string} before @returns {number} bytes that an isolate of 16 MB may take in all */
function limit (flags, before) {
  const script = `${before}; const { Isolate } = require('isolated-vm')
    console.log(new Isolate({ memoryLimit: 16 }).getHeapStatisticsSync().heap_size_limit)`
  return Number(
    execFileSync(process.execPath, ['--no-node-snapshot', ...flags, '-e', script], { cwd: __dirname, encoding: 'utf8' })
  )
}

test('the room of the world\'s own heap is not given to the isolates', () => {
  const usual = limit([], '')
  assert.ok(limit(ROOM, '') > 2 * usual, 'the flags reach isolates: without the bound there is nothing to see')
  assert.equal(limit(ROOM, `require(${JSON.stringify(HEAPS)}).boundIsolates()`), usual)
})
