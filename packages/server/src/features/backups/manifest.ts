import { canonicalSha256 } from '@skillrun/core/canonical-json.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { z } from 'zod'
import type { BackupPlace } from '../../adapters/backup-place/backup-place.ts'

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)

const contentSchema = z.strictObject({
  format: z.literal(1),
  created_at: z.iso.datetime(),
  /** The version of Skillrun that made the backup. */
  version: z.string(),
  /** The id of the first workspace: which installation this is. */
  installation: z.string(),
  migrations: z.array(z.strictObject({ version: z.int(), name: z.string(), sha256 })),
  /** The lines of each table, gzipped, are a blob of the backup. */
  tables: z.array(
    z.strictObject({
      schema: z.string(),
      name: z.string(),
      columns: z.array(z.string()),
      rows: z.int().min(0),
      sha256,
      bytes: z.int().min(0),
    }),
  ),
  sequences: z.array(z.strictObject({ table: z.string(), column: z.string(), value: z.string(), isUsed: z.boolean() })),
  /** A blob with one line per file: its SHA-256 and its length. */
  files: z.strictObject({ sha256, count: z.int().min(0), bytes: z.int().min(0) }),
  /** Files whose content the store did not have, or had damaged, when the backup was made. */
  lost_files: z.array(sha256),
  /** An encrypted secret of the server in base64, to find out whether a key is the right one; null: there is none yet. */
  sealed_sample: z.string().nullable(),
  /** The keys of the secrets, when the operator wanted them in the backup. */
  secret_keys: z.string().nullable(),
})
const manifestSchema = z.strictObject({ ...contentSchema.shape, sha256 })

type ManifestContent = z.infer<typeof contentSchema>
export type Manifest = z.infer<typeof manifestSchema>

export async function writeManifest(place: BackupPlace, name: string, content: ManifestContent): Promise<void> {
  const manifest: Manifest = { ...content, sha256: await canonicalSha256(content) }
  await place.write(name, `${JSON.stringify(manifest, null, 1)}\n`)
}

/** Throws Fault `missing` (`unknown_snapshot`), or `conflict` (`backup_damaged`) when it is not what was written. */
export async function readManifest(place: BackupPlace, name: string): Promise<Manifest> {
  const names = await place.names()
  if (!names.includes(name))
    throw new Fault('missing', 'unknown_snapshot', `There is no snapshot ${name}; there are: ${names.join(', ')}.`)
  const damaged = new Fault(
    'conflict',
    'backup_damaged',
    `The snapshot ${name} is damaged: its file was changed or cut.`,
  )
  try {
    const value: unknown = JSON.parse(await place.read(name))
    const { sha256, ...content } = manifestSchema.parse(value)
    if ((await canonicalSha256(content)) !== sha256) throw damaged
    return { ...content, sha256 }
  } catch (error) {
    throw error instanceof Fault ? error : damaged
  }
}

/** The newest snapshot. Throws Fault `missing` (`no_backup`) where no backup was completed. */
export async function newestName(place: BackupPlace): Promise<string> {
  const name = (await place.names()).at(-1)
  if (name !== undefined) return name
  throw new Fault('missing', 'no_backup', 'There is no complete backup in that place.')
}
