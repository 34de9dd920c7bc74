'use strict'
/**
 * Supervisor, the one trusted script in the process that JSPyBridge owns: no agent's code runs here and no bot lives
 * here.
 *
 * Python makes four short calls, JSON text in and out; none of them waits (docs/seams.md, section 2). Nothing in this
 * process may write to standard error: JSPyBridge uses it for its protocol. The one exception is the bell, an empty
 * message that is ignored but makes Python poll.
 */
const { EventRing } = require('./event_ring')
const { HostFleet } = require('./host_fleet')

/** Time in which events are gathered for one fetch, in ms; the end of a job is reported at once. */
const GATHER_MS = 8

const ring = new EventRing()
/** @type {Map<string, HostFleet>} */
const fleets = new Map()
/** @type {Map<string, string>} fleet by the id of a job under way */
const jobs = new Map()
let count = 0
/** True if Python has been told, since its last poll, that there is something to fetch. */
let rung = false
/** @type {NodeJS.Timeout|null} */
let gathering = null
let rings = 0

/** @param {{ fleet: string, kind: string, tick: number|null, data: object }} event */
function tell (event) {
  ring.push(event)
  if (event.kind === 'job') bell()
  else gathering ??= setTimeout(bell, GATHER_MS)
}

function bell () {
  if (gathering) clearTimeout(gathering)
  gathering = null
  if (rung) return
  rung = true
  process.stderr.write(`{"r":${--rings},"c":"pyi"}\n`)
}

/**
 * @typedef {{ type: string, fleet: string, [field: string]: any }} Job
 */

/** @type {Record<string, (job: Job, id: string) => any>} */
const VERBS = {
  echo: () => null,
  open: (job) => fleetOf(job).open(),
  release: async (job) => {
    await fleets.get(job.fleet)?.release()
    fleets.delete(job.fleet)
  },
  connect: (job) => fleetOf(job)
    .connect({ bots: job.bots, host: job.host, port: job.port, version: job.version, secret: job.secret }),
  disconnect: (job) => fleetOf(job).disconnect({ bots: job.bots }),
  observe: (job) => fleetOf(job).observe({ bot: job.bot }),
  picture: (job) => fleetOf(job).picture({ bot: job.bot, request: job.request }),
  sense: (job) => fleetOf(job).sense({ bots: job.bots, senses: job.senses }),
  hearing: (job) => fleetOf(job).hearing({ reach: job.reach ?? null }),
  speak: (job) => fleetOf(job).speak({ lines: job.lines }),
  stand: (job) => fleetOf(job).stand({ still: job.still === true }),
  run: (job, id) => fleetOf(job).run(id, { policies: job.policies, limits: job.limits }),
  stop: (job) => fleetOf(job).stop({ bots: job.bots ?? null }),
  examine: (job) => fleetOf(job).examine(),
  stats: (job) => ({
    hosts: fleetOf(job).stats(),
    supervisor: { pid: process.pid, rss: process.memoryUsage.rss(), node: process.version }
  })
}

/** @param {Job} job */
function fleetOf (job) {
  let fleet = fleets.get(job.fleet)
  if (!fleet) {
    const emit = (/** @type {string} */ kind, /** @type {number|null} */ tick, /** @type {object} */ data) =>
      tell({ fleet: job.fleet, kind, tick, data })
    fleet = new HostFleet(emit, {
      rssMb: job.rss_mb,
      script: job.script,
      confinement: job.confinement,
      botsPerHost: job.bots_per_host,
      bodies: job.bodies
    })
    fleets.set(job.fleet, fleet)
  }
  return fleet
}

/**
 * Start a job; its end arrives as a `job` event.
 * @param {string} jobJson
 * @returns {string} job id
 */
function submit (jobJson) {
  const id = `j${++count}`
  /** @type {Job} */
  const job = JSON.parse(jobJson)
  jobs.set(id, job.fleet)
  const end = (/** @type {object} */ data) => {
    jobs.delete(id)
    tell({ fleet: job.fleet, kind: 'job', tick: null, data: { job: id, ...data } })
  }
  Promise.resolve().then(() => {
    if (!Object.hasOwn(VERBS, job.type)) throw new Error(`unknown job type ${job.type}`)
    return VERBS[job.type](job, id)
  }).then(
    (value) => end({ ok: true, value: value ?? null }),
    (error) => end({ ok: false, error: { name: String(error.name), message: String(error.message) } }))
  return id
}

/**
 * @param {number} cursor
 * @returns {string} `{"cursor": n, "events": [...]}`
 */
function poll (cursor) {
  rung = false
  return ring.since(Number(cursor))
}

/**
 * @param {string} jobId
 * @returns {boolean} whether that job was a run under way
 */
function cancel (jobId) {
  const fleet = fleets.get(jobs.get(jobId) ?? '')
  return fleet ? fleet.cancel(jobId) : false
}

/** Kill the hosts and end the process. */
function close () {
  killAll()
  setTimeout(() => process.exit(0), 20) // after the answer to this call is out
}

function killAll () {
  for (const fleet of fleets.values()) fleet.kill()
}

process.on('exit', killAll)

module.exports = { submit, poll, cancel, close }
