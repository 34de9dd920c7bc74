/** Images of frequently drawn objects (players, names, bubbles), and the layout of their texts. */
import { safeText } from './dom.mjs'

export const FONT = '12px system-ui, sans-serif'
const NAMES = '11px system-ui, sans-serif'
/** Maximum number of cached images, and of cached text layouts. */
const PICTURES = 3000
const TEXTS = 1000

/** @typedef {{picture: HTMLCanvasElement, width: number, height: number}} Sprite its size is in pixels of the page */

/** Cache of images by content. */
export class Sprites {
  constructor () {
    /** @type {Map<string, Sprite>} */
    this.kept = new Map()
    /** @type {Map<string, {lines: string[], width: number}>} */
    this.texts = new Map()
    this.ratio = 1
    this.dark = false
    this.measure = /** @type {CanvasRenderingContext2D} */ (document.createElement('canvas').getContext('2d'))
  }

  /**
* Set screen resolution and background, which invalidates cached images if they change.
   * @param {number} ratio pixels of the screen to one of the page
   * @param {boolean} dark
   */
  suit (ratio, dark) {
    if (ratio === this.ratio && dark === this.dark) return
    this.ratio = ratio
    this.dark = dark
    this.kept.clear()
  }

  /**
* Return a small image, drawn once.
   * @param {string} key
   * @param {() => [number, number]} size in pixels of the page
   * @param {(pen: CanvasRenderingContext2D) => void} drawn
   * @returns {Sprite}
   */
  of (key, size, drawn) {
    const found = this.kept.get(key)
    if (found) return found
    const picture = document.createElement('canvas')
    const [width, height] = size().map((each) => Math.ceil(each * this.ratio))
    picture.width = width
    picture.height = height
    const pen = /** @type {CanvasRenderingContext2D} */ (picture.getContext('2d'))
    pen.scale(this.ratio, this.ratio)
    drawn(pen)
    const made = { picture, width: width / this.ratio, height: height / this.ratio }
    if (this.kept.size >= PICTURES) this.kept.delete(/** @type {string} */ (this.kept.keys().next().value))
    this.kept.set(key, made)
    return made
  }

  /**
   * @param {string} colour
   * @param {number} size its radius
   */
  dot (colour, size) {
    return this.of(`dot ${colour} ${size}`, () => [2 * size + 4, 2 * size + 4],
      (pen) => drawDot(pen, size, colour, this.dark))
  }

  /** @param {string} name */
  label (name) {
    const text = () => safeText(name).slice(0, 40)
    return this.of(`name ${name}`, () => {
      this.measure.font = NAMES
      return [this.measure.measureText(text()).width + 5, 15]
    }, (pen) => drawName(pen, text(), this.dark))
  }

  /**
   * @param {string} text
   * @param {string} colour of who says it
   * @param {boolean} whole all of it, or its beginning
   */
  bubble (text, colour, whole) {
    const { lines, width } = this.laidOut(text, whole)
    const height = lines.length * 15 + 9
    return this.of(`says ${colour} ${whole} ${text}`, () => [width + 2, height + 2],
      (pen) => drawBubble(pen, lines, width, height, colour, this.dark))
  }

  /**
* Return a bubble's lines and width.
   * @param {string} text
   * @param {boolean} whole
   */
  laidOut (text, whole) {
    const key = `${whole} ${text}`
    const found = this.texts.get(key)
    if (found) return found
    this.measure.font = FONT
    const lines = wrapped(safeText(text), whole ? 44 : 30, whole ? 6 : 2)
    const made = { lines, width: Math.ceil(Math.max(...lines.map((line) => this.measure.measureText(line).width))) +
      14 }
    if (this.texts.size >= TEXTS) this.texts.clear()
    this.texts.set(key, made)
    return made
  }

  /**
* Draw an image on whole screen pixels, so that it is neither stretched nor blurred.
   * @param {CanvasRenderingContext2D} pen
   * @param {Sprite} sprite
   * @param {number} left
   * @param {number} top
   */
  put (pen, { picture, width, height }, left, top) {
    pen.drawImage(picture, Math.round(left * this.ratio) / this.ratio, Math.round(top * this.ratio) / this.ratio, width,
      height)
  }
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {string} text
 * @param {boolean} dark
 */
function drawName (pen, text, dark) {
  pen.font = NAMES
  pen.textBaseline = 'middle'
  pen.lineWidth = 2.5
  pen.lineJoin = 'round'
  pen.strokeStyle = dark ? 'rgb(0 0 0 / 75%)' : 'rgb(255 255 255 / 85%)'
  pen.strokeText(text, 2.5, 7.5)
  pen.fillStyle = dark ? '#f0eee9' : '#1b1d21'
  pen.fillText(text, 2.5, 7.5)
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {number} size
 * @param {string} colour
 * @param {boolean} dark
 */
export function drawDot (pen, size, colour, dark) {
  pen.fillStyle = colour
  pen.strokeStyle = dark ? '#101215' : '#ffffff'
  pen.lineWidth = 1.5
  pen.beginPath()
  pen.arc(size + 2, size + 2, size, 0, 7)
  pen.fill()
  pen.stroke()
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {string[]} lines
 * @param {number} width
 * @param {number} height
 * @param {string} colour
 * @param {boolean} dark
 */
export function drawBubble (pen, lines, width, height, colour, dark) {
  pen.font = FONT
  pen.fillStyle = dark ? 'rgb(36 39 45 / 94%)' : 'rgb(255 255 255 / 94%)'
  pen.strokeStyle = colour
  pen.lineWidth = 1.3
  pen.beginPath()
  pen.roundRect(1, 1, width, height, 6)
  pen.fill()
  pen.stroke()
  pen.fillStyle = dark ? '#eceae5' : '#1b1d21'
  lines.forEach((line, number) => pen.fillText(line, 8, 17 + number * 15))
}

/**
* Break a text into at most `most` lines of about `width` characters, ending in an ellipsis if truncated.
 * @param {string} text
 * @param {number} width
 * @param {number} most
 */
export function wrapped (text, width, most) {
  const lines = ['']
  for (const word of text.split(/\s+/).flatMap((each) => each.match(new RegExp(`.{1,${width}}`, 'gu')) ?? [])) {
    const line = lines[lines.length - 1]
    if (line && line.length + word.length + 1 > width) lines.push(word)
    else lines[lines.length - 1] = line ? `${line} ${word}` : word
  }
  return lines.length > most ? [...lines.slice(0, most - 1), `${lines[most - 1].slice(0, width - 1)}…`] : lines
}
