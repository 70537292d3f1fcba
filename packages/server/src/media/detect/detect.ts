import { Fault } from '@skillrun/core/fault.ts'
import type { Job, JobTerms } from '@skillrun/core/job.ts'
import { findOptional, installOptional, optionalPackages } from '@skillrun/core/optional-packages.ts'
import type { Box } from '@skillrun/reader/media/document.ts'

export interface DetectRequest {
  readonly path: string
  /** Of a document that has pages; 0-based. */
  readonly page: number
  readonly what: 'faces' | 'objects'
  /** Address of the detectors' main module. */
  readonly module: string
  /** 0 to 1: what is less sure is left out. */
  readonly scoreMin: number
}

/** Something on a picture. */
export interface Detected {
  /** One of 80 kinds of things (those of the COCO data set), or `face`. */
  readonly label: string
  /** 0 to 1, as the detector says it; it is no share of right answers. */
  readonly score: number
  readonly box: Box
}

/** Finds faces or things on a picture in the workshop, surest first. Nobody is recognised, and nothing is guessed about anybody. */
export const detectJob: Job<DetectRequest, readonly Detected[]> = {
  name: 'detect',
  files: ['path'],
  module: new URL('./detect.job.ts', import.meta.url),
}

/** What looking for things may take: the first loads weights and decodes a picture of 100 megapixels. */
export const detectTerms = (signal: AbortSignal): JobTerms => ({ wallMs: 60_000, memoryMb: 1_536, signal })

/** Whether detectors are installed on this machine. */
export const hasDetectors = (): boolean => findOptional(optionalPackages.detectors) !== undefined

/** The detectors' main module. Throws Fault `no_detector` that says how to get it. */
export function requireDetectors(): string {
  const module = findOptional(optionalPackages.detectors)
  if (module) return module.href
  throw new Fault(
    'unsupported',
    'no_detector',
    `This server has no detector for faces and objects; whoever runs it can ${installOptional(optionalPackages.detectors)}`,
  )
}
