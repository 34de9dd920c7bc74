/** Chart of deals over time: a row for each group of players, a column for each period, a sign for each event. */
import { clockText, h, numberText, safeText } from './dom.mjs'

/** Event in the life of a deal -> its sign and class. */
const SIGNS = /** @type {Record<string, [string, string]>} */ ({
  offered: ['○', ''], agreed: ['◆', ''], kept: ['✓', 'good'], broken: ['✗', 'bad'], unread: ['?', 'bad'],
  declined: ['–', ''], withdrawn: ['–', ''], lapsed: ['–', ''], ended: ['▪', '']
})
/** Meanings below the chart. */
const KEY = '○ offered, ◆ agreed, ✓ kept, ✗ broken, – not made, ▪ ended'
/** Maximum numbers of rows, columns and signs of one kind in a cell; of more signs the number is shown. */
const [ROWS, COLUMNS, SIGNS_SHOWN] = [15, 24, 3]

/**
 * A kind of events in a cell of the chart.
 * @typedef {{what: string, at: number, deals: string[]}} Events
 */

/**
 * Return the chart of a scene's deals: periods, rows with the most events first, and the number of rows left out.
 * @param {any} scene
 * @returns {{periods: number[], rows: {parties: string, cells: Events[][]}[], more: number}}
 */
export function chartOf (scene) {
  /** @type {Map<string, Map<number, Map<string, Events>>>} */
  const groups = new Map()
  const counts = new Map()
  const all = new Set()
  for (const [number, deal] of Object.entries(scene.deal ?? {})) {
    const parties = Array.isArray(deal.parties) ? [...deal.parties].sort().join(', ') : ''
    const row = groups.get(parties) ?? groups.set(parties, new Map()).get(parties)
    for (const [period, what, at] of Array.isArray(deal.marks) ? deal.marks : []) {
      if (!Object.hasOwn(SIGNS, what)) continue
      all.add(period)
      counts.set(parties, (counts.get(parties) ?? 0) + 1)
      const cell = row?.get(period) ?? row?.set(period, new Map()).get(period)
      const found = cell?.get(what)
      if (found) found.deals.push(number)
      else cell?.set(what, { what, at, deals: [number] })
    }
  }
  const periods = [...all].sort((one, other) => one - other).slice(-COLUMNS)
  const named = [...groups].filter(([parties]) => counts.has(parties))
    .sort(([one], [other]) => counts.get(other) - counts.get(one) || (one < other ? -1 : 1))
  return {
    periods,
    rows: named.slice(0, ROWS).map(([parties, row]) => ({ parties,
      cells: periods.map((period) => [...(row.get(period)?.values() ?? [])]) })),
    more: Math.max(0, named.length - ROWS)
  }
}

/** @param {Events} events the signs of one kind of events in a cell */
export function signsText ({ what, deals }) {
  const [sign] = SIGNS[what]
  return deals.length > SIGNS_SHOWN ? `${sign}${deals.length}` : sign.repeat(deals.length)
}

/**
 * Return heading, table and key of the chart; nothing without deals.
 * @param {any} scene
 * @param {(at: number) => void} seek
 */
export function dealChart (scene, seek) {
  const { periods, rows, more } = chartOf(scene)
  if (rows.length === 0) return []
  return [
    h('h2', null, 'Deals over time'),
    h('table', { className: 'deals' }, h('tr', null, h('th', null, 'between'),
      ...periods.map((period) => h('th', { title: `period ${period}` }, period))),
    ...rows.map(({ parties, cells }) => h('tr', null, h('th', null, safeText(parties)),
      ...cells.map((cell) => h('td', null, cell.map((events) => signs(events, parties, seek))))))),
    h('small', null, `${KEY}.${more ? ` Of ${more} more groups nothing is shown.` : ''}`)
  ]
}

/**
 * @param {Events} events
 * @param {string} parties
 * @param {(at: number) => void} seek
 */
function signs (events, parties, seek) {
  const { what, at, deals } = events
  const told = `deal ${deals.join(', ')} between ${parties}: ${what}, ${clockText(at)}`
  return h('button', { type: 'button', className: SIGNS[what][1], title: safeText(told), 'aria-label': safeText(told),
    onclick: () => seek(at) }, signsText(events))
}

/**
 * Return the rows of the escrow: player, emeralds in escrow by its deals in force, emeralds forfeited so far.
 * @param {any} scene
 * @returns {[string, number, number][]}
 */
export function escrowOf (scene) {
  /** @type {Map<string, [number, number]>} */
  const found = new Map()
  const add = (/** @type {string} */ name, /** @type {number} */ held, /** @type {number} */ lost) => {
    const [before, gone] = found.get(name) ?? [0, 0]
    found.set(name, [before + held, gone + lost])
  }
  for (const deal of /** @type {any[]} */ (Object.values(scene.deal ?? {}))) {
    if (deal.state !== 'agreed' || !(deal.deposit > 0) || !Array.isArray(deal.parties)) continue
    for (const name of deal.parties) add(String(name), deal.deposit, 0)
  }
  for (const [name, lost] of Object.entries(scene.forfeited ?? {})) add(name, 0, Number(lost))
  return [...found].sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, [held, lost]]) => [name, held, lost])
}

/** @param {any} scene heading and table of the escrow; nothing without deposits */
export function escrowTable (scene) {
  const rows = escrowOf(scene)
  if (rows.length === 0) return []
  return [
    h('h2', null, 'Escrow'),
    h('table', null, h('tr', null, ...['player', 'in escrow', 'forfeited'].map((title, place) =>
      h('th', { className: place ? 'n' : '' }, title))),
    ...rows.map(([name, held, lost]) => h('tr', null, h('td', null, safeText(name)),
      h('td', { className: 'n' }, numberText(held)), h('td', { className: 'n' }, numberText(lost)))))
  ]
}
