import { Ellipsis, Pause, Pencil, Play, RefreshCw, Square, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { type Collection, useOperation } from '../../api/collections.ts'
import { useIndexing } from '../../api/indexing.ts'
import { useMay } from '../../api/me.ts'
import { IconButton } from '../../ui/Button.tsx'
import { FormDialog, RenameDialog } from '../../ui/Dialog.tsx'
import { counted } from '../../ui/format.ts'
import { Menu, MenuItem, MenuLine } from '../../ui/Menu.tsx'

interface Props {
  readonly collection: Collection
}

/** What can be done with a collection. */
export function CollectionActions({ collection }: Props) {
  const { name, isPaused } = collection
  const [opened, setOpened] = useState<'rename' | 'remove'>()
  const indexing = useIndexing(name)
  const change = useOperation('collections.set')
  const close = () => setOpened(undefined)
  const may = {
    index: useMay('indexing.start'),
    pause: useMay('collections.set'),
    rename: useMay('collections.rename'),
    remove: useMay('collections.remove'),
  }
  if (!Object.values(may).includes(true)) return null
  if (indexing.isRunning && may.index) {
    return (
      <IconButton label={`Stop indexing ${name}`} onClick={indexing.stop}>
        <Square className="animate-pulse" />
      </IconButton>
    )
  }
  return (
    <>
      <Menu
        trigger={
          <IconButton label={`Actions for ${name}`}>
            <Ellipsis />
          </IconButton>
        }
      >
        {may.index && (
          <MenuItem onSelect={indexing.start}>
            <RefreshCw aria-hidden /> Index
          </MenuItem>
        )}
        {may.pause && (
          <MenuItem onSelect={() => change.mutate({ name, paused: !isPaused })}>
            {isPaused ? <Play aria-hidden /> : <Pause aria-hidden />} {isPaused ? 'Resume' : 'Pause'}
          </MenuItem>
        )}
        {may.rename && (
          <MenuItem onSelect={() => setOpened('rename')}>
            <Pencil aria-hidden /> Rename…
          </MenuItem>
        )}
        {may.remove && (
          <>
            <MenuLine />
            <MenuItem isBad onSelect={() => setOpened('remove')}>
              <Trash2 aria-hidden /> Remove…
            </MenuItem>
          </>
        )}
      </Menu>
      {opened === 'rename' && <Rename collection={collection} onClose={close} />}
      {opened === 'remove' && <Remove collection={collection} onClose={close} />}
    </>
  )
}

interface ActionProps extends Props {
  readonly onClose: () => void
}

function Rename({ collection: { name }, onClose }: ActionProps) {
  const saving = useOperation('collections.rename')
  const rename = (to: string) => saving.mutate({ name, to }, { onSuccess: onClose })
  return (
    <RenameDialog
      title={`Rename ${name}`}
      label="Name"
      hint="Its descriptions are kept."
      name={name}
      onRename={rename}
      onClose={onClose}
      saving={saving}
    />
  )
}

function Remove({ collection: { name, documents }, onClose }: ActionProps) {
  const saving = useOperation('collections.remove')
  const remove = () => saving.mutate({ name }, { onSuccess: onClose })
  const about = { title: `Remove ${name}?`, verb: 'Remove', cancel: 'Keep', isBad: true }
  return (
    <FormDialog {...about} onSubmit={remove} onClose={onClose} saving={saving}>
      <p className="text-base">
        {counted(documents, 'document')} will no longer be found, and its descriptions are deleted. The files themselves
        stay.
      </p>
    </FormDialog>
  )
}
