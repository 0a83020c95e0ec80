import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findDrift } from './src/drift/drift.ts'
const all = JSON.parse(readFileSync('bench/check/labels.json','utf8')).repositories
for (const r of all) {
  if (r.half !== process.argv[2] && r.name !== process.argv[2]) continue
  const folder = '/tmp/corpus/' + r.name.replace('/', '+')
  const names = [...new Set<string>(r.citations.map((c: any) => c[0]))]
  const files = names.map((n) => ({ path: join(folder, n), text: readFileSync(join(folder, n), 'utf8') }))
  const { drift } = await findDrift({ root: folder, files, history: true })
  for (const [f, l, c, label] of r.citations) {
    const d = drift.find((d) => d.path === join(folder, f) && d.line === l && d.cited === c)
    const said = d?.state ?? 'none'
    if ((said === 'dead') !== (label === 'dead')) console.log(label, '->', said, r.name, `${f}:${l}`, c, '|', d?.message, '\n      ', files.find((x) => x.path.endsWith(f))!.text.split('\n')[l - 1].slice(0, 200))
  }
  if (process.argv[3]) for (const d of drift) if (d.state === 'dead' && !r.citations.some(([f, l, c]: any) => d.path === join(folder, f) && d.line === l && d.cited === c)) console.log('UNLABELLED', d.path.slice(folder.length+1), d.line, d.cited, d.message, '\n      ', files.find((x) => x.path === d.path)!.text.split('\n')[d.line - 1].slice(0, 200))
}
