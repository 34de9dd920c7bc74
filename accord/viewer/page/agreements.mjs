/** Panel of agreements: the contract of all players, deals among some, the judge's reasons, and the ledger. */
import { dealChart, escrowTable } from './deal_chart.mjs'
import { fill, h, safeText } from './dom.mjs'

/** Panel with the contract's terms, the judge's reasons and the ledger. */
export class Contract {
  constructor () {
    this.deals = new Deals()
    this.body = h('div', null)
    this.root = h('div', null, this.body, this.deals.root)
  }

  /** @param {import('./panels.mjs').View} view */
  key ({ scene }) {
    return JSON.stringify([scene.run?.contract, scene.run?.verdict, scene.account, scene.deal, scene.forfeited,
      scene.institution])
  }

  /** @param {import('./panels.mjs').View} view */
  async show ({ scene, run, seek }) {
    const [contract, verdict] = [scene.run?.contract, scene.run?.verdict]
    const [told, judged] = await Promise.all([contract && run.line(contract.ref), verdict && run.line(verdict.ref)])
    const accounts = Object.entries(scene.account ?? {})
    await this.deals.show(scene, run)
    fill(this.body, [
      ...institutionsOf(scene.institution ?? {}),
      contract || scene.deal || scene.institution ? null : h('p', null, 'There is no contract at this moment.'),
      ...(told?.data ? contractOf(told.data) : []),
      ...(judged?.data ? verdictOf(judged.data) : []),
      accounts.length ? h('h2', null, 'Ledger') : null,
      accounts.length
        ? h('table', null, row('th', ['player', 'reward', 'transfer', 'payoff']),
          ...accounts.map(([name, each]) => row('td', [name, each.reward, each.transfer, each.payoff])))
        : null,
      ...escrowTable(scene),
      ...dealChart(scene, seek)
    ])
  }
}

/**
 * Return a heading and a table of the law in force and of who holds which office.
 * @param {Record<string, string | string[]>} institution
 */
function institutionsOf (institution) {
  const told = Object.entries(institution)
  return told.length === 0 ? [] : [h('h2', null, 'Institutions'), h('table', null, ...told.map(([name, held]) =>
    row('td', [name, Array.isArray(held) ? held.join('; ') || 'no clause' : held])))]
}

/** Heading -> states of the deals below it. */
const STATES = /** @type {[string, string[]][]} */ ([
  ['Deals in force', ['agreed']], ['Open offers', ['offered']],
  ['Earlier deals and offers', ['ended', 'withdrawn', 'declined', 'lapsed']]
])

/**
 * Return headings with the deals below them, each as [number, deal], in the order of their numbers.
 * @param {any} scene
 * @returns {[string, [string, any][]][]}
 */
export function dealsByState (scene) {
  const deals = Object.entries(scene.deal ?? {}).sort(([one], [other]) => Number(one) - Number(other))
  return STATES.map(([heading, states]) => /** @type {[string, [string, any][]]} */ (
    [heading, deals.filter(([, deal]) => states.includes(deal.state))])).filter(([, found]) => found.length)
}

/** @param {string} number @param {any} deal a deal in one line */
export function dealLine (number, deal) {
  const between = Array.isArray(deal.parties) ? deal.parties.join(', ') : ''
  const marks = [deal.state, deal.force, deal.secret ? 'secret' : '', deal.lasts ? `lasts ${deal.lasts}` : '',
    deal.result ?? ''].filter(Boolean)
  return `Deal ${number} between ${between}: ${marks.join(', ')}`
}

/** Deals of a talk, with their texts and verdicts on demand. */
class Deals {
  constructor () {
    this.root = h('div', null)
    /** @type {Map<string, boolean>} number of a deal -> whether the reader opened or closed it */
    this.turned = new Map()
  }

  /**
   * @param {any} scene
   * @param {import('./record.mjs').Run} run
   */
  async show (scene, run) {
    const parts = await Promise.all(dealsByState(scene).map(async ([heading, deals]) => [h('h2', null, heading),
      ...await Promise.all(deals.map(([number, deal]) => this.deal(scene, run, number, deal)))]))
    fill(this.root, parts.flat())
  }

  /**
   * @param {any} scene
   * @param {import('./record.mjs').Run} run
   * @param {string} number
   * @param {any} deal
   */
  async deal (scene, run, number, deal) {
    const verdict = scene.deal_verdict?.[number]
    const [told, judged] = await Promise.all([deal.ref && run.line(deal.ref), verdict && run.line(verdict.ref)])
    const body = [...(told?.data?.entry?.contract ? contractOf({ contract: told.data.entry.contract }) : []),
      ...(judged?.data ? verdictOf(judged.data) : [])]
    const open = this.turned.get(number) ?? deal.state === 'agreed'
    const made = h('details', { open }, h('summary', { className: deal.broken ? 'bad' : '' },
      safeText(dealLine(number, deal))), ...body)
    made.addEventListener('toggle', () => {
      const now = /** @type {HTMLDetailsElement} */ (made).open
      if (now !== open) this.turned.set(number, now)
    })
    return made
  }
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
    data.state ? h('h2', null, `Contract ${safeText(contract.name)}: ${safeText(data.state)}`) : null,
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

/** @param {'td' | 'th'} kind @param {any[]} cells */
export function row (kind, cells) {
  return h('tr', null, ...cells.map(
    (cell, number) => h(kind, { className: number ? 'n' : '' },
    typeof cell === 'number' ? String(Math.round(cell * 1000) / 1000) : safeText(cell))))
}
