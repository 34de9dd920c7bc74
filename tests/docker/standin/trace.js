'use strict'
/**
 * Loaded before the stand-in's programs: prints every file of ours that they load, one a line, so that an image holds
 * those.
 */
const { EmbeddedServer } = require('../../../bridge/servers/embedded/server')

// Some data is loaded at first use only, so the server is started for a moment.
async function main () {
  const { readSettings } = require('../../../bridge/servers/embedded/settings')
  const server = new EmbeddedServer(readSettings('{"rconPassword":"trace"}'), { log: () => {}, onStop: () => {} })
  await server.start()
  server.stop()
  // The health check asks by this package, of which the server loads parts only.
  require('minecraft-protocol')
  process.stdout.write(Object.keys(require.cache).join('\n'), () => process.exit(0))
}

main()
