import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseS3Url } from '../packages/server/src/adapters/blobs/s3/address.ts'
import { readConfig } from '../packages/server/src/config.ts'

const root = resolve(import.meta.dirname, '..')
/** The server's own. */
const { parse } = createRequire(new URL('../packages/server/package.json', import.meta.url))('yaml')

interface Service {
  readonly image?: string
  readonly environment?: Record<string, string>
  readonly depends_on?: Record<string, { readonly condition: string }>
  readonly healthcheck?: object
}
const servicesIn = async (name: string): Promise<Record<string, Service>> =>
  parse(await readFile(join(root, 'deploy', name), 'utf8'), { merge: true }).services

const base = await servicesIn('compose.yaml')
const withStore = await servicesIn('compose.s3.yaml')

/** The environment of a service as Docker Compose merges it, with its variables set. */
const environmentOf = (name: string) =>
  Object.fromEntries(
    Object.entries({ ...base[name]?.environment, ...withStore[name]?.environment }).map(([key, value]) => [
      key,
      value.replace(/\$\{\w+:-(.*)\}/, '$1').replace(/\$\{\w+(?::\?.*)?\}/g, 'a-password-that-was-set'),
    ]),
  )

describe.each(['api', 'worker'])('with files in a store, the %s of compose', (name) => {
  test('has a configuration that the server accepts, with the bucket that is made for it', () => {
    const env = environmentOf(name)
    const config = readConfig(env, root)
    expect(config).toMatchObject({ role: name, databaseUrl: expect.stringContaining('@database:5432/') })
    const { bucket, endpoint } = parseS3Url(config.s3Url ?? '')
    expect(withStore).toHaveProperty([new URL(endpoint ?? '').hostname])
    expect(JSON.stringify(withStore['bucket'])).toContain(`mc mb --ignore-existing store/${bucket}`)
    const owner = environmentOf('store')
    expect(env).toMatchObject({
      AWS_ACCESS_KEY_ID: owner['MINIO_ROOT_USER'],
      AWS_SECRET_ACCESS_KEY: owner['MINIO_ROOT_PASSWORD'],
    })
  })

  test('waits for a healthy database, and for the bucket', () => {
    expect(withStore[name]?.depends_on).toEqual({
      ...base[name]?.depends_on,
      bucket: { condition: 'service_completed_successfully' },
    })
    for (const [needed, { condition }] of Object.entries(withStore[name]?.depends_on ?? {})) {
      const service = base[needed] ?? withStore[needed]
      expect(service).toBeDefined()
      if (condition === 'service_healthy') expect(service?.healthcheck).toBeDefined()
    }
  })
})
