import { COMMON, type SystemPrompt } from './prompt.ts'

export const QUERIES: SystemPrompt = {
  version: 2,
  text: `${COMMON}

The task: write what to search for. You get { original_task, question, depth } and, where that is wanted, { items }.
Write one to three queries as a search engine takes them: a few words, with the names, numbers and years of the question. Two
queries that would find the same are one. Prefer what leads to who knows it first hand.
Where { gaps, searched } are given, the question was searched for before: write what may close the gaps, and nothing of
"searched" again; none where nothing is left to try.

The form: { "queries": ["…"] }`,
}
