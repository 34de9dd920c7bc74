'use strict'

/**
 * Return a table without a prototype: a name that a program or a command chooses finds only entries of the table, and
 * never `constructor`.
 * @template {object} Entries
 * @param {Entries} entries
 * @returns {Entries}
 */
function nameTable (entries) {
  return Object.assign(Object.create(null), entries)
}

module.exports = { nameTable }
