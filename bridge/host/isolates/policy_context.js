'use strict'
/**
 * A fresh context with the bot facade's bootstrap in it, ready for one program. Servers and the mock world start their
 * policies here: on servers each program's isolate is fresh as well, in the mock world a bot keeps its own
 * (`bridge/mock/isolate_pool.js`).
 *
 * Most of a start would be the compiler's work on the bootstrap, and most of a short program's time its work on
 * primitives that run for the first time. So V8 compiles all of the bootstrap once per process, and every isolate reads
 * what came out.
 */
const v8 = require('node:v8')
const vm = require('node:vm')
const ivm = require('isolated-vm')

const BOOTSTRAP = 'accord:bootstrap'
/** isolated-vm takes no less. */
const LEAST_MEMORY_MB = 8
/** What isolated-vm says 5 s after a call's time is up, when it has halted the thread for good. */
const STUCK = 'Script failed to terminate'
/** A thread that computes for so long, in ms of the clock, also after its program has ended, is halted 5 s later. */
const SLICE_MS = 10_000

/** What takes away the globals that no memory limit covers. */
const BARE = 'delete globalThis.WebAssembly; delete globalThis.SharedArrayBuffer; delete globalThis.Atomics'
/** What hands in the host's functions as well. */
const BORDER = `${BARE}
globalThis.__host = { read: $0, act: $1, drop: $2 }`
/** The same, where the answer to a question takes a while: the isolate's thread waits for it, and nobody else does. */
const BORDER_LATER = `'use strict'; ${BARE}
const ask = $0.applySyncPromise.bind($0)
globalThis.__host = { read: (method, argsJson) => ask(undefined, [method, argsJson]), act: $1, drop: $2 }`
/** One function for both entries, so that one handle and one step fetch it; `$0` hears the program's end. */
const ENTRY = `const { run, deliver } = globalThis.__accord; const ended = $0
delete globalThis.__accord; delete globalThis.__host
return (json, settings) => {
  if (settings === undefined) deliver(json)
  else run(json, settings).then(ended, () => ended(''))
}`

/**
 * @typedef {object} Border the host's side
 * @property {(method: unknown, argsJson: unknown) => string | Promise<string>} read
 * @property {(callId: unknown, method: unknown, argsJson: unknown) => void} act
 * @property {(callId: unknown) => void} drop
 * @property {boolean} [readsLater] `read` may promise its answer; only where the isolate has a thread of its own
 * @property {(json: unknown) => void} ended called from within the isolate's own call: it must not be disposed of there
 *
 * @typedef {object} PolicyContext
 * @property {import('isolated-vm').Context} context
 * @property {any} enter reference to `(source, settingsJson)`, which starts the program, and `(messageJson)`, which
 *   tells it
 */

/**
 * @param {number} memoryMb
 * @param {(stuck: boolean) => void} onCatastrophe V8 has lost control of it: it never settles and cannot be disposed
 *   of; `stuck` when it goes on computing where nothing can interrupt it, else it has no memory left
 * @returns {import('isolated-vm').Isolate}
 */
function freshIsolate (memoryMb, onCatastrophe) {
  return new ivm.Isolate({
    memoryLimit: Math.max(LEAST_MEMORY_MB, memoryMb), onCatastrophicError: (said) => onCatastrophe(said === STUCK)
  })
}

/**
 * Make the isolate ready, on a thread of its own or on the caller's, which is sooner done.
 *
 * @param {import('isolated-vm').Isolate} isolate
 * @param {string} bundle
 * @param {Border} border
 * @param {boolean} threaded
 * @returns {Promise<PolicyContext>}
 */
async function openPolicy (isolate, bundle, border, threaded) {
  const entries = /** @type {((...given: unknown[]) => any)[]} */ ([border.read, border.act, border.drop])
  /** @type {any[]} */
  const hands = entries.map((fn) => new ivm.Callback(fn))
  if (border.readsLater) hands[0] = new ivm.Reference(border.read)
  const ended = [new ivm.Callback(border.ended)]
  const reference = /** @type {const} */ ({ result: { reference: true } })
  if (!threaded) {
    const context = isolate.createContextSync()
    context.evalClosureSync(BORDER, hands)
    const script = scriptOf(isolate, bundle) ??
      kept(isolate, bundle, isolate.compileScriptSync(bundle, asBootstrap(bundle)))
    script.runSync(context)
    return { context, enter: context.evalClosureSync(ENTRY, ended, reference) }
  }
  // Each isolate does its tasks in their order: what need not wait for an answer is asked for at once, since every
  // answer
  // costs a change of threads.
  const [context, script] = await Promise.all([
    isolate.createContext(), scriptOf(isolate, bundle) ?? isolate.compileScript(bundle, asBootstrap(bundle))
  ])
  kept(isolate, bundle, script)
  const [, , enter] = await Promise.all([
    context.evalClosure(border.readsLater ? BORDER_LATER : BORDER, hands), script.run(context),
    context.evalClosure(ENTRY, ended, reference)
  ])
  return { context, enter }
}

/**
 * The program is over: its context goes with all that is in it, and the isolate may get another.
 *
 * @param {PolicyContext} policy
 */
function closePolicy ({ context, enter }) {
  enter.release()
  context.release()
}

/**
 * What each isolate has compiled, for its next context.
 * @type {WeakMap<import('isolated-vm').Isolate, { bundle: string, script: import('isolated-vm').Script }>}
 */
const scripts = new WeakMap()

/** @param {import('isolated-vm').Isolate} isolate @param {string} bundle */
function scriptOf (isolate, bundle) {
  const known = scripts.get(isolate)
  return known?.bundle === bundle ? known.script : undefined
}

/**
 * @param {import('isolated-vm').Isolate} isolate
 * @param {string} bundle
 * @param {import('isolated-vm').Script} script
 */
function kept (isolate, bundle, script) {
  scripts.set(isolate, { bundle, script })
  return script
}

/** @param {string} bundle */
const asBootstrap = (bundle) => ({ filename: BOOTSTRAP, cachedData: compiled(bundle) })

/** V8's compiled form of a bootstrap. @type {Map<string, import('isolated-vm').ExternalCopy<ArrayBuffer>>} */
const compilations = new Map()

/**
 * @param {string} bundle
 * @returns {import('isolated-vm').ExternalCopy<ArrayBuffer>}
 */
function compiled (bundle) {
  const known = compilations.get(bundle)
  if (known !== undefined) return known
  // Otherwise V8 leaves every function for its first call, and each isolate would have that call anew.
  v8.setFlagsFromString('--no-lazy')
  let script
  try {
    script = new vm.Script(bundle, { filename: BOOTSTRAP })
  } finally {
    v8.setFlagsFromString('--lazy')
  }
  const made = new ivm.ExternalCopy(new Uint8Array(script.createCachedData()).buffer)
  compilations.set(bundle, made)
  return made
}

module.exports = { SLICE_MS, closePolicy, compiled, freshIsolate, openPolicy }
