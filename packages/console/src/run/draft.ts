import { key, signIn } from '../session.ts'
import { signal } from '../state.ts'
import type { Asked, Json, JsonObject, StoredFile } from '../wire.ts'
import type { Field } from './schema-form.ts'
import { emptySchema, type SchemaState, schemaFromFields, schemaFromText, schemaIn } from './schema-state.ts'

/** State of the Run screen; it survives visits to other screens. */
export interface Draft extends SchemaState {
  /** Selected and not yet uploaded. */
  readonly files: readonly File[]
  /** Uploaded already. */
  readonly stored: readonly StoredFile[]
  /** Inputs of the execution being rerun, by slot. */
  readonly kept: JsonObject
  /** Whether one run reads several files together. */
  readonly isCombined: boolean
  readonly text: string
  readonly prompt: string
  readonly model: string
  readonly tier: string
  /** Entries of `config.skills`. */
  readonly skills: readonly Json[]
  /** Other entries of `config` of the execution being rerun. */
  readonly rest: JsonObject
  /** The rest of the request being rerun: callback, metadata. */
  readonly around: JsonObject
}

const empty: Draft = {
  files: [],
  stored: [],
  kept: {},
  isCombined: false,
  text: '',
  prompt: '',
  ...emptySchema,
  model: '',
  tier: 'standard',
  skills: [],
  rest: {},
  around: {},
}

export const draft = signal<Draft>(empty)

export const change = (by: Partial<Draft>): void => draft.set({ ...draft.get(), ...by })

export const clearDraft = (): void => draft.set(empty)

const person = (): string | undefined => key.get() ?? signIn.get()?.user?.id
let before = person()
/** When a different person signs in, what the last one typed is cleared. */
function clearForAnother(): void {
  const now = person()
  if (now === undefined || now === before) return
  before = now
  clearDraft()
}
key.watch(clearForAnother)
signIn.watch(clearForAnother)

/** Sets the schema from its JSON text, and updates the form's fields. */
export const takeSchemaText = (schemaText: string): void => change(schemaFromText(schemaText))

/** Sets the schema from the form's fields, and updates its JSON text. */
export const takeFields = (fields: readonly Field[]): void => change(schemaFromFields(fields, draft.get().schemaText))

/** Fills the screen with an execution's request, for editing. */
export function fillFrom({ inputs = {}, config = {}, model = '', callback_url, metadata }: Asked): void {
  const { prompt, json_schema, service_tier, skills, ...rest } = config
  draft.set({
    ...empty,
    kept: inputs,
    prompt: typeof prompt === 'string' ? prompt : '',
    model,
    tier: typeof service_tier === 'string' ? service_tier : 'standard',
    skills: Array.isArray(skills) ? skills : [],
    rest,
    around: { ...(callback_url ? { callback_url } : {}), ...(metadata ? { metadata } : {}) },
  })
  takeSchemaText(json_schema ? JSON.stringify(json_schema, null, 2) : '')
}

/** Only models of this generation can be served by programs. */
const programModel = 'svc-agent-2:auto'

export const isByProgram = (rest: JsonObject): boolean => rest['execution_mode'] === 'program'

/** Whether a ready program of the selected skills may answer. */
export function letProgramsAnswer(isOn: boolean): void {
  const { rest, model } = draft.get()
  const { execution_mode: _, ...others } = rest
  const isFit = model.startsWith('svc-agent-2')
  if (isOn) change({ rest: { ...others, execution_mode: 'program' }, model: isFit ? model : programModel })
  else change({ rest: others })
}

export const isOnPath = (rest: JsonObject): boolean => rest['path'] === 'cheapest'

/** Whether each field is answered by the cheapest engine that is proven for it. */
export function takePath(isOn: boolean): void {
  const { path: _, ...others } = draft.get().rest
  change({ rest: isOn ? { ...others, path: 'cheapest' } : others })
}

/** Whether each file gets its own run: there are several, and no input that all would share. */
export const isBatch = ({ files, stored, kept, text, isCombined }: Draft): boolean =>
  files.length + stored.length > 1 && !isCombined && Object.keys(kept).length === 0 && !text.trim()

/** The body of POST /v1/agent/batches for a draft whose files are all uploaded. */
export function batchBodyOf(of: Draft): JsonObject {
  const { config = {}, model, metadata, callback_url } = bodyOf(of) as Asked
  const { service_tier, ...rest } = config
  const [first] = of.stored
  return {
    items: of.stored.map(({ id }) => ({ file_id: id })),
    ...(first ? { name: `${first.filename} and ${of.stored.length - 1} more`.slice(0, batchNameMax) } : {}),
    ...(model ? { model } : {}),
    ...(metadata ? { metadata } : {}),
    ...(callback_url ? { callback_url } : {}),
    config: rest,
    service_tier: service_tier ?? 'standard',
  }
}

/** The server's limit for the name of a batch. */
const batchNameMax = 255

/** The body of POST /v1/agent/execute for a draft whose files are all uploaded. */
export function bodyOf({
  stored,
  kept,
  text,
  prompt,
  schemaText,
  model,
  tier,
  skills,
  rest,
  around,
}: Draft): JsonObject {
  const items = stored.map((file) => ({ type: 'input_file', file_id: file.id }))
  const free = (name: string): string => (name in kept ? free(`${name}_`) : name)
  const [first] = items
  return {
    ...around,
    batch: true,
    ...(model ? { model } : {}),
    inputs: {
      ...kept,
      ...(items.length === 1 && first ? { [free('document')]: first } : {}),
      ...(items.length > 1 ? { [free('documents')]: items } : {}),
      ...(text.trim() ? { [free('text')]: text } : {}),
    },
    config: {
      ...rest,
      ...(skills.length > 0 ? { skills } : {}),
      ...(prompt.trim() ? { prompt } : {}),
      ...(schemaText.trim() ? { json_schema: schemaIn(schemaText) } : {}),
      service_tier: tier,
    },
  }
}
