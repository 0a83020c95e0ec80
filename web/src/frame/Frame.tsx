import { useIsFetching } from '@tanstack/react-query'
import { Link, Outlet, useNavigate } from '@tanstack/react-router'
import { type LucideIcon, MessagesSquare, Moon, PanelRight, Search, Sun, SunMoon } from 'lucide-react'
import { type ReactNode, useMemo, useState, useSyncExternalStore } from 'react'
import { Failure } from '../api/call.ts'
import { client } from '../api/client.ts'
import { useIndexPolling } from '../api/indexing.ts'
import { IconButton } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Menu, MenuChoices } from '../ui/Menu.tsx'
import { Crumbs } from './Crumbs.tsx'
import { Finder } from './Finder.tsx'
import { MOD, type Shortcut, useShortcuts } from './keys.ts'
import { Nav, Tabs } from './Nav.tsx'
import { SideColumn } from './SideColumn.tsx'
import { SECTIONS } from './sections.ts'
import { SideProvider, useSide } from './side.tsx'

/** The frame of every page. `children`: panels beside every page. */
export function Frame({ children }: { readonly children?: ReactNode }) {
  return (
    <SideProvider>
      <FrameLayout />
      {children}
    </SideProvider>
  )
}

function FrameLayout() {
  const [opened, setOpened] = useState<'finder' | 'keys'>()
  const shortcuts = useFrameShortcuts(setOpened)
  useShortcuts(shortcuts)
  useIndexPolling()
  const close = () => setOpened(undefined)
  const commands = useMemo(() => shortcuts.filter(({ isCommand }) => isCommand), [shortcuts])
  return (
    <div className="flex h-dvh flex-col">
      <a href="#main" className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-canvas focus:p-2">
        Skip to the content
      </a>
      <Top onFind={() => setOpened('finder')} />
      <ConnectionNotice />
      <div className="flex min-h-0 flex-1">
        <Nav />
        <main id="main" tabIndex={-1} className="min-w-0 flex-1 outline-none">
          <Outlet />
        </main>
        <SideColumn />
      </div>
      <Tabs />
      <Finder isOpen={opened === 'finder'} onClose={close} commands={commands} />
      <KeysHelp isOpen={opened === 'keys'} onClose={close} shortcuts={shortcuts} />
    </div>
  )
}

function useFrameShortcuts(open: (what: 'finder' | 'keys') => void): readonly Shortcut[] {
  const navigate = useNavigate()
  const { show } = useSide()
  return useMemo(
    () => [
      { keys: 'mod+k', does: 'Find a file, a page or a command', run: () => open('finder') },
      { keys: '/', does: 'Search', run: () => focusSearch() || open('finder') },
      ...SECTIONS.map(({ name, key, to }) => ({
        keys: `g ${key}`,
        does: `Go to ${name}`,
        run: () => navigate({ to }),
      })),
      { keys: 'g a', does: 'Ask the assistant', isCommand: true, run: () => focusAssistant(show) },
      { keys: '?', does: 'Show the keyboard shortcuts', isCommand: true, run: () => open('keys') },
    ],
    [navigate, open, show],
  )
}

/** How to look for the assistant's field, which may still be loading: milliseconds between attempts, and maximum attempts. */
const FIELD_SEARCH = { ms: 50, times: 60 }

/** Opens the assistant, and focuses its field. */
function focusAssistant(show: (id: string) => void, attempt = 0): void {
  if (attempt === 0) show('assistant')
  const field = document.querySelector<HTMLElement>('[data-ask]')
  if (field) field.focus()
  else if (attempt < FIELD_SEARCH.times) setTimeout(() => focusAssistant(show, attempt + 1), FIELD_SEARCH.ms)
}

/** Focuses the search field of the page, if it has one. */
function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('main input[type=search]')
  field?.focus()
  field?.select()
  return field !== null
}

function Top({ onFind }: { readonly onFind: () => void }) {
  return (
    <header className="flex h-11 shrink-0 items-center gap-2 border-b border-line bg-surface px-2 md:px-3">
      <Link to="/" className="flex items-center gap-2 rounded-sm font-semibold md:w-[184px]" aria-label="Ambit, home">
        <Logo />
        <span className="max-md:hidden">Ambit</span>
      </Link>
      <Crumbs />
      <PanelButton label="Side column" icon={PanelRight} />
      <button
        type="button"
        onClick={onFind}
        className="flex h-7 items-center gap-2 rounded-md border border-line-strong bg-canvas px-2 text-ink-3 hover:text-ink max-md:border-transparent max-md:bg-transparent md:w-60"
      >
        <Search aria-hidden className="size-4" />
        <span className="flex-1 text-left max-md:sr-only">Find…</span>
        <kbd aria-hidden className="font-sans text-xs max-md:hidden">
          {MOD}K
        </kbd>
      </button>
      <PanelButton label="Assistant" icon={MessagesSquare} isAmbient />
      <ThemeMenu />
    </header>
  )
}

function Logo() {
  return (
    <svg viewBox="0 0 32 32" className="size-5 text-accent" aria-hidden="true">
      <path
        d="M23.7 6.15A12.5 12.5 0 1 1 5.9 8.63"
        {...{ fill: 'none', stroke: 'currentColor', strokeWidth: 3.5, strokeLinecap: 'round' }}
      />
      <circle cx="16" cy="16" r="4.5" fill="currentColor" />
    </svg>
  )
}

interface PanelButtonProps {
  readonly label: string
  readonly icon: LucideIcon
  /** Whether the button opens a panel that is beside every page. Default: a panel of the current page. */
  readonly isAmbient?: boolean
}

/** A button that opens the side column with the first panel of a kind, or closes a column that shows such a panel. */
function PanelButton({ label, icon, isAmbient = false }: PanelButtonProps) {
  const { panels, shown, isOpen, setOpen, show } = useSide()
  const ids = panels.filter((panel) => panel.isAmbient === isAmbient).map(({ id }) => id)
  const [first] = ids
  const isShown = isOpen && shown !== undefined && ids.includes(shown)
  if (first === undefined) return null
  return (
    <IconButton
      icon={icon}
      label={label}
      aria-pressed={isShown}
      onClick={() => (isShown ? setOpen(false) : show(first))}
      className="aria-pressed:bg-raised aria-pressed:text-ink"
    />
  )
}

const THEMES = [
  { value: 'system', name: 'System', icon: SunMoon },
  { value: 'light', name: 'Light', icon: Sun },
  { value: 'dark', name: 'Dark', icon: Moon },
] as const

type Theme = (typeof THEMES)[number]['value']

function ThemeMenu() {
  const [chosen, setChosen] = useState(savedTheme)
  const choose = (theme: Theme) => {
    saveTheme(theme)
    setChosen(theme)
  }
  return (
    <Menu trigger={<IconButton icon={THEMES.find(({ value }) => value === chosen)?.icon} label="Theme" />}>
      <MenuChoices<Theme> label="Theme" value={chosen} values={THEMES} onChange={choose} />
    </Menu>
  )
}

/** An error of the whole page: the server is unreachable, or this browser is not signed in. */
type PageError = 'unreachable' | 'signed-out' | undefined

function currentPageError(): PageError {
  const errors = client
    .getQueryCache()
    .getAll()
    .filter((query) => query.isActive())
    .map(({ state: { error } }) => error)
  const failures = errors.filter((error) => error instanceof Failure)
  if (failures.some(({ isSignedOut }) => isSignedOut)) return 'signed-out'
  return failures.some(({ isUnreachable }) => isUnreachable) ? 'unreachable' : undefined
}

function usePageError(): PageError {
  useIsFetching()
  return useSyncExternalStore((listener) => client.getQueryCache().subscribe(listener), currentPageError)
}

const NOTICES = {
  unreachable: ['Disconnected.', 'The server does not respond. This page continues when it is back.'],
  'signed-out': ['Signed out.', 'Reload this page: it says how to sign in again.'],
} as const

/** The error as a line under the header. */
function ConnectionNotice() {
  const error = usePageError()
  return (
    <div role="status" aria-live="polite">
      {error && (
        <p className="border-b border-line bg-surface px-4 py-1.5 text-sm text-warn">
          <strong className="font-semibold">{NOTICES[error][0]}</strong> {NOTICES[error][1]}
        </p>
      )}
    </div>
  )
}

/** Shortcuts that lists and dialogs handle. Only the help uses this list. */
const IN_LISTS = [
  { keys: '↑ ↓', does: 'Move in a list' },
  { keys: 'Enter', does: 'Open' },
  { keys: 'Backspace', does: 'Go up a folder' },
  { keys: 'Esc', does: 'Close a dialog or menu' },
] as const

interface KeysHelpProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly shortcuts: readonly Shortcut[]
}

function KeysHelp({ isOpen, onClose, shortcuts }: KeysHelpProps) {
  return (
    <Dialog title="Keyboard shortcuts" isOpen={isOpen} onClose={onClose} className="w-96">
      <dl className="stack px-4 py-2">
        {[...shortcuts, ...IN_LISTS].map(({ keys, does }) => (
          <div key={keys} className="flex h-8 items-center justify-between gap-4">
            <dt>{does}</dt>
            <dd className="flex gap-1">
              {keys.split(' ').map((key) => (
                <kbd
                  key={key}
                  className="min-w-6 rounded-sm border border-line-strong bg-surface px-1.5 py-0.5 text-center font-sans text-xs"
                >
                  {key.replace('mod+k', `${MOD}K`)}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}

/** Key of the theme in the local storage. theme.js reads it before the first paint. */
const KEY = 'ambit-theme'

/** The theme that the person chose. Default: that of the system. */
function savedTheme(): Theme {
  const saved = localStorage.getItem(KEY)
  return THEMES.find(({ value }) => value === saved)?.value ?? 'system'
}

function saveTheme(chosen: Theme): void {
  localStorage.setItem(KEY, chosen)
  document.documentElement.dataset.theme = chosen
}
