'use strict'
/**
 * Fresh context with the bootstrap of the bot facade, ready for one program. Servers and the mock world start their
 * policies here: on servers each program has a fresh isolate as well, in the mock world a bot keeps its isolate
 * (`bridge/mock/isolate_pool.js`).
 *
 * Most of a start would be compiling the bootstrap, and most of a short program's time compiling primitives on their
 * first call. So V8 compiles the whole bootstrap once per process, and every isolate reads the result.
 */
const v8 = require('node:v8')
const vm = require('node:vm')
const ivm = require('isolated-vm')

const BOOTSTRAP = 'accord:bootstrap'
/** Smallest memory limit that isolated-vm accepts, in MB. */
const MIN_MEMORY_MB = 8
/** Message of isolated-vm 5 s after a call's time is up, when it has halted the thread for good. */
const STUCK = 'Script failed to terminate'
/** Wall-clock time in ms after which a computing thread, even of an ended program, is halted 5 s later. */
const SLICE_MS = 10_000

/** Script that removes the globals that no memory limit covers. */
const BARE = 'delete globalThis.WebAssembly; delete globalThis.SharedArrayBuffer; delete globalThis.Atomics'
/** Script that also passes in the host's functions. */
const BORDER = `${BARE}
globalThis.__host = { read: $0, act: $1, drop: $2 }`
/** Script that does the same if answers take a while: the isolate's thread waits for them, and nothing else does. */
const BORDER_LATER = `'use strict'; ${BARE}
const ask = $0.applySyncPromise.bind($0)
globalThis.__host = { read: (method, argsJson) => ask(undefined, [method, argsJson]), act: $1, drop: $2 }`
/** Entry function for both uses, so that one handle and one step fetch it; `$0` receives the program's end. */
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
    memoryLimit: Math.max(MIN_MEMORY_MB, memoryMb), onCatastrophicError: (said) => onCatastrophe(said === STUCK)
  })
}

/**
 * Make the isolate ready, on its own thread or, which is faster, on the caller's.
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
  // An isolate does its tasks in order, and every answer costs a change of threads: what need not wait for an answer is
  // asked for at once.
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
 * Release the context of a program that is over; the isolate may get another one.
 * @param {PolicyContext} policy
 */
function closePolicy ({ context, enter }) {
  enter.release()
  context.release()
}

/**
 * Script that each isolate has compiled, for its next context.
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

/** V8's compiled code of a bootstrap. @type {Map<string, import('isolated-vm').ExternalCopy<ArrayBuffer>>} */
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
