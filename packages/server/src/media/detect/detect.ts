import { Fault } from '@skillrun/core/fault.ts'
import type { Job, JobTerms } from '@skillrun/core/job.ts'
import { findOptional, installOptional, optionalPackages } from '@skillrun/core/optional-packages.ts'
import type { Box } from '@skillrun/reader/media/document.ts'

export interface DetectRequest {
  readonly path: string
  /** The page of a document, from 0. */
  readonly page: number
  readonly what: 'faces' | 'objects'
  /** URL of the detectors' main module. */
  readonly module: string
  /** The lowest score to report, 0 to 1. */
  readonly scoreMin: number
}

/** A detected object. */
export interface Detected {
  /** One of the 80 classes of the COCO data set, or `face`. */
  readonly label: string
  /** The detector's score from 0 to 1; not a calibrated probability. */
  readonly score: number
  readonly box: Box
}

/** Detects faces or objects in an image in the process pool, highest score first. It never identifies or describes people. */
export const detectJob: Job<DetectRequest, readonly Detected[]> = {
  name: 'detect',
  files: ['path'],
  module: new URL('./detect.job.ts', import.meta.url),
}

/** Limits of a detection: the first one loads weights, and an image may have 100 megapixels. */
export const detectTerms = (signal: AbortSignal): JobTerms => ({ wallMs: 60_000, memoryMb: 1_536, signal })

export const hasDetectors = (): boolean => findOptional(optionalPackages.detectors) !== undefined

/** The URL of the detectors' main module. Throws Fault `no_detector` with the installation command. */
export function requireDetectors(): string {
  const module = findOptional(optionalPackages.detectors)
  if (module) return module.href
  throw new Fault(
    'unsupported',
    'no_detector',
    `This server has no detector for faces and objects; its operator can ${installOptional(optionalPackages.detectors)}`,
  )
}
