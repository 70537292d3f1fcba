// The latency of a page of GET /v1/skills in a workspace of 1,000 versions and in one of a million: over HTTP, the
// median of many. Prints JSON. `node bench/skills-list.ts [--rows 1000,1000000] [--requests 100]`
import { randomUUID } from 'node:crypto'
import type { Db } from '../packages/server/src/adapters/db/db.ts'
import { openCluster } from '../test/support/cluster.ts'
import { median } from './measure.ts'
import { optionsOf } from './options.ts'
import { openPlace } from './place.ts'

const { rows, requests } = optionsOf({ rows: '1000,1000000', requests: 100 })
const sizes = rows.split(',').map(Number)
const rowsPerInsert = 100_000

/** The control is a page without skills: it shows the noise of the machine. */
const control = '/v1/files'
const queries = [
  '/v1/skills',
  '/v1/skills?offset=500',
  '/v1/skills?grouped=true',
  '/v1/skills?grouped=true&offset=100',
  '/v1/skills?order_by=name&descending=false',
  '/v1/skills?order_by=updated_at&grouped=true&limit=200',
]

await using place = await openPlace('skills')
const db = await place.connect(place.database.administratorAddress)
const SKILLRUN_CONFIG = await place.configured({ limits: { requests_per_minute: 10_000_000 } })
await using cluster = await openCluster(place.database.address, { SKILLRUN_CONFIG })
const api = await cluster.start('api')
const [own] = await db.query<{ id: string }>('select id from workspaces order by created_at limit 1')
const others = randomUUID()
await db.query(`insert into workspaces (id, name, created_at) values ($1, 'others', $2)`, [others, new Date()])
const medians: Record<string, Record<string, number>> = {}
let there = 0
for (const size of sizes) {
  await addRows(db, { own: own?.id ?? '', others, from: there, to: size })
  there = size
  // Maintenance that the database would do later is done before measuring.
  await db.query('vacuum analyze skills')
  await db.query('checkpoint')
  medians[size] = await measure(api.url, cluster.key)
}
const [first, last] = [medians[sizes[0] ?? 0] ?? {}, medians[sizes.at(-1) ?? 0] ?? {}]
const ratio = Object.fromEntries(
  [...queries, control].map((query) => [query, Number(((last[query] ?? 0) / (first[query] ?? 1)).toFixed(2))]),
)
process.stdout.write(`${JSON.stringify({ requests, median_ms: medians, ratio }, null, 2)}\n`)

/** Four versions per name; of ten names, eight are private, one is public, and one is public in another workspace. */
async function addRows(sql: Db, of: { own: string; others: string; from: number; to: number }): Promise<void> {
  for (let at = of.from; at < of.to; at += rowsPerInsert) {
    await sql.query(
      `insert into skills (id, workspace_id, name, number, skill_version, description, is_public, status, origin, sha256,
         zip_sha256, zip_bytes, facts, is_latest, is_latest_public, created_at, updated_at)
       select gen_random_uuid(), case when name % 10 = 9 then $2::uuid else $1::uuid end, 'skill-' || name, n % 4 + 1,
         '20261121-0a1b2c3d', 'What the skill does', name % 10 >= 8, 'completed', 'prompt', '\\x00', '\\x00', 1000, '{}',
         n % 4 = 3, n % 4 = 3 and name % 10 >= 8, timestamptz '2026-01-01' + n * interval '1 second',
         timestamptz '2026-01-01' + n * interval '1 second'
       from (select n, n / 4 as name from generate_series($3::bigint, $4::bigint - 1) n) made`,
      [of.own, of.others, at, Math.min(of.to, at + rowsPerInsert)],
    )
  }
}

/** Median milliseconds of each query after some warm-up; the queries alternate. */
async function measure(url: string, key: string): Promise<Record<string, number>> {
  const taken = new Map<string, number[]>([...queries, control].map((query) => [query, []]))
  for (let round = -5; round < requests; round++) {
    for (const query of [...queries, control]) {
      const startedMs = performance.now()
      const response = await fetch(url + query, { headers: { Authorization: `Bearer ${key}` } })
      const listed = (await response.json()) as unknown[]
      if (response.status !== 200 || (query !== control && listed.length === 0))
        throw new Error(`${query} was answered ${response.status}`)
      if (round >= 0) taken.get(query)?.push(performance.now() - startedMs)
    }
  }
  return Object.fromEntries([...taken].map(([query, times]) => [query, Number(median(times).toFixed(2))]))
}
