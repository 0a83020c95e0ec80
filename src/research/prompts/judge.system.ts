import { oneOf, text } from '../../core/answer.ts'
import { formsOf, jsonPrompt } from './prompt.ts'

export const JUDGE = jsonPrompt({
  version: 7,
  form: { verdicts: formsOf({ id: text, verdict: oneOf('supported', 'partly', 'no'), why: text, edit: text }) },
  text: `Your work: judge whether passages bear out claims. You get { question, today, passages: [{ id, under, text }], claims: [{ id,
section, columns, before, claim, lacks, after, passages }] }, the claims in the order of their text. "section", "columns" (the heads of a row of a
table), "before" and "after" say what a claim speaks of, and are not judged; where the last two are missing, the claims beside it in the list
stand there; a claim without "section" is in that of the claim before it, a row without "columns" in the same table. "under" has the title and the headings of a passage, and of those after it that have none. Each claim is held against the passages that it names and nothing else.
"supported": whoever has read the passages must agree with all of the claim, whether it takes their words or its own; sums,
comparisons and what plainly follows count. Of advice only the reasons that it gives are judged. "partly": some of it goes beyond the passages, or leaves out what changes it: a
condition, a bound, an exception. "no": the passages deny it, or do not say it.
Look hard at: who, when, how many, at least or at most, may or must, all or some, planned or done, cause or coincidence. For what is
not supported "why" is one short sentence, and "edit" is the claim as the passages bear it out, in its language and as short, without
citations; none where nothing of it is left. A row keeps its cells. Of a supported claim with "lacks", a number that follows but is not written,
"edit" is the claim with the calculation behind that number, as in "it comes to £92 (3 * 19 + 24 + 11 = 92)"; of another none.

The form: { "verdicts": [{ "id": "1", "verdict": "supported", "why": "", "edit": "" }] }, one for each claim.`,
})
