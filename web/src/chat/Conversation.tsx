import { useChat } from '@ai-sdk/react'
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useState } from 'react'
import { isBuiltIn, stopAnswer, useModels } from '../api/chat.ts'
import { SetModelButton } from '../frame/ServiceDialog.tsx'
import { cn } from '../ui/cn.ts'
import { numberOf } from '../ui/format.ts'
import { Log } from '../ui/Log.tsx'
import { ErrorNote } from '../ui/State.tsx'
import { Composer, type QuestionInput } from './Composer.tsx'
import { ContextChip } from './ContextChip.tsx'
import { Answer, awaitsApproval, Question, textOf } from './Messages.tsx'
import { type ChatPlace, chatPlaceAt, shortPlaceName } from './places.ts'
import type { Message, Session } from './session.ts'
import { branchConversation, markAsking, openConversation, setTitle, takeFirstQuestion } from './session.ts'
import { useChatPlace, useSuggestions, useView } from './useChatPlace.ts'

/** Milliseconds that a stopped answer may take to end. */
const AFTER_STOP = 300

/** Milliseconds between two renderings of a streamed answer. */
const FRAME = 50

interface ConversationProps {
  readonly session: Session
  /** Whether the conversation is a page of its own. The place of such a page comes from its messages, not from the URL. */
  readonly isFullPage?: boolean
}

/** The conversation of this tab, or why it cannot be shown. */
export function CurrentConversation({ session, isFullPage = false }: ConversationProps) {
  if (session.error) return <ErrorNote error={session.error} retry={() => openConversation(session.id)} />
  return <Conversation key={session.id} session={session} isFullPage={isFullPage} />
}

/** One conversation, and the field for the next question. */
function Conversation({ session: { id, chat, waiting }, isFullPage = false }: ConversationProps) {
  const { messages, status, error, sendMessage, regenerate, addToolApprovalResponse } = useChat<Message>({
    chat,
    experimental_throttle: FRAME,
  })
  const pagePlace = useChatPlace()
  const messagePlace = messages.findLast(({ metadata }) => metadata?.place !== undefined)?.metadata?.place
  const chatPlace = useMemo(() => {
    if (!isFullPage) return pagePlace
    const shown = messagePlace === undefined ? pagePlace : chatPlaceAt({}, { place: messagePlace })
    return { ...shown, name: shortPlaceName(shown.place) }
  }, [isFullPage, messagePlace, pagePlace])
  const view = useView(chatPlace)
  const { data: models = [] } = useModels()
  const [model, setModel] = useState<string>()
  const last = messages.at(-1)
  const isRunning = status === 'submitted' || status === 'streaming'
  const isWriting = last?.role === 'assistant' && last.parts.at(-1)?.type === 'text'
  const isBusy = isRunning || (last !== undefined && awaitsApproval(last))
  const requestOptions = () => ({
    body: { place: chatPlace.place, view: view(), trust: true, questions: true, ...(model !== undefined && { model }) },
  })
  const ask = ({ text, files = [] }: QuestionInput, messageId?: string) => {
    markAsking(chat)
    setTitle(text)
    const attached = files.length > 0 ? { files: [...files] } : {}
    sendMessage({ text, ...attached, ...(messageId !== undefined && { messageId }) }, requestOptions())
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first question is sent once, when the conversation is mounted.
  useEffect(() => {
    const question = takeFirstQuestion()
    if (question) ask({ text: question })
  }, [])
  const askText = (text: string) => ask({ text })
  const again = (messageId?: string) => {
    markAsking(chat)
    regenerate({ ...(messageId !== undefined && { messageId }), ...requestOptions() })
  }
  const approve = (approval: string, approved: boolean) => {
    markAsking(chat)
    addToolApprovalResponse({ id: approval, approved })
  }
  const stop = async () => {
    await stopAnswer(id).catch(() => chat.stop())
    // While the answer waits for approval, no stream reports that it ended.
    if (!isRunning) setTimeout(() => openConversation(id), AFTER_STOP)
  }
  return (
    <>
      <MessageLog messages={messages} error={error} isBusy={isRunning} isFullPage={isFullPage}>
        {messages.length === 0 && (
          <FirstQuestions {...{ chatPlace, onAsk: askText, isQuoting: isBuiltIn(model ?? models[0]?.name) }} />
        )}
        {messages.map((message, at) =>
          message.role === 'user' ? (
            <Question key={message.id} message={message} isBusy={isBusy} onEdit={(given) => ask(given, message.id)} />
          ) : (
            <Answer
              key={message.id}
              message={message}
              isRunning={isRunning && at === messages.length - 1}
              isBusy={isBusy}
              onRetry={() => again(message.id)}
              onApprove={approve}
              onBranch={() => branchConversation(message.id)}
            />
          ),
        )}
        {isRunning && (waiting !== undefined || !isWriting) && (
          <p role="status" className="animate-pulse text-ink-2 tabular-nums">
            {waiting === undefined ? 'Working…' : 'The model is busy; trying again'}
            {waiting !== undefined && <span aria-hidden> in {Math.ceil(waiting / 1000)} s</span>}
          </p>
        )}
        {!isBusy && <AnswerError error={error} last={last} retry={() => again()} />}
        {!isBusy && hasModelAnswer(last) && <NextQuestions {...{ chatPlace, messages, onAsk: askText }} />}
      </MessageLog>
      <Composer {...{ isBusy, isFullPage, models, model, onModel: setModel, onSend: ask, onStop: stop }}>
        <div className="flex min-w-0 flex-wrap items-center justify-between gap-x-3">
          <ContextChip chatPlace={chatPlace} conversation={id} hasBegun={messages.length > 0} />
          <Total messages={messages} />
        </div>
      </Composer>
    </>
  )
}

/** Usage of a whole conversation. */
function Total({ messages }: { readonly messages: readonly Message[] }) {
  const usages = messages.flatMap(({ metadata }) => metadata?.usage ?? [])
  const tokens = usages.reduce((sum, { input, output }) => sum + input + output, 0)
  const cost = usages.reduce((sum, { cost = 0 }) => sum + cost, 0)
  if (tokens === 0) return null
  return (
    <p className="text-xs text-ink-3 tabular-nums">
      {numberOf(tokens)} tokens{cost > 0 && ` · $${cost.toFixed(4)}`}
    </p>
  )
}

interface MessageLogProps {
  readonly messages: readonly Message[]
  readonly error: unknown
  readonly isBusy: boolean
  readonly isFullPage: boolean
  readonly children: ReactNode
}

/** The messages. Scrolls to each new message; after quotations (an answer without a model), back to the question. */
function MessageLog({ messages, error, isBusy, isFullPage, children }: MessageLogProps) {
  const isQuoted = !isBusy && isBuiltIn(messages.at(-1)?.metadata?.model)
  useLayoutEffect(() => {
    if (isQuoted) [...document.querySelectorAll('[aria-label="You asked"]')].at(-1)?.scrollIntoView()
  }, [isQuoted])
  return (
    <Log label="Conversation" grows={error ?? messages} scrollKey={messages.length} aria-busy={isBusy} className="p-3">
      <div className={cn('stack content-start gap-4', isFullPage && 'mx-auto max-w-2xl')}>{children}</div>
    </Log>
  )
}

/** Whether a message is a complete answer by a model other than the built-in one. */
function hasModelAnswer(last: Message | undefined): boolean {
  const { model, end } = last?.metadata ?? {}
  return last?.role === 'assistant' && !isBuiltIn(model) && end?.message === undefined
}

interface AskProps {
  readonly chatPlace: ChatPlace
  onAsk(text: string): void
}

/** Suggested next questions about cited sources and the place, without those already asked. */
function NextQuestions({ chatPlace, messages, onAsk }: AskProps & { readonly messages: readonly Message[] }) {
  const suggestions = useSuggestions(chatPlace)
  const asked = new Set(messages.flatMap((message) => (message.role === 'user' ? [textOf(message)] : [])))
  const cited =
    messages.at(-1)?.metadata?.citations?.map(({ place }) => shortPlaceName(place).split('/').at(-1) ?? '') ?? []
  const about = [...new Set(cited)].slice(0, 2).map((name) => `What else does ${name} say about this?`)
  const next = [...about, ...suggestions].filter((text) => !asked.has(text)).slice(0, 3)
  return next.length === 0 ? null : <Questions label="Next questions" questions={next} onAsk={onAsk} />
}

function FirstQuestions({ chatPlace, onAsk, isQuoting }: AskProps & { readonly isQuoting: boolean }) {
  const suggestions = useSuggestions(chatPlace)
  return (
    <div className="stack gap-3 pt-2">
      <p className="text-base text-ink-2">
        Ask about your files. The assistant looks things up in them and cites its sources.
        {isQuoting && ' No model is set: it answers with quotations.'}
      </p>
      <div className="empty:hidden">{isQuoting && <SetModelButton />}</div>
      <Questions label="Suggested questions" questions={suggestions} onAsk={onAsk} />
    </div>
  )
}

interface QuestionsProps extends Pick<AskProps, 'onAsk'> {
  readonly label: string
  readonly questions: readonly string[]
}

const QUESTION =
  'max-w-full rounded-md border border-line px-2.5 py-1 text-left wrap-anywhere text-ink-2 hover:bg-raised hover:text-ink'

/** Questions that a click sends. */
function Questions({ label, questions, onAsk }: QuestionsProps) {
  return (
    <ul aria-label={label} className="stack justify-items-start gap-1.5">
      {questions.map((text) => (
        <li key={text}>
          <button type="button" onClick={() => onAsk(text)} className={QUESTION}>
            {text}
          </button>
        </li>
      ))}
    </ul>
  )
}

interface AnswerErrorProps {
  readonly error: Error | undefined
  readonly last: Message | undefined
  readonly retry: () => void
}

/** Why a question has no answer. Includes errors from before this page was loaded. */
function AnswerError({ error, last, retry }: AnswerErrorProps) {
  const { message, hint, reason } = last?.metadata?.end ?? {}
  const hasMessage = message !== undefined && reason !== 'cancelled'
  if (!error && !hasMessage) return null
  const shown = hasMessage ? new Error(`${message}${hint === undefined ? '' : ` ${hint}`}`) : error
  return <ErrorNote error={shown} retry={retry} className="rounded-md border border-line px-3 py-2.5" />
}
