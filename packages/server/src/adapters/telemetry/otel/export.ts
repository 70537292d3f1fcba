import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'

/** The trace id of an execution: the digits of its id. */
export const traceIdOf = (executionId: string): string => executionId.replaceAll('-', '')

/** The span id of a part of an execution: 16 hexadecimal digits, the same in every process. */
export const spanIdOf = (executionId: string, key: string): string =>
  createHash('sha256').update(`${executionId} ${key}`).digest('hex').slice(0, 16)

/** OpenTelemetry's name of this service, the same for traces and logs. */
export const serviceName = (): string => process.env['OTEL_SERVICE_NAME'] || 'skillrun'

/** An endpoint that does not answer may not keep the server from stopping. */
const closeMs = 2_000

/** Exports what is left. What the endpoint does not accept in time is dropped. */
export async function closeInTime(provider: { shutdown(): Promise<void> }): Promise<void> {
  await Promise.race([provider.shutdown().catch(() => undefined), pause(closeMs, undefined, { ref: false })])
}
