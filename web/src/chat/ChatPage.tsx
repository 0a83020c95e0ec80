import { useNavigate, useParams, useRouterState } from '@tanstack/react-router'
import { History, Plus } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button, IconButton } from '../ui/Button.tsx'
import { cn } from '../ui/cn.ts'
import { useTitle } from '../ui/hooks.ts'
import { Name } from '../ui/PlainText.tsx'
import { Skeleton } from '../ui/State.tsx'
import { CurrentConversation } from './Conversation.tsx'
import { Conversations } from './Conversations.tsx'
import { openConversation, startConversation, useSession } from './session.ts'
import { useAssistantEvents } from './useChatPlace.ts'

const HIDE_IF_NARROW = 'max-lg:hidden'

/** A conversation as a page, beside the list of earlier conversations. */
export function ChatPage() {
  const { conversation } = useParams({ strict: false }) as { readonly conversation?: string }
  const session = useSession()
  const navigate = useNavigate()
  useTitle(session?.title ?? 'Chat')
  useAssistantEvents()
  const question = useRouterState({ select: ({ location }) => Object(location.state).question as string | undefined })
  // The URL names the conversation. A new conversation gets its URL with the first question.
  const shown = useRef<string>(undefined)
  shown.current = session?.id
  useEffect(() => {
    if (conversation === undefined) startConversation(question)
    else if (conversation !== shown.current) openConversation(conversation)
  }, [conversation, question])
  const startedId = session?.title === undefined ? undefined : session.id
  useEffect(() => {
    if (conversation === undefined && startedId !== undefined) {
      history.replaceState(history.state, '', `/chat/${encodeURIComponent(startedId)}`)
    }
  }, [conversation, startedId])
  // Narrow screens show the list or the conversation.
  const [isListed, setListed] = useState(false)
  const show = (id: string) => {
    setListed(false)
    return navigate({ to: '/chat/$conversation', params: { conversation: id } })
  }
  const startNew = () => {
    setListed(false)
    return conversation === undefined ? startConversation() : navigate({ to: '/chat' })
  }
  return (
    <div className="flex h-full min-h-0">
      <section
        aria-label="Conversations"
        className={cn('flex shrink-0 flex-col border-r border-line max-lg:flex-1 lg:w-64', !isListed && HIDE_IF_NARROW)}
      >
        <header className="flex h-11 shrink-0 items-center justify-between border-b border-line pr-2 pl-3">
          <h2 className="text-xs font-medium text-ink-3">Conversations</h2>
          <Button icon={Plus} onClick={startNew}>
            New
          </Button>
        </header>
        <Conversations current={session?.id ?? ''} onOpen={show} onRemoved={startNew} />
      </section>
      <section aria-label="Chat" className={cn('flex min-w-0 flex-1 flex-col', isListed && HIDE_IF_NARROW)}>
        <header className="flex min-h-11 shrink-0 items-center gap-2 border-b border-line px-4 py-1">
          <h1 className="min-w-0 flex-1 text-sm font-semibold wrap-anywhere">
            <Name text={session?.title ?? 'New conversation'} />
          </h1>
          <span className="flex items-center gap-2 lg:hidden">
            <IconButton icon={History} label="Earlier conversations" onClick={() => setListed(true)} />
            <Button icon={Plus} onClick={startNew}>
              New
            </Button>
          </span>
        </header>
        {session ? <CurrentConversation session={session} isFullPage /> : <Skeleton rows={4} />}
      </section>
    </div>
  )
}
