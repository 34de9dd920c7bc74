'use strict'
/** Marks of utterances in the panel of words: on the right rows, as warnings, as text, and while a log is read. */
const assert = require('node:assert/strict')
const path = require('node:path')
const { test } = require('node:test')
const { pathToFileURL } = require('node:url')

/** @param {string} name @returns {Promise<any>} */
const load = (name) => import(pathToFileURL(path.join(__dirname, '../../../accord/viewer/page', name)).href)

/** Element of a document without a browser: properties, children and their text. */
class FakeElement {
  /** @param {string} tag */
  constructor (tag) {
    this.tag = tag
    this.className = ''
    /** Value of a field. */
    this.value = ''
    /** @type {any[]} */
    this.children = []
    this.style = { setProperty () {} }
    this.parentElement = null
  }

  get firstElementChild () { return this.children.find((each) => typeof each !== 'string') ?? null }

  get options () { return this.children }

  /** @returns {string} */
  get textContent () {
    return this.children.map((each) => typeof each === 'string' ? each : each.textContent).join('')
  }

  addEventListener () {}

  setAttribute () {}

  /** @param {...any} children */
  replaceChildren (...children) { this.children = children }

  /** @param {string} name of a class @returns {FakeElement[]} */
  ofClass (name) {
    const below = this.children.flatMap((each) => typeof each === 'string' ? [] : each.ofClass(name))
    return this.className.split(' ').includes(name) ? [this, ...below] : below
  }
}

/** Rows as the server gives them: moment, kind, speaker, receiver, text, offset, length. */
const ROWS = [
  [1, 'say', 'Ada', '', 'I have 64 diamonds.', 100, 20],
  [2, 'say', 'Bo', '', 'I am mining in the cave.', 200, 20],
  [3, 'say', 'Cy', '', 'Good day.', 300, 20]
]

/**
 * @param {any} context of a test
 * @param {Record<string, any>[]} answers of the server about marks, the last one for all later requests
 */
async function panel (context, answers) {
  context.after(() => { delete /** @type {any} */ (globalThis).document })
  Object.assign(globalThis, { document: { createElement: (/** @type {string} */ tag) => new FakeElement(tag) } })
  const { Words } = await load('words.mjs')
  const words = new Words()
  const asked = { marks: 0 }
  const part = async (/** @type {string} */ what) => {
    if (what === 'words') return ROWS
    assert.equal(what, 'word_marks')
    asked.marks++
    return answers[Math.min(asked.marks, answers.length) - 1]
  }
  const view = { at: 5, chosen: '', scene: {}, colours: new Map(), seek () {},
    run: { source: { part }, reach: { read: 400, until: 9 } } }
  return { words, view, asked }
}

/** @param {any} row */
const marksOf = (row) => row.ofClass('mark')
  .map((/** @type {any} */ mark) => [mark.textContent, mark.title, mark.className])

test('each utterance carries the marks of its own line, and wrong ones a warning', async (context) => {
  const marks = {
    100: [['lie', 'Ada had 0']],
    200: [['true', 'Bo: mining'], ['false accusation, knowingly', 'Ada did not'], ['agitation', 'calls on others']]
  }
  const { words, view } = await panel(context, [{ marks, share: 1 }])
  await words.show(view)
  const [ada, bo, cy] = words.list.ofClass('said')
  assert.deepEqual(marksOf(ada), [['lie', 'Ada had 0', 'mark wrong']])
  assert.deepEqual(marksOf(bo), [['true', 'Bo: mining', 'mark'],
    ['false accusation, knowingly', 'Ada did not', 'mark wrong'], ['agitation', 'calls on others', 'mark wrong']])
  assert.deepEqual(marksOf(cy), [])
  assert.match(ada.textContent, /I have 64 diamonds\./)
})

test('hostile evidence stays text, with its control characters shown', async (context) => {
  const { words, view } = await panel(context, [{ marks: { 100: [['lie', '<img src=x onerror=1>\u202e']] }, share: 1 }])
  await words.show(view)
  const [[, title]] = marksOf(words.list.ofClass('said')[0])
  assert.equal(title, '<img src=x onerror=1>⟨202e⟩')
})

test('a long log is read on with each request, and the panel says so until its marks are there', async (context) => {
  const done = { marks: { 100: [['mistake', 'why']] }, share: 1 }
  const { words, view, asked } = await panel(context, [{ marks: {}, share: 0.256 }, { marks: {}, share: 0.512 }, done])
  await words.show(view)
  assert.match(words.list.textContent, /Marks follow when the log is read: 25 % so far\./)
  const before = words.key(view)
  await words.show(view)
  assert.notEqual(words.key(view), before, 'the panel is shown again as the share grows')
  assert.match(words.list.textContent, /51 % so far/)
  await words.show(view)
  assert.doesNotMatch(words.list.textContent, /so far/)
  assert.deepEqual(marksOf(words.list.ofClass('said')[0]), [['mistake', 'why', 'mark']])
  await words.show(view)
  await words.show(view)
  assert.equal(asked.marks, 3, 'not asked for again while the log does not grow')
  view.run.reach.read = 500
  await words.show(view)
  assert.equal(asked.marks, 4)
})

test('words do not wait for their marks, and stay if the marks cannot be had', async (context) => {
  const { words, view } = await panel(context, [])
  view.run.source.part = async (/** @type {string} */ what) => {
    if (what === 'words') return ROWS
    assert.equal(words.list.ofClass('said').length, 3)
    throw new Error('left out of this file')
  }
  await assert.rejects(words.show(view), /left out/)
  assert.equal(words.list.ofClass('said').length, 3)
})

test('an answer that comes late does not replace the words of a later question', async (context) => {
  const { words, view } = await panel(context, [{ marks: {}, share: 1 }])
  const { part } = view.run.source
  /** @type {(rows: any[]) => void} */
  let answer = () => {}
  const late = new Promise((resolve) => { answer = resolve })
  view.run.source.part = async (/** @type {string} */ what) => what === 'words' ? late : part(what)
  const first = words.show({ ...view, at: 0 })
  view.run.source.part = part
  await words.show(view)
  answer([])
  await first
  assert.equal(words.list.ofClass('said').length, 3)
})
