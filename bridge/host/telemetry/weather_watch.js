'use strict'
/** Watch of the weather that the bots of a host are told of, reported once for all of them. */

/** Time for which news are gathered, in ms: rain and thunder come one after the other. */
const GATHER_MS = 100

/** @typedef {import('../bots/live_bot').LiveBot} LiveBot */
/** @typedef {'clear' | 'rain' | 'thunder'} Weather */

/** Filter of reports that repeat the weather, since every bot and every host hears of it. */
class WeatherNews {
  #last = 'clear'

  /** Return true for another weather than the last one. A new world is clear. @param {string} weather */
  isNews (weather) {
    if (weather === this.#last) return false
    this.#last = weather
    return true
  }
}

/** Listener to the bots of one host. */
class WeatherWatch {
  #tell
  #news = new WeatherNews()
  /** @type {NodeJS.Timeout | undefined} */
  #planned

  /** @param {(news: { weather: Weather }) => void} tell */
  constructor (tell) {
    this.#tell = tell
  }

  /** @param {LiveBot} bot that stands in the world */
  watch (bot) {
    const look = () => {
      clearTimeout(this.#planned)
      this.#planned = setTimeout(() => this.tell(weatherOf(bot)), GATHER_MS)
    }
    bot.on('rain', look)
    bot.on('weatherUpdate', look)
    if (weatherOf(bot) !== 'clear') look()
  }

  /** Report the weather if it is another one. @param {Weather} weather */
  tell (weather) {
    if (this.#news.isNews(weather)) this.#tell({ weather })
  }
}

/** @param {LiveBot} bot @returns {Weather} */
function weatherOf (bot) {
  if (!bot.isRaining) return 'clear'
  return bot.thunderState > 0 ? 'thunder' : 'rain'
}

module.exports = { WeatherNews, WeatherWatch, weatherOf }
