import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useMemo } from 'react'
import { operationQuery } from '../api/client.ts'
import { type Place, placeOf, uriOf } from '../api/place.ts'
import { type PlaceContent, placeQuery } from '../api/places.ts'
import { sizeOf } from '../ui/format.ts'
import { useAddress } from '../ui/hooks.ts'
import { type ChatPlace, chatPlaceAt, pageOf } from './places.ts'
import { onNavigate, refreshConversation } from './session.ts'

/** Maximum number of names in a listing for the model. */
const MAX_NAMES = 40

/** The person's place, from the address of the page. */
export function useChatPlace(): ChatPlace {
  const address = useAddress()
  return useMemo(() => chatPlaceAt(address.params, address.search), [address])
}

/** Size of the context at the person's place. Undefined until it is known. */
export function useContextSize({ place }: ChatPlace) {
  const { data } = useQuery(operationQuery('load', { place, withContextDir: true, full: false }))
  if (!data) return undefined
  const parts = data.ledger.filter(({ decision }) => decision !== 'left').length
  return { parts, tokens: data.tokenCount }
}

function usePlace({ kind }: ChatPlace): Place | undefined {
  const { params } = useAddress()
  return useMemo(
    () =>
      kind === 'folder' && params.collection !== undefined ? placeOf(params.collection, params._splat) : undefined,
    [params, kind],
  )
}

const NOWHERE = placeOf('')

/** First questions about a place. */
export function useSuggestions(chatPlace: ChatPlace): string[] {
  const place = usePlace(chatPlace)
  const contextSize = useContextSize(chatPlace)
  const { data } = useQuery({ ...placeQuery(place ?? NOWHERE), enabled: place !== undefined })
  if ((place && !data) || !contextSize) return []
  const entries = data?.kind === 'folder' ? data.entries.map(({ name }) => name) : []
  return suggestionsFor(chatPlace, data?.kind === 'file' ? 'file' : entries, contextSize.parts > 0)
}

/** Returns a function that describes what the person sees at the time of its call. */
export function useView(chatPlace: ChatPlace): () => Readonly<Record<string, string>> {
  const client = useQueryClient()
  const place = usePlace(chatPlace)
  return () => {
    const data = place && client.getQueryData<PlaceContent>(['place', place])
    const stored = place && client.getQueryData(operationQuery('get', { path: uriOf(place) }).queryKey)
    const version = data?.kind === 'file' && stored ? { version: stored.docid, lines: String(stored.lines.total) } : {}
    return { ...chatPlace.view, ...(data && viewOf(data)), ...version }
  }
}

function viewOf({ kind, entries, isPartial }: PlaceContent): Record<string, string> {
  const [file] = entries
  if (kind === 'file' && file) {
    return {
      'open file': file.name,
      ...(file.size !== undefined && { size: sizeOf(file.size) }),
      ...(file.modifiedAt !== undefined && { modified: file.modifiedAt }),
      indexed: file.isIndexed ? 'yes' : 'no',
    }
  }
  const names = entries.slice(0, MAX_NAMES).map((entry) => (entry.kind === 'directory' ? `${entry.name}/` : entry.name))
  const ellipsis = entries.length > MAX_NAMES || isPartial ? ' …' : ''
  return entries.length === 0 ? {} : { listing: `${names.join(', ')}${ellipsis}`.slice(0, 4_000) }
}

/** Navigates when the assistant asks for it. Reads messages of other tabs when this tab becomes visible. */
export function useAssistantEvents(): void {
  const navigate = useNavigate()
  useEffect(() => onNavigate((place) => navigate(pageOf(place) as never)), [navigate])
  useEffect(() => {
    addEventListener('focus', refreshConversation)
    return () => removeEventListener('focus', refreshConversation)
  }, [])
}

/** At most three questions that a file, or a folder with these entries, can answer; always the same for a place. */
function suggestionsFor(
  { name, kind, view }: ChatPlace,
  entries: 'file' | readonly string[],
  hasContext: boolean,
): string[] {
  if (kind === 'search') return [`What is said about ${view.search}?`, `Which of these matter most, and why?`]
  if (kind === 'package') {
    const entry = view.entry === undefined ? [] : [`What is in ${view.entry}?`]
    const whole = [`What is ${name}?`, `What does ${name} hold, and where did it come from?`, 'What changed last?']
    return [...entry, ...whole].slice(0, 3)
  }
  if (entries === 'file') return [`Summarise ${name}`, `What refers to ${name}?`, 'What applies here?']
  const readme = entries.some((entry) => /^readme(\.|$)/i.test(entry))
  return [
    ...(kind === 'folder' ? [`What is ${name} for?`] : ['What is in here?']),
    ...(readme ? ['Where should I begin?'] : []),
    ...(hasContext ? ['Which rules apply here?'] : []),
    ...(entries.length > 1 ? [`How is ${kind === 'folder' ? name : 'this'} organised?`] : []),
  ].slice(0, 3)
}
