import type { DocumentWarning } from '../document.ts'

const namedMax = 10

export function unreadWarning(names: readonly string[]): DocumentWarning {
  const more = names.length > namedMax ? ` and ${names.length - namedMax} more` : ''
  const named = names.slice(0, namedMax).join(', ')
  return { code: 'attachments_not_read', message: `Attachments that were not read: ${named}${more}` }
}
