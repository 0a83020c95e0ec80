import { COMMON, type SystemPrompt } from './prompt.ts'

export const SUFFICIENCY: SystemPrompt = {
  version: 1,
  text: `${COMMON}

The task: judge whether a question is answered. You get { original_task, question, depth, findings: [{ text, ref, kind }],
context_items: [{ id, kind, text }] }. Findings of kind "context" are of the person's own files, "collections" and "web" were
looked up, "earlier" was found out before. Judge by all of it alike: the files alone can answer a question, and so can what was
looked up. Say so in your reasoning where the files are what it rests on.
A question is answered when every part of it has its answer in the evidence, with the numbers and dates that it asks for.
"gaps" are what is not known yet, each as a short sentence; none where it is answered.

The form: { "is_sufficient": true, "reasoning": "…", "gaps": ["…"] }`,
}
