/** Numbers as they grow: a curve each, a group in one picture. */
import { COLOURS } from './colours.mjs'
import { clockText, fill, h, numberText, plain } from './dom.mjs'
import { after } from './scene.mjs'

/** Beginnings of names that share a picture. */
const GROUPS = ['reward ', 'role ', 'world ', 'faith ', 'town ', 'tax ']

/** @typedef {[number, number][]} Points moments and values */

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
  return found
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
    fill(this.root, groups.length ? groups.flatMap(([group, names]) => this.group(view, group, names, until)) : [h('p', null, 'There are no numbers yet.')])
    for (const [group, names] of groups) {
      const canvas = /** @type {HTMLCanvasElement} */ (this.root.querySelector(`canvas[data-group="${CSS.escape(group)}"]`))
      drawCurves(canvas, names.map((name) => this.figures[name]), until, view.at)
      canvas.onclick = (event) => view.seek(event.offsetX / canvas.clientWidth * until)
    }
  }

  /**
   * @param {import('./panels.mjs').View} view
   * @param {string} group
   * @param {string[]} names
   * @param {number} until
   */
  group ({ at }, group, names, until) {
    const now = names.map((name, place) => h('span', { style: { 'margin-right': '10px', 'white-space': 'nowrap' } },
      h('span', { className: 'tick', style: { background: COLOURS[place % COLOURS.length] } }),
      names.length > 1 ? `${plain(name.slice(group.length + 1))} ` : '', numberText(valueAt(this.figures[name], at))))
    return [h('h2', null, plain(group), ' ', h('small', null, `until ${clockText(until)}`)), h('canvas', { className: 'chart', 'data-group': group }), h('div', null, ...now)]
  }
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
  const [width, height] = [canvas.clientWidth || 300, canvas.clientHeight || 90]
  canvas.width = width * ratio
  canvas.height = height * ratio
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'))
  pen.scale(ratio, ratio)
  const values = curves.flatMap((points) => points.map((point) => point[1]))
  const [low, high] = [Math.min(0, ...values), Math.max(1e-9, ...values)]
  const top = (/** @type {number} */ value) => height - 4 - (value - low) / (high - low || 1) * (height - 18)
  curves.forEach((points, place) => {
    pen.strokeStyle = COLOURS[place % COLOURS.length]
    pen.lineWidth = 1.6
    pen.beginPath()
    points.forEach(([moment, value], number) => {
      const left = moment / until * width
      if (number) pen.lineTo(left, top(points[number - 1][1]))
      pen.lineTo(left, top(value))
    })
    if (points.length) pen.lineTo(width, top(points[points.length - 1][1]))
    pen.stroke()
  })
  pen.fillStyle = 'rgb(128 128 128)'
  pen.font = '11px system-ui, sans-serif'
  pen.fillText(numberText(high), 2, 11)
  pen.fillStyle = '#d0342c'
  pen.fillRect(at / until * width, 0, 1.2, height)
}
