import { readFileSync, writeFileSync } from 'node:fs'
import { apiRoutes } from '../src/house.ts'
import { openApiOf } from '../src/seams/http/openapi.ts'

/**
 * Writes openapi.json from the routes; with --check only compares, and fails when the committed document is not what the
 * routes say.
 */
const file = new URL('../openapi.json', import.meta.url)
const text = `${JSON.stringify(openApiOf(apiRoutes()), null, 2)}\n`
if (!process.argv.includes('--check')) writeFileSync(file, text)
else if (readFileSync(file, 'utf8') !== text) {
  process.stderr.write('openapi.json is not what the routes say; run npm run openapi and look at the difference\n')
  process.exitCode = 1
}
