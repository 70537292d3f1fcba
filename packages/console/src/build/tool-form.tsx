import { useId, useState } from 'preact/hooks'
import { call, upload } from '../api.ts'
import { useAttempt } from '../attempt.ts'
import { ArtifactsCard, useArtifacts } from '../executions/artifacts-card.tsx'
import { label } from '../format.ts'
import { Problem } from '../parts/notes.tsx'
import { Link } from '../router.tsx'
import { type Execution, isJsonObject, type Json, type JsonObject, type Tool } from '../wire.ts'

/** The name of the document in the execution. Tools take names of inputs in these fields. */
const documentName = 'document'
const documentFields = ['input', 'file']

/** Runs a tool on a text or a file: an execution whose prompt is the call. */
export function ToolForm({ tool }: { tool: Tool }) {
  const schema = tool.input_schema as JsonObject
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>(
    Object.fromEntries(documentFields.filter((name) => name in properties).map((name) => [name, documentName])),
  )
  const [text, setText] = useState('')
  const [file, setFile] = useState<File>()
  const { failure, isBusy, attempt } = useAttempt()
  const [execution, setExecution] = useState<Execution>()
  const run = async (event: Event) => {
    event.preventDefault()
    setExecution(undefined)
    await attempt(async () => {
      const input = Object.fromEntries(
        Object.entries(texts).flatMap(([name, given]) =>
          given.trim() === '' ? [] : [[name, parsedOf(given, name, schemaOf(properties[name]))]],
        ),
      )
      const signal = new AbortController().signal
      const stored = file && (await upload(file, { signal, onProgress: () => {} }))
      const document = stored ? { type: 'input_file', file_id: stored.id } : text
      const body = {
        batch: false,
        inputs: document === '' ? {} : { [documentName]: document },
        config: { prompt: `${tool.name}(${JSON.stringify(input)})`, tool_names: [tool.name] },
      }
      setExecution(await call<Execution>('/v1/agent/execute', { method: 'POST', body }))
    })
  }
  return (
    <form class="stack tight" aria-label={`Run ${tool.name}`} onSubmit={(event) => void run(event)}>
      <label class="field">
        <span>Text of the document</span>
        <textarea rows={3} value={text} disabled={file !== undefined} onInput={(e) => setText(e.currentTarget.value)} />
      </label>
      <label class="field">
        <span>Or a file</span>
        <input type="file" onChange={({ currentTarget }) => setFile(currentTarget.files?.[0])} />
      </label>
      {Object.entries(properties).map(([name, field]) => (
        <Field
          key={name}
          name={name}
          schema={schemaOf(field)}
          isRequired={required.includes(name)}
          value={texts[name] ?? ''}
          onValue={(value) => setTexts({ ...texts, [name]: value })}
        />
      ))}
      <div role="alert">
        <Problem text={failure} />
      </div>
      <button type="submit" class="primary" disabled={isBusy}>
        {isBusy ? 'Running…' : 'Run'}
      </button>
      <div role="status">{execution && <Result execution={execution} />}</div>
    </form>
  )
}

const schemaOf = (field: Json | undefined): JsonObject => (isJsonObject(field) ? field : {})

interface FieldProps {
  readonly name: string
  readonly schema: JsonObject
  readonly isRequired: boolean
  readonly value: string
  readonly onValue: (value: string) => void
}

/** A field of the form: a choice where few values are possible, a line for each item of a list of texts or numbers, JSON for other lists and for groups. */
function Field({ name, schema, isRequired, value, onValue }: FieldProps) {
  const id = useId()
  const choices = choicesOf(schema)
  const kind = kindOf(schema)
  const { description } = schema
  const common = { id, required: isRequired, value, 'aria-describedby': `${id}-hint` }
  const take = ({ currentTarget }: { currentTarget: { value: string } }) => onValue(currentTarget.value)
  return (
    <div class="field">
      <label for={id}>
        {label(name)}
        {!isRequired && <span class="soft"> (optional)</span>}
      </label>
      {choices ? (
        <select {...common} onChange={take}>
          <option value="" />
          {choices.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
      ) : isPlain(kind) ? (
        <input {...common} inputMode={kind === 'string' ? 'text' : 'decimal'} onInput={take} />
      ) : (
        <textarea {...common} rows={2} spellcheck={false} onInput={take} />
      )}
      <span class="small soft" id={`${id}-hint`}>
        {[description, !choices && hints[formOf(schema)]].filter((one) => typeof one === 'string').join('. ')}
      </span>
    </div>
  )
}

const hints = { plain: undefined, lines: 'One per line', json: 'As JSON' } as const

const isPlain = (kind: string): boolean => kind === 'string' || kind === 'number' || kind === 'integer'

/** How a value is typed. */
function formOf(schema: JsonObject): keyof typeof hints {
  if (isPlain(kindOf(schema))) return 'plain'
  return kindOf(schema) === 'array' && isPlain(kindOf(itemsOf(schema))) ? 'lines' : 'json'
}

const itemsOf = ({ items }: JsonObject): JsonObject => (isJsonObject(items) ? items : {})

function kindOf({ type }: JsonObject): string {
  const [kind] = (Array.isArray(type) ? type : [type]).filter((one) => one !== 'null')
  return String(kind)
}

function choicesOf(schema: JsonObject): readonly string[] | undefined {
  if (Array.isArray(schema['enum'])) return schema['enum'].filter((one) => one !== null).map(String)
  return kindOf(schema) === 'boolean' ? ['true', 'false'] : undefined
}

/** The value of a field from its text. Throws an Error that names the field. */
function parsedOf(text: string, name: string, schema: JsonObject): Json {
  if (kindOf(schema) === 'string') return text
  if (formOf(schema) === 'lines') {
    const lines = text.split('\n').filter((line) => line.trim() !== '')
    return lines.map((line) => parsedOf(line.trim(), name, itemsOf(schema)))
  }
  try {
    return JSON.parse(text) as Json
  } catch {
    const wanted = { plain: 'a number', lines: 'one number per line', json: 'JSON' }[formOf(schema)]
    throw new Error(`${label(name)}: enter ${wanted}`)
  }
}

function Result({ execution }: { execution: Execution }) {
  const { id, status, error, response } = execution
  const artifacts = useArtifacts(id, status)
  return (
    <section class="stack tight" aria-label="Result">
      <p class="small">
        <span class={`status ${status}`}>
          <i aria-hidden="true" />
          {status}
        </span>{' '}
        <Link to={`/executions/${id}`}>Open the execution</Link>
      </p>
      <Problem text={error?.message ?? ''} />
      {response !== null && (
        <pre class="code">{typeof response === 'string' ? response : JSON.stringify(response, null, 2)}</pre>
      )}
      {artifacts.length > 0 && <ArtifactsCard executionId={id} artifacts={artifacts} />}
    </section>
  )
}
