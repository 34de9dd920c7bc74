/** Numbers as they grow: a curve each, a group in one picture with its axes. */
import { COLOURS } from './colours.mjs'
import { clockText, fill, h, numberText, plain } from './dom.mjs'
import { after } from './scene.mjs'

/** Pictures that stand above the others. */
const FIRST = ['welfare', 'reward', 'rewards']
/** Beginnings of names that share a picture. */
const GROUPS = ['reward ', 'role ', 'world ', 'faith ', 'town ', 'tax ']

/** Group or number -> its unit; of what is counted, what is counted. */
const UNITS = new Map(Object.entries({
  welfare: 'emeralds', reward: 'emeralds', rewards: 'emeralds', 'emeralds moved': 'emeralds', world: 'blocks left', role: 'players', faith: 'players',
  'direct converts': 'players', 'indirect converts': 'players', 'tax payers': 'players', 'tax paid': 'items', usd: 'US dollars', tokens: 'tokens', calls: 'model calls',
  decisions: 'decisions', 'words said': 'utterances'
}))
/** Pixels beside and below a picture for the texts of its axes. */
const LEFT = 46
const BELOW = 16
/** Of so many points at most each is a dot too: a number that is known once has no line. */
const DOTS = 12

/** @typedef {[number, number][]} Points moments and values */

/**
 * Round values of an axis from `low` to `high`, about so many.
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
 * Why there is no picture of a number that one may look for.
 * @param {Record<string, Points>} figures
 * @param {boolean} ended whether the run is over
 */
export function missing (figures, ended) {
  const zero = Object.keys(figures).filter((name) => figures[name].every((point) => point[1] === 0))
  return [
    figures.welfare ? '' : `No welfare: it is the sum of the payoffs when an episode ends, and no episode ${ended ? 'came to its end' : 'has ended yet'}.`,
    zero.includes('welfare') ? 'Welfare is 0: nobody was paid anything.' : '',
    zero.some((name) => name !== 'welfare') ? `Always 0: ${zero.filter((name) => name !== 'welfare').join(', ')}.` : ''
  ].filter(Boolean)
}

/**
 * Names of numbers by the picture that they are in.
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

/** The panel. */
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
      this.read = view.run.reach.read
      this.run = view.run
      this.figures = await view.run.source.part('figures')
    }
    // What never was anything but zero tells nothing.
    const groups = [...grouped(Object.keys(this.figures).filter((name) => this.figures[name].some((point) => point[1] !== 0)))]
    const until = Math.max(1, view.run.reach.until)
    const notes = missing(this.figures, view.run.reach.ended).map((text) => h('p', null, h('small', null, plain(text))))
    fill(this.root, [...groups.flatMap(([group, names]) => this.group(view, group, names)), groups.length ? null : h('p', null, 'There are no numbers yet.'), ...notes])
    for (const [group, names] of groups) {
      const canvas = /** @type {HTMLCanvasElement} */ (this.root.querySelector(`canvas[data-group="${CSS.escape(group)}"]`))
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
      names.length > 1 ? `${plain(name.slice(group.length + 1))} ` : '', valueText(this.figures[name], at)))
    const unit = UNITS.get(group)
    return [h('h2', null, plain(group), ' ', h('small', null, unit && !group.includes(unit) ? `in ${unit}` : '')),
      h('canvas', { className: 'chart', 'data-group': group, role: 'img', 'aria-label': `${group}${unit ? ` in ${unit}` : ''} by time` }), h('div', null, ...now)]
  }
}

/**
 * A number as it is at a moment; where it is not known yet, when it will be.
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
  const next = after(points.map((point) => point[0]), at)
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
 * Lines of round values with their texts, and round times below.
 * @param {CanvasRenderingContext2D} pen
 * @param {{width: number, floor: number, until: number, low: number, high: number, across: (moment: number) => number, up: (value: number) => number}} axes
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
    if (moment > 0 && across(moment) < width - 20) pen.fillText(clockText(moment).replace(/\.0$/, ''), across(moment), floor + 13)
  }
  pen.textAlign = 'left'
  pen.fillText('min:s', 2, floor + 13)
}
