import { oneOf, text } from '../../core/answer.ts'
import { formsOf, jsonPrompt } from './prompt.ts'

export const OUTLINE = jsonPrompt({
  version: 2,
  form: { sections: formsOf({ title: text, says: text, form: oneOf('text', 'list', 'table') }) },
  text: `The task: plan a report. You get { question, brief: { parts, reader, form, missing }, findings: [{ question, text, basis }], gaps }. Give the sections behind the answer, by subject as the reader would look for them, not by how they were found out.
Two to six sections; none for what the answer has said already. "says" is in one or two sentences what the section tells, and what it
compares or adds up. "form" is "text", "list" or "table"; a table where several things are compared by the same measures.

The form: { "sections": [{ "title": "…", "says": "…", "form": "text" }] }`,
})
