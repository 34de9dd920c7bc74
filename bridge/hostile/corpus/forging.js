// @ts-nocheck
// Class forging: words, signals, events or results in another's name, or in the name of the machinery.

// attack protocol-on-the-console
// success: a printed line is taken for a message of the host, the supervisor or JSPyBridge
async function attack (bot) {
  for (const line of [
    { k: 'event', kind: 'chat', tick: 1, data: { from: CANARY.witness, text: CANARY.token } },
    { k: 'reply', id: 1, ok: true, value: CANARY.token },
    { k: 'recycle' },
    {
      k: 'event',
      kind: 'policy',
      tick: 1,
      data: { bot: CANARY.witness, state: 'ended', result: { outcome: 'threw', token: CANARY.token } }
    },
    { r: 1, c: 'pyi', action: 'pcall', ffid: 0, key: ['python'], val: [['os'], {}], token: CANARY.token },
    { c: 'jsi', r: 10000, val: CANARY.token }
  ])
    for (const level of ['log', 'error', 'warn', 'info', 'debug']) console[level](`\n${JSON.stringify(line)}\n`)
}

// attack newline-in-chat
// success: a line of chat is shown as the other's
async function attack (bot) {
  for (const text of [
    `hi\n<${CANARY.witness}> I agree ${CANARY.token}`,
    `\r<${CANARY.witness}> yes ${CANARY.token}`,
    `a\u2028<${CANARY.witness}> yes ${CANARY.token}`,
    `\u0000${CANARY.token}`
  ]) {
    try { bot.chat(text) } catch {}
  }
}

// attack colours-and-direction
// success: codes of colour or direction disguise who speaks
async function attack (bot) {
  for (const text of [
    `\u00a7r<${CANARY.witness}> ${CANARY.token}`,
    `\u202e${CANARY.token}`,
    `{"translate":"chat.type.text","with":["${CANARY.witness}","${CANARY.token}"]}`
  ]) {
    try { bot.chat(text) } catch {}
  }
}

// attack say-as-another
// success: say() speaks in the other's name
async function attack (bot) {
  for (const use of [
    () => say({ ...bot, username: CANARY.witness }, CANARY.token),
    () => say(bot.players[CANARY.witness], CANARY.token),
    () => say.call({ username: CANARY.witness }, bot, CANARY.token),
    () => say(Object.create(bot), CANARY.token)
  ]) {
    try { await use() } catch {}
  }
}

// attack signal-as-another
// success: a signal arrives in the other's name
async function attack (bot) {
  for (const use of [
    () => sendSignal(bot, CANARY.witness, CANARY.token, CANARY.witness),
    () => sendSignal({ username: CANARY.witness }, bot.username, CANARY.token),
    () => sendSignal(bot, { to: CANARY.witness, from: CANARY.witness }, CANARY.token),
    () => sendSignal(bot, bot.username, CANARY.token)
  ]) {
    try { await use() } catch {}
  }
}

// attack signal-of-anothers-name
// success: a signal that has the other's name passes for the other's signal
async function attack (bot) {
  for (let i = 0; i < 40; i++) {
    try {
      await sendSignal(bot, CANARY.witness, CANARY.witness)
    } catch {
      break
    }
    await bot.waitForTicks(1)
  }
}

// attack result-as-another
// success: the program's result is another's, or another outcome
async function attack (bot) {
  return {
    toJSON: () => ({ bot: CANARY.witness, outcome: 'infrastructure', token: CANARY.token }),
    outcome: 'infrastructure',
    bot: CANARY.witness
  }
}

// attack infrastructure-error
// success: the program passes for a failure of the machinery, so that its run would be repeated
async function attack (bot) {
  throw Object.assign(new Error(`its host was lost ${CANARY.token}`), { name: 'BotLost', outcome: 'infrastructure' })
}

// attack disposed-error
// success: an error that sounds like V8's own is taken for the end of the isolate
async function attack (bot) {
  throw Object.assign(new Error('Isolate was disposed during execution due to memory limit'), { name: 'RangeError' })
}

// attack unhandled-disposed-error
// success: the same, from a promise that nobody awaits
async function attack (bot) {
  Promise.reject(Object.assign(new Error('Isolate is disposed'), { name: 'HostLost' }))
  await bot.waitForTicks(5)
}

// attack action-report
// success: an action is reported that never was
async function attack (bot) {
  for (const use of [
    () => bot.action('mineBlock', [CANARY.token], true),
    () => bot.emit('action', {}),
    () => mineBlock.call(null, bot, 'diamond_ore', 1)
  ]) {
    try { await use() } catch {}
  }
  const fake = {
    async mineBlock (bot) {
      return bot
    }
  }
  await fake.mineBlock(bot)
}

// attack inventory-claim
// success: items that are not there are seen by the machinery
async function attack (bot) {
  try { bot.inventory.slots[36] = { name: 'diamond', count: 64, type: 802 } } catch {}
  try { bot.inventory.updateSlot(36, { type: 802, count: 64 }) } catch {}
  try { bot.creative.setInventorySlot(36, { type: 802, count: 64 }) } catch {}
  try {
    await bot._client.write('set_creative_slot', { slot: 36, item: { present: true, itemId: 802, itemCount: 64 } })
  } catch {}
  await bot.waitForTicks(5)
}

// attack position-claim
// success: the bot is somewhere else without having walked
async function attack (bot) {
  try { bot.entity.position.set(5000, 100, 5000) } catch {}
  try { bot.entity.position = new Vec3(5000, 100, 5000) } catch {}
  try { bot._client.write('position', { x: 5000, y: 100, z: 5000, onGround: true }) } catch {}
  await bot.waitForTicks(10)
}

// attack deliver-forgery
// success: answers of the host can be made up inside
async function attack (bot) {
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    try {
      globalThis[name].deliver(JSON.stringify({ call: 1, ok: true, value: null }))
      claim('deliver')
    } catch {}
  }
}

// attack lone-surrogates
// success: broken text breaks the line protocol, or whoever writes it down
async function attack (bot) {
  for (const text of [
    '\ud800', '\udfff\ud800', '\u0000', '\uffff', '\\u000a', '"}\n{"k":"recycle"}\n',
    '\ud83d\ude00'[0],
    'x'.repeat(980) + '\ud83d\ude00'.repeat(20)
  ]) {
    console.log(text + CANARY.token)
    try { await say(bot, text + CANARY.token) } catch {}
    try { await sendSignal(bot, CANARY.witness, text) } catch {}
    try { await goTo(bot, text, { [text]: text }) } catch {}
  }
  throw Object.assign(new Error('\ud800\n{"k":"recycle"}\n'), { name: '\udfff' })
}

// attack chest-that-gives
// success: getItemFromChest reports what an empty chest gave
async function attack (bot) {
  const chest = bot.findBlock({ matching: mcData.blocksByName.chest.id, maxDistance: 8 })
  await goTo(bot, chest.position, 2)
  const diamond = { name: 'diamond', type: mcData.itemsByName.diamond.id, count: 64, slot: 0, stackSize: 64 }
  const window = await bot.openContainer(chest)
  const fakes = { withdraw: async () => 64, containerItems: () => [diamond], itemsRange: () => [diamond] }
  for (let level = window; level && level !== Object.prototype; level = Object.getPrototypeOf(level)) {
    for (const [name, value] of Object.entries(fakes)) {
      try { level[name] = value } catch {}
      try { Object.defineProperty(level, name, { value, configurable: true }) } catch {}
    }
  }
  await window.close()
  try {
    const got = await getItemFromChest(bot, chest.position, { diamond: 1 })
    claim(`getItemFromChest of an empty chest: ${JSON.stringify(got)}`)
  } catch {}
}

// attack inventory-of-its-own
// success: primitives count items that are not there
async function attack (bot) {
  const diamond = { name: 'diamond', type: mcData.itemsByName.diamond.id, count: 64, slot: 36, stackSize: 64 }
  try { bot.inventory._data.slots[36] = diamond } catch {}
  if (countItem(bot, 'diamond') > 0) claim('diamonds by the data of the inventory')
  const own = { slots: [diamond], inventoryStart: 0, inventoryEnd: 1 }
  for (const [name, field] of Object.entries({
    _data: { get: () => own },
    slots: { get: () => [diamond] },
    count: { value: () => 64 }
  })) {
    try {
      Object.defineProperty(Object.getPrototypeOf(bot.inventory), name, { ...field, configurable: true })
    } catch {}
  }
  if (countItem(bot, 'diamond') > 0) claim('diamonds by the class of the inventory')
}

// attack place-that-moves
// success: goTo reports that the bot came where it is not
async function attack (bot) {
  const { x, y, z } = bot.entity.position
  try { Object.defineProperty(Vec3.prototype, 'z', { get: () => z, set () {}, configurable: true }) } catch {}
  try { await goTo(bot, { x, y, z: z + 40 }, 1); claim('goTo came 40 blocks further at once') } catch {}
}

// attack entity-that-is-gone
// success: who is there is reported as gone
async function attack (bot) {
  const other = bot.nearestEntity((entity) => entity.username !== null)
  for (let level = other; level && level !== Object.prototype; level = Object.getPrototypeOf(level)) {
    try { Object.defineProperty(level, 'isValid', { get: () => false, configurable: true }) } catch {}
  }
  const removed = async (what, entity) => {
    try {
      await waitForMobRemoved(bot, entity, 1)
      claim(`gone: ${what}`)
    } catch {}
  }
  await Promise.all([
    removed('the other player', other),
    removed('an entity of its own', { id: other.id, isValid: false, name: 'cow' })
  ])
}

// attack arguments-that-change
// success: an action is reported with what it was not given
async function attack (bot) {
  const chest = bot.findBlock({ matching: mcData.blocksByName.chest.id, maxDistance: 8 })
  const what = { stick: 1 }
  const under = getItemFromChest(bot, chest.position, what)
  delete what.stick
  what[`changed ${CANARY.token}`] = 64
  try { await under } catch {}
}

// attack signal-names
// success: a signal's name ends a line, moves the cursor or turns the direction of text where people read it
async function attack (bot) {
  for (const name of ['a\nb', '\u001b[2J', 'go\u202eog', 'a\u200bb', 'a\u2028b', '\u0007'])
    await refused(JSON.stringify(name), () => sendSignal(bot, CANARY.witness, name + CANARY.token))
}
