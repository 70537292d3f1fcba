import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Problem } from '../parts/notes.tsx'
import { type Field, type Kind, kinds, newField } from './schema-form.ts'
import { type SchemaState, schemaBytesMax } from './schema-state.ts'

const invoice: readonly (readonly [string, Kind])[] = [
  ['supplier_name', 'text'],
  ['invoice_number', 'text'],
  ['invoice_date', 'date'],
  ['due_date', 'date'],
  ['currency', 'text'],
  ['subtotal', 'number'],
  ['tax', 'number'],
  ['total', 'number'],
]
const receipt: readonly (readonly [string, Kind])[] = [
  ['merchant_name', 'text'],
  ['date', 'date'],
  ['currency', 'text'],
  ['total', 'number'],
]
const starts = [
  { name: 'Invoice', fields: invoice },
  { name: 'Receipt', fields: receipt },
]

const fieldsFrom = (rows: readonly (readonly [string, Kind])[]): Field[] =>
  rows.map(([name, kind]) => ({ ...newField(), name, kind }))

interface SchemaEditorProps {
  readonly schema: SchemaState
  readonly onText: (text: string) => void
  readonly onFields: (fields: readonly Field[]) => void
  /** Shown while there are no fields. */
  readonly children?: ComponentChildren
}

/** The schema of the answer, as a form or as JSON: two views of one state. */
export function SchemaEditor({ schema, onText, onFields, children }: SchemaEditorProps) {
  const { fields, schemaText, schemaProblem } = schema
  const [view, setView] = useState<'form' | 'json'>('form')
  return (
    <fieldset class="schema">
      <legend>Answer</legend>
      <div class="schema-bar">
        <p class="soft small">
          The fields you want in the answer. Without fields you get the text, tables and key facts of the document.
        </p>
        <fieldset class="switch" aria-label="View of the schema">
          <button type="button" aria-pressed={view === 'form'} onClick={() => setView('form')}>
            Form
          </button>
          <button type="button" aria-pressed={view === 'json'} onClick={() => setView('json')}>
            JSON
          </button>
        </fieldset>
      </div>
      {fields?.length === 0 && children}
      {view === 'json' && (
        <label class="field">
          <span>JSON Schema</span>
          <textarea
            class="code"
            rows={16}
            spellcheck={false}
            value={schemaText}
            placeholder={'{\n  "type": "object",\n  "properties": { … }\n}'}
            onInput={(event) => onText(event.currentTarget.value)}
            onPaste={(event) => {
              const text = event.clipboardData?.getData('text/plain') ?? ''
              // A longer text would block the page before the server could refuse it.
              if (text.length <= schemaBytesMax) return
              event.preventDefault()
              onText(text)
            }}
          />
        </label>
      )}
      {view === 'form' &&
        (fields ? (
          <FormView fields={fields} onFields={onFields} />
        ) : (
          <p class="nothing">This schema says more than the form can show; its JSON is used as it is.</p>
        ))}
      <div role="status">
        <Problem text={schemaProblem} />
      </div>
    </fieldset>
  )
}

function FormView({ fields, onFields }: { fields: readonly Field[]; onFields: SchemaEditorProps['onFields'] }) {
  return (
    <>
      <FieldRows fields={fields} onChange={onFields} />
      {fields.length === 0 && (
        <p class="starts small">
          <span class="soft">or start with</span>
          {starts.map((start) => (
            <button key={start.name} type="button" class="quiet" onClick={() => onFields(fieldsFrom(start.fields))}>
              {start.name}
            </button>
          ))}
        </p>
      )}
    </>
  )
}

/** The form of a list of fields. */
export function FieldRows({
  fields,
  onChange,
}: {
  fields: readonly Field[]
  onChange: (fields: readonly Field[]) => void
}) {
  const set = (number: number, by: Partial<Field>) =>
    onChange(fields.map((field) => (field.number === number ? { ...field, ...by } : field)))
  return (
    <>
      <ul class="form-fields">
        {fields.map((field) => (
          <FieldRow
            key={field.number}
            field={field}
            onChange={(by) => set(field.number, by)}
            onRemove={() => onChange(fields.filter((one) => one.number !== field.number))}
          />
        ))}
      </ul>
      <button type="button" class="quiet add" onClick={() => onChange([...fields, newField()])}>
        + Add field
      </button>
    </>
  )
}

interface FieldRowProps {
  readonly field: Field
  readonly onChange: (by: Partial<Field>) => void
  readonly onRemove: () => void
}

function FieldRow({ field, onChange, onRemove }: FieldRowProps) {
  const { name, kind, description, mayBeMissing, fields } = field
  const called = name || 'new field'
  return (
    <li>
      <div class="form-field">
        <input
          aria-label="Name"
          placeholder="name"
          class="code"
          value={name}
          ref={(input) => {
            if (input && name === '' && !input.value && document.activeElement?.classList.contains('add')) input.focus()
          }}
          onInput={(event) => onChange({ name: event.currentTarget.value })}
        />
        <select
          aria-label={`Type of ${called}`}
          value={kind}
          onChange={(event) => onChange(ofKind(field, event.currentTarget.value as Kind))}
        >
          {Object.entries(kinds)
            .filter(([one]) => one !== 'other' || kind === 'other')
            .map(([one, label]) => (
              <option key={one} value={one}>
                {label}
              </option>
            ))}
        </select>
        <input
          aria-label={`Description of ${called}`}
          class="description"
          placeholder="description"
          disabled={kind === 'other'}
          value={description}
          onInput={(event) => onChange({ description: event.currentTarget.value })}
        />
        <label class="missing small">
          <input
            type="checkbox"
            checked={mayBeMissing}
            disabled={kind === 'other'}
            onChange={(event) => onChange({ mayBeMissing: event.currentTarget.checked })}
          />
          may be missing
        </label>
        <button type="button" class="quiet remove" aria-label={`Remove ${called}`} onClick={onRemove}>
          ×
        </button>
      </div>
      {(kind === 'rows' || kind === 'group') && (
        <div class="inner">
          <FieldRows fields={fields} onChange={(inner) => onChange({ fields: inner })} />
        </div>
      )}
    </li>
  )
}

/** A field that changes its kind loses the schema of the old kind. */
function ofKind(field: Field, kind: Kind): Partial<Field> {
  const hasFields = kind === 'rows' || kind === 'group'
  return { kind, rest: {}, fields: hasFields && field.fields.length === 0 ? [newField()] : field.fields }
}
