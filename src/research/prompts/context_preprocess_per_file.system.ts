import { array, oneOf, text } from '../../core/answer.ts'
import { ITEM_KINDS } from '../answers.ts'
import { formsOf, jsonPrompt } from './prompt.ts'

export const PER_FILE = jsonPrompt({
  version: 4,
  form: { items: formsOf({ kind: oneOf(...ITEM_KINDS), text, quote: text, sources: array(text) }) },
  text: `The task: say what a part of a file says, as items. You get { question, parts, file, title, spans: [{ id, headings, header, text }] }.
"question" and its "parts" say what the items are for: first of all what bears on them, with the numbers, conditions and exceptions;
of the rest the most important. "header" names the columns of a row, and of the rows that follow it.
Each item is one statement that can be used without the text around it: say who and what it is about. Its kind is one of
fact (what is so), uncertainty (what is not known, or estimated), analysis (what follows from what), constraint (what must or
must not be), case (what somebody did, with when), definition (what a word means), lead (where more is to be found), conflict
(what contradicts something else in the file).
"text" is in your words, or the words of the file where they are short. "quote" is the words that it rests on, exactly as they stand
in one span, as few as it takes; empty where "text" is those words. "sources" names the spans, by their ids.
Where { refused: [{ item, why }] } is given, these items were refused: give each of them again, mended, and no others.

The form: { "items": [{ "kind": "fact", "text": "…", "quote": "…", "sources": ["S3"] }] }`,
})
