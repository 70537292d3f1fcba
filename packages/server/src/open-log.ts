import { pino, stdSerializers } from 'pino'
import type { Severity } from './adapters/telemetry/otel/logs.ts'
import type { Config } from './config.ts'
import type { Log } from './core/log.ts'

/** A log, and what exports the rest of it before the process ends. */
export interface OpenedLog {
  readonly log: Log
  close(): Promise<void>
}

/** JSON lines on standard error; where `logsUrl` is given, OpenTelemetry's logs too. */
export async function openLog({ logLevel, logsUrl }: Pick<Config, 'logLevel' | 'logsUrl'>): Promise<OpenedLog> {
  const lines = pino(
    { level: logLevel, serializers: { error: stdSerializers.err } },
    pino.destination({ dest: 2, sync: true }),
  )
  if (logsUrl === undefined) return { log: lines as Log, close: async () => undefined }
  const { openLogs } = await import('./adapters/telemetry/otel/logs.ts')
  const exported = openLogs(logsUrl, lines as Log)
  const both = (severity: Severity) => (fields: object, message: string) => {
    lines[severity](fields, message)
    if (lines.isLevelEnabled(severity)) exported.write(severity, fields, message)
  }
  return {
    log: { debug: both('debug'), info: both('info'), warn: both('warn'), error: both('error') },
    close: exported.close,
  }
}
