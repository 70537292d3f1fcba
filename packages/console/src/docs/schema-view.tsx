import { nameOf, type Schema } from './description.ts'

/** Nesting depth to render; deeper objects show their type only. */
const depthMax = 6

/** A schema: one line for a simple value, its fields for an object. */
export function SchemaView({ schema, depth = 0 }: { schema: Schema; depth?: number }) {
  const inner = innerOf(schema)
  return (
    <>
      <p class="small">
        <TypeWords schema={schema} />
      </p>
      {depth < depthMax && inner.map((one, index) => <Fields key={index} schema={one} depth={depth} />)}
    </>
  )
}

function Fields({ schema, depth }: { schema: Schema; depth: number }) {
  const entries = Object.entries(schema.properties ?? {})
  if (entries.length === 0) return null
  return (
    <dl class="schema-fields">
      {entries.map(([name, one]) => (
        <div key={name}>
          <dt>
            <code>{name}</code>
            {schema.required?.includes(name) && <span class="needed small">required</span>}
          </dt>
          <dd>
            {one.description && <p class="small">{one.description}</p>}
            <SchemaView schema={one} depth={depth + 1} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** The objects within a schema that have fields to show: itself, its items, its alternatives. */
function innerOf(schema: Schema): readonly Schema[] {
  if (schema.$ref) return []
  if (schema.properties) return [schema]
  if (schema.items) return innerOf(schema.items)
  if (typeof schema.additionalProperties === 'object') return innerOf(schema.additionalProperties)
  return (schema.anyOf ?? schema.oneOf ?? schema.allOf ?? []).flatMap(innerOf)
}

function TypeWords({ schema }: { schema: Schema }) {
  if (schema.$ref) {
    const name = nameOf(schema.$ref)
    return <a href={`#schema-${name}`}>{name}</a>
  }
  const members = schema.anyOf ?? schema.oneOf ?? schema.allOf
  if (members) {
    return (
      <>
        {members.map((one, index) => (
          <span key={index}>
            {index > 0 && <span class="soft">{schema.allOf ? ' and ' : ' or '}</span>}
            <TypeWords schema={one} />
          </span>
        ))}
      </>
    )
  }
  if (schema.items) {
    return (
      <>
        <span class="soft">array of </span>
        <TypeWords schema={schema.items} />
      </>
    )
  }
  return <span class="soft">{wordsOf(schema)}</span>
}

function wordsOf(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(' | ')
  const type = Array.isArray(schema.type) ? schema.type.join(' or ') : (schema.type ?? 'any JSON value')
  const bounds = [
    schema.format,
    schema.minimum !== undefined && Math.abs(schema.minimum) < Number.MAX_SAFE_INTEGER && `≥ ${schema.minimum}`,
    schema.maximum !== undefined && schema.maximum < Number.MAX_SAFE_INTEGER && `≤ ${schema.maximum}`,
    schema.minLength && `at least ${schema.minLength} characters`,
    schema.maxLength && `at most ${schema.maxLength} characters`,
    schema.default !== undefined && `default ${JSON.stringify(schema.default)}`,
  ].filter(Boolean)
  return bounds.length > 0 ? `${type} (${bounds.join(', ')})` : String(type)
}
