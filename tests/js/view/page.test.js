'use strict'
/** The page's modules without a browser: scenes, time, addresses, keys, ground, and hostile texts. */
const assert = require('node:assert/strict')
const path = require('node:path')
const { test } = require('node:test')
const { pathToFileURL } = require('node:url')

/** @param {string} name @returns {Promise<any>} */
const load = (name) => import(pathToFileURL(path.join(__dirname, '../../../accord/viewer/page', name)).href)

const chunk = () => ({
  n: 0,
  at: 10,
  until: 20,
  count: 5,
  scene: { at: { Ada: [0, 0, 0] }, goal: { Ada: 'one' } },
  changes: [[12, 'at', 'Ada', [2, 0, 0]], [12, 'goal', 'Ada', 'two'], [13, 'at', 'Ada', [4, 0, 0]],
    [15, 'goal', 'Ada', null], [18, 'at', 'Bob', [9, 0, 9]]]
})

test('a scene results from the changes up to its moment, forwards and backwards', async () => {
  const { Cursor } = await load('scene.mjs')
  const cursor = new Cursor(chunk())
  assert.equal(cursor.sceneAt(11).goal.Ada, 'one')
  assert.equal(cursor.sceneAt(12).goal.Ada, 'two')
  assert.equal(cursor.sceneAt(15).goal.Ada, undefined)
  assert.equal(cursor.sceneAt(10).goal.Ada, 'one')
  assert.deepEqual(Object.keys(cursor.sceneAt(20).at), ['Ada', 'Bob'])
})

test('a player moves between two samples, stays at the last one, and has no position before', async () => {
  const { Cursor } = await load('scene.mjs')
  const cursor = new Cursor(chunk())
  assert.deepEqual(cursor.placeAt('Ada', 12.5), [3, 0, 0])
  assert.deepEqual(cursor.placeAt('Ada', 19), [4, 0, 0])
  assert.equal(cursor.placeAt('Bob', 17.9), null)
  assert.equal(cursor.placeAt('Nobody', 12), null)
  cursor.grow([[19, 'at', 'Ada', [500, 0, 0]]], 19)
  assert.deepEqual(cursor.placeAt('Ada', 18.5), [4, 0, 0], 'who is moved far at once does not slide there')
})

test('a player absent between episodes has no position then, and all its positions are listed', async () => {
  const { Cursor } = await load('scene.mjs')
  const cursor = new Cursor({ ...chunk(), scene: {},
    changes: [[12, 'at', 'Ada', null], [13, 'at', 'Ada', [4, 0, 0]], [15, 'at', 'Ada', null],
    [17, 'at', 'Ada', [8, 0, 0]], [18, 'at', 'Bob', null]] })
  assert.deepEqual(cursor.places(), [[4, 0, 0], [8, 0, 0]])
  assert.deepEqual([cursor.firstPlace('Ada'), cursor.firstPlace('Bob')], [[4, 0, 0], null])
  assert.deepEqual([14, 16, 17.5].map((at) => cursor.placeAt('Ada', at)), [[4, 0, 0], null, [8, 0, 0]])
})

test('an error is one line with its file and line', async () => {
  const { faultText } = await load('faults.mjs')
  const thrown = { message: 'x is\nno list',
    stack:
    'TypeError: x\n    at fit (http://127.0.0.1:1/token/map.mjs:95:22)\n    at aim (http://127.0.0.1:1/app.mjs:3:1)' }
  assert.equal(faultText(thrown), 'x is no list (map.mjs:95)')
  assert.deepEqual([faultText('gone'), faultText(undefined), faultText({ message: '\u202ex' })],
    ['gone', 'unknown', '⟨202e⟩x'])
  assert.equal(faultText('x'.repeat(1000)).length, 300)
})

test('a failed request for a chunk is shown and repeated later', async (context) => {
  const { Run } = await load('record.mjs')
  context.mock.timers.enable({ apis: ['setTimeout'] })
  let asked = 0
  const run = new Run({ chunk: async () => { asked++; if (asked === 1) throw new Error('gone'); return chunk() } })
  await run.fetch(0)
  assert.equal(run.error, 'part 1 of the record cannot be shown: gone')
  await run.fetch(0)
  assert.equal(asked, 1, 'not with every frame')
  context.mock.timers.tick(2000)
  await run.fetch(0)
  assert.deepEqual([asked, run.error, run.cursors.size], [2, '', 1])
})

test('a panel asks again for what it did not get', async () => {
  const { Numbers } = await load('numbers.mjs')
  const { Words } = await load('words.mjs')
  let asked = 0
  const part = () => {
    asked++
    return Promise.reject(new Error('no answer'))
  }
  const view = { at: 1, chosen: '', scene: {}, run: { source: { part }, reach: { read: 5, until: 9 } } }
  const empty = { value: '' }
  const words = { text: empty, kind: empty, channel: empty, box: {}, only: {}, showChannels () {}, asked: '' }
  for (const [panel, own] of [[Numbers, { read: -1 }], [Words, words]]) {
    const shown = Object.create(panel.prototype, Object.getOwnPropertyDescriptors(own))
    asked = 0
    await assert.rejects(shown.show(view), /no answer/)
    await assert.rejects(shown.show(view), /no answer/)
    assert.equal(asked, 2)
  }
})

test('bubbles overlap neither players nor bubbles, and cover little of the map', async () => {
  const { placeBubbles } = await load('bubbles.mjs')
  const map = { width: 800, height: 600 }
  const crowd = Array.from({ length: 30 },
    (_, number) => ({ left: 400 + number % 6 * 12, top: 300 + Math.floor(number / 6) * 12 }))
  const wanted = crowd.map((spot) => ({ spot, width: 160, height: 24, whole: false }))
  const places = placeBubbles(wanted, crowd, map)
  const boxes = places.filter((/** @type {unknown} */ place) => place !== null)
    .map((/** @type {number[]} */ [left, top]) => [left, top, left + 160, top + 24])
  assert.ok(boxes.length >= 3)
  assert.ok(boxes.length * 160 * 24 <= 800 * 600 * 0.12)
  for (const [number, [left, top, right, bottom]] of boxes.entries()) {
    for (const spot of crowd) {
      assert.ok(spot.left < left || spot.left > right || spot.top < top || spot.top > bottom, 'no player is hidden')
    }
    for (const [l, t, r, b] of boxes.slice(number + 1)) {
      assert.ok(r < left || l > right || b < top || t > bottom, 'no bubble is hidden')
    }
  }
  const alone = placeBubbles([wanted[0]], [crowd[0]], map)
  assert.deepEqual(alone, [[320, 262]], 'who is alone has its words right above it')
  const small = placeBubbles([{ ...wanted[29], whole: true }, wanted[3]], crowd, { width: 300, height: 120 })
  assert.deepEqual([small[0] !== null, small[1]], [true, null], 'who was asked for is always shown')
})

test('axes have round values, and missing charts are explained', async () => {
  const { grouped, missing, ticks, valueText } = await load('numbers.mjs')
  assert.deepEqual(ticks(0, 92), [0, 25, 50, 75])
  assert.deepEqual(ticks(0, 6), [0, 2, 4, 6])
  assert.deepEqual(ticks(-3, 0.5), [-3, -2, -1, 0])
  assert.deepEqual([ticks(0, 0), ticks(0, 0.3)], [[0], [0, 0.1, 0.2, 0.3]])
  assert.deepEqual(missing({ calls: [[1, 4]], welfare: [[9, 70]] }, true), [])
  assert.deepEqual(missing({ usd: [[1, 0]], welfare: [[9, 0]] }, true),
    ['Welfare is 0: nobody was paid anything.', 'Always 0: usd.'])
  assert.deepEqual([valueText([[9, 70]], 3), valueText([[9, 70]], 9), valueText([], 1)],
    ['known from 0:09.0 on', '70', '-'])
  assert.deepEqual([...grouped(['calls', 'reward Ada', 'welfare']).keys()], ['welfare', 'reward', 'calls'])
  assert.match(missing({}, false)[0], /^No welfare: .* no episode has ended yet\.$/)
})

test('runs are sorted by name, with numbers as numbers', async () => {
  const { byName } = await load('record.mjs')
  const runs = ['runs/b/seed-10', 'runs/b/seed-9', 'runs/a'].map((name, number) => ({ name, number }))
  assert.deepEqual(byName(runs).map((/** @type {any} */ { number }) => number), [2, 1, 0])
  assert.equal(runs[0].number, 0, 'the given list stays as it is')
})

test('the ground shows mined and placed blocks at any moment, and redraws only changes', async () => {
  const { Cursor } = await load('scene.mjs')
  const { blockAt, drawTops, readGround } = await load('ground.mjs')
  const ground = readGround({ corner: [-1, 0], blocks: ['', 'stone', 'iron_ore'], rows: [[1, 1, 1, 2, 1, 0]] })
  const cursor = new Cursor({ ...chunk(), changes: [
    [11, 'top', '0,0', ['dirt', '#102030', -61]], [12, 'at', 'Ada', [1, 0, 0]],
    [13, 'top', '1,0', ['cobblestone', '#405060', -60]],
    [14, 'top', '500,0', ['dirt', '#102030', 1]], [15, 'top', '0,0', ['', '', -64]]
  ] })
  /** @type {Record<string, string>} */
  const pixels = { 0: 'stone', 1: 'ore' }
  let strokes = 0
  const pen = {
    fillStyle: '',
    clearRect: (/** @type {number} */ x) => { delete pixels[x]; strokes++ },
    fillRect (/** @type {number} */ x) { pixels[x] = this.fillStyle }
  }
  let drawn = {}
  const at = (/** @type {number} */ moment) => {
    const now = { ...cursor.sceneAt(moment).top }
    drawTops(pen, ground, ['', '#808080', '#d8af93'], drawn, now)
    drawn = now
    return { ...pixels }
  }
  assert.deepEqual(at(10), { 0: 'stone', 1: 'ore' })
  assert.deepEqual(at(11), { 0: 'stone', 1: 'rgb(16 32 48)' })
  assert.equal(blockAt(ground, 0.5, 0.5, drawn).name, 'dirt')
  const turf = cursor.turf
  assert.deepEqual(at(12), { 0: 'stone', 1: 'rgb(16 32 48)' })
  assert.deepEqual([strokes, cursor.turf], [1, turf], 'a player who walks changes no ground')
  assert.deepEqual(at(14), { 0: 'stone', 1: 'rgb(16 32 48)', 2: 'rgb(64 80 96)' })
  assert.deepEqual(at(15), { 0: 'stone', 2: 'rgb(64 80 96)' })
  assert.deepEqual(at(10.5), { 0: 'stone', 1: 'rgb(216 175 147)' }, 'back in time the ore is there again')
  assert.notEqual(cursor.turf, turf)
  assert.equal(blockAt(ground, 0.5, 0.5, drawn).name, 'iron_ore')
})

test('changed columns and their neighbours are shaded by current heights at any moment', async () => {
  const { blockAt, drawTops, readGround } = await load('ground.mjs')
  const told = { corner: [10, 20], blocks: ['', 'stone'], rows: [[3, 1], [3, 1], [3, 1]] }
  /** @type {Record<string, string>} */
  const pixels = {}
  const pen = { fillStyle: '', clearRect () {}, fillRect (/** @type {number} */ x, /** @type {number} */ z) {
    pixels[`${x},${z}`] = this.fillStyle
  } }
  const ground = readGround({ ...told, low: -61 })
  const dug = { '11,21': ['stone', '#646464', -62] }
  const heaped = { '11,21': ['stone', '#646464', -59] }
  const level = { '1,1': 'rgb(100 100 100)', '2,1': 'rgb(100 100 100)', '1,2': 'rgb(100 100 100)' }
  drawTops(pen, ground, ['', '#646464'], {}, dug)
  assert.deepEqual(pixels, { '1,1': 'rgb(82 82 82)', '2,1': 'rgb(108 108 108)', '1,2': 'rgb(108 108 108)' },
    'a hole is dark, its far rims are lit')
  assert.equal(blockAt(ground, 11, 21, dug).height, -1)
  drawTops(pen, ground, ['', '#646464'], dug, heaped)
  assert.deepEqual(pixels, { '1,1': 'rgb(135 135 135)', '2,1': 'rgb(84 84 84)', '1,2': 'rgb(84 84 84)' },
    'a heap is lit and throws its shade')
  drawTops(pen, ground, ['', '#646464'], heaped, {})
  assert.deepEqual(pixels, level, 'back in time all is level again')
  const old = readGround(told)
  drawTops(pen, old, ['', '#646464'], {}, heaped)
  assert.deepEqual(pixels, level, 'an older record does not tell heights, and none are made up')
})

test('an area belongs to its dominant colour, and wide lands have larger cells', async () => {
  const { influence } = await load('areas.mjs')
  const red = { colour: '#ff0000', x: 0, z: 0 }
  const blue = { colour: '#0000ff', x: 30, z: 0 }
  const found = influence([red, blue, { ...blue, x: 31 }])
  const at = (/** @type {number} */ x, /** @type {number} */ z) => {
    const place = Math.floor((z - found.north) / found.cell) * found.width + Math.floor((x - found.west) / found.cell)
    return found.weights[place] && [found.colours[found.best[place]], Math.round(found.weights[place] * 100) / 100]
  }
  assert.deepEqual([at(0, 0), at(30, 0)], [['#ff0000', 1], ['#0000ff', 2]])
  assert.deepEqual(at(4, 0), ['#ff0000', 0.71])
  assert.equal(at(0, 14), undefined)
  const wide = influence([red, { ...blue, x: 4000 }])
  assert.ok(wide.width <= 250 && wide.cell > 2)
  assert.equal(wide.weights.filter((/** @type {number} */ weight) => weight > 0).length, 2 * 29,
    'on wide lands each is still to be seen')
})

test('names such as __proto__ are ordinary names', async () => {
  const { Cursor } = await load('scene.mjs')
  const changes = ['__proto__', 'constructor', 'toString'].map((name) => [11, 'goal', name, 'mine'])
  const cursor = new Cursor({ ...chunk(), scene: JSON.parse('{"at": {"__proto__": [1, 2, 3]}}'), changes })
  const scene = cursor.sceneAt(12)
  assert.deepEqual(Object.keys(scene.goal), ['__proto__', 'constructor', 'toString'])
  assert.equal(scene.at.constructor, undefined)
  assert.deepEqual(cursor.placeAt('__proto__', 12), [1, 2, 3])
  assert.equal(/** @type {any} */ ({}).mine, undefined)
})

test('the clock plays to the end, starts over, and follows a growing run', async () => {
  const { Clock } = await load('clock.mjs')
  const clock = new Clock()
  clock.tick(0, 10)
  clock.change(1)
  clock.toggle()
  clock.tick(3, 10)
  assert.deepEqual([clock.at, clock.playing], [6, true])
  clock.tick(3, 10)
  assert.deepEqual([clock.at, clock.playing], [10, false])
  clock.toggle()
  assert.deepEqual([clock.at, clock.playing], [0, true])
  clock.follow()
  for (let frame = 0; frame < 300; frame++) clock.tick(0.05, 40)
  assert.deepEqual([clock.at, clock.live], [40, true])
  clock.seek(-5)
  assert.deepEqual([clock.at, clock.live], [0, false])
})

test('the moment in an address is shown once the record is read up to it', async () => {
  const { Clock } = await load('clock.mjs')
  const clock = new Clock()
  clock.until = 3
  clock.await(50)
  const seen = [20, 70, 90].map((until) => {
    clock.tick(0.1, until, false)
    return clock.at
  })
  assert.deepEqual(seen, [20, 50, 50])
  clock.await(500)
  clock.tick(0.1, 100, true)
  clock.tick(0.1, 600, false)
  assert.equal(clock.at, 100, 'a record that is shorter is shown at its end')
  clock.await(700)
  clock.seek(5)
  clock.tick(0.1, 800, false)
  assert.equal(clock.at, 5, 'who goes elsewhere meanwhile stays there')
})

test('an address names a moment, and unknown parts are ignored', async () => {
  const { readPlace, writePlace } = await load('place.mjs')
  const place = { run: 'a/b & c', t: 12.35, agent: '<Ada>#', tab: 'words', x: -3.5, z: 0, zoom: 8, follow: true,
    view: '', eyes: false, camera: null }
  assert.deepEqual(readPlace(writePlace(place)), place)
  assert.deepEqual(readPlace('#t=Infinity&x=1e99&zoom=&tab=nothing&follow=yes'),
    { run: '', t: null, agent: '', tab: 'agents', x: null, z: null, zoom: null, follow: false,
      view: '', eyes: false, camera: null })
})

test('keys trigger their actions, except in fields and buttons', async () => {
  const { actionFor } = await load('keys.mjs')
  const press = (/** @type {string} */ key, /** @type {any} */ target = {}, /** @type {any} */ more = {}) => {
    const asked = /** @type {any[]} */ ([])
    const acts = new Proxy({}, { get: (_, name) => (/** @type {any[]} */ ...given) => asked.push([name, ...given]) })
    actionFor({ key, ctrlKey: false, metaKey: false, altKey: false, target, ...more })?.(acts, more.shiftKey ?? false)
    return asked
  }
  assert.deepEqual(press(' '), [['toggle']])
  assert.deepEqual(press('ArrowRight', {}, { shiftKey: true }), [['jump', 60]])
  assert.deepEqual(press('ArrowRight', { id: 'map', tagName: 'CANVAS' }), [['pan', -60, 0]])
  assert.deepEqual(press('2'), [['tab', 'words']])
  assert.deepEqual(press('a', { tagName: 'INPUT', type: 'search' }), [])
  assert.deepEqual(press(' ', { tagName: 'BUTTON' }), [])
  assert.deepEqual(press('f', {}, { ctrlKey: true }), [])
  assert.deepEqual(press('constructor'), [])
})

test('control characters of a text are shown as codes', async () => {
  const { clockText, safeText } = await load('dom.mjs')
  assert.equal(safeText('a\u202eb\u0000c\u200bd'), 'a\u27e8202e\u27e9b\u27e80000\u27e9c\u27e8200b\u27e9d')
  assert.equal(safeText('<b>\ttwo\nlines</b>'), '<b>\ttwo\nlines</b>')
  assert.equal(safeText(undefined), '')
  assert.deepEqual([clockText(59.99), clockText(3723.4), clockText(NaN)], ['0:59.9', '1:02:03.4', '0:00.0'])
})

test('the ground is run-length decoded, lit from the north-west, and readable by column', async () => {
  const { blockAt, landmarks, light, readGround } = await load('ground.mjs')
  const ground = readGround({ corner: [-2, -1], blocks: ['', 'grass', 'stone'], rows: [[5, 1], [2, 1, 1, 2, 2, 1]],
    heights: [[5, 0], [2, 0, 1, 3, 2, 0]] })
  assert.deepEqual([ground.width, ground.depth], [5, 2])
  assert.deepEqual(blockAt(ground, 0.5, 0.5), { name: 'stone', height: 3 })
  assert.equal(blockAt(ground, 3, 0), null)
  assert.ok(light(ground, 2, 1) > 1 && light(ground, 3, 1) < 1)
  assert.deepEqual(landmarks(ground), [0, 0, 1, 1])
  assert.equal(light(readGround({ corner: [0, 0], blocks: ['', 'x'], rows: [[1, 1]] }), 0, 0), 1)
})

test('marks are found near the pointer and in order', async () => {
  const { marksNear, nextMark } = await load('bar.mjs')
  const marks = [[1, 10, 'contract', '', 'a'], [2, 10, 'tool', '', 'b'], [3, 50, 'error', '', 'c']]
  assert.deepEqual(marksNear(marks, 100, 200, 21).map((/** @type {any[]} */ mark) => mark[0]), [1, 2])
  assert.deepEqual([nextMark(marks, 10, 1), nextMark(marks, 50, -1), nextMark(marks, 50, 1)], [50, 10, null])
})

test('the running line of a program is known if only one line calls the primitive', async () => {
  const { lineOf, runningOf } = await load('agents.mjs')
  const lines = ['async function go (bot) {', '  await mineBlock(bot, 1)', '  await goTo(bot, 2)',
    '  await goTo(bot, 3)', '}']
  assert.equal(lineOf(lines, 'mineBlock'), 2)
  assert.equal(lineOf(lines, 'goTo'), 0)
  assert.equal(lineOf(lines, ''), 0)
  assert.equal(lineOf(lines, '.*('), 0)
  assert.equal(runningOf([[1, 5, 'mineBlock(3)', 1]], 3), 'mineBlock')
  assert.equal(runningOf([[1, 5, 'mineBlock(3)', 1]], 7), '')
})

test('drives are told from the strongest down, and nothing is told without them', async () => {
  const { drivesText } = await load('agents.mjs')
  assert.equal(drivesText({ levels: { hunger: 0.2, company: 0.9 }, pressing: 'company' }),
    'company 90 % (pressing), hunger 20 %')
  assert.equal(drivesText(undefined), '')
})

test('players without role or faith are grey, and others keep their colours', async () => {
  const { COLOURS, paint } = await load('colours.mjs')
  const scene = { player: { Ada: {}, Bob: {}, Cy: {} }, role: { Bob: 'baker', Cy: 'abbot' } }
  assert.deepEqual([...paint(scene, 'role').meaning], [['abbot', COLOURS[0]], ['baker', COLOURS[1]], ['', '#8b8f96']])
  assert.deepEqual([...paint(scene, 'role').of], [['Ada', '#8b8f96'], ['Bob', COLOURS[1]], ['Cy', COLOURS[0]]])
})

test('of overlapping names the first is shown, and others beside and below it', async () => {
  const { hasRoom } = await load('map.mjs')
  const named = new Map()
  const tries = [[10, 20, 30], [35, 22, 30], [40, 20, 30], [12, 30, 5], [12, 44, 5], [39, 20, 1]]
  assert.deepEqual(tries.map(([left, top, width]) => hasRoom(named, left, top, width)),
    [true, false, true, false, true, false])
})

test('long words break, and long texts end in an ellipsis', async () => {
  const { wrapped } = await load('sprites.mjs')
  assert.deepEqual(wrapped('one two three', 7, 3), ['one two', 'three'])
  assert.deepEqual(wrapped('abcdefghij', 4, 5), ['abcd', 'efgh', 'ij'])
  assert.deepEqual(wrapped('a b c d e f', 1, 2), ['a', '…'])
})

test('chunks are fetched once, and the open chunk grows', async () => {
  const { Run } = await load('record.mjs')
  const asked = /** @type {any[]} */ ([])
  const reach = { chunks: [0, 10], until: 15, count: 1, read: 1, size: 9, skipped: 0, ended: false, live: true }
  const source = {
    reach: async () => ({ ...reach }),
    chunk: async (/** @type {number} */ n, /** @type {number} */ after) => {
      asked.push([n, after])
      return after ? { n, at: 10, until: 16, count: 2, scene: null, changes: [[16, 'goal', 'Ada', 'new']] }
        : { n, at: n * 10, until: 15, count: 1, scene: {}, changes: [[n * 10, 'goal', 'Ada', `old ${n}`]] }
    },
    part: async () => []
  }
  const run = new Run(source)
  await run.look()
  assert.equal(run.cursor(12), null)
  await run.fetch(1)
  assert.equal(run.cursor(12).sceneAt(12).goal.Ada, 'old 1')
  Object.assign(reach, { read: 2, count: 2, until: 16 })
  await run.look()
  assert.equal(run.cursor(16).sceneAt(16).goal.Ada, 'new')
  assert.deepEqual(asked, [[1, 0], [1, 1]])
  Object.assign(reach, { read: 3, count: 0, chunks: [0, 10, 16] })
  await run.look()
  assert.equal(run.cursor(12), null, 'a chunk that was closed meanwhile is fetched anew')
})

test('the rates of unusable answers are one sentence, and older records say that they have none', async () => {
  const { answersText } = await load('calls.mjs')
  const rows = [
    { answers: 10, unreadable: 1, refused: 2, cut_off: 0, questions: 8, given_up: 1 },
    { answers: 3, unreadable: 0, refused: 0, cut_off: 3, questions: 1, given_up: 1 }
  ]
  assert.equal(answersText({ rows, invalid: '' }), '6 of 13 answers unusable, 2 of 9 questions without an answer')
  assert.match(answersText({ rows, invalid: 'unreadable verdict' }), /; the run is invalid: unreadable verdict$/)
  assert.equal(answersText({ rows: null, invalid: '' }), 'Answers: not recorded by kind')
})

test('deals are listed by state and number, and channels of talks with the public one first', async () => {
  const { dealsByState, dealLine } = await load('agreements.mjs')
  const deal = { 10: { state: 'agreed', parties: ['Ada', 'Bob'], force: 'cheap-talk', secret: true },
    2: { state: 'agreed', parties: ['Ada', 'Cy'], result: 'Cy broke 1' }, 3: { state: 'lapsed', parties: [] } }
  /** @type {[string, [string, object][]][]} */
  const groups = dealsByState({ deal })
  assert.deepEqual(groups.map(([heading, deals]) => [heading, deals.map(([number]) => number)]),
    [['Deals in force', ['2', '10']], ['Earlier deals and offers', ['3']]])
  assert.equal(dealLine('10', deal[10]), 'Deal 10 between Ada, Bob: agreed, cheap-talk, secret')
  assert.deepEqual(dealsByState({}), [])
  const { channelsOf, isOnChannel } = await load('words.mjs')
  const channel = { pair: { kind: 'pairwise', members: ['Ada', 'Bob'] },
    all: { kind: 'public', members: ['Ada', 'Bob', 'Cy'] } }
  const [open, pair] = channelsOf({ channel }).map((/** @type {[string, string]} */ [value]) => value)
  const row = (/** @type {string} */ speaker, /** @type {string} */ receiver) =>
    [1, 'negotiation', speaker, receiver, 'hi']
  assert.ok(isOnChannel(row('Bob', 'Ada'), pair))
  assert.ok(!isOnChannel(row('Bob', 'Cy'), pair))
  assert.ok(!isOnChannel(row('Bob', ''), pair))
  assert.ok(isOnChannel(row('Cy', ''), open))
  assert.ok(isOnChannel([1, 'say', 'Dee', '', 'hi'], ''))
  assert.ok(!isOnChannel([1, 'say', 'Ada', '', 'hi'], open))
})

test('words on the page of a seat become lines of the chat, and messages are grouped by channel', async () => {
  const { byChannel, lineOf } = await load('seat.mjs')
  assert.equal(lineOf(' hi ', '', []), 'hi')
  assert.equal(lineOf('1. Ada pays 3.', 'offer', ['Ada', 'Bob']), 'to Ada, Bob: offer 1. Ada pays 3.')
  assert.equal(lineOf('', 'offer', []), 'offer')
  assert.equal(lineOf('  ', '', ['Ada']), '')
  const said = (/** @type {string} */ speaker, /** @type {string[]} */ ...to) => ({ speaker, to, text: '' })
  const found = byChannel([said('Ada', 'Cy'), said('Cy', 'Ada'), said('Bob'), said('Cy', 'Bob', 'Ada')], 'Cy')
  assert.deepEqual([...found].map(([name, all]) => [name, all.length]),
    [['Ada', 2], ['everybody', 1], ['Ada, Bob', 1]])
})

test('the chart of deals has a row for each group, a column for each period, and bounds', async () => {
  const { chartOf, escrowOf, signsText } = await load('deal_chart.mjs')
  const deal = {
    1: { parties: ['Bo', 'Ada'], state: 'agreed', deposit: 7,
      marks: [[1, 'offered', 0, 1], [1, 'agreed', 0, 2], [1, 'kept', 9, 2.5], [2, 'broken', 20, 3.5]] },
    2: { parties: ['Ada', 'Bo'], state: 'ended', deposit: 7, marks: [[1, 'offered', 0, 4], [1, 'declined', 1, 5]] },
    3: { parties: ['Cy', 'Ada'], state: 'agreed', deposit: 7, marks: [[2, 'offered', 10, 6], [2, '__proto__', 10, 7]] },
    4: { parties: 7, state: 'agreed', marks: 'x' }
  }
  const { periods, rows, more } = chartOf({ deal })
  assert.deepEqual([periods, more], [[1, 2], 0])
  assert.deepEqual(rows.map((/** @type {any} */ row) => row.parties), ['Ada, Bo', 'Ada, Cy'])
  assert.deepEqual(rows[0].cells[0].map(signsText), ['○○', '◆', '✓', '–'])
  assert.deepEqual(rows[0].cells[1], [{ what: 'broken', at: 20, deals: ['1'] }])
  assert.deepEqual(rows[1].cells[0], [])
  assert.deepEqual(escrowOf({ deal, forfeited: { Bo: 7 } }), [['Ada', 14, 0], ['Bo', 7, 7], ['Cy', 7, 0]])
  assert.deepEqual([chartOf({}).rows, escrowOf({})], [[], []])

  const many = Object.fromEntries(Array.from({ length: 40 }, (_, number) =>
    [number, { parties: [`p${number}`, 'q'], state: 'offered', marks: [[number + 1, 'offered', number, number]] }]))
  const wide = chartOf({ deal: many })
  assert.deepEqual([wide.periods.length, wide.periods.at(-1), wide.rows.length, wide.more], [24, 40, 15, 25])
  assert.equal(signsText({ what: 'kept', at: 0, deals: ['1', '2', '3', '4'] }), '✓4')
})
