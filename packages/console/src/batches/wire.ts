import type { Batch } from '@skillrun/client/openapi.ts'

export type { Batch, BatchItem, BatchItemField } from '@skillrun/client/openapi.ts'

export const batchPath = (id: string, rest = ''): string => `/v1/agent/batches/${encodeURIComponent(id)}${rest}`

export const isUnderWay = ({ status }: Batch): boolean => status === 'running'

/** Number of items that have ended. */
export const endedOf = ({ counts }: Batch): number => counts.completed + counts.failed + counts.cancelled

export const marks = {
  running: 'running',
  enqueued: 'enqueued',
  paused: 'paused',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'failed',
} as const
