import { oneOf, text } from '../../core/answer.ts'
import { formsOf, jsonPrompt } from './prompt.ts'

export const OUTLINE = jsonPrompt({
  version: 3,
  form: { sections: formsOf({ title: text, says: text, form: oneOf('text', 'list', 'table') }) },
  text: `The task: plan a report. You get { question, brief: { parts, reader, form, missing }, findings: [{ question, text, basis }], gaps }. The report begins with a short answer. Give the sections after it, by subject as the reader would look for them, not by how they were found out.
Two to six sections; none that only repeats the short answer. "says" is in one or two sentences what the section tells, and what it
compares or adds up. "form" is "text", "list" or "table"; a table where several things are compared by the same measures.

The form: { "sections": [{ "title": "…", "says": "…", "form": "text" }] }`,
})
