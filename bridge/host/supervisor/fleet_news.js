'use strict'
/** News of a fleet: of what several hosts report of the same world, the first report counts. */
const { ChatMerger } = require('../telemetry/chat_merger')
const { DropNews } = require('../telemetry/drop_watch')
const { WeatherNews } = require('../telemetry/weather_watch')

/** Kinds of events that hosts report. */
const KINDS = new Set(['bot', 'policy', 'inventory', 'chat', 'signal', 'log', 'action', 'ground_changed', 'weather',
  'drops'])

/** Filter of the reports of one fleet's hosts. */
class FleetNews {
  #chat = new ChatMerger(() => performance.now())
  #weather = new WeatherNews()
  /**
   * Items on the ground. They are repeated whenever bots connect: each attempt at an episode begins so, and its record
   * tells all that lies around.
   */
  drops

  /** @param {(kind: string, tick: number|null, data: object) => void} emit */
  constructor (emit) {
    this.drops = new DropNews((tick, sample) => emit('drops', tick, sample))
  }

  /**
   * Return true for a report that is passed on as it came.
   * @param {object} host
   * @param {string} kind
   * @param {number|null} tick
   * @param {{ from?: string | null, text?: string, weather?: string, at?: unknown, gone?: unknown }} data
   * @param {boolean} alone true if the fleet has no other host
   */
  isNews (host, kind, tick, data, alone) {
    if (!KINDS.has(kind) || !data || typeof data !== 'object') return false
    if (kind === 'chat') return alone || this.#chat.isNews(host, data.from ?? null, data.text ?? '')
    if (kind === 'weather') return this.#weather.isNews(data.weather ?? '')
    if (kind === 'drops') this.drops.hear(host, tick, data)
    return kind !== 'drops'
  }
}

module.exports = { FleetNews }
