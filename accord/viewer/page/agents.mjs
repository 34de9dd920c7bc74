/** Panel of agents: a list of all, or one agent with its state, program, goal, decision, memory and life. */
import { clockText, fill, h, numberText, safeText } from './dom.mjs'
import { loadActs, lifeLine } from './life.mjs'

/** @typedef {import('./panels.mjs').View} View */

/**
 * Return held items as text, such as "3 oak_log, 1 stick".
 * @param {Record<string, number> | null | undefined} items
 */
export function itemsText (items) {
  const held = Object.entries(items ?? {}).filter(([, count]) => count)
  return held.map(([item, count]) => `${count} ${safeText(item)}`).join(', ')
}

/**
 * Return levels of drives as text, the strongest first, such as "company 70 % (pressing), hunger 20 %".
 * @param {{levels: Record<string, number>, pressing: string} | null | undefined} drives
 */
export function drivesText (drives) {
  return Object.entries(drives?.levels ?? {}).sort(([, one], [, other]) => other - one)
    .map(([name, level]) => `${name} ${Math.round(level * 100)} %${name === drives?.pressing ? ' (pressing)' : ''}`)
    .join(', ')
}

/** @param {string} colour @returns {HTMLElement} */
export function dot (colour) {
  return h('span', { className: 'dot', style: { background: colour } })
}

/** Panel of agents; it keeps the text of its filter. */
export class Agents {
  constructor () {
    this.filter = /** @type {HTMLInputElement} */ (h('input',
      { type: 'search', placeholder: 'find an agent', 'aria-label': 'Find an agent' }))
    this.list = h('div', { className: 'agents' })
    /**
     * @type {Map<string, {row: HTMLElement, dot: HTMLElement, told: HTMLElement, colour: string, text: string}>} rows
     *   of the list, by agent
     */
    this.rows = new Map()
    this.one = h('div', null)
    this.root = h('div', null, h('div', { className: 'filter' }, this.filter), this.list, this.one)
    /** @type {Map<string, boolean>} which parts are open */
    this.open = new Map([['program', false]])
  }

  /** @param {View} view */
  key (view) {
    const { scene, chosen } = view
    if (!chosen) {
      return `list ${this.filter.value} ${JSON.stringify([scene.reward, scene.role, scene.drives, scene.act, scene.last,
        view.way])}`
    }
    const own = Object.fromEntries(Object.entries(scene)
      .map(([section, held]) => [section, /** @type {any} */ (held)[chosen] ?? null]))
    return `one ${chosen} ${JSON.stringify(own)} ${Math.floor(view.at / 5)}`
  }

  /** @param {View} view */
  show (view) {
    const known = Object.hasOwn(view.scene.player ?? {}, view.chosen)
    this.list.hidden = known
    this.filter.parentElement?.toggleAttribute('hidden', known)
    this.one.hidden = !known
    if (known) this.showOne(view)
    else this.showList(view)
  }

  /** @param {View} view */
  showList ({ scene, colours, choose }) {
    const wanted = this.filter.value.toLowerCase()
    const names = Object.keys(scene.player ?? {}).filter((name) => name.toLowerCase().includes(wanted))
    const shown = names.map((name) => {
      const pressing = scene.drives?.[name]?.pressing
      const text = [scene.role?.[name], pressing && `wants ${pressing}`,
        (scene.act?.[name] ?? scene.last?.[name])?.text,
        scene.reward?.[name] ? `${numberText(scene.reward[name])} emeralds` : ''].filter(Boolean).map(safeText)
        .join(' · ')
      return this.rowOf(name, colours.get(name) ?? '#888', text, choose)
    })
    const same = shown.length === this.list.childElementCount &&
      shown.every((row, place) => this.list.children[place] === row)
    if (!same || !shown.length) fill(this.list, shown.length ? shown : [h('p', null, 'Nobody yet.')])
  }

  /**
   * Return an agent's row, created once and updated when its content changes.
   * @param {string} name
   * @param {string} colour
   * @param {string} text
   * @param {(name: string) => void} choose
   */
  rowOf (name, colour, text, choose) {
    const found = this.rows.get(name)
    if (!found) {
      const made = { dot: dot(colour), told: h('small', null, text), colour, text }
      const row = h('button', { type: 'button', className: 'row', onclick: () => choose(name) }, made.dot,
        safeText(name), ' ', made.told)
      this.rows.set(name, { ...made, row })
      return row
    }
    if (found.colour !== colour) found.dot.style.setProperty('background', colour)
    if (found.text !== text) found.told.textContent = text
    Object.assign(found, { colour, text })
    return found.row
  }

  /** @param {View} view */
  showOne (view) {
    const { scene, chosen: name, colours, choose } = view
    const decision = scene.decision?.[name]
    const facts = factsOf(scene, name)
    fill(this.one, [
      h('div', { className: 'filter' }, h('button', { type: 'button', onclick: () => choose('') }, '← all agents'),
        h('button', { type: 'button', 'aria-pressed': String(view.follow), onclick: () => view.setFollow(!view.follow),
          title: 'Keep it in the middle of the map (f)' }, 'Follow')),
      h('h2', null, dot(colours.get(name) ?? '#888'), safeText(name), ' ',
        h('small', null, safeText(scene.player[name].author))),
      h('dl', null, facts.flatMap(([label, text]) => [h('dt', null, label), h('dd', null, safeText(text))])),
      lifeLine(view),
      scene.goal?.[name] ? h('h3', null, 'Goal') : null,
      scene.goal?.[name] ? h('div', null, safeText(scene.goal[name])) : null,
      decision ? h('h3', null, `Decision at ${clockText(decision.at)}`) : null,
      decision ? h('div', null, h('b', null, safeText(decision.doing)),
        decision.why ? ` – ${safeText(decision.why)}` : '', decision.purpose ? ` (${safeText(decision.purpose)})` : '')
        : null,
      ...this.parts(view)
    ])
  }

  /** Return the parts that are loaded when they are opened. @param {View} view */
  parts (view) {
    const { scene, chosen: name } = view
    const parts = []
    const program = scene.program?.[name]
    if (program) {
      parts.push(this.part(view, 'program', `Program, since ${clockText(program.at)}`, program.ref,
        async (line) => programOf(line, scene.program_end?.[name], runningOf(await loadActs(view), view.at))))
    }
    if (scene.decision?.[name]) {
      parts.push(this.part(view, 'passed', 'What passed the bottleneck', scene.decision[name].ref, passedOf))
    }
    for (const section of Object.keys(scene).sort()) {
      const found = section.startsWith('slot ') || section.startsWith('mind ') || section === 'shown' ||
        section === 'critique' ? scene[section][name] : null
      if (found) {
        parts.push(this.part(view, section,
          `${title(section)}${found.at === undefined ? '' : `, ${clockText(found.at)}`}`, found.ref, valueOf))
      }
    }
    return parts
  }

  /**
   * @param {View} view
   * @param {string} key
   * @param {string} label
   * @param {[number, number]} ref
   * @param {(line: any) => (HTMLElement | string)[] | Promise<(HTMLElement | string)[]>} shown
   */
  part (view, key, label, ref, shown) {
    const body = h('div', null, '…')
    const load = () => view.run.line(ref)
      .then(async (line) => fill(body, line.error ? [safeText(line.error)] : await shown(line.data)))
    const made = /** @type {HTMLDetailsElement} */ (h('details', { open: this.open.get(key) ?? false },
      h('summary', null, safeText(label)), body))
    made.addEventListener('toggle', () => { this.open.set(key, made.open); if (made.open) load() })
    return made
  }
}

/**
 * @param {any} scene
 * @param {string} name
 * @returns {[string, string][]}
 */
function factsOf (scene, name) {
  const spot = scene.at?.[name]
  const [account, end] = [scene.account?.[name], scene.program_end?.[name]]
  const [act, last] = [scene.act?.[name], scene.last?.[name]]
  /** @type {[string, any][]} */
  const facts = [
    ['doing', act?.text],
    ['did last', last && `${last.text}${last.ok === false ? ' (failed)' : ''}`],
    ['has', itemsText(scene.pack?.[name] ?? scene.items?.[name]) || 'nothing'],
    ['in hand', scene.held?.[name]],
    ['mined', itemsText(scene.mined?.[name])],
    ['reward', scene.reward?.[name] === undefined ? '' : `${numberText(scene.reward[name])} emeralds`],
    ['account', account && ['reward', 'transfer', 'payoff'].map((part) => `${part} ${numberText(account[part])}`)
      .join(', ')],
    ['role', scene.role?.[name]],
    ['drives', drivesText(scene.drives?.[name])],
    ['town', scene.town?.[name]],
    ['faith', scene.faith?.[name]],
    ['life', scene.life?.[name] === 'lives' ? '' : scene.life?.[name]],
    ['program', end && `${end.outcome}${end.error ? `: ${end.error}` : ''}${end.line ? `, line ${end.line}` : ''}`],
    ['printed', scene.printed?.[name]?.text],
    ['worth', Object.entries(scene.player[name].prices ?? {}).map(([item, price]) => `${item} ${price}`).join(', ')],
    ['at', spot && spot.join(', ')]
  ]
  return /** @type {[string, string][]} */ (facts.filter(([, text]) => text))
}

/** @param {string} section */
function title (section) {
  const [kind, name] = section.split(' ')
  return { slot: `State: ${name}`, mind: `Mind: ${name}`, shown: 'What it was shown', critique: 'Its critic' }[kind] ??
    section
}

/**
 * Return the name of the primitive that an agent is running; empty if unknown.
 * @param {any[]} deeds
 * @param {number} at
 */
export function runningOf (deeds, at) {
  return String(deeds.find(([from, until]) => from < at && at < until)?.[2] ?? '').split('(')[0]
}

/**
 * Return the running line of a program, from 1, if only one line calls the running primitive; otherwise 0.
 * @param {string[]} lines
 * @param {string} running
 */
export function lineOf (lines, running) {
  const calling = lines.flatMap((line, number) =>
    running && new RegExp(`\\bawait\\s+${running.replace(/\W/g, '')}\\s*\\(`).test(line) ? [number + 1] : [])
  return calling.length === 1 ? calling[0] : 0
}

/**
 * Return a program with line numbers, with its failing line and its running line marked.
 * @param {any} data
 * @param {{line?: number | null} | undefined} end
 * @param {string} [running] name of the running primitive
 */
export function programOf (data, end, running = '') {
  const source = String(data.source ?? data.program ?? '')
  if (!source) return [h('pre', null, safeText(JSON.stringify(data.calls ?? data, null, 1)))]
  const now = lineOf(source.split('\n'), running)
  const lines = source.split('\n').map((line, number) =>
    h('span', { className: end?.line === number + 1 ? 'fault' : now === number + 1 ? 'now' : '' },
      `${String(number + 1).padStart(3)}  ${safeText(line)}\n`))
  return [data.thought ? h('p', null, safeText(data.thought)) : '', h('pre', null, ...lines)]
}

/** @param {any} data a `choice` or `decision` event */
function passedOf (data) {
  const rows = (Array.isArray(data.passed) ? data.passed : []).map((/** @type {any} */ each) => h('tr', null,
    h('td', null, safeText(each.slot)), h('td', { className: 'n' }, safeText(each.version)),
    h('td', { className: 'n' }, safeText(each.chars)), h('td', { className: 'n' }, safeText(each.cut))))
  const head = h('tr', null, h('th', null, 'slot'), h('th', { className: 'n' }, 'version'),
    h('th', { className: 'n' }, 'characters'), h('th', { className: 'n' }, 'cut off'))
  return [rows.length ? h('table', null, head, ...rows) : '',
    h('pre', null, safeText(JSON.stringify(data.choice ?? data, null, 1)))]
}

/** @param {any} data */
function valueOf (data) {
  const value = data.value ?? data.step ?? data
  return [h('pre', null, safeText(typeof value === 'string' ? value : JSON.stringify(value, null, 1)))]
}
