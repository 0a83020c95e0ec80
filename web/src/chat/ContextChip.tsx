import { useNavigate } from '@tanstack/react-router'
import { Braces, Layers, MapPin } from 'lucide-react'
import { useState } from 'react'
import { usePrompt } from '../api/chat.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { countOf, numberOf } from '../ui/format.ts'
import { Menu, MenuItem } from '../ui/Menu.tsx'
import { Name, PlainText } from '../ui/PlainText.tsx'
import { Scroll } from '../ui/Scroll.tsx'
import { ErrorNote, Skeleton } from '../ui/State.tsx'
import type { ChatPlace } from './places.ts'
import { useContextSize } from './useChatPlace.ts'

const CHIP =
  'flex h-6 max-w-full min-w-0 items-center justify-self-start gap-1 rounded-full border border-line-strong px-2 text-xs text-ink-2 hover:bg-raised'

interface ChipProps {
  readonly chatPlace: ChatPlace
  readonly conversation: string
  /** Whether the conversation has messages. */
  readonly hasBegun: boolean
}

/** The assistant's place, and the size of its context. */
export function ContextChip({ chatPlace, conversation, hasBegun }: ChipProps) {
  const [isShown, setShown] = useState(false)
  const contextSize = useContextSize(chatPlace)
  const navigate = useNavigate()
  const inspect = () => navigate({ to: '/context', search: { place: chatPlace.place, withContextDir: 'true' } })
  const sizeText = contextSize ? `${countOf(contextSize.parts, 'part')}, ${numberOf(contextSize.tokens)} tokens` : '…'
  return (
    <>
      <Menu
        align="start"
        trigger={
          <button type="button" className={CHIP}>
            <MapPin aria-hidden className="size-3.5 shrink-0" />
            <span className="sr-only">The assistant uses the context of </span>
            <Name title={chatPlace.name} className="min-w-0 truncate font-medium" text={chatPlace.name} />
            <span className="shrink-0 text-ink-3 tabular-nums">· {sizeText}</span>
          </button>
        }
      >
        <MenuItem icon={Layers} onSelect={inspect}>
          See the context of this place
        </MenuItem>
        {hasBegun && (
          <MenuItem icon={Braces} onSelect={() => setShown(true)}>
            See what was sent to the model
          </MenuItem>
        )}
      </Menu>
      <Dialog title="Sent to the model" isOpen={isShown} onClose={() => setShown(false)} className="w-[720px]">
        <PromptText id={conversation} />
      </Dialog>
    </>
  )
}

function PromptText({ id }: { readonly id: string }) {
  const { data, error, refetch } = usePrompt(id)
  if (!data) return error ? <ErrorNote error={error} retry={refetch} /> : <Skeleton rows={6} />
  return (
    <Scroll label="Prompt" className="max-h-[70vh] overflow-auto p-4">
      <p className="pb-2 text-xs text-ink-3 tabular-nums">{countOf(data.tokens, 'token')}, without tool definitions</p>
      {data.messages.map(({ role, text }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: messages are only ever added.
        <section key={at} className="border-t border-line py-2">
          <h3 className="text-xs font-medium text-ink-3">{role}</h3>
          <PlainText as="pre" className="font-mono text-xs leading-4.5 wrap-anywhere whitespace-pre-wrap" text={text} />
        </section>
      ))}
    </Scroll>
  )
}
