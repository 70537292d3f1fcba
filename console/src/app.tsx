import type { ComponentChild } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { ExecutionScreen } from './executions/execution-screen.tsx'
import { ExecutionsScreen } from './executions/executions-screen.tsx'
import { FilesScreen } from './files/files-screen.tsx'
import { HealthScreen } from './health/health-screen.tsx'
import { KeyGate } from './keys/key-gate.tsx'
import { KeysScreen } from './keys/keys-screen.tsx'
import { Link, useHere } from './router.tsx'
import { RunScreen } from './run/run-screen.tsx'
import { forgetKey, key } from './session.ts'
import { useSignal } from './state.ts'

const places = [
  { path: '/', name: 'Run' },
  { path: '/executions', name: 'Executions' },
  { path: '/files', name: 'Files' },
  { path: '/keys', name: 'Keys' },
  { path: '/health', name: 'Health' },
]

interface Screen {
  readonly title: string
  readonly view: ComponentChild
}

function screenOf(path: string): Screen {
  const execution = /^\/executions\/([^/]+)\/?$/.exec(path)?.[1]
  if (execution)
    return { title: 'Execution', view: <ExecutionScreen key={execution} id={decodeURIComponent(execution)} /> }
  switch (path.replace(/(.)\/$/, '$1')) {
    case '/executions':
      return { title: 'Executions', view: <ExecutionsScreen /> }
    case '/files':
      return { title: 'Files', view: <FilesScreen /> }
    case '/keys':
      return { title: 'Keys', view: <KeysScreen /> }
    case '/health':
      return { title: 'Health', view: <HealthScreen /> }
    default:
      return { title: 'Run', view: <RunScreen /> }
  }
}

/** The whole page: the key first, then the screen that the path names. */
export function App() {
  const hasKey = useSignal(key) !== null
  const { pathname } = useHere()
  const { title, view } = screenOf(pathname)
  const main = useRef<HTMLElement>(null)
  const isFirst = useRef(true)
  useEffect(() => {
    document.title = hasKey ? `${title} · Skillrun` : 'Skillrun'
    // A screen reader goes on from the new screen, as it would after loading a page.
    if (!isFirst.current) main.current?.focus({ preventScroll: true })
    isFirst.current = false
  }, [pathname, hasKey])
  if (!hasKey) return <KeyGate />
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <header class="top">
        <Link to="/" class="brand" aria-label="Skillrun">
          <Mark />
          <span>Skillrun</span>
        </Link>
        <nav aria-label="Screens">
          {places.map(({ path, name }) => (
            <Link key={path} to={path} aria-current={isWithin(pathname, path) ? 'page' : undefined}>
              {name}
            </Link>
          ))}
        </nav>
        <button type="button" class="quiet leave" onClick={() => forgetKey()}>
          Forget key
        </button>
      </header>
      <main id="main" tabIndex={-1} ref={main}>
        {view}
      </main>
    </>
  )
}

const isWithin = (here: string, path: string): boolean =>
  path === '/' ? here === '/' : here === path || here.startsWith(`${path}/`)

/** The mark of the house: lines of a page, one of them found. */
export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
      <title>Skillrun</title>
      <rect class="mark-ground" width="32" height="32" rx="8" />
      <rect class="mark-found" x="7" y="7" width="18" height="5" rx="1.5" />
      <rect class="mark-line" x="7" y="15" width="12" height="3" rx="1.5" />
      <rect class="mark-line" x="7" y="21" width="15" height="3" rx="1.5" />
    </svg>
  )
}
