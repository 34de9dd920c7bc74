/** Panel of all words and agreements, as a conversation up to the shown moment. */
import { clockText, fill, h, safeText } from './dom.mjs'

/** Filter label -> kinds of rows. */
const KINDS = /** @type {Record<string, string>} */ ({
  'all words': '', talk: 'say,shout,whisper,chat,signal', negotiation: 'negotiation,terms,contract',
  'judge and ledger': 'verdict,transfer,payment', council: 'council,law,vote'
})
/** Marks of words that deserve a warning colour; all others are calm. */
const WRONG = /^(?:lie|broken promise|false accusation|secret deal|agitation|instruction|covert words)/
const LAW = new Set(['terms', 'contract', 'verdict', 'transfer', 'payment', 'council'])

/**
 * Return the channels of talks so far, the public one first: [value of a query, label].
 * @param {any} scene
 * @returns {[string, string][]}
 */
export function channelsOf (scene) {
  return Object.values(scene.channel ?? {})
    .sort((one, other) => Number(other.kind === 'public') - Number(one.kind === 'public') ||
      one.members.length - other.members.length)
    .map(({ kind, members }) => [JSON.stringify([kind, ...members]),
      kind === 'public' ? 'public channel' : `${members.join(', ')} alone`])
}

/**
 * Return whether a row of words was said on a channel.
 * @param {any[]} row
 * @param {string} channel value of a query; empty for all words
 */
export function isOnChannel (row, channel) {
  if (!channel) return true
  const [kind, ...members] = JSON.parse(channel)
  const others = members.filter((/** @type {string} */ name) => name !== row[2])
  return row[1] === 'negotiation' && members.includes(row[2]) && row[3] === (kind === 'public' ? '' : others.join(', '))
}

/** Panel of words; it keeps its filter. */
export class Words {
  constructor () {
    this.text = /** @type {HTMLInputElement} */ (h('input',
      { type: 'search', placeholder: 'search all words', 'aria-label': 'Search all words' }))
    this.kind = /** @type {HTMLSelectElement} */ (h('select', { 'aria-label': 'Kind of words' },
      ...Object.entries(KINDS).map(([label, kinds]) => h('option', { value: kinds }, label))))
    this.only = h('label', null, h('input', { type: 'checkbox' }), ' of this agent')
    this.channel = /** @type {HTMLSelectElement} */ (h('select', { 'aria-label': 'Channel of a talk', hidden: true }))
    this.list = h('div', null)
    this.root = h('div', null,
      h('div', { className: 'filter' }, this.text, this.kind, this.channel, this.only), this.list)
    this.asked = ''
    this.count = 0
    /** @type {import('./record.mjs').Run | null} run of the marks */
    this.markedRun = null
    /** Bytes of its log that were read when they were asked for. */
    this.markedRead = -1
    /** @type {Record<string, [string, string][]>} offset of a line -> mark and evidence of each statement */
    this.marks = {}
    /** Share of the log that was read for the marks. */
    this.share = 1
  }

  get box () {
    return /** @type {HTMLInputElement} */ (this.only.firstElementChild)
  }

  /** @param {import('./panels.mjs').View} view */
  key (view) {
    const latest = Object.values(view.scene.say ?? {}).reduce((last, said) => Math.max(last, said.at), 0)
    const channels = Object.keys(view.scene.channel ?? {}).length
    return [this.text.value, this.kind.value, this.channel.value, channels, this.box.checked, view.chosen, latest,
      view.at < latest, Math.floor(view.at / 2), view.at >= view.run.reach.until, view.run.reach.read,
      this.share].join(' ')
  }

  /** @param {import('./panels.mjs').View} view */
  async show (view) {
    this.only.hidden = !view.chosen
    this.showChannels(view.scene)
    const search = this.text.value.trim()
    const who = this.box.checked && view.chosen ? view.chosen : ''
    // A search covers the whole record; otherwise only words up to the shown moment appear.
    const query = { before: search ? '' : view.at, text: search, who, kinds: this.kind.value,
      channel: this.channel.value }
    const asked = JSON.stringify([query, view.run.reach.read, this.share])
    if (asked === this.asked) return
    this.asked = asked
    try {
      const rows = await view.run.source.part('words', query)
      // Answers may come in another order than the questions: only the latest question's is shown.
      if (this.asked !== asked) return
      // Words do not wait for their marks, which need the whole log.
      this.draw(view, rows, search)
      if (await this.loadMarks(view) && this.asked === asked) this.draw(view, rows, search)
    } catch (error) {
      if (this.asked === asked) this.asked = ''
      throw error
    }
  }

  /**
   * @param {import('./panels.mjs').View} view
   * @param {any[][]} rows
   * @param {string} search
   */
  draw (view, rows, search) {
    const marks = this.markedRun === view.run ? this.marks : {}
    const panel = this.root.parentElement
    const atEnd = !panel || panel.scrollHeight - panel.scrollTop - panel.clientHeight < 60 || this.count === 0
    this.count = rows.length
    const unread = this.share < 1
      ? h('p', { role: 'status' }, `Marks follow when the log is read: ${Math.floor(this.share * 100)} % so far.`)
      : null
    fill(this.list, [unread,
      ...(rows.length ? rows.map((/** @type {any[]} */ row) => said(row, view, marks[row[5]] ?? []))
        : [h('p', null, search ? 'Nobody said that.' : 'Nothing was said until now.')])])
    if (panel && atEnd && !search) panel.scrollTop = panel.scrollHeight
  }

  /**
   * Ask for the marks of all words until the whole log was read, and again when it grows. Return true if it asked.
   * @param {import('./panels.mjs').View} view
   */
  async loadMarks ({ run }) {
    const { read } = run.reach
    if (this.markedRun === run && this.markedRead === read && this.share === 1) return false
    const { marks, share } = await run.source.part('word_marks')
    this.marks = marks
    this.share = share
    this.markedRun = run
    this.markedRead = read
    return true
  }

  /** @param {any} scene */
  showChannels (scene) {
    const channels = channelsOf(scene)
    const chosen = this.channel.value
    if (channels.length === Math.max(0, this.channel.options.length - 1)) return
    this.channel.hidden = channels.length === 0
    fill(this.channel, [['', 'all channels'], ...channels].map(([value, label]) =>
      h('option', { value, selected: value === chosen }, safeText(label))))
  }
}

/**
 * @param {any[]} row
 * @param {import('./panels.mjs').View} view
 * @param {[string, string][]} marks of the statements in it, each with the evidence
 */
function said ([at, kind, speaker, receiver, text, offset, length], view, marks) {
  const more = h('div', null)
  const names = `${safeText(speaker)}${receiver ? ` → ${safeText(receiver)}` : ''}`
  return h('div', { className: LAW.has(kind) ? 'said law' : 'said',
    style: { '--who': view.colours.get(speaker) ?? 'var(--dim)' } },
    h('header', null, h('b', null, names), ` ${safeText(kind)} `,
      h('button', { type: 'button', onclick: () => view.seek(at), title: 'Go there' }, clockText(at)),
      kind === 'negotiation' || kind === 'say' || kind === 'shout' || kind === 'whisper'
        ? h('button', { type: 'button', title: 'What was thought, who heard it',
          onclick: () => tellMore(view.run, [offset, length], more) }, '…')
        : null,
      ...marks.map(([mark, why]) => h('span',
        { className: WRONG.test(mark) ? 'mark wrong' : 'mark', title: safeText(why) }, safeText(mark)))),
    safeText(text), more)
}

/**
 * @param {import('./record.mjs').Run} run
 * @param {[number, number]} ref
 * @param {HTMLElement} into
 */
async function tellMore (run, ref, into) {
  const line = await run.line(ref)
  const data = line.data ?? {}
  const told = [
    data.thought ? `thought: ${data.thought}` : '',
    Array.isArray(data.hearers) ? `heard by ${data.hearers.length}: ${data.hearers.join(', ')}` : '',
    data.faults?.length ? `malformed tries: ${data.faults.join(', ')}` : ''
  ].filter(Boolean)
  fill(into, [h('small', null, safeText(told.join('\n') || line.error || 'nothing more'))])
}
