import { Download } from 'lucide-react'
import type { Answer } from '../api/call.ts'
import { conversationMarkdown, stopAnswer, useConversations } from '../api/chat.ts'
import { useOperation } from '../api/collections.ts'
import { ageOf, countOf } from '../ui/format.ts'
import { ItemMenu } from '../ui/ItemMenu.tsx'
import { MenuItem } from '../ui/Menu.tsx'
import { Name } from '../ui/PlainText.tsx'
import { Empty, ErrorNote, Skeleton } from '../ui/State.tsx'
import { shortPlaceName } from './places.ts'

type ConversationSummary = Answer<'conversations.list'>['conversations'][number]

interface ListProps {
  readonly current: string
  readonly onOpen: (id: string) => void
  /** Called after the current conversation was deleted. */
  onRemoved(): void
}

/** The stored conversations, last changed first. */
export function Conversations({ current, onOpen, onRemoved }: ListProps) {
  const { data, error, refetch } = useConversations()
  if (!data) return error ? <ErrorNote error={error} retry={refetch} /> : <Skeleton rows={6} />
  if (data.conversations.length === 0) {
    return <Empty title="There are no conversations yet">Your conversations with the assistant appear here.</Empty>
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
              {ageOf(head.updatedAt)} · {countOf(head.exchanges, 'question')} ·{' '}
              <Name text={shortPlaceName(head.place)} />
            </span>
          </button>
          <Actions head={head} onRemoved={() => head.id === current && onRemoved()} />
        </li>
      ))}
    </ul>
  )
}

function Actions({ head, onRemoved }: { readonly head: ConversationSummary; onRemoved(): void }) {
  const { id, title } = head
  const renaming = useOperation('conversations.rename')
  const removing = useOperation('conversations.remove')
  const rename = (to: string, onDone: () => void) => renaming.mutate({ id, title: to }, { onSuccess: onDone })
  const remove = (onDone: () => void) => {
    const onSuccess = () => {
      onDone()
      // Stops an answer in progress, because nobody can read it.
      stopAnswer(id).catch(() => {})
      onRemoved()
    }
    removing.mutate({ id }, { onSuccess })
  }
  const about = (
    <>
      “<Name text={title} />” will be deleted with everything in it.
    </>
  )
  return (
    <ItemMenu
      name={title}
      rename={{ title: 'Rename the conversation', label: 'Title', saving: renaming, run: rename }}
      remove={{ title: 'Delete the conversation?', verb: 'Delete', about, saving: removing, run: remove }}
    >
      <MenuItem icon={Download} onSelect={() => save(head)}>
        Export as Markdown
      </MenuItem>
    </ItemMenu>
  )
}

/** Downloads a conversation as a file. */
async function save({ id, title }: ConversationSummary): Promise<void> {
  const url = URL.createObjectURL(new Blob([await conversationMarkdown(id)], { type: 'text/markdown' }))
  const link = document.createElement('a')
  link.href = url
  const name = title.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '')
  link.download = `${name.slice(0, 60) || 'conversation'}.md`
  link.click()
  URL.revokeObjectURL(url)
}
