import { Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { IconButton } from './Button.tsx'
import { FormDialog } from './Dialog.tsx'
import { TextField } from './Field.tsx'
import { Menu, MenuItem, MenuLine } from './Menu.tsx'

/** An action that a person confirms in a dialog. */
interface ConfirmedAction {
  readonly title: string
  readonly saving: { readonly error: unknown; readonly isPending: boolean }
}

interface RenameAction extends ConfirmedAction {
  readonly label: string
  readonly hint?: string
  run(to: string, onDone: () => void): void
}

interface RemoveAction extends ConfirmedAction {
  readonly verb: string
  readonly about: ReactNode
  run(onDone: () => void): void
}

interface ItemMenuProps {
  /** The current name, the default of the rename dialog. */
  readonly name: string
  /** Additional actions, between “Rename” and “Remove”. */
  readonly children?: ReactNode
  readonly rename?: RenameAction | false
  readonly remove?: RemoveAction | false
}

/** The menu of an item of a list: rename, additional actions, and remove. */
export function ItemMenu({ name, children, rename, remove }: ItemMenuProps) {
  const [opened, setOpened] = useState<'rename' | 'remove'>()
  const [to, setTo] = useState(name)
  const close = () => setOpened(undefined)
  const open = (what: typeof opened) => {
    setTo(name)
    setOpened(what)
  }
  return (
    <>
      <Menu trigger={<IconButton icon={Ellipsis} label={`Actions for ${name}`} />}>
        {rename && (
          <MenuItem icon={Pencil} onSelect={() => open('rename')}>
            Rename…
          </MenuItem>
        )}
        {children}
        {remove && (
          <>
            <MenuLine />
            <MenuItem icon={Trash2} isBad onSelect={() => open('remove')}>
              {remove.verb}…
            </MenuItem>
          </>
        )}
      </Menu>
      {rename && opened === 'rename' && (
        <FormDialog {...rename} verb="Rename" onClose={close} onSubmit={() => rename.run(to, close)}>
          <TextField label={rename.label} hint={rename.hint} required value={to} onText={setTo} />
        </FormDialog>
      )}
      {remove && opened === 'remove' && (
        <FormDialog {...remove} cancel="Keep" isBad onClose={close} onSubmit={() => remove.run(close)}>
          <p className="text-base">{remove.about}</p>
        </FormDialog>
      )}
    </>
  )
}
