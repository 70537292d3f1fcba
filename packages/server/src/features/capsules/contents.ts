import { buffer } from 'node:stream/consumers'
import { Fault } from '@skillrun/core/fault.ts'
import { asJson, isJsonObject } from '@skillrun/core/json.ts'
import { z } from 'zod'
import type { Blobs } from '../../adapters/blobs/blobs.ts'
import type { Db } from '../../adapters/db/db.ts'
import { makeJsonScan } from '../../adapters/http/json-scan.ts'
import { ValidationFailure } from '../../adapters/http/validation.ts'
import { artifactIdPattern, listContents, mayBe, sumArtifacts } from '../artifacts/artifacts.ts'
import {
  type AskedBody,
  anyJson,
  askedOf,
  type Execution,
  importedOutcome,
  type Step,
} from '../executions/executions.ts'
import { loadHeldFile } from '../files/files.ts'
import { findContent } from '../programs/programs.ts'
import type { PinnedSkill } from '../skills/skills.ts'

/** Largest payload of a capsule with contents, which the main thread signs and verifies. As base64 it fits into a JSON body. */
const payloadBytesMax = 8 * 1024 * 1024

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const text = z.string()

const step = z.object({
  seq: z.int().min(1).max(1_000_000),
  kind: z.enum(['input', 'tool', 'model']),
  name: text.min(1).max(200),
  detail: z.record(text, anyJson),
  result: anyJson,
  cost_micros: z.int().min(0).max(1e12),
  started_at: z.iso.datetime(),
  ended_at: z.iso.datetime(),
})

const artifact = z
  .object({
    id: text.regex(artifactIdPattern),
    filename: text.max(255),
    content_type: text.regex(/^[\w.+-]{1,100}\/[\w.+-]{1,100}(?:; charset=utf-8)?$/),
    data: z.base64(),
  })
  .refine(({ id, content_type: type }) => mayBe(id, type))

/** What a capsule with contents holds besides hashes: everything that a replay on another server needs. */
export const capsuleContents = z.object({
  /** The public key of the signature. */
  key: z.object({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: text.max(100) }),
  name: text.min(1).max(400),
  tier: z.enum(['standard', 'flex', 'priority']),
  /** A body of POST /v1/agent/execute; files are named by the SHA-256 of their bytes. */
  request: z.record(text, z.unknown()),
  files: z.array(z.object({ sha256, filename: text.max(255), data: z.base64() })).max(1_000),
  steps: z.array(step).max(100_000),
  /** What tools made. Older capsules have none. */
  artifacts: z.array(artifact).max(100).default([]),
  outcome: importedOutcome,
})
export type CapsuleContents = z.infer<typeof capsuleContents>

interface ContentParts {
  readonly db: Db
  readonly blobs: Blobs
}

/**
 * The contents of an execution. Throws Faults `conflict`: `chat_turn`, `inputs_gone`, `foreign_skill`, and `too_large`
 * (`capsule_too_large`).
 */
export async function contentsOf(
  parts: ContentParts,
  execution: Execution,
  of: { steps: readonly Step[]; key: CapsuleContents['key'] },
): Promise<CapsuleContents> {
  const { request } = execution
  if (request.chat)
    throw new Fault('conflict', 'chat_turn', 'A turn of a chat cannot be exported with its contents; export it without')
  const files = await filesOf(parts, execution)
  const inputs = request.inputs.map((input) => {
    const file = files.get(input.name)
    return file ? { ...input, source: { kind: 'file' as const, fileId: file.sha256 } } : input
  })
  const skills = await inlineSkills(parts, execution)
  const { name, tier } = execution
  return {
    key: of.key,
    name,
    tier,
    request: withoutLinks(askedOf({ ...execution, request: { ...request, inputs, skills } })),
    files: [...new Map([...files.values()].map((file) => [file.sha256, file])).values()],
    steps: await Promise.all(of.steps.map((one) => stepContents(parts.db, execution, one))),
    artifacts: await artifactsOf(parts.db, execution),
    outcome: importedOutcome.parse(execution),
  }
}

/** Refuses a payload that every server would refuse to import. Fault `too_large` (`capsule_too_large`). */
export function refuseLargePayload(payload: Buffer): void {
  try {
    if (payload.length <= payloadBytesMax) {
      const scan = makeJsonScan()
      scan.feed(payload)
      scan.end()
      return
    }
  } catch (error) {
    if (!(error instanceof ValidationFailure)) throw error
  }
  throw tooLarge()
}

const tooLarge = (): Fault =>
  new Fault(
    'too_large',
    'capsule_too_large',
    `The contents of the execution are larger than a capsule may be: ${payloadBytesMax} bytes of JSON, files in base64 included. Export it without contents`,
  )

/** The other server must not call back, and does not have the base of the execution: what was kept of it is in a step. */
function withoutLinks({ callback_url: _, config, ...body }: AskedBody): CapsuleContents['request'] {
  const { base_execution: _base, ...rest } = config
  return { ...body, config: rest }
}

type ContentFile = CapsuleContents['files'][number]

/** The file inputs by name. */
async function filesOf(
  { db, blobs }: ContentParts,
  { workspaceId, id, request }: Execution,
): Promise<ReadonlyMap<string, ContentFile>> {
  const files = new Map<string, ContentFile>()
  let bytes = 0
  for (const { name, source } of request.inputs) {
    if (source.kind === 'url')
      throw gone(`the input ${name} came from a URL, and what it answered is not stored. Upload such inputs as files`)
    if (source.kind !== 'file') continue
    const file = await loadHeldFile({ db }, { workspaceId, executionId: id, id: source.fileId }).catch(
      goneOf(`the file of the input ${name} was deleted`),
    )
    bytes += file.bytes
    if (bytes > payloadBytesMax) throw tooLarge()
    const data = await buffer(await blobs.open(file.sha256))
    files.set(name, {
      sha256: file.sha256.toString('hex'),
      filename: file.filename,
      data: data.toString('base64'),
    })
  }
  return files
}

async function artifactsOf(db: Db, { workspaceId, id }: Execution): Promise<CapsuleContents['artifacts']> {
  const place = { workspaceId, executionId: id }
  if ((await sumArtifacts(db, place)).bytes > payloadBytesMax) throw tooLarge()
  return (await listContents(db, place)).map((one) => ({
    ...{ id: one.id, filename: one.filename, content_type: one.contentType },
    data: one.content.toString('base64'),
  }))
}

const gone = (why: string): Fault => new Fault('conflict', 'inputs_gone', `The execution cannot be exported: ${why}`)

const goneOf =
  (why: string) =>
  (error: unknown): never => {
    throw error instanceof Fault && error.kind === 'missing' ? gone(why) : error
  }

/** The skills with their bundles, in the format of inline skills in a request. */
async function inlineSkills({ blobs }: ContentParts, { request }: Execution): Promise<readonly PinnedSkill[]> {
  return Promise.all(
    (request.skills ?? []).map(async (skill) => {
      if (skill.isForeign)
        throw new Fault(
          'conflict',
          'foreign_skill',
          `The execution cannot be exported with its contents: the bundle of the public skill ${JSON.stringify(skill.name)} belongs to another workspace`,
        )
      if (skill.inline !== null || skill.zipSha256 === null) return skill
      const why = `the skill ${JSON.stringify(skill.name)} was deleted`
      const zip = await buffer(await blobs.open(Buffer.from(skill.zipSha256, 'hex')).catch(goneOf(why)))
      return { ...skill, inline: zip.toString('base64') }
    }),
  )
}

/** A stored step; with the program that served the request, if any. */
async function stepContents(
  db: Db,
  { workspaceId }: Execution,
  { seq, kind, name, detail, result, costMicros, startedAt, endedAt }: Step,
): Promise<CapsuleContents['steps'][number]> {
  const { program } = isJsonObject(detail) ? detail : {}
  const id = isJsonObject(program) ? program['id'] : undefined
  const content = typeof id === 'string' && name === 'program' ? await findContent(db, { workspaceId, id }) : undefined
  return {
    ...{ seq, kind, name, result, cost_micros: costMicros },
    detail: {
      ...(isJsonObject(detail) ? detail : {}),
      ...(content ? { content: { source: content.source, guard: asJson(content.guard as never) } } : {}),
    },
    started_at: startedAt.toISOString(),
    ended_at: endedAt.toISOString(),
  }
}
