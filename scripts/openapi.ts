import { readFileSync, writeFileSync } from 'node:fs'
import { openApiOf } from '../packages/server/src/adapters/http/openapi.ts'
import { apiRoutes } from '../packages/server/src/routes.ts'
import { ensureClientTypes } from './client.mjs'
import { pythonClientOf } from './python-client.ts'

/** Writes openapi.json, from which the client's types are made, and the generated half of the Python client from the routes. With --check only compares, and fails when the committed files differ. */
const document = openApiOf(apiRoutes())
const made = {
  'openapi.json': `${JSON.stringify(document, null, 2)}\n`,
  ...pythonClientOf(document),
}
for (const [name, text] of Object.entries(made)) {
  const file = new URL(`../${name}`, import.meta.url)
  if (!process.argv.includes('--check')) writeFileSync(file, text)
  else if (readFileSync(file, 'utf8') !== text) {
    process.stderr.write(`${name} is not what the routes say; run npm run openapi and look at the difference\n`)
    process.exitCode = 1
  }
}
ensureClientTypes()
