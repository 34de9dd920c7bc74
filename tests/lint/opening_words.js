'use strict'
/**
 * ESLint rule: JSDoc and the first comment of a file open with a noun phrase ("Search for a path ...") or an imperative
 * ("Return ..."), not with a clause that makes the reader wait for its subject.
 */

const REFUSED = /^(?:What|Who|Whoever|Whom|Whose|Whether|How|Where|As|Of|So|That)\b/i

/** @type {import('eslint').Rule.RuleModule} */
module.exports = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: { opening: 'A comment may not open with "{{word}}": use a noun phrase or an imperative ("Return ...")' }
  },
  create (context) {
    return {
      Program () {
        const comments = context.sourceCode.getAllComments()
        comments.forEach((comment, index) => {
          if (index > 0 && !(comment.type === 'Block' && comment.value.startsWith('*'))) return
          const word = REFUSED.exec(comment.value.replace(/^[\s*]+/, ''))?.[0]
          if (word) context.report({ loc: /** @type {any} */ (comment.loc), messageId: 'opening', data: { word } })
        })
      }
    }
  }
}
