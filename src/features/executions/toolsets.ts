/** Tools that this server has: the embedded engine reads and extracts. */
export const toolNames: readonly string[] = ['document.read', 'document.extract']

/** Toolsets that hold them. */
export const toolsetNames: readonly string[] = ['core', 'document', 'image']
