import { oneOf, text } from '../../core/answer.ts'
import { formsOf, jsonPrompt } from './prompt.ts'

export const GRADE = jsonPrompt({
  version: 2,
  form: { parts: formsOf({ id: text, answered: oneOf('answered', 'part', 'absent', 'open'), lacks: text }) },
  text: `The task: judge whether a report answers each part of a question. You get { question, parts: [{ id, text }], report }. Look only at
what the report says, without what is marked as not borne out. "answered": a reader has the whole answer to the part. That something does
not exist or is not stated is an answer, where the part asks for it. "part": some of it. "absent": the report says that it was looked for
and not found. "open": the report says nothing of it. "lacks": of a "part", what a reader misses, in a sentence in the language of the question; else empty.

The form: { "parts": [{ "id": "1", "answered": "answered", "lacks": "" }] }, one for each part.`,
})
