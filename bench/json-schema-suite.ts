import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isJsonObject, type Json, type JsonSchema } from '../packages/core/src/json.ts'
import checkAnswer from '../packages/server/src/agent/check-answer.job.ts'
import checkSchema from '../packages/server/src/agent/schema/check-schema.job.ts'
import { findSchemaProblem } from '../packages/server/src/agent/schema/schema.ts'

/**
 * Runs the official JSON-Schema-Test-Suite against the validator of answers and prints a table for each file.
 *
 *     node bench/json-schema-suite.ts FOLDER
 *
 * FOLDER is the folder of one draft in a checkout or package of the suite, for example tests/draft2020-12. Schemas that
 * requests may not have (references to other documents, boolean schemas, schemas without fields) count as refused.
 */
interface Group {
  readonly description: string
  readonly schema: Json
  readonly tests: readonly { readonly description: string; readonly data: Json; readonly valid: boolean }[]
}

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('Name the folder of one draft of the suite, for example tests/draft2020-12')
const dialect = folder.includes('draft7') ? 'http://json-schema.org/draft-07/schema#' : undefined

/** Why a request may not have a schema. Schemas without fields are validated here all the same. */
function whyRefused(schema: Json): string | null {
  if (!isJsonObject(schema)) return 'a boolean schema'
  const problem = findSchemaProblem(schema)
  if (problem && !problem.message.startsWith('The schema names no field')) return problem.message
  return checkSchema({ schema })?.message ?? null
}

const total = { right: 0, wrong: 0, refused: 0 }
console.log('| file | right | wrong | refused |\n|---|---|---|---|')
for (const name of (await readdir(folder)).filter((file) => file.endsWith('.json')).toSorted()) {
  const groups = JSON.parse(await readFile(join(folder, name), 'utf8')) as Group[]
  const count = { right: 0, wrong: 0, refused: 0 }
  for (const { description, schema: given, tests } of groups) {
    const schema = (dialect && isJsonObject(given) ? { $schema: dialect, ...given } : given) as JsonSchema
    if (whyRefused(schema) !== null) {
      count.refused += tests.length
      continue
    }
    for (const one of tests) {
      const isRight = (checkAnswer({ schema, answer: one.data }).length === 0) === one.valid
      count[isRight ? 'right' : 'wrong'] += 1
      if (!isRight) console.error(`${name}: ${description}: ${one.description}`)
    }
  }
  for (const key of ['right', 'wrong', 'refused'] as const) total[key] += count[key]
  console.log(`| ${name.replace('.json', '')} | ${count.right} | ${count.wrong} | ${count.refused} |`)
}
console.log(`| all | ${total.right} | ${total.wrong} | ${total.refused} |`)
