/** Playing in a world: a player's keys, mouse and touch become inputs; reports of its client become what is shown. */
import { byId, fill, h, safeText } from './dom.mjs'
import { wrap } from './flight.mjs'
import { SeatGame } from './seat_game.mjs'
import { SeatSpace } from './seat_space.mjs'
import { Things, itemName } from './seat_window.mjs'

/** Interval between two requests with inputs, in milliseconds. */
const SEND_MS = 40
const MAX_INPUTS = 40
/** Degrees per pixel of the mouse, of a drag, and per second with the arrow keys. */
const MOUSE = 0.15
const DRAG = 0.3
const TURN = 120
/** Degrees of a short press of an arrow key. */
const STEP = 4
const MAX_LINES = 8
const AGAIN_MS = 500
/** Time in which a text of the study has reached the page by both ways, in milliseconds. */
const STUDY_MS = 700
/** @type {Readonly<Record<string, string>>} */
const KEYS = Object.freeze({ w: 'forward', s: 'back', a: 'left', d: 'right', ' ': 'jump', Shift: 'sneak', r: 'sprint' })
const TURNS = /** @type {Readonly<Record<string, number[]>>} */ (Object.freeze({ ArrowLeft: [-1, 0],
  ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }))
const HANDS = /** @type {Readonly<Record<string, string>>} */ (Object.freeze({ f: 'dig', g: 'use' }))
/** Buttons for touch and mouse: text, label, key that it holds or presses. */
const PAD = [['▲', 'Forward', 'w'], ['▼', 'Back', 's'], ['◀', 'To the left', 'a'], ['▶', 'To the right', 'd'],
  ['Jump', 'Jump', ' '], ['Sneak', 'Sneak', 'Shift'], ['Dig', 'Dig or hit', 'f'], ['Use', 'Use or place', 'g'],
  ['Drop', 'Drop one', 'q'], ['Things', 'Your things', 'e'], ['Chat', 'Write in the chat', 't']]

/** Return inputs as they are sent: of looks and keys only the last ones between two others. @param {any[]} inputs */
export function merged (inputs) {
  /** @type {any[]} */
  const found = []
  for (const input of inputs) {
    const last = found.at(-1)
    if (last && last.do === input.do && (input.do === 'look' || input.do === 'keys')) found[found.length - 1] = input
    else found.push(input)
  }
  return found
}

/** The world on one page. */
export class SeatPlay extends SeatGame {
  /** @param {import('./seat_game.mjs').Ask} ask @param {import('./seat_game.mjs').Tell} tell
   * @param {(error: unknown) => void} failed */
  constructor (ask, tell, failed) {
    super('play', ask, tell, failed)
    /** @type {SeatSpace | null} */
    this.space = null
    /** @type {any[]} */
    this.queue = []
    this.sending = false
    /** Keys that are held, with the times when they went down, in milliseconds. @type {Map<string, number>} */
    this.held = new Map()
    this.last = 0
    this.over = /** @type {HTMLCanvasElement} */ (byId('over'))
    this.things = new Things((input) => this.act(input), () => this.over.focus())
    /** Latest texts of the study. @type {string[]} */
    this.told = []
  }

  prepare () {
    this.listenToKeys()
    this.listenToPointer()
    this.makePad()
    this.things.drawHotbar()
    byId('saying').addEventListener('submit', (/** @type {Event} */ event) => this.say(event))
    setInterval(() => this.send(), SEND_MS)
  }

  /** @param {any} report of the player's client */
  hear (report) {
    if (report.kind === 'state') this.enterState(report)
    else if (report.kind === 'self') this.showSelf(report)
    else if (report.kind === 'others') this.space?.moveOthers(report)
    else if (report.kind === 'items') this.things.setItems(report)
    else if (report.kind === 'window') this.things.setWindow(report.open)
    else if (report.kind === 'signs') this.showSigns(report.signs)
    else if (report.kind === 'changed') this.space?.change(report.columns)
    else if (report.kind === 'chat') this.showChat(report)
  }

  /** @param {{state: string, reason?: string}} report */
  enterState (report) {
    byId('notice').textContent = report.state === 'joining' ? 'Entering the game …' : ''
    super.enterState(report)
  }

  /** @param {boolean} anew */
  enter (anew) {
    if (anew || !this.space) this.begin()
  }

  begin () {
    this.end()
    this.space = new SeatSpace(this.failed, this.me)
    this.space.begin().catch(this.failed)
    this.over.focus()
    requestAnimationFrame((now) => this.frame(now))
  }

  end () {
    this.space?.forget()
    this.space = null
    this.held.clear()
    this.things.shut()
    if (document.pointerLockElement) document.exitPointerLock()
  }

  /** @param {number} now milliseconds */
  frame (now) {
    const { space } = this
    if (!space) return
    const passed = Math.min(0.2, (now - this.last) / 1000)
    this.last = now
    this.turnByKeys(now, passed)
    try {
      space.paint(now, passed)
      byId('notice').textContent = space.notice
    } catch (error) {
      this.failed(error)
    }
    requestAnimationFrame((next) => this.frame(next))
  }

  /** @param {any} report */
  showSelf (report) {
    this.space?.moveSelf(report)
    this.things.select(report.slot)
    byId('vitals').textContent = `Health ${Math.ceil(report.health)} of 20 · food ${report.food} of 20` +
      (report.mode === 'survival' ? '' : ` · ${report.mode}`) + (report.rains ? ' · rain' : '')
    const at = report.at.map(Math.floor).join(' ')
    byId('vitals').title = `You are at ${at}`
    byId('target').textContent = report.cross ? `${itemName(report.cross.name)}${report.digs ? ' …' : ''}` : ''
    byId('target').dataset.at = report.cross?.at?.join(' ') ?? ''
    byId('play').dataset.at = report.at.join(' ')
  }

  /** @param {[number, number, number, string[]][]} signs */
  showSigns (signs) {
    if (this.space) this.space.words = signs
  }

  /** @param {{from: string | null, text: string, to?: string}} report */
  showChat ({ from, text, to }) {
    // The study's own texts come by the game's chat, too, and stand beside the game already.
    if (from === null) setTimeout(() => { if (!this.isTold(text)) this.addChat(text, true) }, STUDY_MS)
    else this.addChat(to ? `${from} whispers: ${text}` : `<${from}> ${text}`)
  }

  /** @param {string} text @returns {boolean} true if the study has sent it to this page */
  isTold (text) {
    return this.told.some((each) => each.includes(text.trim()))
  }

  /** Note a text that the study has sent to this page. @param {string} text */
  noteText (text) {
    this.told = [...this.told.slice(-20), text]
    // A page in the background hears of it later than of the game's chat.
    for (const line of [...byId('chatter').children]) {
      if (line.dataset.unsaid && this.isTold(line.textContent)) line.remove()
    }
  }

  /** @param {string} words @param {boolean} [unsaid] true if no player has said them */
  addChat (words, unsaid = false) {
    const list = byId('chatter')
    const line = h('p', null, safeText(words))
    if (unsaid) line.dataset.unsaid = 'yes'
    list.append(line)
    while (list.children.length > MAX_LINES) list.firstElementChild?.remove()
  }

  // Inputs.

  /** @param {Record<string, any>} input */
  act (input) {
    if (this.playing) this.queue.push(input)
  }

  async send () {
    if (this.sending || this.queue.length === 0) return
    const inputs = merged(this.queue)
    this.queue = inputs.slice(MAX_INPUTS)
    this.sending = true
    try {
      await this.ask('api/input', { method: 'POST', headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ inputs: inputs.slice(0, MAX_INPUTS) }) })
    } catch (error) {
      this.tell(error.message, true)
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
    } finally {
      this.sending = false
    }
  }

  listenToKeys () {
    this.over.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey) return
      const key = keyOf(event)
      if (key === 'Tab' || key === 'Escape') return
      event.preventDefault()
      if (!event.repeat) this.press(key)
    })
    this.over.addEventListener('keyup', (event) => this.release(keyOf(event)))
    this.over.addEventListener('blur', () => this.releaseAll())
    window.addEventListener('blur', () => this.releaseAll())
  }

  /** @param {string} key */
  press (key) {
    if (KEYS[key] || TURNS[key]) {
      this.held.set(key, performance.now())
      if (KEYS[key]) this.tellKeys()
      else this.turn(TURNS[key][0] * STEP, TURNS[key][1] * STEP)
    } else if (HANDS[key]) this.hand(HANDS[key], true)
    else if (/^[1-9]$/.test(key)) this.act({ do: 'slot', slot: Number(key) - 1 })
    else if (key === 'q') this.act({ do: 'drop' })
    else if (key === 'e') this.things.toggle()
    else if (key === 't' || key === '/') this.openChat(key === '/' ? '/msg ' : '')
  }

  /** @param {string} key */
  release (key) {
    if (HANDS[key]) this.hand(HANDS[key], false)
    else if (this.held.delete(key) && KEYS[key]) this.tellKeys()
  }

  releaseAll () {
    if (this.held.size) {
      this.held.clear()
      this.tellKeys()
    }
    this.hand('dig', false)
    this.hand('use', false)
  }

  tellKeys () {
    this.act({ do: 'keys', keys: [...this.held.keys()].map((key) => KEYS[key]).filter(Boolean) })
  }

  /** @param {string} what @param {boolean} on */
  hand (what, on) {
    // Where the head looks comes before what the hand does.
    if (on) this.look()
    if (on || this.hands.has(what)) this.act({ do: what, on })
    this.hands[on ? 'add' : 'delete'](what)
  }

  hands = /** @type {Set<string>} */ (new Set())

  /** @param {number} right degrees @param {number} down degrees */
  turn (right, down) {
    const { space } = this
    if (!space) return
    space.yaw = wrap(space.yaw + right)
    space.pitch = Math.max(-90, Math.min(90, space.pitch + down))
    this.look()
  }

  look () {
    if (this.space) this.act({ do: 'look', yaw: this.space.yaw, pitch: this.space.pitch })
  }

  /** @param {number} now milliseconds @param {number} passed seconds since the last picture */
  turnByKeys (now, passed) {
    let [right, down] = [0, 0]
    for (const [key, since] of this.held) {
      if (!TURNS[key]) continue
      // A key turns only while it is down, however long the last picture took.
      const turned = TURN * Math.max(0, Math.min(passed, (now - since) / 1000))
      right += TURNS[key][0] * turned
      down += TURNS[key][1] * turned
    }
    if (right || down) this.turn(right, down)
  }

  listenToPointer () {
    const { over } = this
    const locked = () => document.pointerLockElement === over
    over.addEventListener('contextmenu', (event) => event.preventDefault())
    over.addEventListener('pointerdown', (event) => {
      over.focus()
      if (event.pointerType === 'mouse' && !locked()) {
        // Browsers that refuse it leave the drag.
        Promise.resolve(over.requestPointerLock?.()).catch(() => {})
      } else if (locked() && event.button !== 1) this.hand(event.button === 2 ? 'use' : 'dig', true)
    })
    over.addEventListener('pointerup', (event) => {
      if (event.pointerType === 'mouse') this.hand(event.button === 2 ? 'use' : 'dig', false)
    })
    over.addEventListener('pointermove', (event) => {
      if (locked()) this.turn(event.movementX * MOUSE, event.movementY * MOUSE)
      else if (event.buttons || event.pointerType !== 'mouse') {
        this.turn(-event.movementX * DRAG, -event.movementY * DRAG)
      }
    })
    over.addEventListener('wheel', (event) => {
      event.preventDefault()
      this.act({ do: 'slot', slot: (this.things.selected + Math.sign(event.deltaY) + 9) % 9 })
    }, { passive: false })
  }

  makePad () {
    fill(byId('pad'), PAD.map(([text, label, key]) => h('button', { type: 'button', tabIndex: -1, 'aria-label': label,
      onpointerdown: (/** @type {PointerEvent} */ event) => {
        event.preventDefault()
        this.press(key)
      },
      onpointerup: () => this.release(key), onpointerleave: () => this.release(key),
      onpointercancel: () => this.release(key) }, text)))
  }

  // Chat.

  /** @param {string} text to begin with */
  openChat (text) {
    byId('saying').hidden = false
    const line = byId('chatline')
    line.value = text
    line.focus()
    line.onkeydown = (/** @type {KeyboardEvent} */ event) => { if (event.key === 'Escape') this.closeChat() }
  }

  closeChat () {
    byId('saying').hidden = true
    this.over.focus()
  }

  /** @param {Event} event */
  say (event) {
    event.preventDefault()
    const text = byId('chatline').value.trim()
    if (text) this.act({ do: 'chat', text })
    this.closeChat()
  }
}

/** Return the key of an event, the same with Shift. @param {KeyboardEvent} event */
export const keyOf = ({ key }) => key.length === 1 ? key.toLowerCase() : key
