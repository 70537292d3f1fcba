import type { Job } from '../../seams/workshop/workshop.ts'
import type { Box } from '../document.ts'

/** A code on a picture. */
export interface ReadCode {
  /** `QRCode`, `EAN-13` … as zxing names them. */
  readonly format: string
  readonly text: string
  readonly box: Box
}

/** Reads the codes on a picture, or on a page of a document, in the workshop. */
export const readCodesJob: Job<{ readonly path: string; readonly page: number }, readonly ReadCode[]> = {
  name: 'read-codes',
  files: ['path'],
  module: new URL('./read-codes.job.ts', import.meta.url),
}
