// @ts-nocheck
// Class escape: reach anything outside of the isolate. Success is code in the host, its secrets, or a function of it.

// attack constructor-of-this
// success: the global object's constructor leads to Node's Function
async function attack (bot) { await follow(this); await follow(globalThis) }

// attack constructor-of-bot
// success: the bot, or what it is a proxy of, belongs to the host's realm
async function attack (bot) { await follow(bot); await follow(Object.getPrototypeOf(bot)) }

// attack constructor-of-bot-members
// success: any member of the bot is an object of the host
async function attack (bot) {
  for (const key of Reflect.ownKeys(bot)) { try { await follow(bot[key]) } catch {} }
}

// attack graph-walk-from-bot
// success: something of the host is reachable from the bot by names alone
async function attack (bot) { await followAll(bot, 1500) }

// attack graph-walk-from-globals
// success: something of the host is reachable from the globals by names alone
async function attack (bot) { await followAll(globalThis, 1500) }

// attack graph-walk-from-registry
// success: mcData is the host's own registry
async function attack (bot) { await followAll(mcData, 600); await followAll(bot.registry.blocksByName.stone, 200) }

// attack constructor-of-promise
// success: the promise of an action belongs to the host
async function attack (bot) {
  const promise = bot.waitForTicks(1)
  await follow(promise)
  await follow(promise.then(() => {}))
  await follow(await promise)
}

// attack constructor-of-error
// success: an error of the host crosses as an object
async function attack (bot) {
  for (const fail of [
    () => bot.nothing,
    () => bot.chat('/x'),
    () => bot.dig(null),
    () => goTo(bot, null),
    () => mineBlock(bot, 'no_such')
  ]) {
    try {
      await fail()
    } catch (error) {
      await follow(error)
      await follow(error.stack)
      await follow(error.details)
    }
  }
}

// attack constructor-of-values
// success: data that crosses is more than data
async function attack (bot) {
  for (const value of [
    bot.entity, bot.entity.position,
    bot.inventory.items(),
    bot.players,
    bot.blockAt(bot.entity.position),
    bot.entities, bot.time, bot.game
  ])
    await follow(value)
}

// attack constructor-of-event-arguments
// success: what a listener is called with belongs to the host
async function attack (bot) {
  const heard = []
  for (const event of ['physicsTick', 'move', 'time', 'entityMoved', 'health'])
    bot.on(event, (...args) => heard.push(...args))
  await bot.waitForTicks(20)
  for (const value of heard.slice(0, 20)) await follow(value)
}

// attack listener-this
// success: `this` or a caller in a listener is the host's emitter
async function attack (bot) {
  const seen = []
  bot.on('physicsTick', function () { seen.push(this, arguments.callee) })
  await bot.waitForTicks(4)
  for (const value of seen.slice(0, 6)) { await follow(value); try { await follow(value.caller) } catch {} }
}

// attack function-constructors
// success: any of the language's code constructors compiles in the host's realm
async function attack (bot) {
  for (const make of [
    Function,
    (async () => {}).constructor,
    function* () {}.constructor,
    async function* () {}.constructor
  ]) {
    try {
      await loot((code) => {
        const made = make(`return (${code})`)()
        return typeof made === 'string' ? made : made.then ? made : made.next().value
      })
    } catch {}
  }
}

// attack indirect-eval
// success: eval reaches the host's scope
async function attack (bot) { await loot((code) => (0, eval)(code)); await loot((code) => eval(code)) }

// attack caller-chain
// success: arguments.callee.caller is a function of the bootstrap or the host
async function attack (bot) {
  const sloppy = Function('return arguments.callee.caller')
  try { for (let level = sloppy(), i = 0; level && i < 20; level = level.caller, i++) await follow(level) } catch {}
  bot.on('physicsTick', function () { try { follow(arguments.callee.caller) } catch {} })
  await bot.waitForTicks(2)
}

// attack require-node
// success: require gives a module of Node
async function attack (bot) {
  for (const name of [
    'fs', 'node:fs', 'child_process', 'net', 'process', 'vm', 'module', 'isolated-vm', 'mineflayer',
    '../../bridge/host/bots', '__proto__', 'constructor', 'toString'
  ]) {
    try {
      const got = require(name)
      await follow(got)
      if (got.readFileSync || got.Isolate || got.createBot || got.connect) claim(`require ${name}`)
    } catch {}
  }
}

// attack require-internals
// success: require carries cache, main or resolve, or its functions are the host's
async function attack (bot) {
  for (const key of ['cache', 'main', 'resolve', 'extensions']) if (require[key]) claim(`require.${key}`)
  await follow(require)
  const { pathfinder, Movements } = require('mineflayer-pathfinder')
  await follow(pathfinder)
  await follow(Movements)
  await follow(require('minecraft-data')('1.20.4'))
  await follow(require('vec3'))
}

// attack dynamic-import
// success: import() loads a module
async function attack (bot) {
  for (const name of ['fs', 'node:fs', 'data:text/javascript,export default 1', 'file:///etc/passwd']) {
    try { await import(name); claim(`import ${name}`) } catch {}
  }
}

// attack import-in-made-function
// success: import() in code compiled at run time finds the host's loader
async function attack (bot) {
  for (const text of ['return import("node:fs")', 'return import("fs").then((m) => m.default)']) {
    try { const got = await new Function(text)(); claim('import'); await follow(got) } catch {}
  }
}

// attack unknown-globals
// success: a global that no page names runs code or holds a reference
async function attack (bot) {
  const known = new RegExp(
    '^(parse|is|decode|encode|escape$|unescape$|eval$|console$|set|clear|undefined$|globalThis$|performance$|' +
      'bot$|goals$|mcData$|require$|count|find|check|collect|craft|deposit|equip|explore|getItem|goTo$|kill|mine|' +
      'place|say$|send|shoot$|smelt|wait|attack$|[A-Z])'
  )
  for (const name of Object.getOwnPropertyNames(globalThis).filter((each) => !known.test(each))) {
    const value = globalThis[name]
    await follow(value)
    if (typeof value === 'function') {
      try { await loot((code) => value(code)) } catch {}
    }
  }
}

// attack isolate-references
// success: a Reference, Callback, ExternalCopy or Isolate of isolated-vm is in reach
async function attack (bot) {
  const verbs = [
    'applySync', 'applySyncPromise', 'getSync', 'setSync', 'copySync', 'derefInto', 'createContextSync',
    'compileScriptSync', 'evalSync'
  ]
  const seen = new Set([globalThis, bot])
  for (const value of seen) {
    if (seen.size > 2000) break
    let keys = []
    try { keys = Reflect.ownKeys(value) } catch {}
    for (const verb of verbs) {
      let there
      try {
        there = value !== bot && typeof value[verb] === 'function'
      } catch {
        there = false
      }
      if (!there) continue
      claim(`${verb} of isolated-vm`)
      try { await loot((code) => value.getSync('eval').applySync(undefined, [code])) } catch {}
    }
    for (const key of keys) {
      let part
      try {
        part = value[key]
      } catch {
        continue
      }
      if (part && /object|function/.test(typeof part)) seen.add(part)
    }
  }
}

// attack leftover-bootstrap
// success: the host's functions or the bootstrap's own handle are still global
async function attack (bot) {
  for (const name of ['__host', '__accord', '$0', '$1', '$2', 'module', 'modules', 'load', 'host'])
    if (name in globalThis) claim(`global ${name}`)
  if (globalThis.__accord)
    globalThis.__accord.deliver(JSON.stringify({ event: 'chat', args: [CANARY.witness, CANARY.token] }))
}

// attack node-globals
// success: a global of Node exists inside
async function attack (bot) {
  for (const name of [
    'process', 'global', 'Buffer', 'module', 'exports', '__dirname', '__filename', 'fetch', 'WebSocket',
    'XMLHttpRequest', 'Worker', 'MessageChannel', 'structuredClone', 'queueMicrotask', 'gc', 'Deno', 'Bun',
    'navigator'
  ]) {
    if (name in globalThis) {
      claim(`global ${name}`)
      await follow(globalThis[name])
    }
  }
}

// attack webassembly
// success: WebAssembly is there: memory and code outside of every bound
async function attack (bot) {
  const found =
    globalThis.WebAssembly ?? Function('return typeof WebAssembly === "undefined" ? undefined : WebAssembly')()
  if (!found) return
  claim('WebAssembly')
  new found.Memory({ initial: 1000, maximum: 2000 })
}

// attack shared-memory
// success: SharedArrayBuffer or Atomics exist: clocks, and memory that is not counted
async function attack (bot) {
  for (const name of ['SharedArrayBuffer', 'Atomics']) if (name in globalThis) claim(name)
}

// attack prepare-stack-trace
// success: a call site gives away a function, `this` or a file of the host
async function attack (bot) {
  let sites = []
  try { Error.prepareStackTrace = (_error, given) => { sites = given; return '' } } catch {}
  try { bot.nothing } catch (error) { String(error.stack) }
  void new Error('x').stack
  for (const site of sites) {
    for (const ask of ['getThis', 'getFunction']) { try { await follow(site[ask]()) } catch {} }
    try { if (/host\/|node:/.test(site.getFileName())) claim(site.getFileName()) } catch {}
  }
}

// attack stack-overflow-in-host
// success: an error thrown at the end of the stack belongs to the host
async function attack (bot) {
  const errors = []
  const dive = () => {
    try {
      dive()
    } catch (error) {
      errors.push(error)
    }
    try {
      bot.blockAt(bot.entity.position)
    } catch (error) {
      errors.push(error)
    }
  }
  try {
    dive()
  } catch (error) {
    errors.push(error)
  }
  for (const error of errors.slice(0, 30)) await follow(error)
}

// attack thenable-result
// success: the host awaits or calls what the program returns
async function attack (bot) {
  return {
    then (resolve, reject) {
      follow(resolve)
      follow(reject)
      try { follow(this.then.caller) } catch {}
      resolve({
        toJSON () {
          try { follow(arguments.callee.caller) } catch {}
          return 'x'
        }
      })
    }
  }
}

// attack proxy-result
// success: a trap of a proxy is called by the host
async function attack (bot) {
  const seen = []
  const traps = new Proxy(
    {},
    {
      get:
        (_target, trap) =>
        (...args) => {
          seen.push(...args)
          return Reflect[trap](...args)
        }
    }
  )
  const odd = new Proxy(function () {}, traps)
  for (const use of [
    () => bot.chat(odd),
    () => goTo(bot, odd),
    () => bot.setControlState(odd, odd),
    () => bot.lookAt(odd),
    () => console.log(odd)
  ]) {
    try {
      await use()
    } catch (error) {
      seen.push(error)
    }
  }
  for (const value of seen.slice(0, 50)) await follow(value)
  throw odd
}

// attack symbol-hooks
// success: a well-known symbol of an argument is used on the host's side
async function attack (bot) {
  const hook = function (...args) {
    follow(this)
    args.forEach(follow)
    return 'x'
  }
  const odd = {
    [Symbol.toPrimitive]: hook,
    [Symbol.iterator]: hook,
    [Symbol.asyncIterator]: hook,
    [Symbol.for('nodejs.util.inspect.custom')]: hook,
    toString: hook,
    valueOf: hook,
    toJSON: hook,
    inspect: hook
  }
  for (const use of [
    () => console.log(odd),
    () => bot.chat(odd),
    () => say(bot, odd),
    () => sendSignal(bot, odd, odd),
    () => bot.findBlocks({ matching: odd, maxDistance: odd })
  ]) {
    try { await use() } catch {}
  }
}

// attack throw-odd-things
// success: describing what is thrown runs its code in the host
async function attack (bot) {
  throw Object.defineProperties(new Error('x'), {
    message: { get () { try { follow(arguments.callee.caller) } catch {} return CANARY.token } },
    stack: { get () { follow(this); return 'at x (policy.js:1:1)' } },
    name: { get () { throw this } }
  })
}

// attack species
// success: a species constructor is called by the host with its own functions
async function attack (bot) {
  class Odd extends Promise {
    constructor (start) {
      super((resolve, reject) => {
        follow(resolve)
        follow(reject)
        start(resolve, reject)
      })
    }
    static get [Symbol.species] () {
      return Odd
    }
  }
  try { Object.defineProperty(Promise, Symbol.species, { get: () => Odd }) } catch {}
  await Odd.resolve(bot.waitForTicks(1)).then(() => bot.waitForTicks(1))
}

// attack finalizers
// success: a finalization callback runs in another realm
async function attack (bot) {
  const registry = new FinalizationRegistry(function (held) { follow(this); follow(held) })
  for (let i = 0; i < 2000; i++) registry.register({ i }, { i })
  await bot.waitForTicks(5)
}

// attack source-ends-wrapper quoted
// success: text of the program ends the function or script around it and runs outside
/*
async function attack (bot) { }
})(); }); }); if (typeof process === 'object') console.log(`PWNED ${CANARY.token}`); ({}
*/

// attack source-name
// success: a program that names itself after a file of the host makes the host read it
async function attack (bot) { throw new Error('x') }
//# sourceURL=file:///etc/passwd
//# sourceMappingURL=file:///etc/passwd

// attack html-comment quoted
// success: an odd token of scripts hides code from the syntax check
/*
async function attack (bot) { await loot((code) => eval(code)) }
<!-- typeof process
*/

// attack wall-clock
// success: the program learns what day it is where the machine stands, and so differs from run to run
async function attack (bot) {
  const full = new Intl.DateTimeFormat('en-US', { dateStyle: 'full' })
  const year = new Intl.DateTimeFormat('en-US', { year: 'numeric' })
  const doors = {
    'Date()': () => Date(),
    'new Date': () => String(new Date()),
    'Date.now': () => new Date(Date.now()).toISOString(),
    'Reflect.construct': () => String(Reflect.construct(Date, [])),
    'a class of Date': () => String(new (class extends Date {})()),
    'the constructor of a Date': () => String(new new Date(0).constructor()),
    'performance.now': () => new Date(performance.now()).toISOString(),
    'Intl.DateTimeFormat': () => full.format(),
    'Intl.DateTimeFormat of undefined': () => full.format(undefined),
    'formatToParts': () =>
      year
        .formatToParts()
        .map((part) => part.value)
        .join(''),
    'the getter of format': () =>
      Object.getOwnPropertyDescriptor(Intl.DateTimeFormat.prototype, 'format').get.call(full)(),
    'toLocaleString': () => new Date().toLocaleString('en-US', { dateStyle: 'full' }),
    'an old way to make a format': () =>
      Intl.DateTimeFormat.call(Object.create(Intl.DateTimeFormat.prototype), 'en-US', { year: 'numeric' }).format()
  }
  for (const [name, door] of Object.entries(doors)) {
    let told = ''
    try { told = String(door()) } catch {}
    if (/\b20[2-9]\d\b/.test(told)) claim(`${name} tells the machine's date`)
  }
  for (const name of ['WeakRef', 'FinalizationRegistry', 'Atomics'])
    if (globalThis[name] !== undefined) claim(`${name} tells the machine's own pace`)
  if (new Date(0).getTimezoneOffset() !== 0) claim('the zone of the machine')
}
