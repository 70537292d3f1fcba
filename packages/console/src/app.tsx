import type { ComponentChild } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { ExecutionScreen } from './executions/execution-screen.tsx'
import { ExecutionsScreen } from './executions/executions-screen.tsx'
import { FilesScreen } from './files/files-screen.tsx'
import { HealthScreen } from './health/health-screen.tsx'
import { KeyGate } from './keys/key-gate.tsx'
import { KeysScreen } from './keys/keys-screen.tsx'
import { lazy } from './parts/lazy.tsx'
import { Mark } from './parts/mark.tsx'
import { Link, useHere } from './router.tsx'
import { RunScreen } from './run/run-screen.tsx'
import { forgetKey, key } from './session.ts'
import { useSignal } from './state.ts'

const UsageScreen = lazy(async () => (await import('./usage/usage-screen.tsx')).UsageScreen)

const SkillsScreen = lazy(async () => (await import('./skills/skills-screen.tsx')).SkillsScreen)
const SkillScreen = lazy(async () => (await import('./skills/skill-screen.tsx')).SkillScreen)

const places = [
  { path: '/', name: 'Run' },
  { path: '/executions', name: 'Executions' },
  { path: '/skills', name: 'Skills' },
  { path: '/files', name: 'Files' },
  { path: '/usage', name: 'Usage' },
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
  const skill = /^\/skills\/([^/]+)\/?$/.exec(path)?.[1]
  if (skill) return { title: 'Skill', view: <SkillScreen id={decodeURIComponent(skill)} /> }
  switch (path.replace(/(.)\/$/, '$1')) {
    case '/executions':
      return { title: 'Executions', view: <ExecutionsScreen /> }
    case '/skills':
      return { title: 'Skills', view: <SkillsScreen /> }
    case '/files':
      return { title: 'Files', view: <FilesScreen /> }
    case '/usage':
      return { title: 'Usage', view: <UsageScreen /> }
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
        <a class="quiet button docs-link" href="/docs">
          API
        </a>
        <button type="button" class="quiet leave" onClick={() => forgetKey()}>
          Sign out
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
