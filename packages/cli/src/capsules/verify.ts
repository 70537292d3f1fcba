import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { canonicalSha256 } from '@skillrun/core/canonical-json.ts'
import { type PublishedKey, refuseSignedOutside, verifyEnvelope } from '@skillrun/core/dsse.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { isJsonObject, type Json, type JsonObject } from '@skillrun/core/json.ts'
import { readJsonFile } from '../local-json.ts'
import { callerPath } from '../paths.ts'
import { printable, renderFields, renderJson } from '../render.ts'
import type { Terminal } from '../terminal.ts'

export const keysPath = '/.well-known/skillrun-keys.json'
const payloadType = 'application/vnd.in-toto+json'
const predicateType = 'urn:skillrun:execution:v1'

/** What `skillrun verify` checks. */
interface Asked {
  readonly file: string
  readonly record: string | undefined
  readonly isJson: boolean
}

/**
 * The check that these words of `skillrun verify` ask for, where it needs no server and no help: a file, and keys in another. It saves the
 * parser of commands, which takes longer to load than the check.
 */
export function offlineCheckOf(words: readonly string[], terminal: Terminal): (() => Promise<void>) | undefined {
  const given = plainWords(words)
  const [file, ...more] = given?.positionals ?? []
  const { keys, record, json = false } = given?.values ?? {}
  if (!file || more.length > 0 || !keys || isAddress(keys)) return undefined
  return () => verifyCapsule({ file, record, isJson: json }, () => loadKeys(keys, terminal), terminal)
}

/** Words as options of a check without a server; undefined when there are others. */
function plainWords(words: readonly string[]) {
  const options = { keys: { type: 'string' }, record: { type: 'string' }, json: { type: 'boolean' } } as const
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true })
  } catch {
    return undefined
  }
}

/** Verifies a capsule and prints what it says. Throws the Faults of `verifyEnvelope`, `refuseSignedOutside` and `readJsonFile`. */
export async function verifyCapsule(
  { file, record, isJson }: Asked,
  keys: () => Promise<readonly PublishedKey[]>,
  terminal: Terminal,
): Promise<void> {
  const bytes = await readFile(callerPath(file, terminal.environment)).catch((error: NodeJS.ErrnoException) => {
    throw new Fault('invalid', 'no_capsule', `The capsule ${file} cannot be read: ${error.code}`)
  })
  const { payload, key: signer } = verifyEnvelope(bytes, payloadType, await keys())
  const statement = predicateOf(payload)
  refuseSignedOutside(String(statement['signed_at']), signer)
  if (record !== undefined) await compareRecord(statement, await readJsonFile(record, terminal, 'record'))
  if (isJson) return terminal.print(renderJson(statement))
  const { execution, inputs, signed_at: signedAt, review, transcript } = statement
  const [fork, base] = [member(execution, 'forked_from'), member(execution, 'base_execution')]
  terminal.print(
    renderFields([
      ['Signature', `valid, by key ${signer.kid}`],
      ['Signed', printable(String(signedAt))],
      ['Execution', printable(String(member(execution, 'id')))],
      ['Status', printable(String(member(execution, 'status')))],
      ['Model', printable(String(member(execution, 'answered_by') ?? member(execution, 'model')))],
      [
        'Inputs',
        printable(
          (Array.isArray(inputs) ? (inputs as readonly Json[]) : [])
            .map((one) => `${member(one, 'name')} (SHA-256 ${member(one, 'sha256')})`)
            .join(', '),
        ),
      ],
      ...(fork
        ? [['Fork', printable(`of ${fork}, with ${member(transcript, 'kept_steps')} of its steps`)] as const]
        : []),
      ...(base ? [['Base', printable(`${base}, of whose answer it may keep fields`)] as const] : []),
      ['Review', reviewText(member(review, 'version'))],
      ...(record === undefined ? [] : [['Record', 'equal to what was signed'] as const]),
    ]),
  )
}

const reviewText = (version: Json | undefined): string => (version ? `version ${version}` : 'none')

const member = (value: Json | undefined, name: string): Json | undefined =>
  isJsonObject(value) ? value[name] : undefined

export const isAddress = (from: string): boolean => /^https?:\/\//.test(from)

/** Published keys at an address or in a file. Throws Fault `invalid` when it has none. */
export async function loadKeys(from: string, terminal: Terminal): Promise<readonly PublishedKey[]> {
  const refused = (why: string) => new Fault('invalid', 'bad_keys', `The keys ${from} ${why}`)
  const list = isAddress(from)
    ? await fetch(from, { signal: terminal.signal })
        .then((reply) => (reply.ok ? reply.json() : Promise.reject(new Error(`answer ${reply.status}`))))
        .catch((error: Error) => {
          throw refused(`cannot be fetched: ${error.message}`)
        })
    : await readJsonFile(from, terminal, 'keys')
  const keys: unknown = isJsonObject(list) ? list['keys'] : undefined
  if (!Array.isArray(keys) || !keys.every(isPublishedKey))
    throw refused(`must be a list of keys, as ${keysPath} of a server gives it`)
  return keys
}

const isPublishedKey = (key: unknown): key is PublishedKey =>
  isJsonObject(key) &&
  ['kty', 'crv', 'kid', 'x', 'valid_from'].every((name) => typeof key[name] === 'string') &&
  ['valid_until', 'revoked_at'].every((name) => key[name] === null || typeof key[name] === 'string')

/** The content of a capsule's statement. */
function predicateOf(payload: Buffer): JsonObject {
  // Signed by the server: it is JSON.
  const statement = JSON.parse(payload.toString('utf8')) as Json
  const predicate = member(statement, 'predicate')
  if (member(statement, 'predicateType') !== predicateType || !isJsonObject(predicate))
    throw new Fault('conflict', 'bad_capsule', `The capsule is signed, but it is no statement of type ${predicateType}`)
  return predicate
}

/** Throws Fault `conflict` (`other_record`) that names the fields in which a record differs from what was signed. */
async function compareRecord(statement: JsonObject, record: JsonObject): Promise<void> {
  const signed = new Map(Object.entries(await signedHashes(statement)))
  // An absent field is as good as null: another version of the server may not have it.
  const names = new Set([...signed.keys(), ...(isJsonObject(statement['record']) ? Object.keys(record) : [])])
  const nothing = await canonicalSha256(null)
  const differing: string[] = []
  for (const name of names)
    if ((await canonicalSha256(record[name] ?? null)) !== (signed.get(name) ?? nothing)) differing.push(name)
  if (differing.length === 0) return
  throw new Fault('conflict', 'other_record', `The record differs from the capsule in its ${differing.join(', ')}`)
}

/** The hash of each signed field of the record. Earlier capsules have only some of them, and the facts of the execution as they are. */
async function signedHashes(statement: JsonObject): Promise<JsonObject> {
  if (isJsonObject(statement['record'])) return statement['record']
  const { answered_by: _, ...facts } = isJsonObject(statement['execution']) ? statement['execution'] : {}
  const hashes: Record<string, Json> = {}
  for (const part of ['response', 'evidence', 'usage']) hashes[part] = member(statement[part], 'sha256') ?? null
  for (const [name, value] of Object.entries({ ...facts, skills: statement['skills'] ?? [] }))
    hashes[name] = await canonicalSha256(value)
  return hashes
}
