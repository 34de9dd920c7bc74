'use strict'
/** Names over heads and captions below, in a font of 5 x 7 dots drawn for this project. */

const HEIGHT = 7
/** Rows of dots from the top, five bits each. @type {Readonly<Record<string, string>>} */
const GLYPHS = Object.freeze({
  A: 'e h h v h h h', B: 'u h h u h h u', C: 'e h g g g h e', D: 's i h h h i s', E: 'v g g u g g v',
    F: 'v g g u g g g',
  G: 'e h g n h h f', H: 'h h h v h h h', I: 'e 4 4 4 4 4 e', J: '7 2 2 2 2 i c', K: 'h i k o k i h',
    L: 'g g g g g g v',
  M: 'h r l l h h h', N: 'h h p l j h h', O: 'e h h h h h e', P: 'u h h u g g g', Q: 'e h h h l i d',
    R: 'u h h u k i h',
  S: 'f g g e 1 1 u', T: 'v 4 4 4 4 4 4', U: 'h h h h h h e', V: 'h h h h h a 4', W: 'h h h l l l a',
    X: 'h h a 4 a h h',
  Y: 'h h h a 4 4 4', Z: 'v 1 2 4 8 g v', a: '0 0 e 1 f h f', b: 'g g m p h h u', c: '0 0 e g g h e',
    d: '1 1 d j h h f',
  e: '0 0 e h v g e', f: '6 9 8 s 8 8 8', g: '0 f h h f 1 e', h: 'g g m p h h h', i: '4 0 c 4 4 4 e',
    j: '2 0 6 2 2 i c',
  k: 'g g i k o k i', l: 'c 4 4 4 4 4 e', m: '0 0 q l l h h', n: '0 0 m p h h h', o: '0 0 e h h h e',
    p: '0 0 u h u g g',
  q: '0 0 d j f 1 1', r: '0 0 m p g g g', s: '0 0 e g e 1 u', t: '8 8 s 8 8 9 6', u: '0 0 h h h j d',
    v: '0 0 h h h a 4',
  w: '0 0 h h l l a', x: '0 0 h a 4 a h', y: '0 0 h h f 1 e', z: '0 0 v 2 4 8 v', 0: 'e h j l p h e',
    1: '4 c 4 4 4 4 e',
  2: 'e h 1 2 4 8 v', 3: 'v 2 4 2 1 h e', 4: '2 6 a i v 2 2', 5: 'v g u 1 1 h e', 6: '6 8 g u h h e',
    7: 'v 1 2 4 8 8 8',
  8: 'e h h e h h e', 9: 'e h h f 1 2 c', _: '0 0 0 0 0 0 v', '-': '0 0 0 v 0 0 0', '.': '0 0 0 0 0 c c',
    ' ': '0 0 0 0 0 0 0',
  '!': '4 4 4 4 4 0 4', ':': '0 c c 0 c c 0', '\'': '4 4 8 0 0 0 0', '?': 'e h 1 2 4 0 4', '/': '0 1 2 4 8 g 0',
    ',': '0 0 0 0 c 4 8',
  ';': '0 c c 0 c 4 8', '(': '2 4 8 8 8 4 2', ')': '8 4 2 2 2 4 8', '[': 'e 8 8 8 8 8 e', ']': 'e 2 2 2 2 2 e',
  '{': '2 4 4 8 4 4 2', '}': '8 4 4 2 4 4 8', '<': '2 4 8 g 8 4 2', '>': '8 4 2 1 2 4 8', '=': '0 0 v 0 v 0 0',
  '+': '0 4 4 v 4 4 0', '*': '0 4 l e l 4 0', '&': 'c i k 8 l i d', '%': 'o p 2 4 8 j 3', '#': 'a a v a v a a',
  '@': 'e h 1 d l l e', $: '4 f k e 5 u 4', '^': '4 a h 0 0 0 0', '~': '0 0 8 l 2 0 0', '`': '8 4 2 0 0 0 0',
  '|': '4 4 4 4 4 4 4', '"': 'a a a 0 0 0 0', '\\': '0 g 8 4 2 1 0'
})
/** Signs that texts often have, and letters that stand for them. @type {Readonly<Record<string, string>>} */
const ALIKE = Object.freeze({ '\u2018': '\'', '\u2019': '\'', '\u201c': '"', '\u201d': '"', '\u2013': '-',
  '\u2014': '-', '\u2026': '...', '\u2192': '->', '\u00d7': 'x', '\u00df': 'ss' })
/** Most lines of one caption, and of all. */
const MAX_LINES = 4
const ALL_LINES = 6
/** Share of a picture's height that captions may cover. */
const COVERED = 1 / 3
/** Captions are drawn at one pixel a dot in pictures of this height, larger in larger ones. */
const CAPTION_HEIGHT = 200
/** Most letters of a name that are drawn. */
const MAX_LETTERS = 24

/** @param {string} letter @returns {number[]} */
const dotsOf = (letter) => GLYPHS[Object.hasOwn(GLYPHS, letter) ? letter : '?'].split(' ')
  .map((row) => parseInt(row, 32))

/** @typedef {{ width: number, height: number, pixels: Uint8Array }} Pixels red, green and blue by rows */

/**
 * Write a name on a dark plate.
 * @param {Pixels} picture
 * @param {string} text
 * @param {number} x middle of the line, in pixels
 * @param {number} y lower edge
 * @param {number} scale pixels of a dot
 */
function writeLabel (picture, text, x, y, scale) {
  writeLine(picture, [...text].slice(0, MAX_LETTERS), x, y, scale)
}

/**
 * Write captions at the lower edge of a picture, the last one at the bottom. Older ones that have no room are left out,
 * and long ones end in dots.
 * @param {Pixels} picture
 * @param {readonly string[]} captions
 */
function writeCaptions (picture, captions) {
  const scale = Math.max(1, Math.round(picture.height / CAPTION_HEIGHT))
  const tall = (HEIGHT + 2) * scale
  const fit = Math.max(1, Math.floor((picture.width / scale - 1) / 6))
  let room = Math.min(ALL_LINES, Math.max(1, Math.floor(picture.height * COVERED / tall)))
  let y = picture.height - 2 * scale
  for (const caption of [...captions].reverse()) {
    if (room === 0) return
    const lines = linesOf(caption, fit, Math.min(room, MAX_LINES))
    room -= lines.length
    for (const line of lines.reverse()) {
      writeLine(picture, line, picture.width / 2, y, scale)
      y -= tall
    }
  }
}

/**
 * Return a text in lines, broken between words where that is possible.
 * @param {string} text @param {number} fit letters of a line @param {number} most lines
 * @returns {string[][]} letters of each line
 */
function linesOf (text, fit, most) {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').replace(/[^\0-~]/gu, (sign) => ALIKE[sign] ?? '?')
  /** @type {string[][]} */
  const lines = []
  let rest = [...plain].slice(0, fit * (most + 1))
  while (rest.length > 0 && lines.length < most) {
    const space = rest.slice(0, fit + 1).lastIndexOf(' ')
    const length = rest.length <= fit ? rest.length : space > fit / 2 ? space : fit
    lines.push(rest.slice(0, length))
    rest = rest.slice(rest[length] === ' ' ? length + 1 : length)
  }
  if (rest.length > 0) lines[most - 1] = [...lines[most - 1].slice(0, Math.max(0, fit - 3)), ...'...'.slice(0, fit)]
  return lines
}

/**
 * Write a line of text on a dark plate. Letters that the font lacks become question marks.
 * @param {Pixels} picture
 * @param {string[]} line
 * @param {number} x middle of the line, in pixels
 * @param {number} y lower edge
 * @param {number} scale pixels of a dot
 */
function writeLine (picture, line, x, y, scale) {
  const letters = line.map(dotsOf)
  const width = (letters.length * 6 + 1) * scale
  const left = Math.round(x - width / 2)
  const top = Math.round(y) - (HEIGHT + 2) * scale
  for (let j = 0; j < (HEIGHT + 2) * scale; j++) {
    for (let i = 0; i < width; i++) {
      const px = left + i
      const py = top + j
      if (px < 0 || py < 0 || px >= picture.width || py >= picture.height) continue
      const column = Math.floor(i / scale) - 1
      const row = Math.floor(j / scale) - 1
      const dot = column >= 0 && row >= 0 && row < HEIGHT && column % 6 < 5 &&
        (letters[Math.floor(column / 6)]?.[row] >> (4 - column % 6) & 1) === 1
      const at = (py * picture.width + px) * 3
      for (let c = 0; c < 3; c++) picture.pixels[at + c] = dot ? 255 : Math.round(picture.pixels[at + c] * 0.45)
    }
  }
}

module.exports = { writeCaptions, writeLabel }
