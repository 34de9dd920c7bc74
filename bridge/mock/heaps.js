'use strict'
/**
 * Heap sizes of the world and its isolates: the V8 flags with which the process starts (`bridge/mock/process.py`) apply
 * to both.
 */
const v8 = require('node:v8')

/**
 * Reset the flags for isolates once the world's heap exists. With the world's large young generation each isolate would
 * take several times its memory limit.
 */
function boundIsolates () {
  for (const flag of ['--max-semi-space-size=0', '--min-semi-space-size=0']) v8.setFlagsFromString(flag)
}

module.exports = { boundIsolates }
