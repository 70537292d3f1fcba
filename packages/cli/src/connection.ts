import { Fault } from '@skillrun/core/fault.ts'
import { readProfile } from './profile.ts'

/** The server and the key of a command. */
export interface Connection {
  /** Without a trailing slash and without `/v1`. */
  readonly url: string
  readonly key: string | undefined
  /** Where each came from, for messages. */
  readonly urlFrom: string
  readonly keyFrom: string | undefined
}

/** Connection options of the command line. */
export interface ConnectionOptions {
  readonly url?: string
  readonly key?: string
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Finds the server and the key: from the command line, otherwise the environment, the profile, or a server on this
 * machine. The profile's key is only used for the profile's server. Throws Fault `invalid` for an invalid address or key.
 */
export async function findConnection(options: ConnectionOptions, environment: Environment): Promise<Connection> {
  const profile = await readProfile(environment)
  const { url, urlFrom } = findUrl(options, profile.url, environment)
  const profileUrl = profile.url === undefined ? undefined : serverUrl(profile.url, 'the profile')
  const found =
    said(options.key, '--key') ??
    said(environment['SKILLRUN_API_KEY'], 'SKILLRUN_API_KEY') ??
    (profileUrl === url ? said(profile.key, 'the profile') : undefined)
  if (found && !/^[\x21-\x7e]+$/.test(found.value)) {
    throw new Fault(
      'invalid',
      'bad_key',
      `The key from ${found.from} contains spaces or non-ASCII characters, which no key has`,
    )
  }
  return { url, urlFrom, key: found?.value, keyFrom: found?.from }
}

function findUrl(
  options: ConnectionOptions,
  profileUrl: string | undefined,
  environment: Environment,
): { url: string; urlFrom: string } {
  const port = environment['PORT']
  const local = { value: `http://127.0.0.1:${port || 8080}`, from: port ? 'PORT' : 'the default' }
  const found =
    said(options.url, '--url') ??
    said(environment['SKILLRUN_URL'], 'SKILLRUN_URL') ??
    said(profileUrl, 'the profile') ??
    local
  return { url: serverUrl(found.value, found.from), urlFrom: found.from }
}

/** Normalises an address so that paths can be appended. */
export function serverUrl(text: string, from: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new Fault(
      'invalid',
      'bad_url',
      `The address from ${from} is ${JSON.stringify(text.replace(/^.*@/s, '…@'))}, but must be a URL such as http://127.0.0.1:8080, without a user and password`,
    )
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '')}`
}

const said = (value: string | undefined, from: string) => (value?.trim() ? { value: value.trim(), from } : undefined)
