'use strict'
/**
 * Waiting for players and hosts of a fleet, some of which may be lost meanwhile.
 */

/**
 * Wait for all, then reject with the first loss: nobody is left half way.
 * @param {Promise<void>[]} work
 */
async function allDone (work) {
  const ends = await Promise.allSettled(work)
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}

/**
 * Wait until all are in the world at the same time: while one is waited for, the host of another may be replaced.
 * @param {import('./host_fleet').Seat[]} seats
 * @returns {Promise<void>}
 */
async function allReady (seats) {
  const waits = seats.map((seat) => seat.ready)
  await Promise.all(waits)
  if (seats.some((seat, i) => seat.ready !== waits[i])) await allReady(seats)
}

/** @param {Promise<any>} answer @returns {Promise<any>} null where the host was lost first */
async function unlessLost (answer) {
  return answer.catch((error) => {
    if (error.name !== 'HostLost') throw error
    return null
  })
}

/** @param {import('./host_fleet').Seat} seat one that is ready @returns {import('./host_link').HostLink} */
function seatedAt (seat) {
  return /** @type {import('./host_link').HostLink} */ (seat.host)
}

module.exports = { allDone, allReady, seatedAt, unlessLost }
