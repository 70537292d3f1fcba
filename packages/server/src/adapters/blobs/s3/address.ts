import { Fault } from '@skillrun/core/fault.ts'

/** An S3 location, parsed from `s3://bucket/prefix?endpoint=…&region=…`. Credentials come from the usual AWS_* variables. */
export interface S3Address {
  readonly bucket: string
  /** Empty, or ending in a slash. */
  readonly prefix: string
  readonly endpoint: string | undefined
  readonly region: string
}

/** Parses SKILLRUN_S3_URL, or what `name` says. Throws Fault `bad_configuration` with the expected format. */
export function parseS3Url(text: string, name = 'SKILLRUN_S3_URL'): S3Address {
  const url = URL.parse(text)
  const endpoint = url?.searchParams.get('endpoint') ?? undefined
  const isGood = url?.protocol === 's3:' && /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(url.hostname) && !url.username
  if (!url || !isGood || (endpoint !== undefined && !/^https?:\/\/[^/]/.test(endpoint))) {
    throw new Fault(
      'invalid',
      'bad_configuration',
      `${name} is ${JSON.stringify(text)}; expected s3://bucket/prefix?region=eu-central-1, with &endpoint=https://… for a server other than AWS.`,
    )
  }
  const prefix = url.pathname.replace(/^\/+|\/+$/g, '')
  return {
    bucket: url.hostname,
    prefix: prefix ? `${prefix}/` : '',
    endpoint,
    region: url.searchParams.get('region') ?? 'us-east-1',
  }
}
