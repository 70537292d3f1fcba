import { SkillrunFailure } from '@skillrun/client/failure.ts'
import { Fault, type FaultKind } from '@skillrun/core/fault.ts'

/** Exit codes of the process. */
export const exitCodes = {
  completed: 0,
  failed: 1,
  usage: 2,
  unreachable: 3,
  unauthorised: 4,
  interrupted: 130,
  terminated: 143,
} as const

const codeOfKind: Readonly<Record<FaultKind, number>> = {
  invalid: exitCodes.usage,
  unauthenticated: exitCodes.unauthorised,
  forbidden: exitCodes.unauthorised,
  limited: exitCodes.unreachable,
  stalled: exitCodes.unreachable,
  timeout: exitCodes.unreachable,
  unavailable: exitCodes.unreachable,
  missing: exitCodes.failed,
  conflict: exitCodes.failed,
  too_large: exitCodes.failed,
  unsupported: exitCodes.failed,
  upstream: exitCodes.failed,
}

/** The exit code of a command that ended with this error. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof SkillrunFailure) return exitCodes.unreachable
  return error instanceof Fault ? codeOfKind[error.kind] : exitCodes.failed
}
