/**
 * The numbers of the ranking of passages. Those without a note are from the literature on BM25. "Tuning half": the questions
 * with even numbers of each file of `bench/research/questions/`, and the paragraphs of XQuAD with even numbers.
 */

/** How soon a word that is repeated adds nothing. */
export const SATURATION = 1.2

/** What each field of a passage counts, beside one occurrence in its text. Chosen on the tuning half of the questions. */
export const FIELD_WEIGHTS = {
  /** The nearest heading. */
  heading: 0.6,
  /** The headings above it. */
  trail: 0.6,
  /** The sentence that leads to a list; the header of a table. */
  lead: 0.8,
  /** The title of the document. */
  title: 0.5,
  /** The rest of the paragraph, list or table. */
  block: 0.1,
} as const

/** Added to the factor of a passage that holds all that is wanted; less, by the square, for one that holds less. */
export const COVERAGE_GAIN = 0.6

/** What a heading above a passage counts, in documents that a search found: they were ranked by their titles already. */
export const DOCUMENT_TRAIL = 0.3

/** UTF-16 units of a passage of middle length in documents: some forty words. */
export const PASSAGE_LENGTH = 250

/** UTF-16 units that a shorter one counts as: a heading of two words says no more for being short. */
export const SHORTEST_PASSAGE = 60

/** Words of the shortest run that counts as word for word: shorter ones are of titles and phrases that many pages hold. */
export const RUN_LENGTH = 7

/** What the words of a block count as covered when they are not in the sentence itself. Tuning half. */
export const BLOCK_COVER = 0.5
