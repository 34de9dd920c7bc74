/** The time bar: marks of events above the handle. */
import { markColour } from './colours.mjs'

/** Kinds of marks by increasing importance; later ones are drawn on top. */
const ORDER = ['fault', 'soup', 'transfer', 'attack', 'tool', 'episode', 'person', 'agreed', 'vote', 'tax',
  'conversion', 'season', 'verdict', 'contract', 'breach', 'error', 'end']

/**
 * @param {HTMLCanvasElement} canvas
 * @param {any[][]} marks rows: id, at, kind, player, text, offset, length
 * @param {number} until the end of the record
 * @param {number} indexed how much of the log is read, 0 to 1
 */
export function drawMarks (canvas, marks, until, indexed) {
  const ratio = Math.min(2, window.devicePixelRatio || 1)
  const [width, height] = [canvas.clientWidth, canvas.clientHeight]
  canvas.width = Math.max(1, Math.round(width * ratio))
  canvas.height = Math.max(1, Math.round(height * ratio))
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'))
  pen.scale(ratio, ratio)
  for (const [, at, kind] of [...marks].sort((one, other) => ORDER.indexOf(one[2]) - ORDER.indexOf(other[2]))) {
    const left = until > 0 ? at / until * width : 0
    const big = ['contract', 'breach', 'error', 'verdict', 'end', 'episode', 'season'].includes(kind)
    pen.fillStyle = markColour(kind)
    pen.fillRect(Math.min(width - 3, Math.max(0, left - 1)), big ? 2 : 9, 3, big ? height - 4 : height - 12)
  }
  if (indexed < 0.999) {
    pen.fillStyle = 'rgb(128 128 128 / 60%)'
    pen.fillRect(0, height - 2, width * indexed, 2)
  }
}

/**
* Return the marks near a position on the bar, nearest first.
 * @param {any[][]} marks
 * @param {number} until
 * @param {number} width of the bar in pixels
 * @param {number} left
 */
export function marksNear (marks, until, width, left) {
  return marks.map((mark) => ({ mark, far: Math.abs((until > 0 ? mark[1] / until * width : 0) - left) }))
    .filter(({ far }) => far < 5).sort((one, other) => one.far - other.far).map(({ mark }) => mark)
}

/**
* Return the moment of the next mark after `at`, or of the last one before.
 * @param {any[][]} marks
 * @param {number} at
 * @param {number} step 1 or -1
 */
export function nextMark (marks, at, step) {
  const moments = [...new Set(marks.map((mark) => mark[1]))].sort((one, other) => one - other)
  return step > 0 ? moments.find((moment) => moment > at + 0.01) ?? null
    : moments.findLast((moment) => moment < at - 0.01) ?? null
}
