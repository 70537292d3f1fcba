import { call } from '../api.ts'
import { label } from '../format.ts'
import { useLoaded } from '../live.ts'
import { isJsonObject, type Json, type JsonObject, type Skill } from '../wire.ts'

/** The schemas of the selected skills, which apply if the request has no schema. */
export function SkillSchemas({ skills, onTake }: { skills: readonly Json[]; onTake: (schema: JsonObject) => void }) {
  const references = skills.filter(isJsonObject).filter((entry) => typeof entry['skill_id'] === 'string')
  return references.map((entry) => <SkillSchema key={JSON.stringify(entry)} entry={entry} onTake={onTake} />)
}

function SkillSchema({ entry, onTake }: { entry: JsonObject; onTake: (schema: JsonObject) => void }) {
  const { skill_id, skill_version } = entry
  const { data: skill } = useLoaded<Skill>(`${skill_id} ${skill_version ?? 'latest'}`, {
    load: (_, signal) =>
      call('/v1/skills/lookup', {
        method: 'POST',
        body: { ...namedBy(String(skill_id)), ...(skill_version ? { skill_version } : {}) },
        signal,
      }),
  })
  const schema = skill?.json_schema
  if (!skill || !isJsonObject(schema)) return null
  return (
    <section class="skill-schema" aria-label={`Schema of ${skill.name}`}>
      <p class="head-line">
        <span class="small">
          The answer follows the schema of <strong class="name">{skill.name}</strong>.
        </span>
        <button type="button" class="quiet small" onClick={() => onTake(schema)}>
          Change for this run
        </button>
      </p>
      <SchemaFields schema={schema} />
    </section>
  )
}

const namedBy = (text: string): JsonObject => (/^[\da-f]{8}-[\da-f-]{27}$/i.test(text) ? { id: text } : { name: text })

const words: Readonly<Record<string, string>> = {
  string: 'Text',
  number: 'Number',
  integer: 'Whole number',
  boolean: 'Yes or no',
  array: 'List',
  object: 'Group',
}

/** The fields of a schema, read-only. */
export function SchemaFields({ schema }: { schema: JsonObject }) {
  const { properties } = schema
  if (!isJsonObject(properties)) return null
  return (
    <dl class="schema-fields">
      {Object.entries(properties).map(([name, field]) => (
        <div key={name}>
          <dt class="name">{label(name)}</dt>
          <dd class="small soft">{kindOf(field)}</dd>
          {isJsonObject(field) && <SchemaFields schema={isJsonObject(field['items']) ? field['items'] : field} />}
        </div>
      ))}
    </dl>
  )
}

function kindOf(field: Json | undefined): string {
  if (!isJsonObject(field)) return ''
  const { type, format, enum: values, items } = field
  const [kind] = (Array.isArray(type) ? type : [type]).filter((one) => one !== 'null')
  if (Array.isArray(values)) return `One of ${values.filter((one) => one !== null).join(', ')}`
  if (format === 'date') return 'Date'
  if (kind === 'array' && isJsonObject(items) && isJsonObject(items['properties'])) return 'Table'
  return words[String(kind)] ?? ''
}
