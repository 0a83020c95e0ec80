import { useChat } from '@ai-sdk/react'
import { useNavigate } from '@tanstack/react-router'
import { History, Plus } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { stopped, useModels } from '../api/chat.ts'
import { IconButton } from '../ui/Button.tsx'
import { Skeleton, Trouble } from '../ui/State.tsx'
import { Composer } from './Composer.tsx'
import { ContextChip } from './ContextChip.tsx'
import { Conversations } from './Conversations.tsx'
import { Answer, isAsking as isWaiting, Question } from './Messages.tsx'
import { type Standing, shownAt } from './places.ts'
import {
  begin,
  isAsking,
  type Message,
  onNavigate,
  open,
  refresh,
  restore,
  type Session,
  titled,
  useSession,
} from './session.ts'
import { useStanding, useSuggestions, useView } from './useStanding.ts'

/** The assistant: a conversation, and those before it. */
export function Assistant() {
  const session = useSession()
  const [isListing, setListing] = useState(false)
  const navigate = useNavigate()
  useEffect(restore, [])
  useEffect(() => onNavigate((place) => navigate(shownAt(place) as never)), [navigate])
  useEffect(() => {
    addEventListener('focus', refresh)
    return () => removeEventListener('focus', refresh)
  }, [])
  if (!session) return <Skeleton rows={4} />
  const show = (id: string) => {
    setListing(false)
    open(id)
  }
  const renew = () => {
    setListing(false)
    begin()
  }
  return (
    <section aria-label="Assistant" className="flex h-full min-h-0 flex-col">
      <header className="flex h-9 shrink-0 items-center gap-1 border-b border-line pr-1.5 pl-3">
        <h2 className="min-w-0 flex-1 truncate text-xs text-ink-3">
          <bdi>{isListing ? 'Conversations' : (session.title ?? 'New conversation')}</bdi>
        </h2>
        <IconButton label="Conversations" aria-pressed={isListing} onClick={() => setListing(!isListing)}>
          <History />
        </IconButton>
        <IconButton label="New conversation" onClick={renew}>
          <Plus />
        </IconButton>
      </header>
      {isListing ? (
        <Conversations current={session.id} onOpen={show} onRemoved={(id) => id === session.id && begin()} />
      ) : session.error ? (
        <Trouble error={session.error} retry={() => open(session.id)} />
      ) : (
        <Talk key={session.id} session={session} />
      )}
    </section>
  )
}

/** How long an answer takes to end that was stopped, in milliseconds. */
const AFTER_STOP = 300

/** How often what streams is drawn, in milliseconds. */
const FRAME = 50

function Talk({ session: { id, chat, waiting } }: { readonly session: Session }) {
  const { messages, status, error, sendMessage, regenerate, addToolApprovalResponse } = useChat<Message>({
    chat,
    experimental_throttle: FRAME,
  })
  const standing = useStanding()
  const view = useView(standing)
  const { data: models = [] } = useModels()
  const [model, setModel] = useState<string>()
  const last = messages.at(-1)
  const isRunning = status === 'submitted' || status === 'streaming'
  const isBusy = isRunning || (last !== undefined && isWaiting(last))
  const about = () => ({ body: { place: standing.place, view: view(), ...(model !== undefined && { model }) } })
  const ask = (text: string, messageId?: string) => {
    isAsking(chat)
    titled(text)
    sendMessage({ text, ...(messageId !== undefined && { messageId }) }, about())
  }
  const again = (messageId?: string) => {
    isAsking(chat)
    regenerate({ ...(messageId !== undefined && { messageId }), ...about() })
  }
  const approve = (approval: string, approved: boolean) => {
    isAsking(chat)
    addToolApprovalResponse({ id: approval, approved })
  }
  const stop = async () => {
    await stopped(id).catch(() => chat.stop())
    // While the person is waited for, nothing streams that could tell of the end.
    if (!isRunning) setTimeout(() => open(id), AFTER_STOP)
  }
  return (
    <>
      <Said messages={messages} isBusy={isRunning}>
        {messages.length === 0 && <Beginning standing={standing} onAsk={ask} />}
        {messages.map((message, at) =>
          message.role === 'user' ? (
            <Question key={message.id} message={message} isBusy={isBusy} onEdit={(text) => ask(text, message.id)} />
          ) : (
            <Answer
              key={message.id}
              message={message}
              isRunning={isRunning && at === messages.length - 1}
              isBusy={isBusy}
              onRetry={() => again(message.id)}
              onApprove={approve}
            />
          ),
        )}
        {isRunning && (status === 'submitted' || waiting !== undefined) && (
          <p role="status" className="animate-pulse text-ink-3 tabular-nums">
            {waiting === undefined
              ? 'Looking…'
              : `The model is busy; it is asked again in ${Math.ceil(waiting / 1000)} s.`}
          </p>
        )}
        {!isBusy && <Wrong error={error} last={last} retry={() => again()} />}
      </Said>
      <Composer isBusy={isBusy} models={models} model={model} onModel={setModel} onSend={ask} onStop={stop}>
        <ContextChip standing={standing} conversation={id} hasBegun={messages.length > 0} />
      </Composer>
    </>
  )
}

/** What was said, and its end in sight while it grows, unless somebody reads further up. */
function Said({
  messages,
  isBusy,
  children,
}: {
  readonly messages: readonly Message[]
  readonly isBusy: boolean
  readonly children: React.ReactNode
}) {
  const ref = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it moves when what is in it grows.
  useLayoutEffect(() => {
    if (isAtEnd.current && ref.current) ref.current.scrollTop = ref.current.scrollHeight
  }, [messages, isBusy])
  return (
    <div
      ref={ref}
      role="log"
      aria-label="Conversation"
      aria-busy={isBusy}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keys.
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < 40
      }}
      className="grid min-h-0 flex-1 content-start gap-4 overflow-y-auto px-3 py-3"
    >
      {children}
    </div>
  )
}

interface BeginningProps {
  readonly standing: Standing
  readonly onAsk: (text: string) => void
}

/** What can be asked first. */
function Beginning({ standing, onAsk }: BeginningProps) {
  const suggestions = useSuggestions(standing)
  return (
    <div className="grid gap-3 pt-2">
      <p className="text-base text-ink-2">
        The assistant knows what applies where you are, looks further with tools, and says what its answers rest on.
      </p>
      <ul aria-label="Questions to begin with" className="grid justify-items-start gap-1.5">
        {suggestions.map((text) => (
          <li key={text}>
            <button
              type="button"
              onClick={() => onAsk(text)}
              className="rounded-md border border-line px-2.5 py-1 text-left text-ink-2 hover:bg-raised hover:text-ink"
            >
              {text}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

interface WrongProps {
  readonly error: Error | undefined
  readonly last: Message | undefined
  readonly retry: () => void
}

/** Why there is no answer, also of one that was not given before this page was loaded. */
function Wrong({ error, last, retry }: WrongProps) {
  const { message, hint, reason } = last?.metadata?.end ?? {}
  const isTold = message !== undefined && reason !== 'cancelled'
  if (!error && !isTold) return null
  const told = isTold ? new Error(`${message}${hint === undefined ? '' : ` ${hint}`}`) : error
  return <Trouble error={told} retry={retry} className="rounded-md border border-line px-3 py-2.5" />
}
