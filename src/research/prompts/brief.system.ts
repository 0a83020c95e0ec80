import { array, text } from '../../core/answer.ts'
import { jsonPrompt } from './prompt.ts'

export const BRIEF = jsonPrompt({
  version: 2,
  form: { parts: array(text), reader: text, form: text, missing: array(text) },
  text: `The task: say what a question asks for, before anything is read. You get { question, today, files: [{ name, title, headings }] }.
"parts" are what must each have an answer for the question to be answered, as short questions that stand for themselves, in the
language of the question: one for a simple question, six at most. What the question asks to be found missing is a part, too.
"reader" says in a sentence who will read the answer, and for what. "form" says in which form and how long: a sentence, a page, a
table of what. "missing" names what a reader would expect to be told of as not found, where nothing says it.

The form: { "parts": ["…"], "reader": "…", "form": "…", "missing": ["…"] }`,
})
