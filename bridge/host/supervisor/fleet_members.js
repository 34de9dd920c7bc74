'use strict'
/** Waits for players and hosts of a fleet, some of which may be lost meanwhile. */

/** Tries to join again: the server may still hold the old connection for a moment. */
const REJOIN_TRIES = 5
const REJOIN_PAUSE_MS = 400

/**
 * Wait for all work to end, then reject with the first loss.
 * @param {Promise<void>[]} work
 */
async function allDone (work) {
  const ends = await Promise.allSettled(work)
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}

/**
 * Wait until all players are in the world at the same time: while one is awaited, the host of another may be replaced.
 * @param {import('./host_fleet').FleetMember[]} members
 * @returns {Promise<void>}
 */
async function allReady (members) {
  const waits = members.map((member) => member.ready)
  await Promise.all(waits)
  if (members.some((member, i) => member.ready !== waits[i])) await allReady(members)
}

/**
 * Find the program that caused the loss of its host: the one that the host was computing for, or that had it for
 * itself.
 * @param {import('./host_link').HostLink} host
 * @param {{ bot: string }[]} policies programs of that host
 * @param {boolean} alone whether a host has one bot only
 * @returns {string|null} its bot; null when the cause is unknown, or when somebody else ended the host
 */
function culpritOf (host, policies, alone) {
  if (!host.byItself) return null
  const named = policies.find(({ bot }) => bot === host.computedFor)
  if (named) return named.bot
  return alone && policies.length === 1 ? policies[0].bot : null
}

/**
 * Join the world again after a loss, with a few tries.
 * @param {import('./host_link').HostLink} host
 * @param {import('./host_fleet').Connect} spec
 */
async function rejoin (host, spec) {
  await host.ready
  for (let tries = 1; ; tries++) {
    try {
      return await host.connect(spec)
    } catch (error) {
      if (error.name !== 'BotLost' || tries === REJOIN_TRIES) throw error
      await new Promise((resolve) => setTimeout(resolve, REJOIN_PAUSE_MS))
    }
  }
}

/** @param {Promise<any>} answer @returns {Promise<any>} null where the host was lost first */
async function unlessLost (answer) {
  return answer.catch((error) => {
    if (error.name !== 'HostLost') throw error
    return null
  })
}

/** @param {import('./host_fleet').FleetMember} member one that is ready @returns {import('./host_link').HostLink} */
function hostOf (member) {
  return /** @type {import('./host_link').HostLink} */ (member.host)
}

module.exports = { allDone, allReady, culpritOf, rejoin, hostOf, unlessLost }
