'use strict'
/** Names over heads, in a font of 5 x 7 dots drawn for this project. */

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
    ',': '0 0 0 0 c 4 8'
})
/** Most letters of a name that are drawn. */
const MAX_LETTERS = 24

/** @param {string} letter @returns {number[]} */
const dotsOf = (letter) => (GLYPHS[letter] ?? GLYPHS['?']).split(' ').map((row) => parseInt(row, 32))

/**
 * Write a line of text on a dark plate. Letters that the font lacks become question marks.
 * @param {{ width: number, height: number, pixels: Uint8Array }} picture
 * @param {string} text
 * @param {number} x middle of the line, in pixels
 * @param {number} y lower edge
 * @param {number} scale pixels of a dot
 */
function writeLabel (picture, text, x, y, scale) {
  const letters = [...text].slice(0, MAX_LETTERS).map(dotsOf)
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

module.exports = { writeLabel, GLYPHS }
