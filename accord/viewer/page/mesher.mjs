/**
 * The mesher as the page uses it: a worker, or the page itself where a page may start none (an exported file).
 *
 * Trusted types forbid any address of a worker that is a mere text. The page has one policy, made here before anything
 * else runs; it gives this one address, whatever it is asked for. The page's headers forbid a second policy.
 */
import { MeshServer } from './mesh_server.mjs'

const WORKER = 'mesh_worker.mjs'
/** Time that meshes may take between two frames where there is no worker, in milliseconds. */
const SLICE_MS = 6

/**
 * @typedef {{createPolicy: (name: string, rules: object) => {createScriptURL: (text: string) => string}}} PolicyMaker
 */
const policy = workerPolicy()

/** Return true in an exported file, which has no server that could give it a worker. */
function isExported () {
  return Boolean(globalThis.document?.getElementById('held'))
}

function workerPolicy () {
  if (isExported()) return null
  const maker = /** @type {{trustedTypes?: PolicyMaker}} */ (globalThis).trustedTypes
  try {
    return maker?.createPolicy('accord-mesher', { createScriptURL: () => WORKER }) ?? null
  } catch {
    return null
  }
}

/** @returns {Worker | null} */
function startWorker () {
  if (isExported()) return null
  try {
    return new Worker(policy ? policy.createScriptURL('') : WORKER, { type: 'module' })
  } catch {
    return null
  }
}

/** Maker of meshes beside the page. */
export class Mesher {
  /** @param {(news: import('./mesh_server.mjs').MesherNews) => void} tell @param {(error: unknown) => void} failed */
  constructor (tell, failed) {
    this.worker = startWorker()
    this.server = this.worker ? null : new MeshServer(tell)
    if (this.worker) {
      this.worker.onmessage = ({ data }) => tell(data)
      this.worker.onerror = (event) => failed(new Error(event.message || 'the maker of meshes has ended'))
    }
  }

  /** @param {import('./mesh_server.mjs').MesherOrder} order @param {ArrayBuffer[]} [moved] */
  order (order, moved = []) {
    if (this.worker) this.worker.postMessage(order, moved)
    else this.server?.take(order)
  }

  /** Work on the page itself for a moment, if there is no worker. */
  work () {
    if (!this.server) return
    const end = performance.now() + SLICE_MS
    while (performance.now() < end && this.server.step());
  }

  end () {
    this.worker?.terminate()
  }
}
