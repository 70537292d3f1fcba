import { readFile, stat, writeFile } from 'node:fs/promises'
import type { Capsule, CapsuleKeys, AgentExecutionResponse as Execution } from '@skillrun/client/openapi.ts'
import { canonicalSha256 } from '@skillrun/core/canonical-json.ts'
import { envelopeText, type PublishedKey, refuseSignedOutside, verifyEnvelope } from '@skillrun/core/dsse.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { isJsonObject, type Json, type JsonObject } from '@skillrun/core/json.ts'
import type { Command, GlobalOptions } from '../command.ts'
import { readJsonFile } from '../local-json.ts'
import { callerPath } from '../paths.ts'
import { printable, renderFields, renderJson, renderMoment, renderTable } from '../render.ts'
import type { Terminal } from '../terminal.ts'

const keysPath = '/.well-known/skillrun-keys.json'
const payloadType = 'application/vnd.in-toto+json'
const predicateType = 'urn:skillrun:execution:v1'

/** `skillrun executions capsule`: a signed statement about an execution. */
export function addCapsule(executions: Command, terminal: Terminal): void {
  executions
    .command('capsule <ID>')
    .description('get a signed statement about an execution that has ended; "skillrun verify" checks it')
    .option('-o, --output <FILE>', 'where to put it; without it, stdout')
    .option(
      '--contents',
      'include the request, the inputs, the steps and the answer, so that another server can import it',
    )
    .examples('skillrun executions capsule 0192f0c1-… -o invoice.capsule.json')
    .action(async (id: string, { output, contents }: { output?: string; contents?: boolean }, command: Command) => {
      const client = await command.connect()
      const { payloadType, payload, signatures } = await client.call<Capsule>(
        `/v1/agent/executions/${encodeURIComponent(id)}/capsule${contents ? '?contents=true' : ''}`,
      )
      const [signature = { keyid: '', sig: '' }] = signatures
      const text = envelopeText({ payloadType, payload, signatures: [signature] })
      if (output === undefined) return terminal.print(`${text}\n`)
      await writeFile(callerPath(output, terminal.environment), text)
      terminal.log(`wrote ${output}`)
    })
}

/** `skillrun executions import`: creates an execution on this server from a capsule with contents. */
export function addImport(executions: Command, terminal: Terminal): void {
  executions
    .command('import <FILE>')
    .description('import the execution of a capsule with contents as a new execution, to replay or fork it')
    .examples('skillrun executions import invoice.capsule.json')
    .action(async (file: string, _: unknown, command: Command) => {
      const body = await readJsonFile(file, terminal, 'capsule')
      const client = await command.connect()
      const record = await client.call<Execution>('/v1/capsules', { method: 'POST', body })
      if (command.isJson) return terminal.print(renderJson(record))
      if (!record.trusted) terminal.log('not trusted: the capsule is signed with a key of another server')
      terminal.print(`${printable(record.id)}\n`)
    })
}

interface VerifyOptions {
  readonly keys?: string
  readonly record?: string
}

/** `skillrun verify`: checks a capsule, offline if the keys are in a file. */
export function addVerify(program: Command, terminal: Terminal): void {
  program
    .command('verify <FILE>')
    .description('check the signature of a capsule, and with --record whether a record is the one it was made of')
    .option(
      '--keys <URL|FILE>',
      `public keys of the server, also as --key if that is an address or names a file; without it, ${keysPath} of the configured server`,
    )
    .option('--record <FILE>', 'record of the execution, as "skillrun executions get ID --json" prints it')
    .examples(
      'skillrun verify invoice.capsule.json --key keys.json',
      `skillrun verify invoice.capsule.json --keys https://skillrun.example.com${keysPath}`,
    )
    .action(async (file: string, { keys, record }: VerifyOptions, command: Command) => {
      // Otherwise --key is the API key, as for every command.
      const { key = '' } = command.optsWithGlobals<GlobalOptions>()
      const keysFrom = keys ?? ((await namesKeys(key, terminal)) ? key : undefined)
      const bytes = await readFile(callerPath(file, terminal.environment)).catch((error: NodeJS.ErrnoException) => {
        throw new Fault('invalid', 'no_capsule', `The capsule ${file} cannot be read: ${error.code}`)
      })
      const published = await loadKeys(keysFrom, command, terminal)
      const { payload, key: signer } = verifyEnvelope(bytes, payloadType, published)
      const statement = predicateOf(payload)
      refuseSignedOutside(String(statement['signed_at']), signer)
      if (record !== undefined) await compareRecord(statement, await readJsonFile(record, terminal, 'record'))
      if (command.isJson) return terminal.print(renderJson(statement))
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
    })
}

/** `skillrun capsule-keys`: the keys that sign capsules. */
export function addCapsuleKeys(program: Command, terminal: Terminal): void {
  program
    .command('capsule-keys')
    .description('list the public keys that capsules are signed with, or sign with a new one')
    .option('--rotate', 'sign with a new key from now on; needs an admin of the first workspace')
    .option('--revoke', 'with --rotate: capsules of the earlier key are valid no longer')
    .examples('skillrun capsule-keys --json > keys.json', 'skillrun capsule-keys --rotate')
    .action(async ({ rotate, revoke }: { rotate?: boolean; revoke?: boolean }, command: Command) => {
      if (revoke && !rotate)
        throw new Fault('invalid', 'rotate_to_revoke', '--revoke needs --rotate: a revoked key cannot sign')
      const client = await command.connect()
      const list = rotate
        ? await client.call<CapsuleKeys>('/v1/capsule-keys/rotate', {
            method: 'POST',
            body: { revoke: revoke === true },
          })
        : await client.call<CapsuleKeys>(keysPath)
      if (command.isJson) return terminal.print(renderJson(list))
      const rows = list.keys.map((key) => [
        key.kid,
        key.revoked_at ? 'revoked' : key.valid_until ? 'retired' : 'signs',
        renderMoment(key.valid_from),
        renderMoment(key.valid_until),
      ])
      terminal.print(renderTable(['ID', 'STATUS', 'FROM', 'UNTIL'], rows, terminal.columns))
    })
}

const reviewText = (version: Json | undefined): string => (version ? `version ${version}` : 'none')

const member = (value: Json | undefined, name: string): Json | undefined =>
  isJsonObject(value) ? value[name] : undefined

/** Whether the value of --key is a place of published keys. */
const namesKeys = async (key: string, { environment }: Terminal): Promise<boolean> =>
  isAddress(key) ||
  stat(callerPath(key, environment)).then(
    (found) => found.isFile(),
    () => false,
  )

const isAddress = (from: string): boolean => /^https?:\/\//.test(from)

async function loadKeys(
  from: string | undefined,
  command: Command,
  terminal: Terminal,
): Promise<readonly PublishedKey[]> {
  if (from === undefined) return (await (await command.connect()).call<CapsuleKeys>(keysPath)).keys
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
