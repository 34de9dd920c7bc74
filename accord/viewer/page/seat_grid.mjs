/** Playing a grid game on the page: what the player sees in a step, and the action that it chooses. */
import { byId, fill, h, numberText, safeText } from './dom.mjs'
import { SeatGame } from './seat_game.mjs'

/** Actions with a place and a key of their own: name, sign, label, key. */
const PLAIN = /** @type {const} */ ([['up', '▲', 'Up', 'w'], ['left', '◀', 'Left', 'a'], ['down', '▼', 'Down', 's'],
  ['right', '▶', 'Right', 'd'], ['stay', 'Stay', 'Stay', '.'], ['produce', 'Produce', 'Produce', 'e']])
const NAMES = new Set(PLAIN.map(([name]) => /** @type {string} */ (name)))
/** Key -> action. @type {Readonly<Record<string, string>>} */
const KEYS = Object.freeze({ ArrowUp: 'up', ArrowLeft: 'left', ArrowDown: 'down', ArrowRight: 'right',
  ...Object.fromEntries(PLAIN.map(([name, , , key]) => [key, name])) })
/** Keys of the other actions, in order. */
const DIGITS = '1234567890'
/** Kind of actions that carry words. */
const MESSAGE = 'message'

/** @typedef {{name: string, label: string}} Option */
/**
 * @typedef {{step: number, steps: number, role: string, goal: string, rules: string, seen: string, legend: string,
 *   holds: Record<string, number>, society: string[], actions: Option[], words: number, reward: number, gained: number,
 *   over: boolean, waits: boolean}} View
 */

/** Return true if the player has a choice. @param {View} view */
export const isOpen = (view) => view.actions.length > 1 && !view.waits && !view.over

/** Return what the player is told of a step. @param {View} view */
export function statusOf (view) {
  if (view.over) return `The game is over. Your reward: ${numberText(view.reward)}.`
  const gained = view.gained > 0 ? ` You gained ${numberText(view.gained)}.`
    : view.gained < 0 ? ` You lost ${numberText(-view.gained)}.` : ''
  const turn = isOpen(view) ? 'choose an action.' : view.waits || view.actions.length !== 1
    ? 'waiting for the others.' : 'you have no choice; the others act.'
  return `Step ${view.step} of ${view.steps}: ${turn}${gained}`
}

/**
 * Return the actions without a place of their own, with their keys.
 * @param {View} view
 * @returns {[Option, string][]}
 */
export function othersOf (view) {
  return view.actions.filter(({ name }) => !NAMES.has(name)).map((option, place) => [option, DIGITS[place] ?? ''])
}

/** Return the action of a key, or an empty text. @param {View} view @param {string} key */
export function actionOf (view, key) {
  const named = KEYS[key.length === 1 ? key.toLowerCase() : key]
  if (named) return view.actions.some(({ name }) => name === named) ? named : ''
  return othersOf(view).find(([, digit]) => digit !== '' && digit === key)?.[0].name ?? ''
}

/**
 * Return the words on a button among others of its kind. A number alone would look like a key.
 * @param {string} kind
 * @param {string} label
 */
export function signOf (kind, label) {
  const target = label.startsWith(`${kind} `) ? label.slice(kind.length + 1) : label
  return /^\d/.test(target) ? label : target
}

/**
 * Return the whole numbers of a message.
 * @param {string} text numbers between spaces or commas
 * @returns {number[]}
 */
export function wordsOf (text) {
  const found = text.split(/[\s,]+/).filter(Boolean).map(Number)
  if (found.some((each) => !Number.isInteger(each) || each < 0)) throw new Error('the words of a message are numbers')
  return found
}

/** The grid game on one page. */
export class SeatGrid extends SeatGame {
  /** @param {import('./seat_game.mjs').Ask} ask @param {import('./seat_game.mjs').Tell} tell
   * @param {(error: unknown) => void} failed */
  constructor (ask, tell, failed) {
    super('board', ask, tell, failed)
    /** @type {View | null} */
    this.view = null
    this.shown = 0
    /** Step of the choice that is on its way; 0 for none. */
    this.sent = 0
  }

  prepare () {
    document.addEventListener('keydown', (event) => this.press(event))
  }

  /** @param {any} report */
  hear (report) {
    if (report.kind === 'grid') this.show(report)
    else super.hear(report)
  }

  /** Show the game once there is a step to show. @param {boolean} shown */
  showSection (shown) {
    const hidden = byId('board').hidden
    super.showSection(shown && this.view !== null)
    document.body.classList.toggle('ongrid', shown && this.view !== null)
    if (hidden && !byId('board').hidden) byId('board').focus()
  }

  /** @param {View} view */
  show (view) {
    const before = this.view
    this.view = view
    if (before === null) this.showSection(this.playing)
    // A choice that was taken changes no picture.
    if (!view.waits || before === null) {
      this.shown++
      byId('seen').src = `api/picture?number=${this.shown}`
    }
    byId('stand').textContent = statusOf(view)
    const lines = [`You are ${this.me}. Your role: ${view.role}. Your reward so far: ${numberText(view.reward)}.`,
      `You carry: ${carried(view)}.`, ...view.society]
    fill(byId('self'), lines.map((line) => h('p', null, safeText(line))))
    this.showActions(view)
    const texts = { goal: view.goal, signs: view.legend, inwords: view.seen, rules: view.rules }
    for (const [id, text] of Object.entries(texts)) byId(id).textContent = safeText(text)
  }

  /** @param {View} view */
  showActions (view) {
    const old = /** @type {HTMLElement | null} */ (document.activeElement)
    const within = old !== null && byId('board').contains(old)
    const focused = within ? old.dataset.action : undefined
    const legal = new Set(view.actions.map(({ name }) => name))
    fill(byId('moves'), PLAIN.map(([name, sign, label, key]) => this.button(name, sign, label, key, legal.has(name))))
    /** @type {Map<string, HTMLElement[]>} */
    const kinds = new Map()
    for (const [{ name, label }, key] of othersOf(view)) {
      const kind = name.split(' ', 1)[0]
      const sign = safeText(signOf(kind, label))
      kinds.set(kind, [...kinds.get(kind) ?? [], this.button(name, sign, safeText(label), key, true)])
    }
    fill(byId('acts'), [...kinds].map(([kind, buttons]) =>
      h('fieldset', null, h('legend', null, safeText(kind)), ...buttons)))
    byId('spoken').hidden = !kinds.has(MESSAGE)
    if (within && !old.isConnected) this.focusOn(focused)
  }

  /** Give the focus back after the buttons were made anew. @param {string | undefined} action */
  focusOn (action) {
    const same = [...byId('board').querySelectorAll('button')].find((each) => each.dataset.action === action)
    const able = same && !same.disabled ? same : byId('board')
    able.focus()
  }

  /** @param {string} name @param {string} sign @param {string} label @param {string} key @param {boolean} legal */
  button (name, sign, label, key, legal) {
    const disabled = !legal || !this.view || !isOpen(this.view)
    const button = h('button', { type: 'button', disabled, 'data-action': name,
      'aria-label': key ? `${label}, key ${key}` : label, onclick: () => this.act(name) }, sign)
    if (key) button.append(h('kbd', { 'aria-hidden': 'true' }, key))
    return button
  }

  /** @param {KeyboardEvent} event */
  press (event) {
    const target = /** @type {HTMLElement} */ (event.target)
    const here = target === document.body || byId('board').contains(target)
    if (!this.playing || !this.view || !here || target.tagName === 'INPUT' || target.tagName === 'SUMMARY') return
    if (event.ctrlKey || event.altKey || event.metaKey) return
    const action = actionOf(this.view, event.key)
    if (!action && !(event.key in KEYS)) return
    // Arrow keys must not scroll the page between two steps.
    event.preventDefault()
    if (action) this.act(action)
  }

  /**
   * Choose an action; while one is on its way, others in the same step are dropped. The next step may be shown before
   * the study's answer arrives.
   * @param {string} action
   */
  async act (action) {
    const { view } = this
    if (!view || !isOpen(view) || this.sent === view.step) return
    this.sent = view.step
    try {
      const words = action.startsWith(`${MESSAGE} `) ? wordsOf(byId('message').value) : []
      await this.ask('api/input', { method: 'POST', headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ inputs: [{ do: 'act', step: view.step, action, words }] }) })
      this.tell('', false)
    } catch (error) {
      this.tell(error.message, true)
    } finally {
      if (this.sent === view.step) this.sent = 0
    }
  }
}

/** @param {View} view */
function carried (view) {
  const held = Object.entries(view.holds).map(([name, count]) => `${count} ${name}`)
  return held.join(', ') || 'nothing'
}
