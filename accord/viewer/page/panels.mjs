/** The panels beside the map, one per tab. A panel's `key` tells if it must be redrawn by `show`. */
import { Agents } from './agents.mjs'
import { Contract } from './agreements.mjs'
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
  ['f', 'follow the agent'], ['v', 'the map, or three dimensions'],
  ['i', 'through the agent\'s eyes, in 3-D'], ['W A S D Q E', 'fly, on the picture in 3-D (shift: faster)'],
  ['+ - 0', 'nearer, farther, all of the map'], ['h', 'who hears whom'],
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
