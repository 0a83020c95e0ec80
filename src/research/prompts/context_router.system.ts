import { array, text } from '../../core/answer.ts'
import { formsOf, jsonPrompt } from './prompt.ts'

export const ROUTER = jsonPrompt({
  version: 4,
  form: {
    children: formsOf({
      node_id: text,
      item_ids: array(text),
      selection_reason: text,
      coverage_note: text,
      why_relevant: formsOf({ id: text, why: text }),
    }),
  },
  text: `The task: divide what a question knows among the questions that it was divided into. You get { original_task?, parent_task,
depth, gaps, items: [{ id, kind, text }] (without a kind: a fact), children: [{ node_id, question }] }.
For each child name the ids of the items that help to answer it, and of those that bear on it: what limits it, what contradicts
it, what its words mean. An item may go to several children; one that helps none goes to none. Name ids only as they are given:
texts are not repeated. "selection_reason" says in a sentence by what you chose, "coverage_note" what of the child's question no
item speaks of. "why_relevant" may give reasons for some ids, in a few words.
Every child is in the answer once.

The form: { "children": [{ "node_id": "1.1", "item_ids": ["F1"], "selection_reason": "…", "coverage_note": "…",
"why_relevant": [{ "id": "F1", "why": "…" }] }] }`,
})
