import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { selectTaskContext, type TaskRequest } from '../../src/context/task.ts'
import { shelf } from '../collections/search/shelf.ts'
import { plant } from '../drift/fixtures.ts'
import { ROOT } from '../source-files.ts'

/*
 * What fixed files give, to the digit. Quality is measured elsewhere: this shows whoever changes a weight, or a line that should
 * change nothing, each place that moves.
 */

const QUALITY = join(ROOT, 'test/quality')

const digits = (score: number) => score.toFixed(4)

function questionsOf(set: string, field: 'query' | 'question'): string[] {
  const rows = readFileSync(join(QUALITY, `${set}.jsonl`), 'utf8')
    .trim()
    .split('\n')
  return rows.map((row) => JSON.parse(row)[field])
}

/** Forms of a query that the sets of quality lack. */
const QUERIES = [
  ...['bearths', 'waitng lsit', '"waiting list" -api', 'berth*', 'title:guides', '--dry-run', 'HARBOUR_PORT', 'v3.2'],
  ...['where do ships wait when all is full?', 'Datenbank', 'a::b', '§', 'zzzz qqqq', 'berths berths BERTHS', ''],
]

it('a search of fixed documents gives these places', async () => {
  const paths = globSync('**/*', { cwd: join(QUALITY, 'harbour') }).sort()
  const files = paths.flatMap((path) => (/\.\w+$/.test(path) ? [path] : []))
  await using kept = await shelf(
    Object.fromEntries(files.map((path) => [path, readFileSync(join(QUALITY, 'harbour', path), 'utf8')])),
  )
  const lines: string[] = []
  for (const query of [...QUERIES, ...questionsOf('harbour', 'query'), ...questionsOf('unshared', 'question')]) {
    const answer = await kept.search(query, { limit: 5 }).catch((error: Error) => error.message)
    lines.push(`# ${query}`)
    if (typeof answer === 'string') {
      lines.push(answer)
      continue
    }
    const { total, notices = [], results } = answer
    lines.push(`${total} in all`, ...notices)
    for (const { path, score, lines: shown, sections = [], snippet } of results) {
      const more = sections.map((section) => section.lines?.start).join(' ')
      lines.push(
        `${digits(score)} ${path}:${shown?.start}-${shown?.end} [${more}] ${JSON.stringify(snippet?.slice(0, 60))}`,
      )
    }
  }
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('snapshots/rankings/search.txt')
})

const step = (name: string, lines: number) => Array.from({ length: lines }, (_, at) => `    ${name}(${at})`).join('\n')

const TREE = {
  'AGENTS.md': '# Shop\n\n## Money\n\nTotals of an invoice are whole cents.\n\n## Commits\n\nWrite a body.\n',
  'src/billing/invoice.ts': `import { taxOf } from './tax.ts'\n\n/** Lines with prices. */\nexport class Invoice {\n  readonly lines: Line[] = []\n\n  addLine(line: Line): void {\n    this.lines.push(line)\n  }\n\n  total(): number {\n    return this.lines.reduce((sum, line) => sum + taxOf(line.price), 0)\n  }\n\n  render(): string {\n    if (this.lines.length === 0) throw new Error('an invoice without lines cannot be rendered')\n${step('print', 14)}\n    return ''\n  }\n}\n\nexport interface Line {\n  readonly price: number\n}\n`,
  'src/billing/tax.ts': `export const RATES = {\n${Array.from({ length: 70 }, (_, at) => `  land${at}: 0.${at},`).join('\n')}\n}\n\nexport function taxOf(price: number): number {\n  return Math.round(price * 1.2)\n}\n`,
  'src/billing/round.ts': `export function roundCents(total: number): number {\n  return Math.round(total)\n}\n\n${step('other', 40)}\n`,
  'src/jobs/queue.go':
    'package jobs\n\n// Retry runs a failed job again.\nfunc (q *Queue) Retry(id string) error {\n\treturn q.run(id)\n}\n\ntype Queue struct {\n\tsize int\n}\n',
  'src/http/server.py':
    'class Server:\n    def handle(self, request):\n        total = request["total"]\n        return self.render(total)\n\n    def render(self, total):\n        return str(total)\n\n\ndef serve(port):\n    return Server()\n',
  'db/schema.sql':
    'CREATE TABLE invoices (\n  id INT,\n  total INT\n);\n\nCREATE VIEW open_invoices AS\nSELECT * FROM invoices;\n',
  'lib/cache.rb':
    'class Cache\n  def fetch(key)\n    yield key\n  rescue KeyError\n    nil\n  end\n\n  def clear\n  end\nend\n',
  'src/parse.c':
    '#include <stdio.h>\n\nint parse_total(const char *text)\n{\n  return 0;\n}\n\nstatic struct invoice *next;\n',
  'src/Order.java': '@Entity public class Order {\n  @Override\n  public int total() {\n    return 0;\n  }\n}\n',
  'src/api.gen.ts': 'export function invoiceTotal(): number {\n  return 0\n}\n',
  'test/invoice.test.ts': "it('has a total', () => {\n  expect(new Invoice().total()).toBe(0)\n})\n",
  'docs/billing.md':
    '# Billing\n\n## Totals\n\nThe total of an invoice is the sum of its lines with tax.\n\n## Retries\n\nA failed job runs again.\n',
  'config/app.yaml': 'billing:\n  currency: EUR\n  rounding: cents\n',
  'CHANGELOG.md': '# Changes\n\n## 2.0\n\nInvoice totals are rounded.\n',
}

const TASKS: readonly (readonly [task: string, request?: Omit<TaskRequest, 'task'>])[] = [
  ['The total of an invoice is wrong by a cent'],
  ['The total of an invoice is wrong by a cent', { precise: true }],
  ['The total of an invoice is wrong by a cent', { place: 'src/http' }],
  ['The total of an invoice is wrong by a cent', { files: 2, budget: 300 }],
  ['`addLine` and `roundCents` disagree\n\nSome lines are lost when `Invoice.render` prints them.'],
  ['Error: "an invoice without lines cannot be rendered"\n    at Invoice.render (/app/src/billing/invoice.ts:17:13)'],
  ['Traceback (most recent call last):\n  File "/srv/src/http/server.py", line 3, in handle\nKeyError: \'total\''],
  ['diff --git a/lib/cache.rb b/lib/cache.rb\n--- a/lib/cache.rb\n+++ b/lib/cache.rb\n@@ -1 +1 @@\n-  nil\n+  raise'],
  ['retry failed jobs in the queue, see https://github.com/o/n/blob/main/src/jobs/queue.go#L4'],
  ['发票的总额错了'],
  ['add a column to open_invoices and to the table'],
  ['<!-- fill in -->\n### What happened\n\nThe cache is empty\n\n### Environment\n\n- OS: Linux\n- invoice: 1\n'],
]

it('a task in a fixed tree gets these files and lines', async () => {
  using repo = plant(TREE)
  repo.git('init', '--quiet')
  repo.commit('Invoices have totals')
  for (const [times, message] of [
    'Round the total of an invoice',
    'Rates of tax',
    'Fix rounding of totals',
  ].entries()) {
    repo.write({
      'src/billing/tax.ts': TREE['src/billing/tax.ts'].replace('1.2', `1.2${times}`),
      ...(times !== 1 && { 'src/billing/round.ts': `${TREE['src/billing/round.ts']}// ${times}\n` }),
    })
    repo.commit(message)
  }
  const lines: string[] = []
  for (const [task, request = {}] of TASKS) {
    const { files, text } = await selectTaskContext({ task, ...request, place: join(repo.root, request.place ?? '') })
    lines.push(`# ${JSON.stringify(task)} ${JSON.stringify(request)}`)
    for (const { path, score, why, ranges } of files) {
      const shown = ranges.map((range) => `${range.start}-${range.end} ${range.name ?? ''} ${range.shown}`).join(', ')
      lines.push(`${digits(score)} ${path}: ${why} [${shown}]`)
    }
    if (request.budget !== undefined) lines.push(text.replaceAll(repo.root, '/repo'))
  }
  await expect(lines.join('\n')).toMatchFileSnapshot('snapshots/rankings/task.txt')
})
