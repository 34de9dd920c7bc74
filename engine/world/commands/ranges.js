'use strict'
/** Ranges of numbers in selectors and arguments. */

/** @typedef {import('./reader').Reader} Reader */

/** Parse "1..5", "3" or "..2". @param {Reader} reader @param {boolean} whole @returns {{ min: number, max: number }} */
function readRange (reader, whole) {
  const start = reader.at
  const text = reader.readWhile(/[0-9.\-]/)
  const found = /^(-?\d+(?:\.\d+)?|-?\.\d+)?(\.\.)?(-?\d+(?:\.\d+)?)?$/.exec(text)
  if (!text || text === '..' || !found || (!found[2] && found[3])) throw reader.errorAt(start, 'argument.range.empty')
  if (whole && /\d\.\d/.test(text)) throw reader.errorAt(start, 'argument.range.ints')
  const min = found[1] === undefined ? -Infinity : Number(found[1])
  const max = !found[2] ? min : found[3] === undefined ? Infinity : Number(found[3])
  if (min > max) throw reader.errorAt(start, 'argument.range.swapped')
  return { min, max }
}

module.exports = { readRange }
