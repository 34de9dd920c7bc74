'use strict'
/**
 * Watch that ends Node together with the Python that started it, loaded into the supervisor's Node before JSPyBridge
 * (bridge/node.py). JSPyBridge itself would let Node stay for ever.
 *
 * Python's death ends this process's input; if a child that Python forked holds that open, a new parent process shows
 * it. Python's process id is the last argument, since Python may be gone before anything here runs.
 */

/** Time between two checks of the parent, in ms. */
const LOOK_MS = 500

const python = Number(process.argv.at(-1))
const end = () => process.exit(0)
const look = () => { if (process.ppid !== python) end() }

look()
setInterval(look, LOOK_MS).unref()
process.stdin.on('end', end)
process.stdin.on('error', end)
