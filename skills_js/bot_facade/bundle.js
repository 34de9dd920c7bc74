/**
 * Bundle of the bot facade, the primitives and the queries: one script for a bare V8 context. It is built in Node, once
 * per process; `require` inside it is resolved here, and never leaves skills_js.
 */
'use strict'
const fs = require('node:fs')
const path = require('node:path')

const ENTRY = require.resolve('./entry')
const ROOT = path.resolve(path.dirname(ENTRY), '..')
/** Globals captured before any program runs: a program may overwrite them, but not what our modules use. */
const INTRINSICS = ['Array', 'Boolean', 'Error', 'JSON', 'Map', 'Math', 'Number', 'Object', 'Promise', 'Proxy',
  'Reflect', 'RangeError',
  'RegExp', 'Set', 'String', 'Symbol', 'SyntaxError', 'TypeError', 'WeakMap']

/** @type {string | null} */
let cached = null

/**
 * @returns {string} the script; it needs `globalThis.__host` and leaves `globalThis.__accord`
 */
function bundle () {
  cached ??= compose()
  return cached
}

/** @returns {string} */
function compose () {
  const modules = collect(ENTRY)
  const ids = new Map([...modules.keys()].map((file, index) => [file, index]))
  const bodies = [...modules].map(([file, { source, requires }]) => {
    const table = Object.fromEntries(requires.map(({ spec, target }) => [spec, ids.get(target)]))
    const body = source.replace(/^'use strict'$/m, '').replace(/^\/\/# source.*$/gm, '')
    return `[${JSON.stringify(table)}, function (module, exports, require) {${body}\n}] // ${path.relative(ROOT, file)}`
  })
  return `(() => { 'use strict'
const { ${INTRINSICS.join(', ')} } = globalThis
const modules = [
${bodies.join(',\n').replace(/\/\/ (\S+),\n/g, ', // $1\n')}
]
const loaded = new Map()
const load = (id) => {
  if (!loaded.has(id)) {
    const [table, body] = modules[id]
    const module = { exports: {} }
    loaded.set(id, module)
    body(module, module.exports, (spec) => load(table[spec]))
  }
  return loaded.get(id).exports
}
load(${ids.get(ENTRY)}).install(globalThis)
})()`
}

/**
 * @param {string} entry
 * @returns {Map<string, {source: string, requires: {spec: string, target: string}[]}>} every file reached from the
 *   entry
 */
function collect (entry) {
  const modules = new Map()
  const open = [entry]
  while (open.length > 0) {
    const file = /** @type {string} */ (open.pop())
    if (modules.has(file)) continue
    const source = fs.readFileSync(file, 'utf8')
    const requires = [
      ...source.matchAll(/require\('([^']+)'\)/g)
    ].map(([, spec]) => ({ spec, target: resolve(file, spec) }))
    modules.set(file, { source, requires })
    open.push(...requires.map(({ target }) => target))
  }
  return modules
}

/**
 * @param {string} from
 * @param {string} spec
 * @returns {string} the file
 * @throws {Error} outside of skills_js, or not there
 */
function resolve (from, spec) {
  const file = path.resolve(path.dirname(from), spec.endsWith('.js') ? spec : `${spec}.js`)
  if (!spec.startsWith('.') || !file.startsWith(ROOT + path.sep)) {
    const what = `${path.relative(ROOT, from)} requires ${JSON.stringify(spec)}`
    throw new Error(`${what}: only files below skills_js go into an isolate`)
  }
  if (!fs.existsSync(file)) {
    throw new Error(`${path.relative(ROOT, from)} requires ${JSON.stringify(spec)}, which does not exist`)
  }
  return file
}

module.exports = { bundle, collect }
