import { createHash } from 'node:crypto'

/** The trace id of an execution: the digits of its id. */
export const traceIdOf = (executionId: string): string => executionId.replaceAll('-', '')

/** The span id of a part of an execution: 16 hexadecimal digits, the same in every process. */
export const spanIdOf = (executionId: string, key: string): string =>
  createHash('sha256').update(`${executionId} ${key}`).digest('hex').slice(0, 16)

/** OpenTelemetry's name of this service, the same for traces and logs. */
export const serviceName = (): string => process.env['OTEL_SERVICE_NAME'] || 'skillrun'
