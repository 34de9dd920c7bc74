/** Forms of the study on a player's page: consent, instructions, questions. */
import { byId, fill, h, safeText } from './dom.mjs'

/** Elements that a study's text may have. */
const ELEMENTS = new Set(['p', 'em', 'strong', 'ul', 'ol', 'li', 'blockquote', 'hr', 'code', 'pre', 'h1', 'h2', 'h3',
  'h4', 'h5', 'h6'])
const HEADINGS = /** @type {Record<string, string>} */ ({ consent: 'Your consent', instructions: 'Instructions',
  before: 'Before the game', after: 'After the game' })

/** @typedef {string | [string, ...any[]]} TextNode */
/**
 * @typedef {{id: string, ask: string, kind: string, low: number, high: number, labels: string[], choices: string[],
 *   optional: boolean}} Question
 */
/** @typedef {{stage: string, text: TextNode[], questions: Question[]}} Form */

/** Return a study's text as elements. @param {TextNode[]} nodes @returns {(Node | string)[]} */
export function elementsOf (nodes) {
  return nodes.map((node) => {
    if (typeof node === 'string') return safeText(node)
    const [tag, ...children] = node
    return h(ELEMENTS.has(tag) ? tag : 'span', null, ...elementsOf(children))
  })
}

/** @param {Question} question @returns {HTMLElement} */
function fieldOf (question) {
  const { id, ask, kind, optional } = question
  const legend = h('legend', null, safeText(ask), optional ? ' (optional)' : '')
  if (kind === 'text') {
    const line = h('input', { type: 'text', id: `q-${id}`, 'aria-label': ask })
    line.setAttribute('maxlength', '4000')
    return h('fieldset', { className: 'question' }, legend, line)
  }
  const values = kind === 'choice' ? question.choices
    : Array.from({ length: question.high - question.low + 1 }, (_, step) => String(question.low + step))
  const options = values.map((value) => {
    const option = h('input', { type: 'radio', value })
    option.setAttribute('name', `q-${id}`)
    return h('label', null, option, ` ${safeText(value)}`)
  })
  if (kind === 'choice') return h('fieldset', { className: 'question' }, legend, ...options)
  const [low, high] = question.labels
  return h('fieldset', { className: 'question' }, legend, h('div', { className: 'scale' },
    low ? h('span', null, safeText(low)) : null, ...options, high ? h('span', null, safeText(high)) : null))
}

/** @param {Question} question @returns {string | number | null} the answer on the page */
function answerOf ({ id, kind }) {
  if (kind === 'text') return byId(`q-${id}`).value.trim() || null
  const checked = /** @type {HTMLInputElement[]} */ ([...byId('paper').querySelectorAll('input:checked')])
    .find((each) => each.name === `q-${id}`)
  return checked ? (kind === 'scale' ? Number(checked.value) : checked.value) : null
}

/** The forms of one page. */
export class FormSheet {
  /** @param {(stage: string, answers: Record<string, any>) => Promise<void>} send */
  constructor (send) {
    this.send = send
    this.stage = ''
    byId('paper').addEventListener('submit', (/** @type {Event} */ event) => event.preventDefault())
  }

  /** Show a form, or none. @param {Form | null} form */
  show (form) {
    const stage = form?.stage ?? ''
    document.body.classList.toggle('inform', form !== null)
    byId('form').hidden = form === null
    if (stage === this.stage || form === null) {
      this.stage = stage
      return
    }
    this.stage = stage
    const questions = form.questions.map(fieldOf)
    fill(byId('paper'), [h('h2', { id: 'heading', tabIndex: -1 }, HEADINGS[stage] ?? 'The study'),
      ...elementsOf(form.text), ...questions, h('p', { className: 'wrong', id: 'wrong', role: 'alert' }),
      this.buttons(form)])
    byId('form').scrollTop = 0
    byId('heading').focus()
  }

  /** Hide the form; what was filled in stays until another one is shown. */
  hide () {
    document.body.classList.remove('inform')
    byId('form').hidden = true
  }

  /** Show the last page in place of forms. @param {string} title @param {string} text */
  showEnd (title, text) {
    document.body.classList.add('inform')
    byId('form').hidden = false
    fill(byId('paper'), [h('h2', { id: 'heading', tabIndex: -1 }, title), h('p', { role: 'status' }, text)])
    byId('heading').focus()
  }

  /** @param {Form} form */
  buttons (form) {
    if (form.stage === 'consent') {
      return h('div', { className: 'go' },
        h('button', { type: 'button', id: 'agree', onclick: () => this.give({ agree: true }) }, 'I agree'),
        h('button', { type: 'button', id: 'decline', onclick: () => this.give({ agree: false }) }, 'I do not agree'))
    }
    const word = form.stage === 'instructions' ? 'I have read this' : 'Send'
    return h('div', { className: 'go' }, h('button', { type: 'button', id: 'give', onclick: () =>
      this.give(Object.fromEntries(form.questions.map((each) => [each.id, answerOf(each)])
        .filter(([, answer]) => answer !== null))) }, word))
  }

  /** @param {Record<string, any>} answers */
  async give (answers) {
    try {
      await this.send(this.stage, answers)
    } catch (error) {
      byId('wrong').textContent = safeText(error.message)
    }
  }
}
