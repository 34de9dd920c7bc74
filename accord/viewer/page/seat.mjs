/**
 * The page of a human player: what the study sent to this player, and a line for words as the player types them in the
 * chat.
 * Buttons write the same lines as the player would; the study has one parser for both.
 */
import { byId, fill, h, safeText } from './dom.mjs'
import { showFault, showFaults } from './faults.mjs'
import { FormSheet } from './seat_form.mjs'
import { SeatGrid } from './seat_grid.mjs'
import { SeatPlay } from './seat_play.mjs'
import { SeatWords } from './seat_words.mjs'

/** Pause after a failed request, in milliseconds. */
const AGAIN_MS = 1000
/**
 * Time for which the buttons of a new question cannot be pressed, in milliseconds: a second press on a button of the
 * last question would answer this one.
 */
const REST_MS = 400
/** Title and text of the last page, by the end of the study for this player. */
const ENDS = /** @type {Readonly<Record<string, [string, string]>>} */ (Object.freeze({
  over: ['The study has ended', 'Thank you for taking part. You can close this page.'],
  broken: ['The study has broken off', 'It ended early, because of an error or because it was stopped. ' +
    'Thank you for taking part. You can close this page.'],
  left: ['You are not in the study any more', 'Your seat was given back, and this link is void. ' +
    'Thank you for your time. You can close this page.'],
}))
const LOST = 'The connection to the study is lost. This page tries again every second.'
/** Kind of play without a world -> its part of the page. */
const PLAYS = /** @type {Readonly<Record<string, typeof SeatGrid | typeof SeatWords>>} */ (
  Object.freeze({ grid: SeatGrid, words: SeatWords }))
/** Name of the channel of all players. */
const EVERYBODY = 'everybody'

/**
 * @typedef {{speaker: string, to: string[], text: string, act: string, deal: number | null}} Message
 * @typedef {{heading: string, number: number, parties: string[], text: string, answers: string[]}} Deal
 * @typedef {{kind: string, title: string, help: string[], context: string[], messages: Message[], deals: Deal[],
 *   answers: string[], audience: string[], number: number}} Question
 */

/**
 * Return messages by channel, in the order of their first messages.
 * @param {Message[]} messages
 * @param {string} me
 * @returns {Map<string, Message[]>}
 */
export function byChannel (messages, me) {
  const found = new Map()
  for (const message of messages) {
    const members = [message.speaker, ...message.to].filter((name) => name !== me).sort()
    const channel = message.to.length ? members.join(', ') : EVERYBODY
    found.set(channel, [...(found.get(channel) ?? []), message])
  }
  return found
}

/**
 * Return the line of the chat's grammar for words to some players.
 * @param {string} words
 * @param {string} act a word of the grammar, or empty
 * @param {string[]} audience players; empty for everybody
 */
export function lineOf (words, act, audience) {
  const line = [act, words.trim()].filter(Boolean).join(' ')
  return audience.length && line ? `to ${audience.join(', ')}: ${line}` : line
}

/** The player's page. */
class Seat {
  constructor () {
    this.version = -1
    this.after = 0
    this.me = ''
    this.open = false
    this.lost = false
    /** Books that are shown. */
    this.books = ''
    /** @type {string[]} */
    this.audience = []
    /** @type {Question | null} */
    this.question = null
    /** Time at which the buttons of the question can be pressed, in milliseconds of the page. */
    this.ready = 0
    this.form = new FormSheet((stage, answers) => this.answer(stage, answers))
    /** Known once the study has told what is played. @type {import('./seat_game.mjs').SeatGame | null} */
    this.play = null
    /** @type {any} */
    this.news = {}
  }

  start () {
    document.documentElement.classList.toggle('dark', matchMedia('(prefers-color-scheme: dark)').matches)
    byId('write').addEventListener('submit', (/** @type {Event} */ event) => {
      event.preventDefault()
      this.submit()
    })
    byId('enter').addEventListener('click', () => this.post('api/enter', {}))
    byId('leave').addEventListener('click', () => this.post('api/leave', {}))
    byId('withdraw').addEventListener('click', () => this.withdraw())
    document.addEventListener('seat-state', () => this.showState())
    this.follow()
  }

  async follow () {
    for (;;) {
      const news = await this.fetchNews().catch(() => null)
      if (news === null) {
        if (!this.lost) this.showLost()
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
        continue
      }
      if (news.ended) return this.showEnd(news.ended)
      if (this.lost) this.showFound()
      else if (news.version !== this.version) this.show(news)
    }
  }

  /** Return what is new for the seat, or that it is no seat of the study any more. */
  async fetchNews () {
    const answer = await fetch(`api/seat?version=${this.version}&after=${this.after}`)
    if (answer.status === 404) return { version: this.version, ended: 'left' }
    return answer.ok ? answer.json() : null
  }

  /** @param {string} path @param {RequestInit} [how] */
  async ask (path, how) {
    const answer = await fetch(path, how)
    const told = await answer.json()
    if (!answer.ok) throw new Error(told.error)
    return told
  }

  /** @param {any} news */
  show (news) {
    this.version = news.version
    this.me = news.player
    this.open = news.open
    this.news = news
    this.play ??= this.makePlay(news.plays)
    this.play.start(news.player)
    this.form.show(news.form)
    this.showState()
    byId('who').textContent = safeText(news.player)
    this.showTexts(news.texts)
    this.showBooks(news.books)
    if (news.question?.number !== this.question?.number) this.ready = performance.now() + REST_MS
    this.question = news.question
    this.showTalk(news.talk)
    this.showQuestion(news.question)
  }

  /** @param {string} kind of play */
  makePlay (kind) {
    return new (PLAYS[kind] ?? SeatPlay)((path, how) => this.ask(path, how), (text, bad) => this.tell(text, bad),
      showFault)
  }

  /** Show the buttons that lead into the game and out of it. */
  showState () {
    const { game, admitted, here } = this.news
    byId('enter').hidden = !game || !admitted || this.play?.state !== 'out' || here
    byId('withdraw').hidden = !admitted || !game
  }

  /** Show nothing to press while the study cannot be reached. */
  showLost () {
    this.lost = true
    for (const id of ['enter', 'withdraw']) byId(id).hidden = true
    this.form.hide()
    this.tell(LOST, true)
  }

  /** Ask for all of the content, to show it again. */
  showFound () {
    this.lost = false
    this.version = -1
    this.tell('', false)
  }

  /** Show the last page. @param {string} end */
  showEnd (end) {
    this.play?.finish()
    for (const id of ['enter', 'leave', 'withdraw']) byId(id).hidden = true
    byId('title').textContent = ''
    this.form.showEnd(...(ENDS[end] ?? ENDS.over))
  }

  /** @param {string} path @param {object} body */
  async post (path, body) {
    try {
      await this.ask(path, { method: 'POST', headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body) })
    } catch (error) {
      this.tell(error.message, true)
    }
  }

  /** @param {string} stage @param {Record<string, any>} answers */
  async answer (stage, answers) {
    await this.ask('api/form', { method: 'POST', headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ stage, answers }) })
  }

  /** Leave the study for good, after a second press. */
  withdraw () {
    const button = byId('withdraw')
    if (button.dataset.sure) this.answer('withdraw', {}).catch((error) => this.tell(error.message, true))
    else button.textContent = 'Withdraw for good: press again'
    button.dataset.sure = 'yes'
  }

  /** @param {[number, boolean, string][]} texts */
  showTexts (texts) {
    const list = byId('texts')
    for (const [number, own, text] of texts) {
      this.after = number
      if (!own) this.play?.noteText(text)
      list.append(h('p', { className: own ? 'own' : '' }, safeText(own ? `You: ${text}` : text)))
    }
    if (texts.length) list.lastElementChild?.scrollIntoView({ block: 'nearest' })
  }

  /** Show the books; those that are the same stay as open as they are. @param {Record<string, string>} books */
  showBooks (books) {
    const told = JSON.stringify(books)
    if (told === this.books) return
    this.books = told
    // Without a world nobody has a book in the hand.
    const open = this.news.plays in PLAYS
    fill(byId('books'), Object.entries(books).map(([title, text]) =>
      h('details', { open }, h('summary', null, safeText(title)), h('pre', null, safeText(text)))))
  }

  /** @param {Question | null} talk the last talk or negotiation */
  showTalk (talk) {
    const channels = [...byChannel(talk?.messages ?? [], this.me)]
    fill(byId('channels'), channels.map(([channel, messages]) => h('section', { 'aria-label': channel },
      h('h2', null, channel === EVERYBODY ? 'With everybody' : `With ${safeText(channel)} alone`),
      ...messages.map((message) => this.message(message)))))
    fill(byId('deals'), (talk?.deals ?? []).map((deal) => h('div', { className: 'deal' },
      h('h3', null, `${deal.heading}: number ${deal.number}, between ${safeText(deal.parties.join(', '))}`),
      safeText(deal.text), h('div', null, ...deal.answers.map((line) => this.button(line, talk))))))
  }

  /** @param {Message} message */
  message (message) {
    const about = message.deal === null ? '' : ` (${message.act} deal ${message.deal})`
    const own = message.speaker === this.me
    return h('div', { className: own ? 'said own' : 'said' },
      h('header', null, safeText((own ? 'You' : message.speaker) + about)), safeText(message.text))
  }

  /** @param {Question | null} question */
  showQuestion (question) {
    const open = this.open && question !== null
    document.body.classList.toggle('quiet', !open)
    byId('title').textContent = question === null || !open ? 'Nothing is asked of you now.' : safeText(question.title)
    // A map has several lines.
    fill(byId('context'), (open ? question.context : []).map((line) =>
      h(line.includes('\n') ? 'pre' : 'p', null, safeText(line))))
    fill(byId('words'), (question?.help ?? []).map((line) => h('li', null, safeText(line.trim()))))
    byId('help').hidden = !question?.help.length
    const old = document.activeElement
    const answers = open ? question.answers.map((line) => this.button(line, question)) : []
    this.rest(answers)
    fill(byId('answers'), answers)
    this.showAudience(open ? question.audience : [])
    byId('acting').hidden = !open || question.kind !== 'talk'
    const line = byId('line')
    for (const each of [line, byId('send')]) each.disabled = !open
    if (open && (old === document.body || old === null || !old.isConnected)) line.focus()
  }

  /** Let the buttons of a new question be pressed only after a moment. @param {HTMLElement[]} buttons */
  rest (buttons) {
    const left = this.ready - performance.now()
    if (left <= 0) return
    for (const button of buttons) button.toggleAttribute('disabled', true)
    setTimeout(() => { for (const button of buttons) button.toggleAttribute('disabled', !this.open) }, left)
  }

  /** @param {string[]} names */
  showAudience (names) {
    byId('audience').hidden = names.length < 1
    if (names.join() === this.audience.join()) return
    this.audience = names
    fill(byId('audience'), [h('legend', null, 'Only to (none: everybody)'), ...names.map((name) =>
      h('label', null, h('input', { type: 'checkbox', value: name }), ` ${safeText(name)}`))])
  }

  /** @param {string} line @param {Question | null} question of whose answers it is one */
  button (line, question) {
    const disabled = !this.open || question?.kind !== this.question?.kind
    return h('button', { type: 'button', disabled, onclick: () => this.send(line) }, safeText(line))
  }

  submit () {
    const checked = [.../** @type {NodeListOf<HTMLInputElement>} */ (
      byId('audience').querySelectorAll('input:checked'))].map((each) => each.value)
    const act = byId('acting').hidden ? '' : byId('act').value
    const line = lineOf(byId('line').value, act, checked)
    if (line) this.send(line)
  }

  /** @param {string} words */
  async send (words) {
    try {
      await this.ask('api/say', { method: 'POST', headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ words, question: this.question?.number ?? 0 }) })
      byId('line').value = ''
      this.tell(`sent: ${words}`, false)
    } catch (error) {
      this.tell(error.message, true)
    }
  }

  /** @param {string} text @param {boolean} bad */
  tell (text, bad) {
    const line = byId('reply')
    line.textContent = safeText(text)
    line.classList.toggle('bad', bad)
  }
}

if (typeof document !== 'undefined') {
  showFaults()
  new Seat().start()
}
