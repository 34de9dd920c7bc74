'use strict'
/** Reports of a program are bounded, and the record says how much is missing. */
const { test } = require('node:test')
const assert = require('node:assert/strict')
const { Report, MAX_ACTIONS } = require('../../../../bridge/host/isolates/reports')

/** @param {number} actions @param {number} refused signals */
function reported (actions, refused) {
  const events = /** @type {{ kind: string, data: any }[]} */ ([])
  const report = new Report('Gizmo', (kind, data) => events.push({ kind, data }))
  for (let i = 0; i < actions; i++) {
    report.emit('action', { name: 'mineBlock', args: ['dirt', i], ok: true, error: null })
  }
  report.close(refused)
  return {
    actions: events.filter(({ kind }) => kind === 'action').length,
    lines: events.filter(({ kind }) => kind === 'log').map(({ data }) => `${data.bot} ${data.level}: ${data.text}`)
  }
}

test('reports within the limits are complete, without a remark', () => {
  assert.deepEqual(reported(MAX_ACTIONS, 0), { actions: MAX_ACTIONS, lines: [] })
})

test('reports beyond the limits are counted in one line each', () => {
  assert.deepEqual(reported(MAX_ACTIONS + 12, 34), {
    actions: MAX_ACTIONS,
    lines: [
      'Gizmo warn: 12 actions are not recorded: of a program the first 5000 are',
      'Gizmo warn: 34 signals were refused: a program may send 5000'
    ]
  })
})
