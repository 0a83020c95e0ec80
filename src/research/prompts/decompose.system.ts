import { array, text } from '../../core/answer.ts'
import { jsonPrompt } from './prompt.ts'

export const DECOMPOSE = jsonPrompt({
  version: 3,
  form: { children: array(text) },
  text: `The task: divide a question that is not answered into smaller ones. You get { original_task?, question, depth, gaps, asked, most,
items: [{ id, kind, text }] (without a kind: a fact) }.
The questions together cover the gaps and nothing else, and no two of them overlap. Use the items: ask for what they leave open,
keep within what they set as limits, use their words and their meaning of them. Each question stands for itself, with its names,
numbers and years. None is one of "asked". Two at least and "most" at most; none at all where the question cannot be divided.

The form: { "children": ["…"] }`,
})
