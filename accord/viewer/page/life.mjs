/** Time line of a player's acts; a click goes to the moment. */
import { COLOURS } from './colours.mjs'
import { clockText, h, safeText } from './dom.mjs'

/** @type {Map<string, {at: number, rows: Promise<any[]>}>} */
const known = new Map()

/**
 * @param {string} label of something done
 * @returns {string} its colour: the same first word has the same
 */
function colourOf (label) {
  let sum = 0
  for (const sign of label.split(/[ (]/)[0]) sum = (sum * 31 + (sign.codePointAt(0) ?? 0)) % 997
  return COLOURS[sum % COLOURS.length]
}

/**
* Return all acts of an agent as rows of start, end, label and success.
 * @param {import('./panels.mjs').View} view
 * @returns {Promise<any[]>}
 */
export function loadActs (view) {
  const name = view.chosen
  const key = `${view.place.run} ${name}`
  let found = known.get(key)
  if (!found || found.at < view.run.reach.read) {
    found = { at: view.run.reach.read, rows: view.run.source.part('deeds', { player: name }).catch(() => []) }
    known.set(key, found)
  }
  return found.rows
}

/** @param {import('./panels.mjs').View} view */
export function lifeLine (view) {
  const canvas = /** @type {HTMLCanvasElement} */ (h('canvas', { className: 'life' }))
  const told = h('small', null, ' ')
  const until = Math.max(1, view.run.reach.until)
  loadActs(view).then((rows) => {
    draw(canvas, rows, until, view.at)
    const at = (/** @type {MouseEvent} */ event) => event.offsetX / Math.max(1, canvas.clientWidth) * until
    canvas.addEventListener('click', (event) => view.seek(at(event)))
    canvas.addEventListener('pointermove', (event) => {
      const moment = at(event)
      const deed = rows.find(([from, end]) => from <= moment && moment <= end)
      told.textContent = deed ? `${clockText(deed[0])} ${safeText(deed[2])}` : clockText(moment)
    })
  })
  return h('div', null, h('h3', null, 'Life'), canvas, told)
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {any[]} rows
 * @param {number} until
 * @param {number} now
 */
function draw (canvas, rows, until, now) {
  const width = canvas.clientWidth || 300
  canvas.width = width
  canvas.height = 30
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'))
  pen.fillStyle = 'rgb(128 128 128 / 14%)'
  pen.fillRect(0, 4, width, 20)
  for (const [from, end, label, ok] of rows) {
    pen.fillStyle = colourOf(String(label))
    pen.globalAlpha = ok === 0 ? 0.4 : 1
    pen.fillRect(from / until * width, ok === 0 ? 14 : 4, Math.max(1, (end - from) / until * width - 0.5),
      ok === 0 ? 10 : 20)
  }
  pen.globalAlpha = 1
  pen.fillStyle = '#d0342c'
  pen.fillRect(now / until * width, 0, 1.5, 30)
}
