/** Entry point of the worker that makes meshes. */
import { MeshServer } from './mesh_server.mjs'

/** Meshes made before new orders are heard. */
const MESHES_AT_ONCE = 4

/** @typedef {{postMessage: (news: unknown, moved: ArrayBuffer[]) => void, onmessage: unknown}} WorkerPort */
const port = /** @type {WorkerPort} */ (/** @type {unknown} */ (globalThis))
const server = new MeshServer((news, moved) => port.postMessage(news, moved))
let planned = false

function work () {
  planned = false
  for (let made = 0; made < MESHES_AT_ONCE; made++) if (!server.step()) return
  plan()
}

function plan () {
  if (planned) return
  planned = true
  setTimeout(work, 0)
}

port.onmessage = (/** @type {MessageEvent} */ event) => {
  server.take(event.data)
  plan()
}
