'use strict'
/** The front's parts that need no world. */
const { test, describe } = require('node:test')
const assert = require('node:assert/strict')
const fc = require('fast-check')
const { FrameReader, frame } = require('../../../bridge/servers/embedded/codec')
const { examine } = require('../../../bridge/servers/embedded/nbt_guard')
const { Clock } = require('../../../bridge/servers/embedded/clock')
const { readSettings } = require('../../../bridge/servers/embedded/settings')
const { compound, fromJson } = require('../../../bridge/servers/embedded/components')
const { offlineUuid, otherVersion } = require('../../../bridge/servers/embedded/login')
const { angle } = require('../../../bridge/servers/embedded/interest')

describe('frames', () => {
  test('come whole whatever the cuts', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 40000 }), { minLength: 1, maxLength: 5 })
    fc.assert(fc.property(sizes, fc.array(fc.integer({ min: 1, max: 30000 }), { minLength: 1 }), (lengths, cuts) => {
      const packets = lengths.map((length, n) => Buffer.alloc(length, n + 1))
      const stream = Buffer.concat(packets.map(frame))
      const reader = new FrameReader(50000)
      const found = []
      for (let at = 0, n = 0; at < stream.length; n++) {
        const cut = cuts[n % cuts.length]
        for (const packet of reader.push(stream.subarray(at, at + cut))) found.push(Buffer.from(packet))
        at += cut
      }
      assert.deepEqual(found, packets)
    }), { numRuns: 100, seed: 2 })
  })

  test('above the limit are refused before their bytes come', () => {
    assert.throws(() => [...new FrameReader(100).push(Buffer.from([101]))], /frame of 101 bytes/)
  })
})

test('a client of another version is told which one to choose, and where', () => {
  const services = /** @type {any} */ ({ version: '1.20.4', protocol: 765 })
  const told = (/** @type {number} */ protocol) => otherVersion(services, protocol)
  const remedy = 'choose version 1.20.4 in the launcher (Installations, New installation)'
  assert.equal(told(769), `This server speaks Minecraft 1.20.4 (protocol 765), your client 1.21.4: ${remedy}`)
  assert.match(told(767), /your client 1\.21\.1 or 1\.21:/)
  assert.match(told(999999), /your client protocol 999999:/)
})

describe('NBT in clicks', () => {
  const click = (/** @type {number[]} */ slot) => Buffer.from([0x0d, 0, 1, 0, 36, 0, 0, 0, ...slot])

  test('of a named item passes', () => {
    const compound = [
      10, 10, 0, 1, 97, 8, 0, 1, 98, 0, 2, 104, 105, 9, 0, 1, 99, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0
    ]
    assert.doesNotThrow(() => examine(click([1, 1, 1, ...compound])))
  })

  for (const [what, slot, message] of /** @type {[string, number[], RegExp][]} */ ([
    ['a list of empty tags', [1, 1, 1, 10, 9, 0, 1, 97, 0, 0x7f, 0xff, 0xff, 0xff, 0], /empty tags/],
    ['nesting without end', [1, 1, 1, 10, ...Array(600).fill([10, 0, 0]).flat()], /nested deeper/],
    ['a type that is none', [1, 1, 1, 10, 99, 0, 0, 0], /type 99/],
    ['an array longer than the packet', [1, 1, 1, 10, 7, 0, 0, 0x7f, 0, 0, 0], /leaves the packet/],
    ['an array of negative length', [1, 1, 1, 10, 11, 0, 0, 0xff, 0xff, 0xff, 0xff], /leaves the packet/]
  ])) test(`of ${what} is refused`, () => assert.throws(() => examine(click(slot)), message))

  test('more changed slots than a window has is refused', () => {
    assert.throws(() => examine(Buffer.from([0x0d, 0, 1, 0, 36, 0, 0, 0xff, 0x7f])), /changed slots/)
  })
})

describe('the clock', () => {
  /** A clock whose time only moves by hand. */
  function byHand () {
    const state = { now: 1000, ticks: 0 }
    const clock = new Clock(() => { state.ticks++ }, () => state.now)
    const at = (/** @type {number} */ ms) => {
      state.now = 1000 + ms
      clock._run()
      clock.stop()
      clock._running = true
    }
    clock.start()
    clock.stop()
    clock._running = true
    return { clock, state, at }
  }

  test('takes its pace from the world, and runs ahead while that sprints', () => {
    const state = { now: 0, ticks: 0, period: 100 }
    const clock = new Clock(() => { state.ticks++ }, () => state.now, () => state.period)
    const at = (/** @type {number} */ ms) => {
      state.now = ms
      clock._run()
    }
    clock.start()
    clock.stop()
    at(50)
    assert.equal(state.ticks, 0)
    at(100)
    at(199)
    assert.equal(state.ticks, 2)
    state.period = 0
    for (let n = 0; n < 5; n++) at(199)
    assert.equal(state.ticks, 7)
    assert.equal(clock.statistics().skipped, 0)
  })

  test('keeps to its times whatever the lateness of each tick', () => {
    const { clock, state, at } = byHand()
    for (let n = 1; n <= 100; n++) at(n * 50 + (n % 7) * 3)
    clock.stop()
    assert.equal(state.ticks, 100)
    assert.equal(clock.statistics().skipped, 0)
  })

  test('does not tick before its time', () => {
    const { clock, state, at } = byHand()
    at(30)
    clock.stop()
    assert.equal(state.ticks, 0)
  })

  test('catches up after a short stall, tick by tick', () => {
    const { clock, state, at } = byHand()
    for (let n = 0; n < 30; n++) at(1000)
    clock.stop()
    assert.equal(state.ticks, 20)
  })

  test('gives up what a long stall has cost', () => {
    const { clock, state, at } = byHand()
    for (let n = 0; n < 30; n++) at(60000)
    clock.stop()
    assert.equal(state.ticks, 1)
    assert.ok(clock.statistics().skipped > 1000)
  })
})

describe('settings', () => {
  test('have defaults', () => {
    const settings = readSettings('{"rconPassword":"x"}')
    assert.equal(settings.host, '127.0.0.1')
    assert.equal(settings.players, null)
  })

  for (const [line, message] of /** @type {[string, RegExp][]} */ ([
    ['nonsense', /one JSON object/],
    ['[]', /one JSON object/],
    ['{"rconPassword":"x","prot":1}', /unknown setting "prot"; known are seed/],
    ['{}', /rconPassword is "", but must be a text that is not empty/],
    ['{"rconPassword":"x","port":70000}', /port is 70000, but must be an integer from 0/],
    ['{"rconPassword":"x","viewDistance":1}', /viewDistance is 1, but must be an integer from 2 to 16/],
    ['{"rconPassword":"x","players":["a b"]}', /players is \["a b"\]/]
  ])) test(`${line} is refused in one line`, () => assert.throws(() => readSettings(line), message))
})

describe('text components', () => {
  test('of JSON become NBT', () => {
    assert.deepEqual(compound({ text: 'a', bold: true, extra: ['b', { text: 'c' }] }), {
      type: 'compound',
      value: {
        text: { type: 'string', value: 'a' },
        bold: { type: 'byte', value: 1 },
        extra: { type: 'list', value: {
          type: 'compound', value: [{ text: { type: 'string', value: 'b' } }, { text: { type: 'string', value: 'c' } }]
        } }
      }
    })
  })

  test('that are nothing but text are plain strings', () => {
    assert.deepEqual(fromJson('half each?'), { type: 'string', value: 'half each?' })
    assert.deepEqual(fromJson('{"text":"half each?"}'), { type: 'string', value: 'half each?' })
  })
})

test('an offline name has the UUID that every server gives it', () => {
  assert.equal(offlineUuid('Notch'), 'b50ad385-829d-3141-a216-7e7d7539ba7f')
})

test('angles are bytes', () => {
  assert.deepEqual([0, 90, 179.9, 180, -90, 360, 725].map(angle), [0, 64, 127, -128, -64, 0, 3])
})
