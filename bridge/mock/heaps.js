'use strict'
/**
 * The world's own heap and those of its isolates: the flags with which its process begins (`bridge/mock/process.py`)
 * are V8's, and so everybody's in it.
 */
const v8 = require('node:v8')

/**
 * The world's heap has been made and keeps its room for what is new. The heaps that come now are isolates': with that
 * room each would take several times what its program may.
 */
function boundIsolates () {
  for (const flag of ['--max-semi-space-size=0', '--min-semi-space-size=0']) v8.setFlagsFromString(flag)
}

module.exports = { boundIsolates }
