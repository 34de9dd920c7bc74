'use strict'
/** JSON text components as the NBT that clients of 1.20.3 and later expect. */

/**
 * @param {any} value JSON
 * @returns {{type: string, value: any}}
 */
function tag (value) {
  if (typeof value === 'string') return { type: 'string', value }
  if (typeof value === 'boolean') return { type: 'byte', value: value ? 1 : 0 }
  if (typeof value === 'number') return Number.isInteger(value) ? { type: 'int', value } : { type: 'double', value }
  if (Array.isArray(value)) return listTag(value)
  return compound(value ?? '')
}

/**
 * Return a list tag. Its entries have one type: texts stay texts only among themselves.
 * @param {unknown[]} entries
 */
function listTag (entries) {
  if (entries.every((entry) => typeof entry === 'string')) {
    return { type: 'list', value: { type: 'string', value: entries } }
  }
  return { type: 'list', value: { type: 'compound', value: entries.map((entry) => compound(entry).value) } }
}

/**
 * Return a component for the wire; plain text becomes a plain string.
 * @param {any} value a string, an array (its first entry is the parent of the others) or an object
 * @returns {{type: 'string' | 'compound', value: any}}
 */
function component (value) {
  if (typeof value === 'string') return { type: 'string', value }
  const keys = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : []
  if (keys.length === 1 && keys[0] === 'text') return { type: 'string', value: String(value.text) }
  return compound(value)
}

/**
 * @param {any} component a string, an array (its first entry is the parent of the others) or an object
 * @returns {{type: 'compound', value: Record<string, any>}}
 */
function compound (component) {
  if (Array.isArray(component)) {
    const [first, ...rest] = component
    return compound(rest.length > 0 ? { text: '', extra: [first ?? '', ...rest] } : first ?? '')
  }
  if (typeof component !== 'object' || component === null) {
    return { type: 'compound', value: { text: { type: 'string', value: String(component) } } }
  }
  const entries = Object.entries(component).filter(([, value]) => value !== null && value !== undefined)
  return { type: 'compound', value: Object.fromEntries(entries.map(([key, value]) => [key, tag(value)])) }
}

/**
 * @param {string} text plain, or the JSON text of a component
 * @returns {{type: 'string' | 'compound', value: any}}
 */
function fromJson (text) {
  try {
    return component(JSON.parse(text))
  } catch {
    return component(text)
  }
}

module.exports = { component, compound, fromJson }
