/** The panels beside the map, one per tab. A panel's `key` tells if it must be redrawn by `show`. */
import { Agents } from './agents.mjs'
import { Calls } from './calls.mjs'
import { MARKS, markColour } from './colours.mjs'
import { clockText, fill, h, safeText } from './dom.mjs'
import { Numbers } from './numbers.mjs'
import { Words } from './words.mjs'

/**
 * Input of a panel.
 * @typedef {object} View
 * @property {import('./record.mjs').Run} run
 * @property {any} scene
 * @property {number} at the moment, in seconds
 * @property {string} chosen the agent that is looked at; empty for none
 * @property {boolean} follow
 * @property {string} way what colours tell
 * @property {Map<string, string>} colours
 * @property {import('./place.mjs').Place} place
 * @property {(name: string) => void} choose
 * @property {(on: boolean) => void} setFollow
 * @property {(at: number) => void} seek
 * @property {() => void} redraw
 */

/** Panel with the contract's terms, the judge's reasons and the ledger. */
class Contract {
  constructor () {
    this.root = h('div', null)
  }

  /** @param {View} view */
  key ({ scene }) {
    return JSON.stringify([scene.run?.contract, scene.run?.verdict, scene.account])
  }

  /** @param {View} view */
  async show ({ scene, run }) {
    const [contract, verdict] = [scene.run?.contract, scene.run?.verdict]
    const [told, judged] = await Promise.all([contract && run.line(contract.ref), verdict && run.line(verdict.ref)])
    const accounts = Object.entries(scene.account ?? {})
    fill(this.root, [
      contract ? null : h('p', null, 'There is no contract at this moment.'),
      ...(told?.data ? contractOf(told.data) : []),
      ...(judged?.data ? verdictOf(judged.data) : []),
      accounts.length ? h('h2', null, 'Ledger') : null,
      accounts.length
        ? h('table', null, row('th', ['player', 'reward', 'transfer', 'payoff']),
          ...accounts.map(([name, each]) => row('td', [name, each.reward, each.transfer, each.payoff])))
        : null
    ])
  }
}

/** @param {'td' | 'th'} kind @param {any[]} cells */
export function row (kind, cells) {
  return h('tr', null, ...cells.map(
    (cell, number) => h(kind, { className: number ? 'n' : '' },
    typeof cell === 'number' ? String(Math.round(cell * 1000) / 1000) : safeText(cell))))
}

/** @param {any} data a `contract` event */
function contractOf (data) {
  const contract = data.contract ?? {}
  const terms = [
    ...(contract.obligations ??
      []).map((/** @type {any} */ each) => [each.party, each.text || each.condition, each.condition]),
    ...(contract.transfers ??
      []).map((/** @type {any} */ each) => [`${each.payer} → ${each.payee}`, `pays ${each.amount}`, each.condition])
  ]
  return [
    h('h2', null, `Contract ${safeText(contract.name)}: ${safeText(data.state)}`),
    h('div', { className: 'said law' }, safeText(contract.text)),
    terms.length ? h('h3', null, 'Terms') : null,
    terms.length ? h('table', null,
      ...terms.map(([who, what, when]) =>
      h('tr', null, h('td', null, safeText(who)),
      h('td', null, safeText(what), ' ', h('small', null, safeText(when)))))) : null
  ]
}

/** @param {any} data a `verdict` event */
function verdictOf (data) {
  const findings = Array.isArray(data.findings) ? data.findings : []
  return [
    h('h2', null, `Verdict of the judge: ${safeText(data.judge)}`),
    data.readable ? null : h('p', { className: 'bad' }, 'It could not be read, and moved nothing.'),
    h('div', { className: 'said law' }, safeText(data.critique)),
    ...findings.map((/** @type {any} */ each) =>
      h('p', null, h('b', { className: each.ok === false ? 'bad' : 'good' }, each.ok === false ? 'broken' : 'kept'),
      ` ${safeText(each.party)}: ${safeText(each.reason)}`))
  ]
}

/** Panel that lists the marks, with links to their moments. */
class Marks {
  constructor () {
    this.kind = /** @type {HTMLSelectElement} */ (h('select', { 'aria-label': 'Kind' }))
    this.list = h('div', null)
    this.root = h('div', null, h('div', { className: 'filter' }, this.kind), this.list)
  }

  /** @param {View} view */
  key ({ run, at }) {
    return `${run.marks.length} ${this.kind.value} ${run.marks.filter((mark) => mark[1] <= at).length}`
  }

  /** @param {View} view */
  show ({ run, at, seek }) {
    const kinds = ['', ...new Set(run.marks.map((mark) => mark[2]))]
    if (this.kind.options.length !== kinds.length) {
      const chosen = this.kind.value
      fill(this.kind, kinds.map(
        (kind) => h('option', { value: kind, selected: kind === chosen }, kind || 'all that happened')))
    }
    const shown = run.marks.filter((mark) => !this.kind.value || mark[2] === this.kind.value)
    const near = shown.findLastIndex((mark) => mark[1] <= at)
    fill(this.list, shown.slice(Math.max(0, near - 150), near + 150)
      .map((mark) => h('button',
      { type: 'button', className: mark === shown[near] ? 'row chosen' : 'row', onclick: () => seek(mark[1]) },
      h('span', { className: 'tick', style: { background: markColour(mark[2]) } }),
      h('small', null, `${clockText(mark[1])} ${mark[2]} `), safeText(mark[4]))))
  }
}

const KEYS = [
  ['space', 'play or stop'], ['← →', '5 seconds back or on; with shift 60'], ['[ ]', 'the last mark, the next'],
  [', .', 'slower, faster'],
  ['home end', 'the beginning; the end, and follow a run that is played'], ['n p', 'the next agent, the one before'],
  ['esc', 'no agent'],
  ['f', 'follow the agent'], ['+ - 0', 'nearer, farther, all of the map'], ['h', 'who hears whom'],
  ['a', 'areas of influence'], ['b', 'speech bubbles'],
  ['1 to 7', 'the tabs'], ['t', 'light or dark']
]

/** Panel with the keys and the marks' colours. */
class Help {
  constructor () {
    this.root = h('div', null)
  }

  key () {
    return 'help'
  }

  show () {
    fill(this.root, [
      h('h2', null, 'Keys'),
      h('dl', null, ...KEYS.flatMap(([key, what]) => [h('dt', null, h('kbd', null, key)), h('dd', null, what)])),
      h('h2', null, 'Marks'),
      ...Object.entries(MARKS).map(([kind, colour]) =>
        h('span', { style: { 'margin-right': '12px', display: 'inline-block' } },
          h('span', { className: 'tick', style: { background: colour } }), kind)),
      h('h2', null, 'Time'),
      h('p', null,
        'Times are minutes:seconds. A second of the bar is a second of game time, or a round. Between episodes, ' +
        'where no game time passes, each message and each step of a contract takes two seconds.')
    ])
  }
}

/** @returns {Record<string, {root: HTMLElement, key: (view: View) => string, show: (view: View) => any}>} */
export function panels () {
  return { agents: new Agents(), words: new Words(), contract: new Contract(), calls: new Calls(),
    numbers: new Numbers(), marks: new Marks(), help: new Help() }
}
