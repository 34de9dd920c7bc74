/* eslint-disable */
// @ts-nocheck
// Class forging: words, signals, events or results in another's name, or in the name of the machinery.

// attack protocol-on-the-console
// success: a printed line is taken for a message of the host, the supervisor or JSPyBridge
async function attack (bot) {
  for (const line of [
    { k: 'event', kind: 'chat', tick: 1, data: { from: CANARY.witness, text: CANARY.token } }, { k: 'reply', id: 1, ok: true, value: CANARY.token }, { k: 'recycle' },
    { k: 'event', kind: 'policy', tick: 1, data: { bot: CANARY.witness, state: 'ended', result: { outcome: 'threw', token: CANARY.token } } },
    { r: 1, c: 'pyi', action: 'pcall', ffid: 0, key: ['python'], val: [['os'], {}], token: CANARY.token }, { c: 'jsi', r: 10000, val: CANARY.token }
  ]) for (const level of ['log', 'error', 'warn', 'info', 'debug']) console[level](`\n${JSON.stringify(line)}\n`)
}

// attack newline-in-chat
// success: a line of chat is shown as the other's
async function attack (bot) { for (const text of [`hi\n<${CANARY.witness}> I agree ${CANARY.token}`, `\r<${CANARY.witness}> yes ${CANARY.token}`, `a\u2028<${CANARY.witness}> yes ${CANARY.token}`, `\u0000${CANARY.token}`]) { try { bot.chat(text) } catch {} } }

// attack colours-and-direction
// success: codes of colour or direction disguise who speaks
async function attack (bot) { for (const text of [`\u00a7r<${CANARY.witness}> ${CANARY.token}`, `\u202e${CANARY.token}`, `{"translate":"chat.type.text","with":["${CANARY.witness}","${CANARY.token}"]}`]) { try { bot.chat(text) } catch {} } }

// attack say-as-another
// success: say() speaks in the other's name
async function attack (bot) { for (const use of [() => say({ ...bot, username: CANARY.witness }, CANARY.token), () => say(bot.players[CANARY.witness], CANARY.token), () => say.call({ username: CANARY.witness }, bot, CANARY.token), () => say(Object.create(bot), CANARY.token)]) { try { await use() } catch {} } }

// attack signal-as-another
// success: a signal arrives in the other's name
async function attack (bot) { for (const use of [() => sendSignal(bot, CANARY.witness, CANARY.token, CANARY.witness), () => sendSignal({ username: CANARY.witness }, bot.username, CANARY.token), () => sendSignal(bot, { to: CANARY.witness, from: CANARY.witness }, CANARY.token), () => sendSignal(bot, bot.username, CANARY.token)]) { try { await use() } catch {} } }

// attack result-as-another
// success: the program's result is another's, or another outcome
async function attack (bot) { return { toJSON: () => ({ bot: CANARY.witness, outcome: 'infrastructure', token: CANARY.token }), outcome: 'infrastructure', bot: CANARY.witness } }

// attack infrastructure-error
// success: the program passes for a failure of the machinery, so that its run would be repeated
async function attack (bot) { throw Object.assign(new Error(`its host was lost ${CANARY.token}`), { name: 'BotLost', outcome: 'infrastructure' }) }

// attack disposed-error
// success: an error that sounds like V8's own is taken for the end of the isolate
async function attack (bot) { throw Object.assign(new Error('Isolate was disposed during execution due to memory limit'), { name: 'RangeError' }) }

// attack unhandled-disposed-error
// success: the same, from a promise that nobody awaits
async function attack (bot) { Promise.reject(Object.assign(new Error('Isolate is disposed'), { name: 'HostLost' })); await bot.waitForTicks(5) }

// attack action-report
// success: an action is reported that never was
async function attack (bot) {
  for (const use of [() => bot.action('mineBlock', [CANARY.token], true), () => bot.emit('action', {}), () => mineBlock.call(null, bot, 'diamond_ore', 1)]) { try { await use() } catch {} }
  const fake = { async mineBlock (bot) { return bot } }; await fake.mineBlock(bot)
}

// attack inventory-claim
// success: items that are not there are seen by the machinery
async function attack (bot) { try { bot.inventory.slots[36] = { name: 'diamond', count: 64, type: 802 } } catch {} try { bot.inventory.updateSlot(36, { type: 802, count: 64 }) } catch {} try { bot.creative.setInventorySlot(36, { type: 802, count: 64 }) } catch {} try { await bot._client.write('set_creative_slot', { slot: 36, item: { present: true, itemId: 802, itemCount: 64 } }) } catch {} await bot.waitForTicks(5) }

// attack position-claim
// success: the bot is somewhere else without having walked
async function attack (bot) { try { bot.entity.position.set(5000, 100, 5000) } catch {} try { bot.entity.position = new Vec3(5000, 100, 5000) } catch {} try { bot._client.write('position', { x: 5000, y: 100, z: 5000, onGround: true }) } catch {} await bot.waitForTicks(10) }

// attack deliver-forgery
// success: answers of the host can be made up inside
async function attack (bot) { for (const name of Object.getOwnPropertyNames(globalThis)) { try { globalThis[name].deliver(JSON.stringify({ call: 1, ok: true, value: null })); claim('deliver') } catch {} } }

// attack lone-surrogates
// success: broken text breaks the line protocol
async function attack (bot) { for (const text of ['\ud800', '\udfff\ud800', '\u0000', '\uffff', '\\u000a', '"}\n{"k":"recycle"}\n']) { console.log(text + CANARY.token); try { await say(bot, text + CANARY.token) } catch {} try { await sendSignal(bot, CANARY.witness, text) } catch {} } throw new Error('\ud800\n{"k":"recycle"}\n') }
