import { array, oneOf, text } from '../../core/answer.ts'
import { ITEM_KINDS } from '../answers.ts'
import { formsOf, jsonPrompt } from './prompt.ts'

export const PER_FILE = jsonPrompt({
  version: 5,
  form: { items: formsOf({ kind: oneOf(...ITEM_KINDS), text, quote: text, sources: array(text) }) },
  text: `The task: say what a part of a file says, as items, for a question. You get { question, parts, file, title,
spans: [{ id, headings, header, text }] }; "headings" and the "header" of a table's row also hold for the next spans, until others come.
First what bears on the question and its "parts", with numbers, conditions and exceptions; then the most important of the rest.
Each item is one statement that stands for itself: it names who and what it is about. Its kind is fact (what is so), uncertainty (not
known, or estimated), analysis (what follows from what), constraint (what must or must not be), case (what somebody did, and when),
definition (what a word means), lead (where more is to be found), conflict (what contradicts something else in the file).
"text" is in your words, or in those of the file where they are short. "quote": the fewest words that it rests on, exactly as in one span;
empty if "text" is those words already. "sources": the ids of the spans.
Where { refused: [{ item, why }] } is given, give those items again, mended, and no others.
The form: { "items": [{ "kind": "fact", "text": "…", "quote": "…", "sources": ["S3"] }] }`,
})
