/** Entry point: an exported page shows its embedded record, any other page asks its server. */
import { App } from './app.mjs'
import { showFaults } from './faults.mjs'
import { EmbeddedRecord, Server } from './source.mjs'

showFaults()
const held = document.getElementById('held')
new App(held ? new EmbeddedRecord(JSON.parse(held.textContent ?? '{}')) : new Server()).start()
