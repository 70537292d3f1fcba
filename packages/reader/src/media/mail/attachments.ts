import type { DocumentWarning } from '../document.ts'

/** The code of the warning that attachments of an email were not read. */
export const unreadAttachments = 'attachments_not_read'

const namedMax = 10

export function unreadWarning(names: readonly string[]): DocumentWarning {
  const more = names.length > namedMax ? ` and ${names.length - namedMax} more` : ''
  const named = names.slice(0, namedMax).join(', ')
  return { code: unreadAttachments, message: `Attachments that were not read: ${named}${more}` }
}
