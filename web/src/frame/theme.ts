import { useSyncExternalStore } from 'react'

export const THEMES = [
  { value: 'system', name: 'System' },
  { value: 'light', name: 'Light' },
  { value: 'dark', name: 'Dark' },
] as const

export type Theme = (typeof THEMES)[number]['value']

/** Read by theme.js before the first paint, too. */
const KEY = 'ambit-theme'
const listeners = new Set<() => void>()

/** What the person chose; without a choice the system has its way. */
export function theme(): Theme {
  const kept = localStorage.getItem(KEY)
  return kept === 'light' || kept === 'dark' ? kept : 'system'
}

export function setTheme(chosen: Theme): void {
  if (chosen === 'system') localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, chosen)
  showTheme()
  for (const listener of listeners) listener()
}

function showTheme(): void {
  const chosen = theme()
  if (chosen === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = chosen
}

export function useTheme(): Theme {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, theme)
}
