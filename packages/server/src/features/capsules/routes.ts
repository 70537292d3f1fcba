import { createPublicKey } from 'node:crypto'
import { signEnvelope } from '@skillrun/core/dsse.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { asJson, type JsonObject } from '@skillrun/core/json.ts'
import { z } from 'zod'
import { queryBoolean } from '../../adapters/http/query.ts'
import { type Route, route } from '../../adapters/http/route.ts'
import { jsonBytes } from '../../core/json-pieces.ts'
import { recordAction } from '../audit/audit.ts'
import { executionRecord, loadOriginal, recordOf, type Step, shapedRecord } from '../executions/executions.ts'
import { idempotencyKeyOf } from '../idempotency/idempotency.ts'
import { isFirstWorkspace } from '../keys/keys.ts'
import { type CapsuleContents, contentsOf, refuseLargePayload } from './contents.ts'
import type { ImportParts } from './import.ts'
import { ensureSigningKey, publishedKeys, rotateSigningKey, type SigningParts } from './signing-keys.ts'
import { statementMediaType, statementOf } from './statement.ts'

/** RFC 6838 media type of a DSSE envelope. */
const envelopeMediaType = 'application/vnd.dsse+json'

const capsuleQuery = z.object({
  contents: queryBoolean(
    false,
    'true: the capsule also holds the request, the bytes of the inputs, the steps and the answer, so that another server can import it',
  ),
})

const capsule = z
  .object({
    payloadType: z.literal(statementMediaType),
    payload: z.string().describe('An in-toto Statement v1, in base64'),
    signatures: z.array(z.object({ keyid: z.string(), sig: z.string() })).length(1),
  })
  .meta({ id: 'Capsule', description: 'A DSSE envelope with one Ed25519 signature. Store its bytes unchanged' })

const keyList = z
  .object({
    keys: z.array(
      z.object({
        kty: z.literal('OKP'),
        crv: z.literal('Ed25519'),
        alg: z.literal('EdDSA'),
        use: z.literal('sig'),
        kid: z.string().describe('Same as `keyid` in a capsule'),
        x: z.string().describe('The public key, base64url'),
        valid_from: z.iso.datetime(),
        valid_until: z.iso.datetime().nullable().describe('When it stopped signing; null: it still signs'),
        revoked_at: z.iso.datetime().nullable().describe('Nothing that a revoked key signed can be trusted'),
      }),
    ),
  })
  .meta({ id: 'CapsuleKeys', description: 'A JSON Web Key Set (RFC 7517, RFC 8037)' })

const rotateRequest = z
  .object({
    revoke: z.boolean().nullish().describe('Revokes the previous key: its capsules are no longer valid'),
  })
  .nullish()
  .meta({ id: 'CapsuleKeyRotation' })

/** Signed statements about executions, and the keys that sign them. */
export function capsuleRoutes(parts: SigningParts & Omit<ImportParts, 'db'>): Route[] {
  return [
    route({
      method: 'get',
      path: '/v1/agent/executions/{id}/capsule',
      operation: 'getCapsule',
      tag: 'executions',
      scope: 'read',
      summary:
        'A signed statement over hashes of an execution that has ended: inputs, request, skills, program, transcript, response, evidence, artifacts, usage, reviews',
      params: z.object({ id: z.string() }),
      query: capsuleQuery,
      reply: { status: 200, description: 'The capsule', schema: capsule, contentType: envelopeMediaType },
      failures: [404, 409, 413],
      handle: async ({ db, caller: { workspaceId }, params, query }) => {
        const execution = await loadOriginal(db, { workspaceId, id: params.id })
        const key = await ensureSigningKey(parts)
        const { kty, crv, x = '' } = createPublicKey(key.privateKey).export({ format: 'jwk' })
        const own = { kty, crv, x } as CapsuleContents['key']
        const contents = async (steps: readonly Step[]) =>
          asJson((await contentsOf({ ...parts, db }, execution, { steps, key: own })) as never) as JsonObject
        const statement = await statementOf(db, execution, key.signsAt, query.contents ? contents : undefined)
        const payload = await jsonBytes(statement)
        if (query.contents) refuseLargePayload(payload)
        return {
          json: signEnvelope(statementMediaType, payload, key),
          headers: { 'Content-Type': envelopeMediaType },
        }
      },
    }),
    route({
      method: 'post',
      path: '/v1/capsules',
      operation: 'importCapsule',
      tag: 'executions',
      scope: 'execute',
      summary:
        'Import the execution of a capsule with contents as a new execution of this workspace, with its inputs, request, transcript and answer; it can be replayed and forked',
      body: capsule,
      reply: { status: 201, description: 'The new execution', schema: executionRecord },
      failures: [409, 413],
      handle: async ({ db, caller, body, headers, signal }) => {
        const { payloadType, payload } = body
        const [signature = { keyid: '', sig: '' }] = body.signatures
        // Loaded on first use, to keep the start fast.
        const { importCapsule } = await import('./import.ts')
        const imported = await importCapsule(
          { ...parts, db },
          {
            ...{ caller, signal, idempotencyKey: idempotencyKeyOf(headers) },
            envelope: { payloadType, payload, signatures: [signature] },
          },
        )
        return { json: shapedRecord(recordOf(imported), headers), about: { execution: imported.id } }
      },
    }),
    route({
      method: 'get',
      path: '/.well-known/skillrun-keys.json',
      operation: 'listCapsuleKeys',
      tag: 'executions',
      scope: 'public',
      summary: 'The public keys that capsules of this server are signed with, and when each was valid',
      reply: { status: 200, description: 'The keys, the current one first', schema: keyList },
      handle: async ({ db }) => ({ json: { keys: await publishedKeys(db) } }),
    }),
    route({
      method: 'post',
      path: '/v1/capsule-keys/rotate',
      operation: 'rotateCapsuleKey',
      tag: 'keys',
      scope: 'admin',
      summary: 'Sign capsules with a new key from now on; only for admins of the first workspace',
      body: rotateRequest,
      reply: { status: 200, description: 'The keys, the new one first', schema: keyList },
      handle: async ({ db, caller, body }) => {
        if (!(await isFirstWorkspace(db, caller.workspaceId)))
          throw new Fault(
            'forbidden',
            'not_first_workspace',
            'Only an admin of the first workspace can rotate the key of capsules',
          )
        const { workspaceId, keyId } = caller
        const isRevoked = body?.revoke === true
        await parts.everywhere.transaction(async (tx) => {
          const { id, earlier } = await rotateSigningKey(tx, parts, { isRevoked })
          const detail = { earlier, revoked: isRevoked }
          const action = 'capsule_key.rotate' as const
          await recordAction(tx, { workspaceId, keyId, action, subjectId: id, detail, now: parts.clock.now() })
        })
        return { json: { keys: await publishedKeys(parts.everywhere) } }
      },
    }),
  ]
}
