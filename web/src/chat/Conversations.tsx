import { Download, Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import type { Answer } from '../api/call.ts'
import { conversationMarkdown, stopAnswer, useConversationMutation, useConversations } from '../api/chat.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Input, Labelled } from '../ui/Field.tsx'
import { ageOf, counted } from '../ui/format.ts'
import { Menu, MenuItem, MenuLine } from '../ui/Menu.tsx'
import { Name } from '../ui/PlainText.tsx'
import { Empty, ErrorNote, Skeleton } from '../ui/State.tsx'
import { shortOf } from './places.ts'

type ConversationSummary = Answer<'conversations.list'>['conversations'][number]

interface ListProps {
  readonly current: string
  readonly onOpen: (id: string) => void
  /** One is no more. */
  readonly onRemoved: (id: string) => void
}

/** The conversations that are kept; those that were last changed first. */
export function Conversations({ current, onOpen, onRemoved }: ListProps) {
  const { data, error, refetch } = useConversations()
  if (!data) return error ? <ErrorNote error={error} retry={refetch} /> : <Skeleton rows={6} />
  if (data.conversations.length === 0) {
    return <Empty title="There are no conversations yet">What you ask the assistant is kept, and found here.</Empty>
  }
  return (
    <ul aria-label="Conversations" className="min-h-0 flex-1 overflow-y-auto py-1">
      {data.conversations.map((head) => (
        <li key={head.id} className="flex items-center gap-1 pr-1.5 hover:bg-surface">
          <button
            type="button"
            aria-current={head.id === current ? 'true' : undefined}
            onClick={() => onOpen(head.id)}
            className="stack min-w-0 flex-1 gap-0.5 px-3 py-1.5 text-left aria-[current]:font-medium"
          >
            <Name className="wrap-anywhere" text={head.title} />
            <span className="wrap-anywhere text-xs font-normal text-ink-3 tabular-nums">
              {ageOf(head.updatedAt)} · {counted(head.exchanges, 'question')} · <Name text={shortOf(head.place)} />
            </span>
          </button>
          <Actions head={head} onRemoved={onRemoved} />
        </li>
      ))}
    </ul>
  )
}

function Actions({
  head,
  onRemoved,
}: {
  readonly head: ConversationSummary
  readonly onRemoved: ListProps['onRemoved']
}) {
  const [opened, setOpened] = useState<'rename' | 'remove'>()
  const close = () => setOpened(undefined)
  return (
    <>
      <Menu
        trigger={
          <IconButton label={`Actions for ${head.title}`}>
            <Ellipsis />
          </IconButton>
        }
      >
        <MenuItem onSelect={() => setOpened('rename')}>
          <Pencil aria-hidden /> Rename…
        </MenuItem>
        <MenuItem onSelect={() => save(head)}>
          <Download aria-hidden /> Export as Markdown
        </MenuItem>
        <MenuLine />
        <MenuItem isBad onSelect={() => setOpened('remove')}>
          <Trash2 aria-hidden /> Delete…
        </MenuItem>
      </Menu>
      <Rename head={head} isOpen={opened === 'rename'} onClose={close} />
      <Remove head={head} isOpen={opened === 'remove'} onClose={close} onRemoved={onRemoved} />
    </>
  )
}

/** As a file of the browser's downloads. */
async function save({ id, title }: ConversationSummary): Promise<void> {
  const url = URL.createObjectURL(new Blob([await conversationMarkdown(id)], { type: 'text/markdown' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `${
    title
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 60) || 'conversation'
  }.md`
  link.click()
  URL.revokeObjectURL(url)
}

interface AskedProps {
  readonly head: ConversationSummary
  readonly isOpen: boolean
  readonly onClose: () => void
}

function Rename({ head: { id, title }, isOpen, onClose }: AskedProps) {
  const [to, setTo] = useState(title)
  const { mutate, error, isPending } = useConversationMutation('conversations.rename')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    mutate({ id, title: to }, { onSuccess: onClose })
  }
  return (
    <Dialog title="Rename the conversation" isOpen={isOpen} onClose={onClose} className="w-96">
      <form onSubmit={submit} className="stack gap-3 p-4">
        <Labelled label="Title">
          {(ids) => <Input {...ids} required value={to} onChange={({ target }) => setTo(target.value)} />}
        </Labelled>
        {error && <ErrorNote error={error} className="p-0" />}
        <Button size="md" look="main" type="submit" disabled={isPending} className="justify-self-end">
          Rename
        </Button>
      </form>
    </Dialog>
  )
}

function Remove({ head, isOpen, onClose, onRemoved }: AskedProps & Pick<ListProps, 'onRemoved'>) {
  const { mutate, error, isPending } = useConversationMutation('conversations.remove')
  const remove = () =>
    mutate(
      { id: head.id },
      {
        onSuccess: () => {
          onClose()
          // What is being answered there has nobody to be for.
          stopAnswer(head.id).catch(() => {})
          onRemoved(head.id)
        },
      },
    )
  return (
    <Dialog title="Delete the conversation?" isOpen={isOpen} onClose={onClose} className="w-96">
      <div className="stack gap-3 p-4 text-base">
        <p>
          “<Name text={head.title} />” will be deleted with everything in it.
        </p>
        {error && <ErrorNote error={error} className="p-0" />}
        <div className="flex justify-end gap-2">
          <Button size="md" onClick={onClose}>
            Keep
          </Button>
          <Button size="md" look="bad" disabled={isPending} onClick={remove}>
            Delete
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
