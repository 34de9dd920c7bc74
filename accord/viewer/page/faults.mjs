/** Unhandled errors, shown in one line on the page. */
import { byId, fill, h, safeText } from './dom.mjs'
import { SourceError } from './source.mjs'

/** Maximum length of a shown error, in characters. */
const MAX_CHARS = 300

/** Show all uncaught errors and unhandled rejections from now on. */
export function showFaults () {
  addEventListener('error', (event) => showFault(event.error ?? event.message))
  addEventListener('unhandledrejection', (event) => showFault(event.reason))
}

/** @param {unknown} error */
export function showFault (error) {
  const text = error instanceof SourceError
    ? safeText(error.message)
    : `This page has an error: ${faultText(error)}. The record is unharmed. Reload the page; if it comes again, ` +
      'report this line.'
  const line = byId('fault')
  if (line.firstChild?.textContent === text && !line.hidden) return
  line.hidden = false
  fill(line, [h('span', { title: text }, text),
    h('button', { type: 'button', title: 'Hide this line', 'aria-label': 'Hide this line', onclick: () => {
    line.hidden = true
  } }, '×')])
}

/**
* Return an error as one line: its message, and the page's file and line that threw it.
 * @param {unknown} error
 */
export function faultText (error) {
  const { message, stack } = /** @type {{message?: unknown, stack?: unknown}} */ (error ?? {})
  const place = String(stack ?? '').match(/(\w+\.mjs):(\d+)/)
  const text = safeText(String(message ?? error ?? 'unknown').replace(/\s+/g, ' ')).slice(0, MAX_CHARS)
  return place ? `${text} (${place[1]}:${place[2]})` : text
}
