import type { BreakableDatabase } from './database.ts'

/** Counts of violations, and other facts about the database after everything has ended. */
export async function countRows(
  database: Pick<BreakableDatabase, 'query'>,
  accepted: readonly string[],
  killedPids: ReadonlySet<number>,
) {
  const one = async (text: string, params: readonly unknown[] = []): Promise<number> =>
    Number((await database.query<{ count: number }>(text, params))[0]?.count ?? 0)
  const ends = `jsonb_array_length(jsonb_path_query_array(moves, '$[*] ? (@.status == "completed" || @.status == "failed")'))`
  const failed = await database.query<{ code: string; count: number }>(
    `select concat(error->>'code', ': ', error->>'message') as code, count(*)::integer as count from executions where status = 'failed' group by 1`,
  )
  return {
    executions: await one('select count(*) from executions'),
    lost: await one(
      `select count(*) from unnest($1::uuid[]) as accepted (id)
       where not exists (select 1 from executions where executions.id = accepted.id and status in ('completed', 'failed'))`,
      [accepted],
    ),
    doubled:
      (await one(`select count(*) from executions where ${ends} > 1`)) +
      (await one(`select count(*) from (
        select 1 from steps where name = 'document.read' group by execution_id, detail->>'input' having count(*) > 1) as again`)) +
      (await one(`select count(*) from executions where status = 'completed' and (
        select count(*) filter (where kind = 'model') <> 2 or count(*) filter (where name = 'document.search') <> 1
        from steps where execution_id = executions.id)`)),
    wrong: await one(
      `select count(*) from executions where status = 'completed' and response::jsonb <> '{"total": 12.5}'`,
    ),
    // Poison means three killed processes in a row; everything else should have completed.
    failed_unexplained: await one(
      `select count(*) from executions where status = 'failed' and (error->>'code' <> 'poison' or
         (select count(distinct processes.id) from jsonb_each_text(lost_attempts) lost
            join processes on processes.id::text = lost.value and processes.pid = any($1)) < 3)`,
      [[...killedPids]],
    ),
    // An execution's recorded cost must equal what was settled for it.
    misbooked: await one(
      `select count(*) from executions where status = 'completed' and (usage->>'standardMicros')::bigint <>
         (select coalesce(sum(micros), 0) from ledger where execution_id = executions.id and kind = 'settle')`,
    ),
    ledger_difference: await one(
      `select coalesce(sum(case kind when 'reserve' then micros else -micros end), 0) as count from ledger`,
    ),
    untold: await one(`select count(*) from callbacks where state <> 'delivered'`),
    out_of_order: await one(
      `select count(*) from executions where started_at < created_at or completed_at < started_at`,
    ),
    failed: Object.fromEntries(failed.map((row) => [row.code, row.count])),
    taken_over: await one('select count(*) from executions where attempt > 1'),
    callbacks: await one('select count(*) from callbacks'),
    settled_micros: await one(`select coalesce(sum(micros), 0)::bigint as count from ledger where kind = 'settle'`),
  }
}

/** Resolves with the milliseconds until every execution has ended and every callback is delivered, at most `mostMs`. */
export async function waitUntilSettled(database: Pick<BreakableDatabase, 'query'>, mostMs: number): Promise<number> {
  const fromMs = performance.now()
  while (performance.now() - fromMs < mostMs) {
    const [row] = await database.query<{ open: number }>(
      `select (select count(*) from executions where status not in ('completed', 'failed'))
         + (select count(*) from callbacks where state = 'pending') as open`,
    )
    if (Number(row?.open) === 0) break
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  return Math.round(performance.now() - fromMs)
}
