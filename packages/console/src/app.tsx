import type { ComponentChild } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { ExecutionScreen } from './executions/execution-screen.tsx'
import { ExecutionsScreen } from './executions/list/executions-screen.tsx'
import { lazy } from './parts/lazy.tsx'
import { Mark } from './parts/mark.tsx'
import { places } from './places.ts'
import { putDraftAside } from './reviews/draft.ts'
import { loadRights, useMay } from './rights.ts'
import { Link, useHere } from './router.tsx'
import { RunScreen } from './run/run-screen.tsx'
import { key, signIn } from './session.ts'
import { useSignal } from './state.ts'
import { chooseTheme, theme, themes } from './theme.ts'
import { SignInGate } from './users/sign-in-gate.tsx'
import { UserMenu } from './users/user-menu.tsx'

const UsageScreen = lazy(async () => (await import('./usage/usage-screen.tsx')).UsageScreen)

const Palette = lazy(async () => (await import('./palette/palette.tsx')).Palette, { fallback: null })
const BatchesScreen = lazy(async () => (await import('./batches/batches-screen.tsx')).BatchesScreen)
const BatchScreen = lazy(async () => (await import('./batches/batch-screen.tsx')).BatchScreen)
const ReviewScreen = lazy(async () => (await import('./reviews/review-screen.tsx')).ReviewScreen)
const FilesScreen = lazy(async () => (await import('./files/files-screen.tsx')).FilesScreen)
const KeysScreen = lazy(async () => (await import('./keys/keys-screen.tsx')).KeysScreen)
const HealthScreen = lazy(async () => (await import('./health/health-screen.tsx')).HealthScreen)
const UsersScreen = lazy(async () => (await import('./users/users-screen.tsx')).UsersScreen)
const AccountScreen = lazy(async () => (await import('./users/account-screen.tsx')).AccountScreen)
const SkillsScreen = lazy(async () => (await import('./skills/skills-screen.tsx')).SkillsScreen)
const ChatScreen = lazy(async () => (await import('./chat/chat-screen.tsx')).ChatScreen)
const SessionsScreen = lazy(async () => (await import('./chat/sessions-screen.tsx')).SessionsScreen)
const AgentsScreen = lazy(async () => (await import('./build/agents-screen.tsx')).AgentsScreen)
const ToolsScreen = lazy(async () => (await import('./build/tools-screen.tsx')).ToolsScreen)
const QueuesScreen = lazy(async () => (await import('./operate/queues-screen.tsx')).QueuesScreen)
const SettingsScreen = lazy(async () => (await import('./operate/settings-screen.tsx')).SettingsScreen)
const AuditScreen = lazy(async () => (await import('./operate/audit-screen.tsx')).AuditScreen)
const NewSkillScreen = lazy(async () => (await import('./skills/new-skill-screen.tsx')).NewSkillScreen)
const SkillScreen = lazy(async () => (await import('./skills/skill-screen.tsx')).SkillScreen)

interface Screen {
  readonly title: string
  readonly view: ComponentChild
}

function screenOf(path: string): Screen {
  const execution = /^\/executions\/([^/]+)\/?$/.exec(path)?.[1]
  if (execution)
    return { title: 'Execution', view: <ExecutionScreen key={execution} id={decodeURIComponent(execution)} /> }
  const batch = /^\/batches\/([^/]+)\/?$/.exec(path)?.[1]
  if (batch) return { title: 'Batch', view: <BatchScreen key={batch} id={decodeURIComponent(batch)} /> }
  if (/^\/skills\/new\/?$/.test(path)) return { title: 'New skill', view: <NewSkillScreen /> }
  const skill = /^\/skills\/([^/]+)\/?$/.exec(path)?.[1]
  if (skill) return { title: 'Skill', view: <SkillScreen id={decodeURIComponent(skill)} /> }
  switch (path.replace(/(.)\/$/, '$1')) {
    case '/executions':
      return { title: 'Executions', view: <ExecutionsScreen /> }
    case '/batches':
      return { title: 'Batches', view: <BatchesScreen /> }
    case '/review':
      return { title: 'Review', view: <ReviewScreen /> }
    case '/skills':
      return { title: 'Skills', view: <SkillsScreen /> }
    case '/files':
      return { title: 'Files', view: <FilesScreen /> }
    case '/usage':
      return { title: 'Usage', view: <UsageScreen /> }
    case '/keys':
      return { title: 'Keys', view: <KeysScreen /> }
    case '/chat':
      return { title: 'Chat', view: <ChatScreen /> }
    case '/sessions':
      return { title: 'Sessions', view: <SessionsScreen /> }
    case '/agents':
      return { title: 'Agents', view: <AgentsScreen /> }
    case '/tools':
      return { title: 'Tools', view: <ToolsScreen /> }
    case '/queues':
      return { title: 'Queues', view: <QueuesScreen /> }
    case '/settings':
      return { title: 'Settings', view: <SettingsScreen /> }
    case '/audit':
      return { title: 'Audit log', view: <AuditScreen /> }
    case '/users':
      return { title: 'Users', view: <UsersScreen /> }
    case '/account':
      return { title: 'Account', view: <AccountScreen /> }
    case '/health':
      return { title: 'Health', view: <HealthScreen /> }
    default:
      return { title: 'Run', view: <RunScreen /> }
  }
}

/** The whole page: asks for the key, then shows the screen of the path. */
export function App() {
  const keyText = useSignal(key)
  const user = useSignal(signIn)?.user
  const isIn = keyText !== null || (user && !user.must_change_password)
  const { pathname } = useHere()
  const { title, view } = screenOf(pathname)
  const main = useRef<HTMLElement>(null)
  const isFirst = useRef(true)
  const who = isIn ? (keyText ?? user?.id) : undefined
  useEffect(() => {
    if (who === undefined) return
    const isOver = new AbortController()
    void loadRights(isOver.signal)
    return () => {
      isOver.abort()
      putDraftAside()
    }
  }, [who])
  useEffect(() => {
    document.title = isIn ? `${title} · Skillrun` : 'Skillrun'
    // Moves the focus of screen readers to the new screen, as after loading a page.
    if (!isFirst.current) main.current?.focus({ preventScroll: true })
    isFirst.current = false
  }, [pathname, isIn])
  if (!isIn) return <SignInGate />
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <div class="shell">
        <Side pathname={pathname} />
        <main id="main" tabIndex={-1} ref={main}>
          {view}
        </main>
      </div>
    </>
  )
}

/** The navigation: screens, the command palette, the theme. */
function Side({ pathname }: { pathname: string }) {
  const [isOpen, setIsOpen] = useState(false)
  const [isFinding, setIsFinding] = useState(false)
  const chosen = useSignal(theme)
  const may = useMay()
  useEffect(() => setIsOpen(false), [pathname])
  useEffect(() => {
    const find = (event: KeyboardEvent) => {
      if (event.key?.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return
      event.preventDefault()
      setIsFinding(true)
    }
    window.addEventListener('keydown', find)
    return () => window.removeEventListener('keydown', find)
  }, [])
  return (
    <header class="side">
      <Link to="/" class="brand" aria-label="Skillrun">
        <Mark />
        <span>Skillrun</span>
      </Link>
      <button type="button" class="find" aria-haspopup="dialog" onClick={() => setIsFinding(true)}>
        Go to… <kbd>Ctrl K</kbd>
      </button>
      <button
        type="button"
        class="menu-button"
        aria-expanded={isOpen}
        aria-controls="side-more"
        onClick={() => setIsOpen(!isOpen)}
      >
        Menu
      </button>
      <div id="side-more" class={isOpen ? 'side-more open' : 'side-more'}>
        <nav aria-label="Screens">
          {places.map(({ group, screens }) => (
            <section key={group} aria-label={group}>
              <p class="group">{group}</p>
              {screens
                .filter(({ needs }) => needs === undefined || may(needs))
                .map(({ path, name }) => (
                  <Link key={path} to={path} aria-current={isWithin(pathname, path) ? 'page' : undefined}>
                    {name}
                  </Link>
                ))}
            </section>
          ))}
        </nav>
        <div class="side-foot">
          <a class="quiet button" href="/docs/api">
            API reference
          </a>
          <UserMenu />
          <fieldset class="switch themes" aria-label="Theme">
            {themes.map((one) => (
              <button key={one} type="button" aria-pressed={one === chosen} onClick={() => chooseTheme(one)}>
                {one}
              </button>
            ))}
          </fieldset>
        </div>
      </div>
      {isFinding && <Palette onClose={() => setIsFinding(false)} />}
    </header>
  )
}

const isWithin = (here: string, path: string): boolean =>
  path === '/' ? here === '/' : here === path || here.startsWith(`${path}/`)
