import { useEffect, useRef } from 'react'

/** A shortcut that works on every page: a key, or a key after `g`. */
export interface Shortcut {
  /** The value of `KeyboardEvent.key`; `g c` for two keys in turn; `mod+k` with Ctrl or ⌘. */
  readonly keys: string
  readonly does: string
  /** Whether the finder lists it. */
  readonly isCommand?: boolean
  readonly run: () => void
}

/** Milliseconds that `g` waits for the next key. */
const WAIT = 1_200

/** Listens for shortcuts. In a text field, only those with Ctrl or ⌘ work; in a dialog, none. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  // The previous key and its time: a ref, because the page may render with new shortcuts between two keys.
  const last = useRef({ key: '', at: 0 })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey || document.querySelector('dialog[open]')) return
      const key = `${event.ctrlKey || event.metaKey ? 'mod+' : ''}${event.key}`
      if (!key.startsWith('mod+') && isWriting(event.target)) return
      const { key: before, at } = last.current
      const sequence = before !== '' && event.timeStamp - at < WAIT ? `${before} ${key}` : key
      const found = shortcuts.find(({ keys }) => keys === sequence) ?? shortcuts.find(({ keys }) => keys === key)
      last.current = { key: found ? '' : key, at: event.timeStamp }
      if (!found) return
      event.preventDefault()
      found.run()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [shortcuts])
}

function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable], [role=menu] *')
}

/** The modifier key: ⌘ on devices of Apple, else Ctrl. */
export const MOD = /Mac|iP(hone|ad)/.test(navigator.platform) ? '⌘' : 'Ctrl '
