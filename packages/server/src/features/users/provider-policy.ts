import { Fault } from '@skillrun/core/fault.ts'
import type { Identity } from '../../adapters/identity-provider/identity-provider.ts'
import { type Role, roles } from './roles.ts'

/** Who may sign in by the identity provider, and as what; set by the operator. */
export interface ProviderPolicy {
  /** What people call the provider. */
  readonly name: string
  /** The claim whose values decide on roles; undefined: admins of Skillrun decide. */
  readonly roleClaim: string | undefined
  /** Roles by values of the claim. */
  readonly roleOf: ReadonlyMap<string, Role>
  /** Domains of email addresses, in lower case; empty: all. */
  readonly emailDomains: readonly string[]
  /** Whether an address counts that the provider does not call verified. */
  readonly trustsEmail: boolean
  /** Whether people without an account get one, in the first workspace. */
  readonly addsUsers: boolean
  /** A session ends this long after its sign-in: the provider is asked again then. */
  readonly sessionMs: number
}

/** The person's email address. Fault `forbidden` without one, where it is not verified, and for another domain. */
export function emailIn(policy: ProviderPolicy, { claims }: Identity): string {
  const email = typeof claims['email'] === 'string' ? claims['email'].trim().normalize('NFC').toLowerCase() : ''
  if (!/^[^\s@"<>]{1,64}@[^\s@"<>]{1,189}$/.test(email))
    throw new Fault('forbidden', 'no_email', `${policy.name} gave no email address for you`)
  // Some providers send it as text.
  const isVerified = [true, 'true'].includes(claims['email_verified'] as boolean | string)
  if (!isVerified && !policy.trustsEmail)
    throw new Fault('forbidden', 'email_not_verified', `${policy.name} has not verified your email address ${email}`)
  const domain = email.slice(email.lastIndexOf('@') + 1)
  if (policy.emailDomains.length > 0 && !policy.emailDomains.includes(domain))
    throw new Fault('forbidden', 'email_domain', `People with an address at ${domain} cannot sign in here`)
  return email
}

/** The highest role that the person's claim gives; undefined: the provider does not decide; null: it gives none. */
export function roleIn({ roleClaim, roleOf }: ProviderPolicy, { claims }: Identity): Role | null | undefined {
  if (roleClaim === undefined) return undefined
  const value = claimIn(claims, roleClaim)
  const values = Array.isArray(value) ? value : typeof value === 'string' ? [value] : []
  return roles.findLast((role) => values.some((one) => roleOf.get(String(one)) === role)) ?? null
}

/** A claim by its name, or by a path: `realm_access.roles`. A name may contain dots itself. */
function claimIn(claims: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  let value: unknown = claims
  for (const key of name.split('.'))
    value =
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as Record<string, unknown>)[key]
        : undefined
  return value
}

/** The name that the provider gives a person, in one line. */
export function nameIn({ claims }: Identity, email: string): string {
  const name = typeof claims['name'] === 'string' ? claims['name'].replace(/\p{Cc}+/gu, ' ').trim() : ''
  return name === '' ? email : [...name].slice(0, 100).join('')
}
