import { array, text } from '../../core/answer.ts'
import { jsonPrompt } from './prompt.ts'

export const QUERIES = jsonPrompt({
  version: 4,
  form: { queries: array(text) },
  text: `The task: write what to search for. You get { original_task?, question, depth } and, where that is wanted, { items }.
Write one to three queries as a search engine takes them: a few words, with the names, numbers and years of the question. Two
queries that would find the same are one. Prefer what leads to who knows it first hand.

The form: { "queries": ["…"] }`,
})
