import { array, text } from '../../core/answer.ts'
import { formsOf, jsonPrompt } from './prompt.ts'

export const AGGREGATE = jsonPrompt({
  version: 3,
  form: { conflicts: formsOf({ item_ids: array(text) }) },
  text: `The task: find what several files do not agree on. You get { items: [{ file, id, kind, text }] }; an item
without "file" is of the file of the item before it, one without "kind" is a fact.
Two items disagree when both cannot be so: other numbers, dates or names for the same thing at the same time, or one says what the
other denies. What is only another part of a matter is not a disagreement. Name the ids of the items that disagree, of different
files, two or more for each; texts are not repeated.

The form: { "conflicts": [{ "item_ids": ["F3", "F9"] }] }`,
})
