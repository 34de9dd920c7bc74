/** Panel of numbers over time: one curve each, grouped into charts with axes. */
import { COLOURS } from './colours.mjs'
import { clockText, fill, h, numberText, safeText } from './dom.mjs'
import { firstAfter } from './scene.mjs'

/** Charts shown first. */
const FIRST = ['welfare', 'reward', 'rewards']
/** Prefixes of names that share a chart. */
const GROUPS = ['reward ', 'role ', 'world ', 'faith ', 'town ', 'tax ', 'drive ']

/** Group or number -> its unit; for counts, the counted objects. */
const UNITS = new Map(Object.entries({
  welfare: 'emeralds', reward: 'emeralds', rewards: 'emeralds', 'emeralds moved': 'emeralds', world: 'blocks left',
  role: 'players', faith: 'players', drive: 'mean level, 0 to 1',
  'direct converts': 'players', 'indirect converts': 'players', 'tax payers': 'players', 'tax paid': 'items',
  usd: 'US dollars', tokens: 'tokens', calls: 'model calls',
  decisions: 'decisions', 'words said': 'utterances'
}))
/** Space beside and below a chart for the labels of its axes, in pixels. */
const LEFT = 46
const BELOW = 16
/** Maximum number of points that are also drawn as dots, since a single value has no line. */
const DOTS = 12

/** @typedef {[number, number][]} Points moments and values */

/**
* Return about `about` round values for an axis from `low` to `high`.
 * @param {number} low
 * @param {number} high
 * @param {number} [about]
 */
export function ticks (low, high, about = 4) {
  const rough = (high - low) / about
  if (!(rough > 0)) return [low]
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 2.5, 5, 10].map((each) => each * power).find((each) => each >= rough) ?? 10 * power
  const [first, last] = [Math.ceil(low / step - 1e-9), Math.floor(high / step + 1e-9)]
  return Array.from({ length: last - first + 1 }, (_, number) => Math.round((first + number) * step * 1e9) / 1e9)
}

/**
* Return explanations for missing charts.
 * @param {Record<string, Points>} figures
 * @param {boolean} ended whether the run is over
 */
export function missing (figures, ended) {
  const zero = Object.keys(figures).filter((name) => figures[name].every((point) => point[1] === 0))
  const end = ended ? 'came to its end' : 'has ended yet'
  return [
    figures.welfare ? '' : `No welfare: it is the sum of the payoffs when an episode ends, and no episode ${end}.`,
    zero.includes('welfare') ? 'Welfare is 0: nobody was paid anything.' : '',
    zero.some((name) => name !== 'welfare') ? `Always 0: ${zero.filter((name) => name !== 'welfare').join(', ')}.` : ''
  ].filter(Boolean)
}

/**
* Return the names of numbers grouped by chart.
 * @param {string[]} names
 */
export function grouped (names) {
  /** @type {Map<string, string[]>} */
  const found = new Map()
  for (const name of names) {
    const group = GROUPS.find((start) => name.startsWith(start))?.trim() ?? name
    found.set(group, [...(found.get(group) ?? []), name])
  }
  const place = (/** @type {string} */ group) => FIRST.includes(group) ? FIRST.indexOf(group) : FIRST.length
  return new Map([...found].sort(([one], [other]) => place(one) - place(other)))
}

/** The panel of numbers. */
export class Numbers {
  constructor () {
    this.root = h('div', null)
    this.read = -1
    /** @type {Record<string, Points>} */
    this.figures = {}
  }

  /** @param {import('./panels.mjs').View} view */
  key (view) {
    return `${view.run.reach.read} ${view.at.toFixed(view.run.reach.until > 100 ? 0 : 1)}`
  }

  /** @param {import('./panels.mjs').View} view */
  async show (view) {
    if (this.read !== view.run.reach.read || this.run !== view.run) {
      const figures = await view.run.source.part('figures')
      this.read = view.run.reach.read
      this.run = view.run
      this.figures = figures
    }
    // Numbers that were always zero have no chart.
    const groups = [...grouped(
      Object.keys(this.figures).filter((name) => this.figures[name].some((point) => point[1] !== 0)))]
    const until = Math.max(1, view.run.reach.until)
    const notes = missing(this.figures, view.run.reach.ended)
      .map((text) => h('p', null, h('small', null, safeText(text))))
    fill(this.root, [...groups.flatMap(([group, names]) => this.group(view, group, names)),
      groups.length ? null : h('p', null, 'There are no numbers yet.'), ...notes])
    for (const [group, names] of groups) {
      const canvas = /** @type {HTMLCanvasElement} */ (this.root.querySelector(
        `canvas[data-group="${CSS.escape(group)}"]`))
      drawCurves(canvas, names.map((name) => this.figures[name]), until, view.at)
      canvas.onclick = (event) => view.seek(Math.max(0, event.offsetX - LEFT) / (canvas.clientWidth - LEFT) * until)
    }
  }

  /**
   * @param {import('./panels.mjs').View} view
   * @param {string} group
   * @param {string[]} names
   */
  group ({ at }, group, names) {
    const now = names.map((name, place) => h('span', { style: { 'margin-right': '10px', 'white-space': 'nowrap' } },
      h('span', { className: 'tick', style: { background: COLOURS[place % COLOURS.length] } }),
      names.length > 1 ? `${safeText(name.slice(group.length + 1))} ` : '', valueText(this.figures[name], at)))
    const unit = UNITS.get(group)
    return [h('h2', null, safeText(group), ' ', h('small', null, unit && !group.includes(unit) ? `in ${unit}` : '')),
      h('canvas', { className: 'chart', 'data-group': group, role: 'img',
        'aria-label': `${group}${unit ? ` in ${unit}` : ''} by time` }), h('div', null, ...now)]
  }
}

/**
* Return a number at a moment as text, or the moment from which it is known.
 * @param {Points} points
 * @param {number} at
 */
export function valueText (points, at) {
  const value = valueAt(points, at)
  return value === null && points.length ? `known from ${clockText(points[0][0])} on` : numberText(value)
}

/**
 * @param {Points} points
 * @param {number} at
 */
export function valueAt (points, at) {
  const next = firstAfter(points.map((point) => point[0]), at)
  return next ? points[next - 1][1] : null
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Points[]} curves
 * @param {number} until
 * @param {number} at
 */
function drawCurves (canvas, curves, until, at) {
  const ratio = Math.min(2, window.devicePixelRatio || 1)
  const [width, height] = [canvas.clientWidth || 300, canvas.clientHeight || 110]
  canvas.width = width * ratio
  canvas.height = height * ratio
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'))
  pen.scale(ratio, ratio)
  const values = curves.flatMap((points) => points.map((point) => point[1]))
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)]
  const floor = height - BELOW
  const across = (/** @type {number} */ moment) => LEFT + moment / until * (width - LEFT - 4)
  const up = (/** @type {number} */ value) => floor - 2 - (value - low) / (high - low || 1) * (floor - 12)
  drawAxes(pen, { width, floor, until, low, high, across, up })
  curves.forEach((points, place) => {
    pen.strokeStyle = pen.fillStyle = COLOURS[place % COLOURS.length]
    pen.lineWidth = 1.6
    pen.beginPath()
    points.forEach(([moment, value], number) => {
      if (number) pen.lineTo(across(moment), up(points[number - 1][1]))
      pen.lineTo(across(moment), up(value))
      if (points.length <= DOTS) pen.fillRect(across(moment) - 2, up(value) - 2, 4, 4)
    })
    if (points.length) pen.lineTo(across(until), up(points[points.length - 1][1]))
    pen.stroke()
  })
  pen.fillStyle = '#d0342c'
  pen.fillRect(across(at), 0, 1.2, floor)
}

/**
* Draw lines of round values with labels, and round times below.
 * @param {CanvasRenderingContext2D} pen
 * @param {{width: number, floor: number, until: number, low: number, high: number, across: (moment: number) => number,
 *   up: (value: number) => number}} axes
 */
function drawAxes (pen, { width, floor, until, low, high, across, up }) {
  pen.font = '11px system-ui, sans-serif'
  pen.fillStyle = 'rgb(128 128 128)'
  pen.strokeStyle = 'rgb(128 128 128 / 25%)'
  pen.lineWidth = 1
  pen.textAlign = 'right'
  for (const value of ticks(low, high)) {
    pen.beginPath()
    pen.moveTo(LEFT, Math.round(up(value)) + 0.5)
    pen.lineTo(width, Math.round(up(value)) + 0.5)
    pen.stroke()
    pen.fillText(numberText(value), LEFT - 5, up(value) + 4)
  }
  pen.textAlign = 'center'
  for (const moment of ticks(0, until)) {
    if (moment > 0 && across(moment) < width - 20) {
      pen.fillText(clockText(moment).replace(/\.0$/, ''), across(moment), floor + 13)
    }
  }
  pen.textAlign = 'left'
  pen.fillText('min:s', 2, floor + 13)
}
