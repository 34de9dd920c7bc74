'use strict'
/** Texts of the game: a line in English together with the component that clients translate. */

/** A line of text. As a string it is English, for the console and logs. */
class Line {
  /** @param {string} text @param {any} component JSON */
  constructor (text, component) {
    this.text = text
    this.component = component
  }

  toString () { return this.text }
}

/**
 * Return one of the game's texts.
 * @param {import('../data').GameData} data
 * @param {string} key
 * @param {...(string | number | Line)} args lines among them stay components
 * @returns {Line}
 */
function translated (data, key, ...args) {
  const parts = args.map((arg) => (arg instanceof Line ? arg.component : String(arg)))
  return new Line(data.text(key, ...args.map(String)),
    parts.length > 0 ? { translate: key, with: parts } : { translate: key })
}

/**
 * Return a player's name as in vanilla's messages: a click starts a whisper, shift and click inserts the name.
 * @param {{ name: string, uuid: string, displayName: string }} player
 */
function nameLine ({ name, uuid, displayName }) {
  return new Line(displayName, {
    insertion: name,
    clickEvent: { action: 'suggest_command', value: `/tell ${name} ` },
    hoverEvent: { action: 'show_entity', contents: { type: 'minecraft:player', id: uuid, name: { text: name } } },
    text: displayName
  })
}

/** @param {Line} line @param {object} style such as { color: 'red' } */
function styled (line, style) { return new Line(line.text, { ...style, ...line.component }) }

module.exports = { Line, translated, nameLine, styled }
