/** Who works on a run: of every stage somebody, and of what a model alone can do a model, where there is one. */

import type { ClaimSource } from '../report/claim-check.ts'
import type { EvidenceItem, EvidencePassage, Sufficiency } from './evidence.ts'
import type { Brief, Done, Spent, Staff, SynthesisTask } from './stages.ts'

/** What is cited, and can be searched. */
interface SearchedSources {
  claimSource(ref: string): ClaimSource | undefined
  /** Words that stand somewhere, each with a place. */
  holding(
    words: readonly string[],
    passages: readonly EvidencePassage[],
  ): readonly { readonly word: string; readonly ref: string }[]
  /** What can be searched. */
  readonly searched: string
}

/** A question as a model works on it, in the agent's loop. */
export interface ExploreTask extends SynthesisTask {
  /** Its id in the tree. */
  readonly node: string
  /** ISO 8601. */
  readonly today?: string
  readonly sources: SearchedSources
  /** What was found out on the questions above it. */
  readonly known: readonly EvidenceItem[]
  /** What was missing before, where it is looked into again. */
  readonly gaps: readonly string[]
}

/** What a model found out, whether that is enough, and the calculations and searches that it is cited by. */
export interface Explored extends Done<readonly EvidenceItem[]> {
  readonly sufficiency: Sufficiency
  readonly passages: readonly EvidencePassage[]
}

/** What is asked, and what there is to answer it from. */
export interface BriefTask {
  readonly question: string
  readonly today: string
  readonly files: readonly { readonly name: string; readonly title: string; readonly headings: readonly string[] }[]
}

/** A report, and what it is to answer. */
export interface GradeTask {
  readonly question: string
  readonly parts: readonly string[]
  readonly report: string
}

/** `absent`: it was looked for, and not found. `open`: the report says nothing of it. */
export interface GradedPart {
  readonly text: string
  readonly answered: 'answered' | 'part' | 'absent' | 'open'
}

/** Paragraphs of a report that their sources do not bear out. */
export interface RepairTask {
  readonly language: string | undefined
  readonly paragraphs: readonly {
    readonly id: string
    readonly text: string
    readonly problems: readonly { readonly text: string; readonly why: string }[]
    readonly evidence: readonly { readonly ref: string; readonly text: string }[]
  }[]
}

/** A paragraph that was written again. */
export interface RepairedParagraph {
  readonly id: string
  readonly text: string
}

/** Statements of a report, with the passages that they cite. */
export interface JudgeTask {
  readonly question: string
  /** `under`: title and headings. */
  readonly passages: readonly { readonly id: string; readonly under: string; readonly text: string }[]
  /** Each with the heading and the statements around it. `passages`: ids. */
  readonly claims: readonly {
    readonly id: string
    readonly section?: string
    readonly before?: string
    readonly claim: string
    readonly after?: string
    readonly passages: readonly string[]
  }[]
}

/** What a judge says of a statement. */
export interface ClaimVerdict {
  readonly id: string
  readonly verdict: 'supported' | 'partly' | 'unsupported'
  /** A sentence; empty for what is supported. */
  readonly why: string
  /** The statement as the passages bear it out. */
  readonly edit?: string
}

export interface ModelStaff extends Staff {
  /** The stage `synthesis` with what `sufficiency` says, by a model; without it both are done by words. */
  explore?(task: ExploreTask, signal: AbortSignal, most: Spent): Promise<Explored>
  /** A part of the stage `decompose`; without it a question is what its words are. */
  brief?(task: BriefTask, signal: AbortSignal, most: Spent): Promise<Done<Brief>>
  /** A part of the stage `report`; without it a report is graded by what was found. */
  grade?(task: GradeTask, signal: AbortSignal, most: Spent): Promise<Done<readonly GradedPart[]>>
  /** A part of the stage `report`; without it nothing is written again. */
  repair?(task: RepairTask, signal: AbortSignal, most: Spent): Promise<Done<readonly RepairedParagraph[]>>
  /** A part of the stage `report`; without it statements that no passage has word for word stay unchecked. */
  judge?(task: JudgeTask, signal: AbortSignal, most: Spent): Promise<Done<readonly ClaimVerdict[]>>
}
