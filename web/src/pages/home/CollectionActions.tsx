import { Ellipsis, Pause, Pencil, Play, RefreshCw, Square, Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { type Collection, useDoing } from '../../api/collections.ts'
import { useIndexing } from '../../api/indexing.ts'
import { useMay } from '../../api/me.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Input, Labelled } from '../../ui/Field.tsx'
import { counted } from '../../ui/format.ts'
import { Menu, MenuItem, MenuLine } from '../../ui/Menu.tsx'
import { Trouble } from '../../ui/State.tsx'

interface Props {
  readonly collection: Collection
}

/** What can be done with a collection. */
export function CollectionActions({ collection }: Props) {
  const { name, isPaused } = collection
  const [opened, setOpened] = useState<'rename' | 'remove' | 'trouble'>()
  const indexing = useIndexing(name)
  const change = useDoing('collections.set')
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
      <Rename collection={collection} isOpen={opened === 'rename'} onClose={close} />
      <Remove collection={collection} isOpen={opened === 'remove'} onClose={close} />
    </>
  )
}

interface AskedProps extends Props {
  readonly isOpen: boolean
  readonly onClose: () => void
}

function Rename({ collection: { name }, isOpen, onClose }: AskedProps) {
  const [to, setTo] = useState(name)
  const { mutate, error, isPending } = useDoing('collections.rename')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    mutate({ name, to }, { onSuccess: onClose })
  }
  return (
    <Dialog title={`Rename ${name}`} isOpen={isOpen} onClose={onClose} className="w-96">
      <form onSubmit={submit} className="stack gap-3 p-4">
        <Labelled label="Name" hint="Its descriptions are kept.">
          {(ids) => <Input {...ids} required value={to} onChange={({ target }) => setTo(target.value)} />}
        </Labelled>
        {error && <Trouble error={error} className="p-0" />}
        <Button size="md" look="main" type="submit" disabled={isPending} className="justify-self-end">
          Rename
        </Button>
      </form>
    </Dialog>
  )
}

function Remove({ collection: { name, documents }, isOpen, onClose }: AskedProps) {
  const { mutate, error, isPending } = useDoing('collections.remove')
  return (
    <Dialog title={`Remove ${name}?`} isOpen={isOpen} onClose={onClose} className="w-96">
      <div className="stack gap-3 p-4 text-base">
        <p>
          {counted(documents, 'document')} will no longer be found, and its descriptions are deleted. The files
          themselves stay.
        </p>
        {error && <Trouble error={error} className="p-0" />}
        <div className="flex justify-end gap-2">
          <Button size="md" onClick={onClose}>
            Keep
          </Button>
          <Button size="md" look="bad" disabled={isPending} onClick={() => mutate({ name }, { onSuccess: onClose })}>
            Remove
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
