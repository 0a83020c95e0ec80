import { type Made, type Planted, packageOf, registryV1 } from '../quilt/packages/fixtures.ts'
import { Bucket } from '../support/s3/bucket.ts'
import { REGION, type S3Server, s3Server } from '../support/s3/server.ts'
import type { Shape } from '../support/tree.ts'
import type { Corpus } from './support.ts'

const CURVE = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 160" width="640" height="320">
<rect width="320" height="160" fill="#fff"/><path d="M20 140 C90 138 110 40 160 34 S240 120 300 20" fill="none" stroke="#2156d1" stroke-width="3"/>
<path d="M20 10V140H310" fill="none" stroke="#888"/></svg>`

const README = `# Tide readings

Water levels at the seven gauges of the harbour, every ten minutes, since 2019. Checked by hand where a gauge was moved.

- \`readings/\` has a table for each gauge and year.
- \`plots/\` is made from them.
`

function readings(gauge: string, days: number): string {
  const rows = Array.from(
    { length: days },
    (_, day) => `2026-01-${String(day + 1).padStart(2, '0')},${gauge},${(2.1 + Math.sin(day) * 1.4).toFixed(2)}`,
  )
  return `day,gauge,metres\n${rows.join('\n')}\n`
}

const GAUGES = ['north-quay', 'fuel-dock', 'lighthouse', 'inner-basin', 'river-mouth', 'dry-dock', 'east-pier']

/** One revision: each has its bytes at places of its own, as a bucket that keeps versions would have. */
function revision(at: number, entries: Readonly<Record<string, Planted>>, header: object): Made {
  const placed = Object.entries(entries).map(([key, planted]) => [key, { ...planted, key: `objects/${at}/${key}` }])
  return packageOf(Object.fromEntries(placed), header)
}

const META = {
  project: 'Harbour 2026',
  made_by: { name: 'Ines Okafor', team: 'gauges' },
  gauges: GAUGES,
  calibration: { date: '2026-03-02', drift_mm: { 'north-quay': 2, 'fuel-dock': -1 }, checked: true },
  notes: null,
}

function tides(at: number, days: number): Readonly<Record<string, Planted>> {
  return {
    'README.md': { text: README },
    LICENSE: { text: 'CC-BY-4.0\n' },
    'plots/curve.svg': { text: CURVE },
    ...Object.fromEntries(
      GAUGES.slice(0, 4 + at).map((gauge) => [
        `readings/2026/${gauge}.csv`,
        { text: readings(gauge, days), meta: { gauge, unit: 'metre' } },
      ]),
    ),
    'readings/a table whose name is so long that no column of a page could ever hold it without cutting it somewhere.csv':
      {
        text: 'a,b\n1,2\n',
      },
  }
}

const first = revision(1, tides(1, 20), { message: 'Four gauges', user_meta: { project: 'Harbour 2026' } })
const second = revision(2, tides(2, 28), { message: 'February, and the basin', user_meta: META })
const third = revision(
  3,
  { ...tides(3, 28), 'plots/spread.svg': { text: CURVE }, LICENSE: { text: 'CC0-1.0\n' } },
  {
    message: 'All gauges; plots of the spread. The licence is CC0 now.',
    user_meta: META,
    workflow: { id: 'checked', config: 's3://settings/config.yml' },
  },
)

const many = packageOf(
  Object.fromEntries(
    Array.from({ length: 20_000 }, (_, at) => [
      `frames/frame-${String(at).padStart(5, '0')}.json`,
      { text: '{}', key: 'objects/frame' },
    ]),
  ),
  { message: 'Every frame of the quay camera' },
)

const broken = revision(4, { 'a.csv': { text: 'a,b\n' }, 'b.csv': { text: 'c,d\n' } }, { message: 'Damaged since' })

const HELD = registryV1({
  'harbour/tides': { 1740000000: first, 1750000000: second, 1760000000: third },
  'harbour/quay-camera': { 1751000000: many },
  'harbour/berths': { 1752000000: broken },
})

function planted(): Shape {
  const files = Object.entries(HELD).map(([key, text]) => [`lab/${key}`, String(text).replaceAll('s3://bucket/', '')])
  return { ...Object.fromEntries(files), 'lab/objects/4/b.csv': 'x,y\n', 'other/README.md': '# Other\n' }
}

/** The same in a bucket that anybody may read. */
export async function labBucket(): Promise<S3Server> {
  const server = await s3Server()
  const bucket = new Bucket(REGION)
  bucket.isPublic = true
  for (const [key, text] of Object.entries(HELD)) bucket.put(key, Buffer.from(String(text)), {})
  server.buckets.set('bucket', bucket)
  return server
}

/** Packages of a lab, in a directory. */
export const LAB: Corpus = { files: planted(), collections: { lab: 'lab', other: 'other' } }

export const HASHES = { first: first.hash, second: second.hash, third: third.hash }
