import { Link } from '@tanstack/react-router'
import { History, Maximize2, Plus } from 'lucide-react'
import { useEffect, useState } from 'react'
import { buttonLook, IconButton } from '../ui/Button.tsx'
import { Name } from '../ui/PlainText.tsx'
import { Skeleton } from '../ui/State.tsx'
import { CurrentConversation } from './Conversation.tsx'
import { Conversations } from './Conversations.tsx'
import { openConversation, restoreConversation, startConversation, useSession } from './session.ts'
import { useAssistantEvents, useChatPlace } from './useChatPlace.ts'

/** A conversation with the assistant, or the list of earlier conversations. */
export function Assistant() {
  const session = useSession()
  const [isListing, setListing] = useState(false)
  useEffect(restoreConversation, [])
  useAssistantEvents()
  if (!session) return <Skeleton rows={4} />
  const show = (id: string) => {
    setListing(false)
    openConversation(id)
  }
  const startNew = () => {
    setListing(false)
    startConversation()
  }
  return (
    <section aria-label="Assistant" className="flex h-full min-h-0 flex-col">
      <header className="flex h-9 shrink-0 items-center gap-1 border-b border-line pr-1.5 pl-3">
        <h2 title={session.title} className="min-w-0 flex-1 truncate text-xs text-ink-3">
          <Name text={isListing ? 'Conversations' : (session.title ?? 'New conversation')} />
        </h2>
        <IconButton
          icon={History}
          label="Conversations"
          aria-pressed={isListing}
          onClick={() => setListing(!isListing)}
        />
        <OpenAsPage conversation={session.title === undefined ? undefined : session.id} />
        <IconButton icon={Plus} label="New conversation" onClick={startNew} />
      </header>
      {isListing ? (
        <Conversations current={session.id} onOpen={show} onRemoved={startConversation} />
      ) : (
        <CurrentConversation session={session} />
      )}
    </section>
  )
}

/** A link to the page of the conversation; before its first question, to a new conversation about this place. */
function OpenAsPage({ conversation }: { readonly conversation: string | undefined }) {
  const { place } = useChatPlace()
  const name = 'Open as a page'
  const to =
    conversation === undefined
      ? { to: '/chat', search: place === '.' ? {} : { place } }
      : { to: '/chat/$conversation', params: { conversation } }
  return (
    <Link {...to} aria-label={name} title={name} className={buttonLook({ look: 'quiet', size: 'icon' })}>
      <Maximize2 aria-hidden />
    </Link>
  )
}
