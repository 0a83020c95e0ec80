/** The report of a run: its text as Markdown, and everything that it rests on. */

import type { AnswerOf } from '../../core/answer.ts'
import type { reportSchema } from '../session-schemas.ts'

export type ResearchReport = AnswerOf<typeof reportSchema>

/** What something is cited by, and where that leads. */
export type ReportSource = ResearchReport['sources'][number]
export type ReportBranch = ResearchReport['branches'][number]

/** What was computed by groups, as a chart shows it. */
export type ReportChart = NonNullable<ResearchReport['charts']>[number]
