import { signEnvelope } from '@skillrun/core/dsse.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { z } from 'zod'
import { type Route, route } from '../../adapters/http/route.ts'
import { recordAction } from '../audit/audit.ts'
import { findOriginal, loadExecution } from '../executions/executions.ts'
import { isFirstWorkspace } from '../keys/keys.ts'
import { ensureSigningKey, publishedKeys, rotateSigningKey, type SigningParts } from './signing-keys.ts'
import { statementMediaType, statementOf } from './statement.ts'

/** RFC 6838 media type of a DSSE envelope. */
const envelopeMediaType = 'application/vnd.dsse+json'

const capsule = z
  .object({
    payloadType: z.literal(statementMediaType),
    payload: z.string().describe('An in-toto Statement v1, in base64'),
    signatures: z.array(z.object({ keyid: z.string(), sig: z.string() })).length(1),
  })
  .meta({ id: 'Capsule', description: 'A DSSE envelope with one Ed25519 signature. Keep its bytes as they are sent' })

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
        valid_until: z.iso.datetime().nullable().describe('When it stopped signing; null: it signs'),
        revoked_at: z.iso.datetime().nullable().describe('Nothing that a revoked key signed can be trusted'),
      }),
    ),
  })
  .meta({ id: 'CapsuleKeys', description: 'A JSON Web Key Set (RFC 7517, RFC 8037)' })

const rotateRequest = z
  .object({
    revoke: z.boolean().nullish().describe('Revokes the earlier key: its capsules are valid no longer'),
  })
  .nullish()
  .meta({ id: 'CapsuleKeyRotation' })

/** Signed statements about executions, and the keys that sign them. */
export function capsuleRoutes(parts: SigningParts): Route[] {
  return [
    route({
      method: 'get',
      path: '/v1/agent/executions/{id}/capsule',
      operation: 'getCapsule',
      tag: 'executions',
      scope: 'read',
      summary:
        'A signed statement over hashes of an execution that has ended: inputs, request, skills, program, transcript, response, evidence, usage, reviews',
      params: z.object({ id: z.string() }),
      reply: { status: 200, description: 'The capsule', schema: capsule, contentType: envelopeMediaType },
      failures: [404, 409],
      handle: async ({ db, caller: { workspaceId }, params }) => {
        const { id } = await loadExecution({ db }, { workspaceId, id: params.id })
        const execution = await findOriginal(db, { workspaceId, id })
        // Deleted in this very moment.
        if (!execution) throw new Fault('missing', 'unknown_execution', 'This workspace has no execution with this id')
        const key = await ensureSigningKey(parts)
        const statement = await statementOf(db, execution, key.signsAt)
        const payload = Buffer.from(JSON.stringify(statement))
        return {
          json: signEnvelope(statementMediaType, payload, key),
          headers: { 'Content-Type': envelopeMediaType },
        }
      },
    }),
    route({
      method: 'get',
      path: '/.well-known/skillrun-keys.json',
      operation: 'listCapsuleKeys',
      tag: 'executions',
      scope: 'public',
      summary: 'The public keys that capsules of this server are signed with, and when each was valid',
      reply: { status: 200, description: 'The keys, the one that signs first', schema: keyList },
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
