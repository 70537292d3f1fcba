import { Fault } from '@skillrun/core/fault.ts'
import { z } from 'zod'
import type { OpenIdSettings } from './adapters/identity-provider/openid-client/openid-client.ts'
import type { ProviderPolicy } from './features/users/provider-policy.ts'
import { roles } from './features/users/roles.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The identity provider by which people sign in, and whom it may let in. */
export interface OidcSettings {
  readonly provider: OpenIdSettings
  readonly policy: ProviderPolicy
}

const prefix = 'SKILLRUN_OIDC_'
const names = [
  ...['ISSUER', 'CLIENT_ID', 'CLIENT_SECRET', 'NAME', 'SCOPES', 'ROLE_CLAIM', 'ROLES', 'EMAIL_DOMAINS', 'TRUST_EMAIL'],
  ...['NEW_USERS', 'SESSION_HOURS'],
]

/** Undefined: none is set. Throws a Fault that names the variable and what is allowed. */
export function readOidcSettings(env: Environment): OidcSettings | undefined {
  const unknown = Object.keys(env).find((name) => name.startsWith(prefix) && !names.includes(name.slice(prefix.length)))
  if (unknown)
    throw new Fault(
      'invalid',
      'bad_configuration',
      `${unknown} is not a setting; allowed are ${names.map((name) => prefix + name).join(', ')}.`,
    )
  const value = (name: string) => env[prefix + name]?.trim() || undefined
  const issuer = value('ISSUER')
  if (issuer === undefined) {
    const other = names.find((name) => value(name) !== undefined)
    if (other) throw bad('ISSUER', '', `set where ${prefix}${other} is`)
    return undefined
  }
  const clientId = value('CLIENT_ID')
  if (clientId === undefined) throw bad('CLIENT_ID', '', 'the ID with which this server is registered at the provider')
  const host = issuerUrl(issuer).host
  const scopes = value('SCOPES') ?? 'openid email profile'
  if (!/^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(scopes) || !scopes.split(' ').includes('openid'))
    throw bad('SCOPES', scopes, 'scopes with single spaces between them, openid among them')
  const roleClaim = value('ROLE_CLAIM')
  const roleOf = rolesIn(value('ROLES'))
  if ((roleClaim === undefined) !== (roleOf.size === 0))
    throw bad('ROLES', value('ROLES') ?? '', `set together with ${prefix}ROLE_CLAIM`)
  const name = value('NAME') ?? host
  return {
    provider: { issuer, clientId, clientSecret: value('CLIENT_SECRET'), name, scopes },
    policy: {
      ...{ name, roleClaim, roleOf },
      emailDomains: domainsIn(value('EMAIL_DOMAINS')),
      trustsEmail: choice('TRUST_EMAIL', value('TRUST_EMAIL') ?? 'no', ['no', 'yes']) === 'yes',
      addsUsers: choice('NEW_USERS', value('NEW_USERS') ?? 'refuse', ['refuse', 'add']) === 'add',
      sessionMs: hoursIn(value('SESSION_HOURS')) * 3_600_000,
    },
  }
}

function bad(name: string, value: string, allowed: string): Fault {
  return new Fault(
    'invalid',
    'bad_configuration',
    `${prefix}${name} is ${JSON.stringify(value)}, but should be ${allowed}.`,
  )
}

function issuerUrl(text: string): URL {
  const url = URL.parse(text)
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isThisMachine(url.hostname))
  if (!url || !isSafe || url.username || url.password || url.search || url.hash)
    throw bad('ISSUER', text, 'an https address without user name, query and fragment; http on this machine alone')
  return url
}

const isThisMachine = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(host)

const rolesSchema = z.record(z.string().min(1), z.enum(roles))

function rolesIn(text: string | undefined): ProviderPolicy['roleOf'] {
  if (text === undefined) return new Map()
  const allowed = `a JSON object with values of the claim and their roles (${roles.join(', ')}), such as {"staff": "viewer"}`
  try {
    return new Map(Object.entries(rolesSchema.parse(JSON.parse(text))))
  } catch {
    throw bad('ROLES', text, allowed)
  }
}

function domainsIn(text: string | undefined): readonly string[] {
  const domains = (text ?? '').split(',').map((one) => one.trim().toLowerCase())
  if (text !== undefined && !domains.every((one) => /^[^\s@,]+$/.test(one)))
    throw bad('EMAIL_DOMAINS', text, 'domains such as example.com, with commas between them')
  return domains.filter((one) => one !== '')
}

function choice<const Choices extends readonly string[]>(
  name: string,
  text: string,
  choices: Choices,
): Choices[number] {
  if (!choices.includes(text)) throw bad(name, text, `one of ${choices.join(', ')}`)
  return text
}

function hoursIn(text: string | undefined): number {
  const hours = text === undefined ? 8 : /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (hours < 1 || hours > 168) throw bad('SESSION_HOURS', text ?? '', 'a whole number from 1 to 168')
  return hours
}
