import { Dialog } from '../ui/Dialog.tsx'
import { MOD, type Shortcut } from './keys.ts'

/** Keys of the lists, which listen for themselves. */
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

export function KeysHelp({ isOpen, onClose, shortcuts }: KeysHelpProps) {
  return (
    <Dialog title="Keys" isOpen={isOpen} onClose={onClose} className="w-96">
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
