/**
 * Documentation of the primitives for models and people, made from each primitive's JSDoc: there is no second copy that
 * could differ. `node skills_js/docs.js` writes docs/primitives.md.
 */
'use strict'
const fs = require('node:fs')
const path = require('node:path')
const { NAMES } = require('./bot_facade/errors')

const FOLDERS = ['queries', 'primitives']
const PAGE = path.resolve(__dirname, '..', 'docs', 'primitives.md')

/**
 * @typedef {{name: string, type: string, text: string, optional: boolean, fallback: string | null}} Param
 * @typedef {{name: string, kind: 'query' | 'action', isAsync: boolean, text: string, params: Param[], returns: {type:
 *   string, text: string}, throws: {name: string, text: string}[], examples: string[]}} Doc
 */

/** @returns {Doc[]} of every primitive, by folder and name */
function primitiveDocs () {
  return FOLDERS.flatMap((folder) => {
    const names = Object.keys(require(`./${folder}/index`)).sort()
    return names.map((name) =>
      readDoc(path.join(__dirname, folder, `${name}.js`), name, folder === 'queries' ? 'query' : 'action'))
  })
}

/**
 * @param {string} file
 * @param {string} name
 * @param {'query' | 'action'} kind
 * @returns {Doc}
 * @throws {Error} the function has no JSDoc right before it
 */
function readDoc (file, name, kind) {
  const source = fs.readFileSync(file, 'utf8')
  const found = new RegExp(`/\\*\\*((?:(?!\\*/)[\\s\\S])*)\\*/\\n(async )?function ${name} \\(`).exec(source)
  if (found === null) throw new Error(`${file}: no JSDoc right before function ${name}`)
  return { name, kind, isAsync: found[2] !== undefined, ...parseComment(found[1]) }
}

/**
 * @param {string} comment - without its delimiters
 * @returns {Pick<Doc, 'text' | 'params' | 'returns' | 'throws' | 'examples'>}
 */
function parseComment (comment) {
  const lines = comment.split('\n').map((line) => line.replace(/^\s*\* ?/, '').trimEnd())
  const [text, ...tags] = lines.join('\n').trim().split(/\n(?=@)/).map((part) => part.replace(/\n\s*/g, ' '))
  const of = (/** @type {string} */ tag) => tags.filter((part) => part.startsWith(`@${tag} `))
    .map((part) => part.slice(tag.length + 2))
  const [returns] = of('returns').map((part) => /** @type {string[]} */ (typed(part)))
  return {
    text,
    params: of('param').map(parseParam),
    returns: { type: returns?.[0] ?? '', text: returns?.[1] ?? '' },
    throws: of('throws').map(typed).map(([name, why]) => ({ name, text: why })),
    examples: of('example')
  }
}

/**
 * @param {string} text - '{type} rest', where the type may have braces of its own
 * @returns {[string, string]}
 */
function typed (text) {
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '{') depth++
    if (text[i] === '}' && --depth === 0) return [text.slice(1, i), text.slice(i + 1).trim()]
  }
  throw new Error(`JSDoc tag without a {type}: ${text}`)
}

/** @param {string} text @returns {Param} */
function parseParam (text) {
  const [type, rest] = typed(text)
  const found = /^(\[)?(\w+)(?:=([^\]]*))?\]?(?: - (.*))?$/.exec(rest)
  if (found === null) throw new Error(`JSDoc @param that cannot be read: ${text}`)
  return { name: found[2], type, text: found[4] ?? '', optional: found[1] !== undefined, fallback: found[3] ?? null }
}

/** @param {Doc} doc @returns {string} e.g. 'await goTo(bot, position, range = 1)' */
function signature (doc) {
  const params = doc.params.map(({
    name, optional, fallback
  }) => fallback !== null ? `${name} = ${fallback}` : optional ? `${name}?` : name)
  return `${doc.isAsync ? 'await ' : ''}${doc.name}(${params.join(', ')})`
}

/**
 * @returns {string} one block of text for a prompt
 */
function primitivesForModel () {
  return primitiveDocs().map((doc) => [
    `// ${doc.text}`,
    ...doc.params.filter(({ name }) => name !== 'bot')
      .map(({ name, type, text }) => `//   ${name}: ${type}${text ? `, ${text}` : ''}`),
    `//   returns ${doc.returns.type.replace(/^Promise<(.*)>$/, '$1')}` +
      (doc.returns.text ? `: ${doc.returns.text}` : ''),
    ...(doc.throws.length > 0
      ? [`//   throws ${doc.throws.map(({ name, text }) => `${name} (${text})`).join('; ')}`]
      : []),
    signature(doc)
  ].join('\n')).join('\n\n') + '\n'
}

/** @param {Doc} doc @returns {string} */
function section (doc) {
  const rows = doc.params.filter(({ name }) => name !== 'bot')
    .map(({
      name, type, text, optional
    }) => `- \`${name}\` (${type.replace(/\|/g, ' or ')}${optional ? ', optional' : ''})${text ? `: ${text}` : ''}`)
  const errors = doc.throws.map(({ name, text }) => `- \`${name}\`: ${text}`)
  return [
    `### ${doc.name}`, '', `\`${signature(doc)}\``, '', doc.text, '',
    ...(rows.length > 0 ? [...rows, ''] : []),
    `Returns \`${doc.returns.type}\`${doc.returns.text ? `: ${doc.returns.text}` : ''}.`, '',
    ...(errors.length > 0 ? ['Fails with', ...errors, ''] : []),
    '```js', ...doc.examples, '```', ''
  ].join('\n')
}

/** @returns {string} the page docs/primitives.md */
function page () {
  const docs = primitiveDocs()
  const part = (/** @type {string} */ kind) => docs.filter((doc) => doc.kind === kind).map(section).join('\n')
  return `# Primitives

What an agent's program finds in scope besides \`bot\`, \`mcData\`, \`Vec3\` and the pathfinder goals. This page is made
from the primitives' own JSDoc by \`node skills_js/docs.js\`; a test compares. Distances are in blocks, times in seconds
where not said otherwise. Every action has a deadline, can be cancelled, reads its success from the world, and fails
with a named error (\`error.name\`) whose text says what to do.

## Queries

They look and return at once.

${part('query')}
## Actions

They take time: \`await\` them.

${part('action')}
## Names of errors

| name | meaning |
|---|---|
${Object.entries(NAMES).map(([name, text]) => `| \`${name}\` | ${text} |`).join('\n')}
`
}

if (require.main === module) fs.writeFileSync(PAGE, page())

module.exports = { PAGE, page, primitiveDocs, primitivesForModel, signature }
