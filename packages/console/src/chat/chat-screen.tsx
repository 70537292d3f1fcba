import { useEffect, useRef, useState } from 'preact/hooks'
import { chatChunks, wordsOf } from '../api.ts'
import { UploadList } from '../files/files-screen.tsx'
import { dollars } from '../format.ts'
import { useLoaded } from '../live.ts'
import { lazy } from '../parts/lazy.tsx'
import { Problem } from '../parts/notes.tsx'
import { Link, useHere } from '../router.tsx'
import { type Upload, uploadAll } from '../run/uploads.ts'
import { visible } from '../visible.ts'
import type { Execution, ModelRoute, Step, Tool } from '../wire.ts'

/** Loaded with the first reply. */
const Markdown = lazy(async () => (await import('../parts/markdown.tsx')).Markdown, { fallback: null })

/** A part of a streamed reply, or the reason why it ends before its time. */
interface Chunk {
  readonly id?: string
  readonly session_id?: string
  readonly choices?: readonly { readonly delta?: { readonly content?: string | null } }[]
  readonly usage?: { readonly cost_dollars?: number | null } | null
  readonly error?: { readonly message: string }
}

interface Turn {
  readonly role: 'user' | 'assistant'
  readonly text: string
  readonly files: readonly string[]
  /** The execution behind the reply. */
  readonly executionId?: string
  readonly dollars?: number | null
  readonly problem?: string
}

/** A conversation with a model, its documents and tools; each reply is an execution. */
export function ChatScreen() {
  const here = useHere()
  const [session, setSession] = useState(here.searchParams.get('session') ?? '')
  const [turns, setTurns] = useState<readonly Turn[]>([])
  const [model, setModel] = useState('')
  const [toolsets, setToolsets] = useState<readonly string[]>([])
  const [text, setText] = useState('')
  const [files, setFiles] = useState<readonly File[]>([])
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const [stopping, setStopping] = useState<AbortController>()
  const models = useLoaded<readonly ModelRoute[]>('/v1/models')
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => () => stopping?.abort(), [stopping])
  useEffect(() => end.current?.scrollIntoView({ block: 'nearest' }), [turns])
  const changeLast = (by: (turn: Turn) => Turn) =>
    setTurns((before) => before.map((turn, index) => (index === before.length - 1 ? by(turn) : turn)))
  const send = async () => {
    if (stopping || (text.trim() === '' && files.length === 0)) return
    const stop = new AbortController()
    setStopping(stop)
    try {
      const stored = await uploadAll(files, stop.signal, setUploads)
      if (stored.some((one) => one === undefined)) return setStopping(undefined)
      const asked = text.trim()
      const parts = stored.flatMap((file) => (file ? [{ type: 'input_file' as const, file_id: file.id }] : []))
      setTurns((before) => [
        ...before,
        { role: 'user', text: asked, files: files.map(({ name }) => name) },
        { role: 'assistant', text: '', files: [] },
      ])
      setText('')
      setFiles([])
      setUploads([])
      const request = {
        messages: [
          { role: 'user' as const, content: [...(asked ? [{ type: 'text' as const, text: asked }] : []), ...parts] },
        ],
        ...(model ? { model } : {}),
        ...(session ? { session_id: session } : {}),
        ...(toolsets.length > 0 ? { toolsets } : {}),
      }
      for await (const chunk of chatChunks<Chunk>(request, stop.signal)) {
        if (chunk.error) throw new Error(chunk.error.message)
        if (chunk.session_id) setSession(chunk.session_id)
        changeLast((turn) => ({
          ...turn,
          text: turn.text + (chunk.choices?.[0]?.delta?.content ?? ''),
          ...(chunk.id ? { executionId: chunk.id.replace(/^chatcmpl-/, '') } : {}),
          ...(chunk.usage ? { dollars: chunk.usage.cost_dollars ?? null } : {}),
        }))
      }
    } catch (error) {
      changeLast((turn) => ({ ...turn, problem: stop.signal.aborted ? 'Stopped.' : wordsOf(error) }))
    }
    setStopping(undefined)
  }
  const reset = () => {
    stopping?.abort()
    setTurns([])
    setSession('')
  }
  return (
    <div class="chat">
      <div class="head-line">
        <h1>Chat</h1>
        {session && (
          <Link class="small name" to={`/executions?session_id=${encodeURIComponent(session)}`}>
            session {visible(session)}
          </Link>
        )}
        {(turns.length > 0 || session) && (
          <button type="button" class="quiet" onClick={reset}>
            New chat
          </button>
        )}
      </div>
      <section class="turns" aria-label="Conversation" aria-live="polite">
        {turns.length === 0 && <Welcome isContinued={session !== ''} />}
        {turns.map((turn, index) => (
          <TurnView key={index} turn={turn} isOpen={stopping !== undefined && index === turns.length - 1} />
        ))}
        <div ref={end} />
      </section>
      <form
        class="composer card"
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        <label class="field">
          <span class="unseen">Message</span>
          <textarea
            rows={2}
            value={text}
            placeholder="Ask something, or attach a document and ask about it"
            onInput={(event) => setText(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
              event.preventDefault()
              void send()
            }}
          />
        </label>
        {files.length > 0 && (
          <ul class="chips chosen">
            {files.map((file, index) => (
              <li key={index}>
                <span class="name">{visible(file.name)}</span>
                <button
                  type="button"
                  class="quiet remove"
                  aria-label={`Remove ${file.name}`}
                  onClick={() => setFiles(files.filter((one) => one !== file))}
                >
                  ×
                </button>
              </li>
            ))}
          </ul>
        )}
        <UploadList uploads={uploads} />
        <div class="acts">
          <input
            id="chat-files"
            class="unseen"
            type="file"
            multiple
            onChange={(event) => {
              setFiles([...files, ...(event.currentTarget.files ?? [])])
              event.currentTarget.value = ''
            }}
          />
          <label for="chat-files" class="button">
            Attach
          </label>
          <select aria-label="Model" value={model} onChange={(event) => setModel(event.currentTarget.value)}>
            <option value="">Automatic</option>
            {(models.data ?? []).map((one) => (
              <option key={one.model}>{one.model}</option>
            ))}
          </select>
          <Toolsets chosen={toolsets} onChange={setToolsets} />
          {stopping ? (
            <button type="button" onClick={() => stopping.abort()}>
              Stop
            </button>
          ) : (
            <button type="submit" class="primary" disabled={text.trim() === '' && files.length === 0}>
              Send
            </button>
          )}
        </div>
      </form>
    </div>
  )
}

function Welcome({ isContinued }: { isContinued: boolean }) {
  return (
    <p class="nothing">
      {isContinued
        ? 'The session goes on: the server has its earlier messages and documents.'
        : 'Each reply is an execution with its steps, evidence and cost. Documents are read before the model sees them.'}
    </p>
  )
}

function TurnView({ turn, isOpen }: { turn: Turn; isOpen: boolean }) {
  const { role, text, files, executionId, problem } = turn
  return (
    <article class={`turn ${role}`} aria-label={role === 'user' ? 'You' : 'Reply'}>
      {files.length > 0 && <p class="small soft name">{files.map((name) => visible(name)).join(', ')}</p>}
      {text && (role === 'assistant' ? <Markdown text={text} /> : <p class="prompt">{visible(text)}</p>)}
      {isOpen && text === '' && (
        <p class="waiting running">
          <i aria-hidden="true" /> Working…
        </p>
      )}
      {problem && <Problem text={problem} />}
      {role === 'assistant' && !isOpen && executionId && <Behind id={executionId} dollars={turn.dollars} />}
    </article>
  )
}

/** Details of a reply: its tools, values with a place in a document, and the execution. */
function Behind({ id, dollars: amount }: { id: string; dollars: number | null | undefined }) {
  const at = `/v1/agent/executions/${encodeURIComponent(id)}`
  const steps = useLoaded<readonly Step[]>(`${at}/steps`)
  const execution = useLoaded<Execution>(at)
  const tools = (steps.data ?? []).filter(({ kind }) => kind === 'tool').map(({ name }) => name)
  const evidence = Object.keys(execution.data?.evidence ?? {}).length
  return (
    <p class="small soft facts-line">
      <Link to={`/executions/${id}`}>{evidence > 0 ? `Evidence of ${evidence} values` : 'Steps'}</Link>
      {tools.length > 0 && <span>{[...new Set(tools)].join(', ')}</span>}
      {amount !== undefined && amount !== null && <span>{dollars(amount)}</span>}
    </p>
  )
}

/** The server's tools that the model may call. */
function Toolsets({ chosen, onChange }: { chosen: readonly string[]; onChange: (chosen: readonly string[]) => void }) {
  const { data } = useLoaded<readonly Tool[]>('/v1/tools')
  const names = [...new Set((data ?? []).map(({ toolset }) => toolset))]
  return (
    <details class="menu up">
      <summary class="button">{chosen.length > 0 ? `Tools (${chosen.length})` : 'Tools'}</summary>
      <fieldset class="menu-items" aria-label="Tools of the server">
        {names.map((name) => (
          <label key={name} class="check">
            <input
              type="checkbox"
              checked={chosen.includes(name)}
              onChange={({ currentTarget }) =>
                onChange(currentTarget.checked ? [...chosen, name] : chosen.filter((one) => one !== name))
              }
            />
            <span>{name}</span>
          </label>
        ))}
      </fieldset>
    </details>
  )
}
