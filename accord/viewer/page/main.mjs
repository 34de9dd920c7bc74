/** Starts the page: an exported one shows the record that it holds, any other asks the server that sent it. */
import { App } from './app.mjs'
import { showFaults } from './faults.mjs'
import { Kept, Server } from './source.mjs'

showFaults()
const held = document.getElementById('held')
new App(held ? new Kept(JSON.parse(held.textContent ?? '{}')) : new Server()).start()
