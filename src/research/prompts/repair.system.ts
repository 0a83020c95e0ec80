import { COMMON, type SystemPrompt } from './prompt.ts'

export const REPAIR: SystemPrompt = {
  version: 1,
  text: `${COMMON}
Your work: write paragraphs of a report again that its sources do not bear out. You get { language, paragraphs: [{ id, text,
problems: [{ text, why }], evidence: [{ ref, text }] }] }. Answer with { "paragraphs": [{ "id": …, "text": … }] }.
Say only what the evidence of the paragraph says, in the language and the form that the paragraph has. Every statement is followed
by what it rests on, in brackets, exactly as in "ref". Quote “…” only with exactly the words of the evidence. Leave out what has no
evidence. Leave out a paragraph of which nothing is left.`,
}
