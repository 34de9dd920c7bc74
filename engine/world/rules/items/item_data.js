'use strict'
/** Access to the NBT data of item stacks. */

/** @typedef {import('../../nbt/values').Tag} Tag */

/**
 * Return the fields of a stack's NBT data; an empty object for a stack without data.
 *
 * @param {import('../../types').Item | null | undefined} item
 * @returns {Record<string, Tag | undefined>}
 */
function dataOf (item) {
  const nbt = /** @type {{ value?: Record<string, Tag> } | null | undefined} */ (item?.nbt)
  return nbt?.value ?? {}
}

module.exports = { dataOf }
