import { Download, Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Answer } from '../api/call.ts'
import { conversationMarkdown, stopAnswer, useConversations } from '../api/chat.ts'
import { useOperation } from '../api/collections.ts'
import { IconButton } from '../ui/Button.tsx'
import { FormDialog, RenameDialog } from '../ui/Dialog.tsx'
import { ageOf, counted } from '../ui/format.ts'
import { Menu, MenuItem, MenuLine } from '../ui/Menu.tsx'
import { Name } from '../ui/PlainText.tsx'
import { Empty, ErrorNote, Skeleton } from '../ui/State.tsx'
import { shortOf } from './places.ts'

type ConversationSummary = Answer<'conversations.list'>['conversations'][number]

interface ListProps {
  readonly current: string
  readonly onOpen: (id: string) => void
  /** Called after one was deleted. */
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
      {opened === 'rename' && <Rename head={head} onClose={close} />}
      {opened === 'remove' && <Remove head={head} onClose={close} onRemoved={onRemoved} />}
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

interface ActionProps {
  readonly head: ConversationSummary
  readonly onClose: () => void
}

function Rename({ head: { id, title }, onClose }: ActionProps) {
  const saving = useOperation('conversations.rename')
  const rename = (to: string) => saving.mutate({ id, title: to }, { onSuccess: onClose })
  return (
    <RenameDialog
      title="Rename the conversation"
      label="Title"
      name={title}
      onRename={rename}
      onClose={onClose}
      saving={saving}
    />
  )
}

function Remove({ head, onClose, onRemoved }: ActionProps & Pick<ListProps, 'onRemoved'>) {
  const saving = useOperation('conversations.remove')
  const remove = () =>
    saving.mutate(
      { id: head.id },
      {
        onSuccess: () => {
          onClose()
          // An answer that is being written there has no reader any more.
          stopAnswer(head.id).catch(() => {})
          onRemoved(head.id)
        },
      },
    )
  const about = { title: 'Delete the conversation?', verb: 'Delete', cancel: 'Keep', isBad: true }
  return (
    <FormDialog {...about} onSubmit={remove} onClose={onClose} saving={saving}>
      <p className="text-base">
        “<Name text={head.title} />” will be deleted with everything in it.
      </p>
    </FormDialog>
  )
}
