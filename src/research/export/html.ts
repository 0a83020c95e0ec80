import type { ResearchReport } from '../report/report.ts'

/** A report as one page that needs nothing else. */
export function toHtml({ question, markdown }: ResearchReport): string {
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
  return `<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>${escaped(question)}</title>\n<pre>${escaped(markdown)}</pre>\n</html>\n`
}
