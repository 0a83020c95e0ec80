import { text } from '../../core/answer.ts'
import { formsOf, jsonPrompt } from './prompt.ts'

export const REPAIR = jsonPrompt({
  version: 3,
  form: { paragraphs: formsOf({ id: text, text }) },
  text: `The task: mend paragraphs of a report of which something is not borne out. You get { language, paragraphs: [{ id, text, problems: [{ text, why }],
evidence: [{ ref, under, text }] }] }; "under" has the title and the headings of a text. Change only the statements that have a problem: write what the evidence bears out instead, or delete them;
the others stay word for word, with their citations. Citations are the numbers in brackets, [3]: each statement ends with the "ref" of what it rests on.
Keep the language and the form of the paragraph. A paragraph of which nothing is left has an empty text.

The form: { "paragraphs": [{ "id": "…", "text": "…" }] }`,
})
