import { useEffect, useRef, useState } from 'preact/hooks'
import { call, wordsOf } from '../api.ts'
import type { Batch } from '../batches/wire.ts'
import { UploadList } from '../files/files-screen.tsx'
import { byteSize } from '../format.ts'
import { DropZone } from '../parts/drop-zone.tsx'
import { Problem } from '../parts/notes.tsx'
import { PageThumb } from '../parts/page-image.tsx'
import { useMay } from '../rights.ts'
import { go, useHere } from '../router.tsx'
import { useSignal } from '../state.ts'
import { visible } from '../visible.ts'
import type { Execution, StoredFile } from '../wire.ts'
import { Choices, Estimate } from './choices.tsx'
import { batchBodyOf, bodyOf, change, clearDraft, draft, isBatch, takeFields, takeSchemaText } from './draft.ts'
import { SchemaEditor } from './schema-editor.tsx'
import { SkillSchemas } from './skill-schema.tsx'
import { type Upload, uploadAll } from './uploads.ts'

/** Creates an execution: files, prompt, schema, model, tier. */
export function RunScreen() {
  const now = useSignal(draft)
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const [problem, setProblem] = useState('')
  const [isBusy, setIsBusy] = useState(false)
  const mayExecute = useMay()('execute')
  const stopped = useRef(new AbortController())
  useEffect(() => () => stopped.current.abort(), [])
  useAskedFile()
  const isEmpty =
    now.files.length + now.stored.length + now.skills.length + Object.keys(now.kept).length === 0 &&
    !now.text.trim() &&
    !now.prompt.trim()
  /** Why nothing can be run now; empty if it can. */
  const whyNot = !mayExecute
    ? 'You may look at executions, but not run them.'
    : (isEmpty && 'Add a file, a text or a prompt.') || (now.schemaProblem && 'Correct the schema first.') || ''
  const run = async (event: Event) => {
    event.preventDefault()
    if (isBusy || whyNot !== '') return
    setIsBusy(true)
    setProblem('')
    try {
      if (await uploadDraft(stopped.current.signal, setUploads)) {
        if (isBatch(draft.get())) {
          const batch = await call<Batch>('/v1/agent/batches', { method: 'POST', body: batchBodyOf(draft.get()) })
          go(`/batches/${batch.id}`)
          return
        }
        const body = bodyOf(draft.get())
        const execution = await call<Execution>('/v1/agent/execute', { method: 'POST', body })
        go(`/executions/${execution.id}`)
        return
      }
    } catch (error) {
      setProblem(wordsOf(error))
    }
    setIsBusy(false)
  }
  return (
    <form
      class="run"
      onSubmit={(event) => void run(event)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) void run(event)
      }}
    >
      <div class="head-line">
        <h1>Run</h1>
        {!isEmpty && (
          <button type="button" class="quiet" onClick={clearDraft}>
            Clear
          </button>
        )}
      </div>
      <div class="run-columns">
        <div class="stack">
          <Inputs />
          <label class="field">
            <span>Prompt</span>
            <textarea
              rows={4}
              value={now.prompt}
              placeholder="Extract the fields of this invoice"
              onInput={(event) => change({ prompt: event.currentTarget.value })}
            />
          </label>
          <Choices />
        </div>
        <SchemaEditor schema={now} onText={takeSchemaText} onFields={takeFields}>
          <SkillSchemas skills={now.skills} onTake={(schema) => takeSchemaText(JSON.stringify(schema, null, 2))} />
        </SchemaEditor>
        <div class="run-foot">
          <UploadList uploads={uploads} />
          <div role="alert">
            <Problem text={problem} />
          </div>
          <button type="submit" class="primary large" disabled={isBusy || whyNot !== ''}>
            {isBusy ? 'Sending…' : isBatch(now) ? `Run ${now.files.length + now.stored.length} files` : 'Run'}
          </button>
          <span class="soft small">{whyNot || 'Ctrl + Enter'}</span>
          <Estimate />
        </div>
      </div>
    </form>
  )
}

/** Uploads the remaining files. False: an upload failed, and the error is shown. */
async function uploadDraft(signal: AbortSignal, show: (uploads: readonly Upload[]) => void): Promise<boolean> {
  const { files } = draft.get()
  const stored = await uploadAll(files, signal, show)
  const now = draft.get()
  // What was removed or added meanwhile stays so, also by a sign-out.
  const arrived = files.flatMap((file, index) => (now.files.includes(file) ? (stored[index] ?? []) : []))
  change({
    files: now.files.filter((file) => stored[files.indexOf(file)] === undefined),
    stored: [...now.stored, ...arrived],
  })
  return !signal.aborted && stored.every((file) => file !== undefined)
}

/** `/?file=<id>` starts with a stored file. */
function useAskedFile(): void {
  const id = useHere().searchParams.get('file')
  useEffect(() => {
    if (!id) return
    const stopped = new AbortController()
    const { signal } = stopped
    call<StoredFile>(`/v1/files/${encodeURIComponent(id)}`, { signal })
      .then((file) => {
        const { stored } = draft.get()
        if (!signal.aborted && !stored.some((one) => one.id === file.id)) change({ stored: [...stored, file] })
      })
      .catch(() => undefined)
      .finally(() => signal.aborted || go('/', { replace: true }))
    return () => stopped.abort()
  }, [id])
}

/** With more files, their list scrolls, so that what follows stays in view. */
const filesShown = 5

function Inputs() {
  const { files, stored, kept, text } = useSignal(draft)
  const hasText = text !== ''
  const isLong = files.length + stored.length > filesShown
  return (
    <section class="stack tight" aria-label="Inputs">
      <DropZone id="run-chooser" onFiles={(chosen) => change({ files: [...draft.get().files, ...chosen] })}>
        <strong>Drop files here</strong> <span class="soft">or choose them</span>
        <span class="soft small block">PDF, images, office files, emails, text, tables, audio, video</span>
      </DropZone>
      <ul class={isLong ? 'inputs long' : 'inputs'} aria-label="Files" tabIndex={isLong ? 0 : undefined}>
        {Object.keys(kept).map((slot) => (
          <InputLine
            key={slot}
            name={slot}
            detail="from the earlier execution"
            onRemove={() => change({ kept: without(kept, slot) })}
          />
        ))}
        {stored.map((file) => (
          <InputLine
            key={file.id}
            name={file.filename}
            detail={`${byteSize(file.bytes)}, uploaded`}
            file={file}
            onRemove={() => change({ stored: stored.filter((one) => one !== file) })}
          />
        ))}
        {files.map((file, index) => (
          <InputLine
            key={`${index} ${file.name}`}
            name={file.name}
            detail={byteSize(file.size)}
            onRemove={() => change({ files: files.filter((one) => one !== file) })}
          />
        ))}
      </ul>
      <Ways />
      <details open={hasText}>
        <summary class="small">Paste text instead</summary>
        <textarea
          aria-label="Text"
          rows={6}
          value={text}
          onInput={(event) => change({ text: event.currentTarget.value })}
        />
      </details>
    </section>
  )
}

/** For several files: one run each, or one run that reads all. */
function Ways() {
  const now = useSignal(draft)
  const many = now.files.length + now.stored.length
  if (many < 2 || Object.keys(now.kept).length > 0 || now.text.trim()) return null
  return (
    <fieldset class="ways" aria-label="How the files are run">
      <label>
        <input type="radio" name="ways" checked={!now.isCombined} onChange={() => change({ isCombined: false })} />
        <span>
          <strong>One run for each file</strong>
          <span class="small soft block">{many} runs as a batch: a table with one row for each document</span>
        </span>
      </label>
      <label>
        <input type="radio" name="ways" checked={now.isCombined} onChange={() => change({ isCombined: true })} />
        <span>
          <strong>One run for all files</strong>
          <span class="small soft block">One answer from all {many} files together</span>
        </span>
      </label>
    </fieldset>
  )
}

const without = <T extends object>(value: T, name: string): T =>
  Object.fromEntries(Object.entries(value).filter(([key]) => key !== name)) as T

interface InputLineProps {
  readonly name: string
  readonly detail: string
  readonly file?: StoredFile
  readonly onRemove: () => void
}

function InputLine({ name, detail, file, onRemove }: InputLineProps) {
  return (
    <li>
      {file && <PageThumb file={file} />}
      <span class="grow">
        <strong class="name">{visible(name)}</strong> <span class="soft small">{detail}</span>
      </span>
      <button type="button" class="quiet remove" aria-label={`Remove ${name}`} onClick={onRemove}>
        ×
      </button>
    </li>
  )
}
