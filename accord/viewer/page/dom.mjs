/**
 * Creation of elements from text. This is the only module that creates elements; its input becomes attributes from a
 * fixed list, or text, so that nothing from a record is parsed as markup.
 */

/** @typedef {Node | string | number | null | undefined | false} Child */

const PLAIN = new Set(['type', 'title', 'value', 'placeholder', 'role', 'colSpan', 'open', 'hidden', 'disabled',
  'tabIndex', 'id', 'className', 'width', 'height', 'selected'])

/**
* Return a new element. `on*` functions become listeners, `aria*` and `data*` attributes; text stays text.
 * @param {string} tag
 * @param {Record<string, any> | null} [given]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElement}
 */
export function h (tag, given, ...children) {
  const made = document.createElement(tag)
  for (const [key, value] of Object.entries(given ?? {})) {
    if (key.startsWith('on') && typeof value === 'function') made.addEventListener(key.slice(2), value)
    else if (key.startsWith('aria-') || key.startsWith('data-')) made.setAttribute(key, String(value))
    else if (key === 'style') {
      for (const [name, text] of Object.entries(value)) made.style.setProperty(name, String(text))
    } else if (PLAIN.has(key)) /** @type {any} */ (made)[key] = value
    else throw new TypeError(`h: ${key} is no attribute that the page uses`)
  }
  fill(made, children.flat())
  return made
}

/**
 * @param {Element} parent
 * @param {Child[]} children
 */
export function fill (parent, children) {
  const kept = children.filter((child) => child !== null && child !== undefined && child !== false)
  parent.replaceChildren(.../** @type {(Node | string)[]} */ (kept.map((child) =>
    typeof child === 'number' ? String(child) : child)))
}

/**
* Return the element with this id, which must exist.
 * @param {string} id
 * @returns {any}
 */
export function byId (id) {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`the page has no #${id}`)
  return found
}

/** Characters that change how others are displayed; they are shown as codes. */
const SLY = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g

/**
* Return a text with control characters and direction marks replaced by their codes.
 * @param {unknown} text
 */
export function safeText (text) {
  return String(text ?? '').replace(SLY, (sign) => `\u27e8${sign.charCodeAt(0).toString(16).padStart(4, '0')}\u27e9`)
}

/** @param {number} seconds a moment as people read it: 1:02:03.4 */
export function clockText (seconds) {
  const whole = Math.max(0, Number.isFinite(seconds) ? seconds : 0)
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60]
  const rest = (Math.floor(whole * 10) / 10 % 60).toFixed(1).padStart(4, '0')
  return hours ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`
}

/** @param {number | null | undefined} value a number in few characters */
export function numberText (value) {
  if (value === null || value === undefined || !Number.isFinite(value)) return '-'
  if (Math.abs(value) >= 10000) return Math.round(value).toLocaleString('en')
  return String(Math.round(value * 1000) / 1000)
}
