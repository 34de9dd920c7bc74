'use strict'
/** A seat's windows and forms without a browser: what clicks and keys do, and hostile names and texts stay text. */
const assert = require('node:assert/strict')
const path = require('node:path')
const { test } = require('node:test')
const { pathToFileURL } = require('node:url')

/** @param {string} name @returns {Promise<any>} */
const load = (name) => import(pathToFileURL(path.join(__dirname, '../../../accord/viewer/page', name)).href)
const MARKUP = '<img src=x onerror=alert(1)>'
const SLY = '\u202eevil'

/** Element of a document without a browser: a dialog, a field or any other. */
class FakeElement {
  /** @param {string} tag */
  constructor (tag) {
    this.tag = tag
    /** @type {any[]} */
    this.children = []
    /** @type {Record<string, string>} */
    this.dataset = {}
    /** @type {Map<string, ((event: any) => void)[]>} */
    this.heard = new Map()
    /** @type {Map<string, string>} */
    this.attributes = new Map()
    this.classList = { toggle () {} }
    this.open = false
    this.value = ''
    this.focused = 0
  }

  /** @returns {string} */
  get textContent () {
    return this.children.map((each) => typeof each === 'string' ? each : each.textContent).join('')
  }

  set textContent (text) { this.children = [text] }

  /** @returns {FakeElement[]} */
  get below () {
    return this.children.flatMap((each) => typeof each === 'string' ? [] : [each, ...each.below])
  }

  /** @param {string} kind @param {(event: any) => void} listener */
  addEventListener (kind, listener) { this.heard.set(kind, [...this.heard.get(kind) ?? [], listener]) }

  /** @param {string} kind @param {Record<string, any>} [event] */
  dispatch (kind, event = {}) {
    for (const listener of this.heard.get(kind) ?? []) listener({ preventDefault () {}, ...event })
  }

  /** @param {string} name @param {string} value */
  setAttribute (name, value) {
    this.attributes.set(name, value)
    if (name.startsWith('data-')) this.dataset[name.slice(5)] = value
  }

  /** @param {...any} children */
  replaceChildren (...children) { this.children = children }

  /** @param {string} query such as [data-slot="3"] */
  querySelector (query) { return this.below.find((each) => `[data-slot="${each.dataset.slot}"]` === query) ?? null }

  querySelectorAll () { return this.below.filter((each) => /** @type {any} */ (each).checked) }

  showModal () { this.open = true }

  close () {
    if (!this.open) return
    this.open = false
    this.dispatch('close')
  }

  focus () { this.focused++ }
}

/** @param {any} context of a test @param {string[]} ids @returns {any} the page's document */
function page (context, ids) {
  context.after(() => { delete /** @type {any} */ (globalThis).document })
  const elements = new Map(ids.map((id) => [id, new FakeElement(id === 'window' ? 'dialog' : 'div')]))
  const found = {
    elements,
    locked: 0,
    pointerLockElement: null,
    activeElement: null,
    body: new FakeElement('body'),
    createElement: (/** @type {string} */ tag) => new FakeElement(tag),
    exitPointerLock () { found.locked++ },
    getElementById: (/** @type {string} */ id) => elements.get(id) ??
      [...elements.values()].flatMap((each) => each.below).find((each) => /** @type {any} */ (each).id === id) ?? null
  }
  return Object.assign(/** @type {any} */ (globalThis), { document: found }).document
}

/** @param {any} context */
async function things (context) {
  const { Things } = await load('seat_window.mjs')
  const document = page(context, ['window', 'hotbar'])
  /** @type {any[]} */
  const acts = []
  let back = 0
  const made = new Things((/** @type {any} */ input) => acts.push(input), () => back++)
  return { made, acts, document, dialog: document.elements.get('window'), backs: () => back,
    slot: (/** @type {number} */ number) => document.elements.get('window').querySelector(`[data-slot="${number}"]`) }
}

const CHEST = { id: 1, type: 'minecraft:generic_9x3', title: 'Chest', size: 63, own: 27,
  slots: [[0, 'raw_iron', 5], [54, 'chest', 1]], held: null }

test('a click in a chest names its slot, and a chest that is closed gives the game its keys back', async (context) => {
  const { made, acts, dialog, slot, backs, document } = await things(context)
  document.pointerLockElement = {}
  made.setWindow(CHEST)
  assert.deepEqual([dialog.open, document.locked, slot(0).textContent, slot(1).textContent],
    [true, 1, 'raw iron 5', ''])
  assert.equal(dialog.below.filter((/** @type {any} */ each) => each.dataset.slot !== undefined).length, 63)
  slot(0).dispatch('click', { shiftKey: false })
  slot(0).dispatch('contextmenu', { shiftKey: true })
  document.getElementById('whole').dispatch('click')
  slot(54).dispatch('click', { shiftKey: false })
  document.activeElement = slot(54)
  made.setWindow({ ...CHEST, slots: [], held: ['raw_iron', 5] })
  assert.equal(document.getElementById('pointed').textContent, '5 raw iron at the pointer')
  assert.equal(slot(54).focused, 1, 'the keyboard stays at its slot')
  document.getElementById('shut').dispatch('click')
  assert.deepEqual(acts, [{ do: 'click', slot: 0, button: 0, mode: 0 }, { do: 'click', slot: 0, button: 1, mode: 1 },
    { do: 'click', slot: 54, button: 0, mode: 1 }, { do: 'close' }])
  made.setWindow(null)
  assert.deepEqual([dialog.open, backs(), acts.length], [false, 1, 4])
})

test('a late report of a chest that was closed here does not open it again, the next chest does', async (context) => {
  const { made, acts, dialog, slot } = await things(context)
  made.setWindow(CHEST)
  made.shut()
  made.setWindow({ ...CHEST, slots: [] })
  assert.equal(dialog.open, false)
  made.toggle()
  made.setWindow({ ...CHEST, slots: [] })
  assert.equal(slot(45).dataset.slot, '45', "one's own things stay")
  made.setWindow(null)
  made.shut()
  made.setWindow({ ...CHEST, id: 2 })
  assert.deepEqual([dialog.open, acts], [true, [{ do: 'close' }, { do: 'close' }]])
})

test('a chest that the game closes closes on the page without an order', async (context) => {
  const { made, acts, dialog, backs } = await things(context)
  made.setWindow(CHEST)
  made.setWindow(null)
  assert.deepEqual([dialog.open, backs(), acts], [false, 1, []])
})

test("one's own things are closed for the server, too", async (context) => {
  const { made, acts, dialog, slot } = await things(context)
  made.setItems({ slots: [[36, 'raw_iron', 3]], held: null })
  made.toggle()
  assert.deepEqual([dialog.open, slot(36).textContent, slot(45).textContent], [true, 'raw iron 3', ''])
  made.toggle()
  assert.deepEqual([dialog.open, acts], [false, [{ do: 'close' }]])
})

test('hostile names of items and windows stay text', async (context) => {
  const { made, dialog, slot, document } = await things(context)
  made.setItems({ slots: [[36, MARKUP, 1], [37, SLY, 2]], held: null })
  made.setWindow({ ...CHEST, title: MARKUP + SLY, slots: [[0, MARKUP, 1], [1, SLY, 2]], held: [SLY, 1] })
  assert.equal(slot(0).textContent, MARKUP)
  assert.equal(slot(1).textContent, '⟨202e⟩evil 2')
  assert.equal(slot(1).attributes.get('aria-label'), '⟨202e⟩evil 2')
  assert.ok(dialog.textContent.startsWith(`${MARKUP}⟨202e⟩evil`))
  assert.equal(document.getElementById('pointed').textContent, '1 ⟨202e⟩evil at the pointer')
  assert.equal(document.elements.get('hotbar').children[0].textContent, MARKUP)
  const parts = [...dialog.below, ...document.elements.get('hotbar').below]
  assert.deepEqual([...new Set(parts.map((each) => each.tag))].sort(), ['button', 'div', 'h2', 'h3', 'p', 'span'])
})

test('hostile texts of a form stay text, and only known elements are made', async (context) => {
  const { FormSheet } = await load('seat_form.mjs')
  const document = page(context, ['form', 'paper'])
  /** @type {any[]} */
  const sent = []
  const sheet = new FormSheet(async (/** @type {string} */ stage, /** @type {any} */ answers) => {
    sent.push([stage, answers])
    throw new Error(SLY)
  })
  const question = { id: 'a', ask: MARKUP, kind: 'choice', low: 1, high: 3, labels: [], choices: [MARKUP, SLY],
    optional: true }
  sheet.show({ stage: 'before', text: [['script', 'alert(1)'], ['iframe', SLY], ['p', MARKUP]], questions: [question,
    { ...question, id: 'b', kind: 'scale', choices: [], labels: [MARKUP, SLY] },
    { ...question, id: 'c', kind: 'text' }] })
  const paper = document.elements.get('paper')
  const tags = new Set(paper.below.map((/** @type {FakeElement} */ each) => each.tag))
  assert.deepEqual([...tags].sort(),
    ['button', 'div', 'fieldset', 'h2', 'input', 'label', 'legend', 'p', 'span'])
  assert.ok(paper.textContent.includes(`alert(1)⟨202e⟩evil${MARKUP}${MARKUP} (optional)`))
  assert.ok(!paper.textContent.includes('\u202e'))
  const options = paper.below.filter((/** @type {any} */ each) => each.tag === 'input')
  for (const [index, name] of [[1, 'q-a'], [4, 'q-b']]) Object.assign(options[index], { checked: true, name })
  document.getElementById('q-c').value = `  ${MARKUP} `
  document.getElementById('give').dispatch('click')
  assert.deepEqual(sent, [['before', { a: SLY, b: 3, c: MARKUP }]])
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(document.getElementById('wrong').textContent, '⟨202e⟩evil')
})

test('a form that is shown again keeps what was written, and consent has two answers', async (context) => {
  const { FormSheet } = await load('seat_form.mjs')
  const document = page(context, ['form', 'paper'])
  /** @type {any[]} */
  const sent = []
  const sheet = new FormSheet(async (/** @type {string} */ stage, /** @type {any} */ answers) => {
    sent.push([stage, answers])
  })
  const consent = { stage: 'consent', text: ['Do you agree?'], questions: [] }
  sheet.show(consent)
  const [before] = document.elements.get('paper').children
  sheet.show(consent)
  assert.equal(document.elements.get('paper').children[0], before)
  document.getElementById('decline').dispatch('click')
  document.getElementById('agree').dispatch('click')
  assert.deepEqual(sent, [['consent', { agree: false }], ['consent', { agree: true }]])
  sheet.show(null)
  assert.equal(document.elements.get('form').hidden, true)
})

test('an arrow key turns only while it is down, however slow the pictures are', async () => {
  const { SeatPlay } = await load('seat_play.mjs')
  /** @type {number[][]} */
  const turns = []
  const seat = { held: new Map([['ArrowDown', 990], ['w', 0]]),
    turn: (/** @type {number} */ right, /** @type {number} */ down) => turns.push([right, Math.round(down * 10) / 10]) }
  SeatPlay.prototype.turnByKeys.call(seat, 1000, 0.2)
  SeatPlay.prototype.turnByKeys.call(seat, 1200, 0.1)
  seat.held.set('ArrowDown', 1300)
  SeatPlay.prototype.turnByKeys.call(seat, 1250, 0.05)
  assert.deepEqual(turns, [[0, 1.2], [0, 12]])
})

test('a text of the study that comes late takes its lines out of the chat, no words of players', async (context) => {
  const { SeatPlay } = await load('seat_play.mjs')
  const document = page(context, ['chatter'])
  const gone = /** @type {string[]} */ ([])
  const lines = [['Episode 1.', 'yes'], ['You have died.', 'yes'], ['Episode 1.', '']]
  document.elements.get('chatter').children = lines.map(([textContent, unsaid]) => (
    { textContent, dataset: { unsaid }, remove: () => gone.push(textContent + unsaid) }))
  const seat = { told: ['Welcome.'], isTold: SeatPlay.prototype.isTold }
  SeatPlay.prototype.noteText.call(seat, 'Episode 1.\nThere is no contract.')
  assert.deepEqual([gone, seat.told.length], [['Episode 1.yes'], 2])
})

test('signs that the client reports are drawn nearby, and hostile words stay text', async () => {
  const { SeatPlay } = await load('seat_play.mjs')
  const { SeatSpace } = await load('seat_space.mjs')
  const { drawSigns } = await load('tags.mjs')
  const space = Object.create(SeatSpace.prototype)
  SeatPlay.prototype.hear.call({ space, showSigns: SeatPlay.prototype.showSigns },
    { kind: 'signs', signs: [[0, 64, 3, [MARKUP, SLY]], [0, 64, 300, ['far']]] })
  /** @type {string[]} */
  const drawn = []
  const sprites = { bubble: (/** @type {string} */ text) => {
    drawn.push(text)
    return { width: 40, height: 20 }
  }, put () {} }
  const seen = { toScreen: (/** @type {number} */ _x, /** @type {number} */ _y, /** @type {number} */ z) =>
    [100, 100, z] }
  drawSigns({ pen: {}, camera: { width: 800, height: 600 }, sprites }, seen, space.signs)
  assert.deepEqual(drawn, [`${MARKUP} ${SLY}`])
  const { Sprites } = await load('sprites.mjs')
  const laid = Sprites.prototype.laidOut.call({ texts: new Map(), measure: { measureText: () => ({ width: 9 }) } },
    drawn[0], true)
  assert.ok(laid.lines.join(' ').includes('⟨202e⟩evil'))
})
