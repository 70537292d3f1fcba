import { type AnyValue, ROOT_CONTEXT, SeverityNumber, TraceFlags, trace } from '@opentelemetry/api'
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs'
import type { Log } from '../../../core/log.ts'
import { requestKey, runKey } from '../telemetry.ts'
import { closeInTime, serviceName, spanIdOf, tellFailures, traceIdOf } from './export.ts'

const severities = {
  debug: SeverityNumber.DEBUG,
  info: SeverityNumber.INFO,
  warn: SeverityNumber.WARN,
  error: SeverityNumber.ERROR,
} as const

/** Severities of a log, least first. */
export type Severity = keyof typeof severities

/**
 * Exports logs with OpenTelemetry over OTLP. Entries about an execution name its trace, and the span of the request or of the run. `log` gets a
 * warning when the endpoint does not accept them.
 */
export function openLogs(url: string, log: Pick<Log, 'info' | 'warn'>) {
  const exporter = tellFailures(new OTLPLogExporter({ url }), { what: 'logs', url, log })
  const provider = new LoggerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName() }),
    processors: [new BatchLogRecordProcessor({ exporter })],
  })
  const logger = provider.getLogger('skillrun')
  return {
    write(severity: Severity, fields: object, message: string): void {
      logger.emit({
        severityNumber: severities[severity],
        severityText: severity,
        body: message,
        attributes: Object.fromEntries(Object.entries(fields).flatMap(attributesOf)),
        context: contextOf(fields),
      })
    },
    // Logs that the endpoint does not accept are dropped: the server must be able to stop without it.
    close: () => closeInTime(provider),
  }
}

function contextOf(fields: { readonly execution?: unknown; readonly requestId?: unknown; readonly attempt?: unknown }) {
  const { execution, requestId, attempt } = fields
  if (typeof execution !== 'string') return ROOT_CONTEXT
  const key = typeof requestId === 'string' ? requestKey(requestId) : runKey(typeof attempt === 'number' ? attempt : 1)
  const spanId = spanIdOf(execution, key)
  return trace.setSpanContext(ROOT_CONTEXT, { traceId: traceIdOf(execution), spanId, traceFlags: TraceFlags.SAMPLED })
}

function attributesOf([name, value]: readonly [string, unknown]): (readonly [string, AnyValue])[] {
  if (value === undefined || value === null) return []
  if (value instanceof Error)
    return [
      ['exception.type', value.name],
      ['exception.message', value.message],
      ['exception.stacktrace', value.stack ?? ''],
    ]
  return [[name, typeof value === 'object' ? JSON.stringify(value) : (value as string | number | boolean)]]
}
