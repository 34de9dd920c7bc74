// @ts-nocheck
// Class command: make the server obey. Success is any command that the server answers or carries out.

// attack slash-in-chat
// success: a command is carried out or answered
async function attack (bot) {
  for (const text of ['/give @s diamond 64', '/op @s', '/gamemode creative', '/me waves', '/help', '/stop']) {
    try { bot.chat(text) } catch {}
  }
  await bot.waitForTicks(3)
}

// attack slash-in-say
// success: a command is carried out or answered
async function attack (bot) {
  for (const text of ['/give @s diamond 64', '/kill @a', '/time set 23000']) {
    try { await say(bot, text) } catch {}
  }
  await bot.waitForTicks(3)
}

// attack blanks-before-slash
// success: the filter is passed by what the server strips
async function attack (bot) {
  for (const before of [
    ' ', '\t', '\u0000', '\u00a0', '\u200b', '\ufeff', '\u202e', '\n', '\r', '\u00a7r', '\u0001', '\u2028', '\u3000',
    '\u00ad'
  ]) {
    try { bot.chat(`${before}/give @s diamond 64`) } catch {}
    await bot.waitForTicks(1)
  }
}

// attack second-line
// success: a line after the first is sent as a command
async function attack (bot) {
  for (const end of ['\n', '\r', '\r\n', '\n\n', '\u2028', '\u0085']) {
    try { bot.chat(`hello${end}/give @s diamond 64`) } catch {}
    await bot.waitForTicks(1)
  }
}

// attack odd-slashes
// success: another character is taken for a slash
async function attack (bot) {
  for (const slash of ['\uff0f', '\u2215', '\u2044', '\u29f8', '//', '/ /', './/']) {
    try { bot.chat(`${slash}give @s diamond 64`) } catch {}
    await bot.waitForTicks(1)
  }
}

// attack slash-in-whisper
// success: a whisper carries a command
async function attack (bot) {
  for (const [to, text] of [
    [`${CANARY.witness}\n/op`, 'x'], ['@a', 'x'], [CANARY.witness + ' x\n/give @s diamond', 'x'],
    ['', '/give @s diamond']
  ]) {
    try { bot.whisper(to, text) } catch {}
  }
  await bot.waitForTicks(3)
}

// attack command-functions
// success: a member of the bot sends commands or edits blocks as an operator
async function attack (bot) {
  for (const use of [
    () => bot.setCommandBlock(new Vec3(0, -60, 0), 'give @a diamond', {}),
    () => bot.tabComplete('/give ', true),
    () => bot.creative.startFlying(),
    () => bot.creative.setInventorySlot(36, null),
    () => bot.command('give @s diamond'),
    () => bot.executeCommand('give @s diamond')
  ]) {
    try { await use() } catch {}
  }
  await bot.waitForTicks(3)
}

// attack object-in-chat
// success: a text that changes between the check and the use
async function attack (bot) {
  let asked = 0
  const text = {
    toString: () => (asked++ === 0 ? 'hello' : '/give @s diamond 64'),
    startsWith: () => false,
    replace: () => text,
    trim: () => text,
    length: 5
  }
  for (const use of [
    () => bot.chat(text),
    () => say(bot, text),
    () => bot.chat(['/give @s diamond']),
    () => bot.chat(new String('/give @s diamond'))
  ]) {
    try { await use() } catch {}
  }
  await bot.waitForTicks(3)
}

// attack chat-flood
// success: the server sends the bot away for spam
async function attack (bot) {
  for (let i = 0; i < 500; i++) {
    try { bot.chat(`spam ${i} ${CANARY.token}`) } catch {}
  }
  await bot.waitForTicks(20)
}

// attack long-lines
// success: a line that is cut at the server begins with a slash, or breaks the connection
async function attack (bot) {
  for (const length of [256, 257, 1000, 100000]) {
    try { bot.chat('x'.repeat(length - 4) + '/op') } catch {}
  }
  await bot.waitForTicks(3)
}

// attack command-in-sign-or-name
// success: text given to the server in another way is run
async function attack (bot) {
  for (const use of [
    () => bot.updateSign(bot.blockAt(bot.entity.position), '/give @s diamond'),
    () => bot.writeBook(36, ['/give @s diamond']),
    () => placeItem(bot, 'command_block', bot.entity.position.offset(1, 0, 0)),
    () => bot.anvil('/op')
  ]) {
    try { await use() } catch {}
  }
}

// attack selector-names
// success: a selector or target in place of a name reaches the server as a command
async function attack (bot) {
  for (const name of ['@a', '@e[type=player]', '*', '../', 'Witness; op Eve', '$(op)']) {
    for (const use of [
      () => sendSignal(bot, name, 'x'),
      () => bot.whisper(name, 'x'),
      () => killMob(bot, name),
      () => equipItem(bot, name)
    ]) {
      try { await use() } catch {}
    }
  }
}
