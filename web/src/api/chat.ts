/** Requests of the UI to the assistant. */

import { useQuery } from '@tanstack/react-query'
import { call, fetchJson, fetchOrThrow, postJson } from './call.ts'
import { client, operationQuery } from './client.ts'

/** A model that a person can choose for a question. */
export interface Model {
  readonly name: string
  readonly isDefault: boolean
}

/** Whether a model is the built-in one, which answers with quotations only. */
export function isBuiltIn(model: string | undefined): boolean {
  return model?.startsWith('local/') === true
}

/** The name of a model in the UI. */
export function modelName(model: string | undefined): string | undefined {
  return isBuiltIn(model) ? 'Quotations, without a model' : model
}

/** The prompt as sent to the model: a text for each message. */
export interface Prompt {
  readonly messages: readonly { readonly role: string; readonly text: string }[]
  readonly tokens: number
}

export function useModels() {
  return useQuery({
    queryKey: ['chat', 'models'] as const,
    queryFn: ({ signal }) => fetchJson<{ readonly models: readonly Model[] }>('/api/chat/models', { signal }),
    select: ({ models }) => models,
    staleTime: 60_000,
  })
}

export function usePrompt(id: string) {
  return useQuery({
    queryKey: ['chat', 'prompt', id] as const,
    queryFn: ({ signal }) => fetchJson<Prompt>(`/api/chat/${encodeURIComponent(id)}/prompt`, { signal }),
    staleTime: 0,
  })
}

export async function stopAnswer(id: string): Promise<void> {
  await fetchOrThrow(new Request(`/api/chat/${encodeURIComponent(id)}/stop`, { method: 'POST' }))
}

/** Answers the question of a tool server. Without `values`, the person declines. */
export async function replyToServer(id: string, reply: { readonly question: string; readonly values?: object }) {
  await fetchOrThrow(new Request(`/api/chat/${encodeURIComponent(id)}/answer`, postJson(reply)))
}

export function useConversations() {
  return useQuery({ ...operationQuery('conversations.list', { limit: 200 }), staleTime: 0 })
}

export function fetchConversation(id: string) {
  return call('conversations.show', { id })
}

/** Refetches the list of conversations. */
export function refreshConversations(): Promise<void> {
  return client.invalidateQueries({ queryKey: ['conversations.list'] })
}

export async function conversationMarkdown(id: string): Promise<string> {
  return (await call('conversations.export', { id })).markdown
}
