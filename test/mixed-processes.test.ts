import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { openCluster } from './support/cluster.ts'
import { makeDatabase } from './support/database.ts'
import { testSecretKey } from './support/service.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const folder = await temporaryFolder('mixed', afterAll)
let files = 0

/** A configuration file of its own with one provider called `name`. */
async function configOf(name: string, more: object = {}): Promise<string> {
  const path = join(folder, `${files++}.json`)
  const providers = { [name]: { kind: 'openai-compatible', base_url: 'http://127.0.0.1:9/v1', fast: 'm', pro: 'm' } }
  const models = { [`${name}/m`]: { input: 1, output: 1 } }
  await writeFile(path, JSON.stringify({ providers, models, ...more }))
  return path
}

// Each on its own database.
describe.concurrent('a second process on one database', () => {
  test('does not start with another file store, and says why and what to do', async () => {
    await using database = await makeDatabase()
    await using cluster = await openCluster(database.address, { SKILLRUN_SECRET_KEY: testSecretKey })
    await cluster.start('api')
    const elsewhere = join(folder, 'elsewhere')
    await expect(cluster.start('worker', { SKILLRUN_DATA: elsewhere })).rejects.toThrow(
      /Another process on this database \(pid \d+, running since 20.+Z\) stores files in another place.*SKILLRUN_DATA.*SKILLRUN_S3_URL/,
    )
    // A process with the same store starts.
    await cluster.start('worker')
  })

  test('does not start with other model providers, unless that is allowed', async () => {
    await using database = await makeDatabase()
    await using cluster = await openCluster(database.address)
    const first = await cluster.start('all', { SKILLRUN_CONFIG: await configOf('one') })
    await expect(cluster.start('worker', { SKILLRUN_CONFIG: await configOf('two') })).rejects.toThrow(
      /another configuration of models: svc-agent-1\S* is answered by two\/m here and by one\/m there.*SKILLRUN_ALLOW_MIXED_MODELS=yes/,
    )
    const dearer = await configOf('one', { models: { 'one/m': { input: 2, output: 2 } } })
    await expect(cluster.start('worker', { SKILLRUN_CONFIG: dearer })).rejects.toThrow(
      /limits, prices or aliases of models differ/,
    )
    const mixed = { SKILLRUN_CONFIG: dearer, SKILLRUN_ALLOW_MIXED_MODELS: 'yes' }
    const worker = await cluster.start('worker', mixed)
    expect(worker.server.output()).toContain('another process on this database has a different model configuration')
    await worker.kill()
    // Processes that ended in any way do not count.
    await first.kill()
    await cluster.start('all', { SKILLRUN_CONFIG: await configOf('two') })
  })

  test('is not compared with ended processes', async () => {
    await using database = await makeDatabase()
    await using cluster = await openCluster(database.address, { SKILLRUN_SECRET_KEY: testSecretKey })
    const first = await cluster.start('all')
    expect(await first.server.end('SIGTERM')).toBe(0)
    const second = await cluster.start('all', { SKILLRUN_DATA: join(folder, 'moved') })
    expect(second.url).toMatch(/^http/)
  })
})
