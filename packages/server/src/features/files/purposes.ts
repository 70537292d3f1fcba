/** The purpose of an uploaded file. Stored and returned; it has no effect. */
export const purposes = ['assistants', 'batch', 'fine-tune', 'vision', 'datasets', 'user_data', 'evals'] as const
