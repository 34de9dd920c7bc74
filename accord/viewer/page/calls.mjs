/** Panel of model calls: sums by agent, role and model, a searchable list, and each call in full. */
import { clockText, fill, h, numberText, safeText } from './dom.mjs'

/** @typedef {import('./panels.mjs').View} View */

/** Panel of calls; it keeps its search and filters. */
export class Calls {
  constructor () {
    this.text = /** @type {HTMLInputElement} */ (h('input',
      { type: 'search', placeholder: 'search prompts and answers', 'aria-label': 'Search prompts and answers' }))
    this.role = /** @type {HTMLSelectElement} */ (h('select', { 'aria-label': 'Role' },
      h('option', { value: '' }, 'all roles')))
    this.sums = h('details', null)
    this.answers = h('details', null)
    this.list = h('div', null)
    /** @type {Set<number>} offsets of calls that are open: they stay so when a run goes on */
    this.opened = new Set()
    /** @type {Map<string, HTMLElement>} what is shown, by all that it shows: it is not made anew under a click */
    this.made = new Map()
    this.root = h('div', null, h('div', { className: 'filter' }, this.text, this.role), this.sums, this.answers,
      this.list)
  }

  /** @param {View} view */
  key (view) {
    return [this.text.value, this.role.value, view.chosen, view.place.run, view.run.reach.ended,
      view.scene.number?.calls ?? 0].join(' ')
  }

  /** @param {View} view */
  async show (view) {
    const [sums, answers] = await Promise.all([view.run.source.part('sums'), view.run.source.part('answers')])
    const roles = [...new Set(sums.map((/** @type {any[]} */ row) => row[1]))]
    if (this.role.options.length !== roles.length + 1) {
      fill(this.role, [h('option', { value: '' }, 'all roles'),
        ...roles.map((role) => h('option', { value: role }, safeText(role)))])
    }
    fill(this.sums, sumsOf(sums))
    this.sums.hidden = !sums.length
    fill(this.answers, answersOf(answers))
    this.answers.hidden = answers.rows?.length === 0
    await this.page(view, 0, [])
  }

  /**
   * @param {View} view
   * @param {number} start
   * @param {HTMLElement[]} before what is shown already
   */
  async page (view, start, before) {
    const text = this.text.value.trim()
    const found = await view.run.source.part('calls',
      { text, player: text ? '' : view.chosen, role: this.role.value, start })
    const kept = this.made
    this.made = new Map(start ? kept : [])
    const shown = [...before, ...found.rows.map((/** @type {any[]} */ row) => {
      const key = JSON.stringify([view.place.run, text, row])
      const made = kept.get(key) ?? callOf(view, row, text, this.opened)
      this.made.set(key, made)
      return made
    })]
    const more = found.next === null ? null
      : h('button', { type: 'button', onclick: () => this.page(view, found.next, shown) }, 'more')
    fill(this.list, shown.length || more ? [...shown, more]
      : [h('p', null, text ? 'No call has these words.' : 'No model was asked.')])
  }
}

/** @param {any[][]} sums */
function sumsOf (sums) {
  const [calls, tokens, usd] = [3, 4, 5].map((place) => sums.reduce((sum, row) => sum + (row[place] ?? 0), 0))
  const head = ['agent', 'role', 'model', 'calls', 'tokens', 'USD', 'ms', 'errors']
  return [
    h('summary', null, `${numberText(calls)} calls, ${numberText(tokens)} tokens, ${usd.toFixed(4)} USD`),
    h('table', null, h('tr', null, ...head.map((label, place) => h('th', { className: place > 2 ? 'n' : '' }, label))),
      ...sums.map((row) => h('tr', null,
        ...row.map((cell, place) =>
        h('td', { className: place > 2 ? 'n' : '' },
        place > 2 ? (place === 5 ? (cell === null ? '?' : cell.toFixed(4)) : numberText(cell)) : safeText(cell))))))
  ]
}

/** Keys of the counts of answers in result.json, and their labels. */
const ANSWERS = /** @type {const} */ ([
  ['answers', 'answers'], ['unreadable', 'unreadable'], ['refused', 'refused'], ['cut_off', 'cut off'],
  ['questions', 'questions'], ['given_up', 'no answer']
])

/**
 * Return the rates of unusable answers in words.
 * @param {{ rows: Record<string, any>[] | null, invalid: string }} answers
 */
export function answersText ({ rows, invalid }) {
  if (!rows) return 'Answers: not recorded by kind'
  const sum = (/** @type {string[]} */ ...keys) =>
    numberText(rows.reduce((total, row) => total + keys.reduce((part, key) => part + row[key], 0), 0))
  return `${sum('unreadable', 'refused', 'cut_off')} of ${sum('answers')} answers unusable, ` +
    `${sum('given_up')} of ${sum('questions')} questions without an answer` +
    (invalid ? `; the run is invalid: ${safeText(invalid)}` : '')
}

/** @param {{ rows: Record<string, any>[] | null, invalid: string }} answers */
function answersOf (answers) {
  const head = ['agent', 'role', 'model', ...ANSWERS.map(([, label]) => label)]
  return [
    h('summary', { className: answers.invalid ? 'bad' : '' }, answersText(answers)),
    answers.rows && h('table', null,
      h('tr', null, ...head.map((label, place) => h('th', { className: place > 2 ? 'n' : '' }, label))),
      ...answers.rows.map((row) => h('tr', null,
        ...['player', 'role', 'model'].map((key) => h('td', null, safeText(row[key]))),
        ...ANSWERS.map(([key]) => h('td', { className: 'n' }, numberText(row[key]))))))
  ]
}

/**
 * @param {View} view
 * @param {any[]} row
 * @param {string} wanted text that is searched
 * @param {Set<number>} opened
 */
function callOf (view, [, player, role, number, model, , tokens, usd, wall, error, offset, length, at], wanted,
  opened) {
  const body = h('div', null, '…')
  const cost = [safeText(model), `${numberText(tokens)} tokens`]
  if (usd !== null) cost.push(`${usd.toFixed(5)} USD`)
  if (wall !== null) cost.push(`${numberText(Math.round(wall))} ms`)
  const made = /** @type {HTMLDetailsElement} */ (h('details', { open: opened.has(offset) },
    h('summary', null, `${safeText(player)} ${safeText(role)} #${number} `,
      h('small', null, `${cost.join(' · ')} `),
      error ? h('span', { className: 'bad' }, safeText(error)) : null),
    body))
  made.addEventListener('toggle', async () => {
    if (!made.open) {
      if (made.isConnected) opened.delete(offset)
      return
    }
    opened.add(offset)
    const call = await view.run.line([offset, length], 'call')
    fill(body, [at === null ? null
      : h('button', { type: 'button', onclick: () => view.seek(at) }, `go to ${clockText(at)}`),
      ...textsOf(call, wanted)])
  })
  return made
}

/**
 * @param {any} call
 * @param {string} wanted
 */
function textsOf (call, wanted) {
  if (!call.messages) return [h('p', null, safeText(call.error ?? 'nothing'))]
  const answer = call.reply === undefined
    ? call.error && `${call.error.name}: ${call.error.message}`
    : withToolCalls(call.reply, call.calls)
  const texts = [...call.messages.map((/** @type {any} */ each) =>
    [each.role, withToolCalls(each.content, each.tool_calls)]), ['answer', answer]]
  return texts.flatMap(([who, text]) =>
    [h('h3', null, safeText(who)), h('pre', null, ...highlighted(safeText(text), wanted))])
}

/**
 * Return a message's text followed by its tool calls, one per line.
 * @param {string} text
 * @param {{name: string, arguments: string}[] | undefined} calls
 */
function withToolCalls (text, calls) {
  return [...(text ? [text] : []), ...(calls ?? []).map((call) => `calls ${call.name} ${call.arguments}`)].join('\n')
}

/**
* Return a text in pieces, with the matches of the search marked.
 * @param {string} text
 * @param {string} wanted
 */
export function highlighted (text, wanted) {
  if (!wanted) return [text]
  const [low, sought] = [text.toLowerCase(), wanted.toLowerCase()]
  const pieces = []
  let from = 0
  for (let at = low.indexOf(sought); at >= 0; at = low.indexOf(sought, from)) {
    pieces.push(text.slice(from, at), h('mark', null, text.slice(at, at + sought.length)))
    from = at + sought.length
  }
  return [...pieces, text.slice(from)]
}
