/** The report of a run: its text as Markdown, and everything that it rests on. */

import type { ReportExport } from '../answers.ts'

export type ResearchReport = ReportExport['report']

/** What something is cited by, and where that leads. */
export type ReportSource = ResearchReport['sources'][number]
export type ReportBranch = ResearchReport['branches'][number]

/** What was computed by groups, as a chart shows it. */
export type ReportChart = NonNullable<ResearchReport['charts']>[number]
