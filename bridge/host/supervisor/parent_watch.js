'use strict'
/**
 * Loaded into the supervisor's Node before JSPyBridge (bridge/node.py): Node ends with the Python that started it, from
 * the first moment on. JSPyBridge itself would let it stay for ever.
 *
 * Python's death is the end of this process's input; where a child that Python forked holds that open, a new parent
 * shows it. Python's process id is the last argument: it may be gone before anything here runs.
 */

/** How often the parent is looked at, in ms. */
const LOOK_MS = 500

const python = Number(process.argv.at(-1))
const end = () => process.exit(0)
const look = () => { if (process.ppid !== python) end() }

look()
setInterval(look, LOOK_MS).unref()
process.stdin.on('end', end)
process.stdin.on('error', end)
