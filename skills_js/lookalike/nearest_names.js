/** "Did you mean": the legal names nearest to a wrong one. */
'use strict'

/**
 * Edit distance with an early end, since one wrong name is compared with about a thousand.
 * @param {string} a
 * @param {string} b
 * @param {number} most - give up beyond this distance
 * @returns {number} the distance, or most + 1
 */
function distance (a, b, most) {
  if (Math.abs(a.length - b.length) > most) return most + 1
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1))
    }
    if (Math.min(...next) > most) return most + 1
    row = next
  }
  return row[b.length]
}

/**
 * @param {string} name - the wrong name
 * @param {readonly string[]} legal
 * @param {number} [count]
 * @returns {string[]} the nearest legal names, best first; ties in the order of `legal`
 */
function nearestNames (name, legal, count = 3) {
  const wanted = name.toLowerCase().replace(/[^a-z0-9]+/g, '_')
  const scored = legal.map((candidate) => {
    const plain = candidate.toLowerCase()
    const shared = plain.includes(wanted) || wanted.includes(plain) ? Math.abs(plain.length - wanted.length) / 8 : Infinity
    return { candidate, score: Math.min(shared, distance(wanted, plain, 6)) }
  })
  return scored.sort((a, b) => a.score - b.score).slice(0, count).map((entry) => entry.candidate)
}

/**
 * @param {string} name - the wrong name
 * @param {readonly string[]} legal
 * @returns {string | null} the one that was surely meant: at most a third of the letters differ
 */
function surelyMeant (name, legal) {
  const most = Math.max(1, Math.floor(name.length / 3))
  const plain = name.toLowerCase()
  const [nearest] = legal.map((candidate) => ({ candidate, score: distance(plain, candidate.toLowerCase(), most) }))
    .sort((a, b) => a.score - b.score)
  return nearest !== undefined && nearest.score <= most ? nearest.candidate : null
}

module.exports = { nearestNames, surelyMeant }
