'use strict'
/**
 * Count of the explicit `any` in the types of JavaScript, by folder: `make lint` runs it. It fails if a folder has more
 * than its ceiling. Lower a ceiling whenever the count has fallen.
 */
const { globSync, readFileSync } = require('node:fs')
const path = require('node:path')
const ts = require('typescript')

const ROOT = path.resolve(__dirname, '..', '..')
/** Most of each folder. @type {Readonly<Record<string, number>>} */
const CEILINGS = { engine: 148, bridge: 469, skills_js: 618 }

/** Return the number of explicit `any` in a source text, in JSDoc too. @param {string} name @param {string} text */
function countAny (name, text) {
  /** Comments belong to several nodes. @type {Set<ts.Node>} */
  const seen = new Set()
  let count = 0
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (seen.has(node)) return
    seen.add(node)
    if (node.kind === ts.SyntaxKind.AnyKeyword) count++
    for (const comment of /** @type {{ jsDoc?: ts.JSDoc[] }} */ (node).jsDoc ?? []) visit(comment)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true))
  return count
}

/** Return the number of explicit `any` below a folder. @param {string} folder */
function countFolder (folder) {
  return globSync(['**/*.js', '**/*.d.ts'], { cwd: path.join(ROOT, folder) })
    .reduce((sum, name) => sum + countAny(name, readFileSync(path.join(ROOT, folder, name), 'utf8')), 0)
}

/** Report folders over their ceilings; the exit code is 1 if there are any. */
function main () {
  for (const [folder, most] of Object.entries(CEILINGS)) {
    const count = countFolder(folder)
    if (count > most) {
      process.stderr.write(`${folder}: ${count} explicit any, at most ${most}: give the new values their types\n`)
      process.exitCode = 1
    } else if (count < most) {
      process.stdout.write(`${folder}: ${count} explicit any: lower its ceiling of ${most}\n`)
    }
  }
}

if (require.main === module) main()

module.exports = { countAny }
