'use strict'
/** Loaded before the stand-in's programs: prints every file of ours that they load, one a line, so that an image holds those. */
require('../../../bridge/servers/embedded/server')
require('minecraft-protocol')
require('minecraft-data')('1.20.4')
process.stdout.write(Object.keys(require.cache).join('\n'))
