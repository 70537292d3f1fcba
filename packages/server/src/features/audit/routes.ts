import { z } from 'zod'
import type { Db } from '../../adapters/db/db.ts'
import { moment, queryInteger } from '../../adapters/http/query.ts'
import { type Route, route } from '../../adapters/http/route.ts'
import { auditActions, listActions } from './audit.ts'

const auditRecord = z
  .object({
    id: z.string(),
    action: z.enum(auditActions),
    subject_id: z.string().describe('Id of the key, user, file, skill version, workspace or batch that was changed'),
    user_id: z.string().nullable().describe('Signed-in user who did it; null for keys'),
    user_name: z.string().nullable(),
    key_id: z
      .string()
      .nullable()
      .describe('Key that was used; null for signed-in users, actions of the server, and signed URLs'),
    key_name: z.string().nullable(),
    key_hint: z.string().nullable().describe('Last four characters of that key'),
    detail: z.record(z.string(), z.unknown()),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'AuditEntry' })

const auditQuery = z.object({
  action: z.enum(auditActions).optional(),
  subject_id: z.string().max(255).optional(),
  key_id: z.string().max(255).optional().describe('Id of a key or user'),
  created_after: moment({ dates: true }).optional(),
  created_before: moment({ dates: true }).optional(),
  skip: queryInteger({ min: 0, max: 1_000_000_000, fallback: 0 }, 'Number of items to skip, newest first'),
  limit: queryInteger({ min: 1, max: 1000, fallback: 100 }, 'Maximum number of items to return'),
})

/** The audit log: who did what to keys, files, skills and settings. `everywhere`: admins of the first workspace act in others, too. */
export function auditRoutes({ everywhere }: { everywhere: Db }): Route[] {
  return [
    route({
      method: 'get',
      path: '/v1/audit',
      operation: 'listAudit',
      tag: 'keys',
      scope: 'admin',
      summary: 'List the audit log of this workspace (keys, files, skills and settings), newest first',
      query: auditQuery,
      reply: { status: 200, description: 'Audit log entries', schema: z.array(auditRecord) },
      handle: async ({ caller, query }) => {
        const rows = await listActions(everywhere, {
          workspaceId: caller.workspaceId,
          action: query.action ?? null,
          subjectId: query.subject_id ?? null,
          keyId: query.key_id ?? null,
          after: query.created_after ?? null,
          before: query.created_before ?? null,
          skip: query.skip,
          limit: query.limit,
        })
        return {
          json: rows.map((row) => ({
            id: row.id,
            action: row.action,
            subject_id: row.subjectId,
            user_id: row.isUser ? row.keyId : null,
            user_name: row.isUser ? row.keyName : null,
            key_id: row.isUser ? null : row.keyId,
            key_name: row.isUser ? null : row.keyName,
            key_hint: row.isUser ? null : row.keyHint,
            detail: row.detail,
            created_at: row.createdAt.toISOString(),
          })),
        }
      },
    }),
  ]
}
