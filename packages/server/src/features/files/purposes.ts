/** What a file was uploaded for. Kept and given back; nothing depends on it. */
export const purposes = ['assistants', 'batch', 'fine-tune', 'vision', 'datasets'] as const
