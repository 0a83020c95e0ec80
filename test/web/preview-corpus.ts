import { tableFromArrays, tableToIPC } from '@uwdata/flechette'
import { packageOf, registryV1 } from '../quilt/packages/fixtures.ts'
import type { Corpus } from './support.ts'

/** 40 rows of `sample`, `reading`, `count` and `good`, packed by Snappy. */
const PARQUET = Buffer.from(
  'UEFSMRUGFdQFFdwCXBVQFQAVUBUAFQQVAAAAUAHoAiAFAAAAUy0wMDERCQAyEQkAMxEJADQRCQA1EQkANhEJADcRCQA4EQkAOQ0JBDEwEQkRWgAxEVoAMRFaADERWgAxEVoAMRFaBDE3ET8RWgAxEVoAMhFaADIRWgAyEVoAMhFaADIRWgAyEVoAMhFaADIRWgAyEVoAMhFaADMRWgAzEVoAMxFaADMRWgAzEVoAMxFaADMRWgAzEVoAMxFaKDM5BQAAAFMtMDQwFQYVhAUV7gJcFVAVABVQFQAVBBUAAABQAcACAAAFAQTgPwUHCMBCQAUIBEBBCQgEgD8NCAA8DQgAOQ0IADYNCAAzDQgAMAkIBAArDQgAJQ0IAB4NCAASDQgA+AloBEBDCRAAwA1oBEBACRAEgD0NCAA6DQgANw0IADQNCAAxCQgEAC0NCAAnDQgAIQ0IABYNCAAECQgAwA1oAEAN2ADAEWgAPgkgBIA7DQgAOA0IADUNCAAyCQgEAC8NCAApDQgAIw0IJBpAAAAAAAAADEAVBhWEBRXkAlwVUBUAFVAVABUEFQAAAFABwAIE/v8BAQQfAAEGDP//HwAJAQggAAEFCQggAAINCAADDQgABA0IAAUNCAAGDQgABw0IAAgNCAAJDQgACg0IAAsNCAAMDQgADQ0IAA4NCAAPDQgAEA0IABENCAASDQgAEw0IABQNCAAVDQgAFg0IABcNCAAYDQgAGQ0IABoNCAAbDQgAHA0IAB0NCAAeDQgAHw0IACANCAAhDQgAIg0IACMNCAAkDQgcJQAAAAAAIAAVBhUYFRxcFVAVABVQFQYVBBUAAABQAQokBgAAAAtJkiRJkhUEGVxIBHJvb3QVCAAVDCUCGAZzYW1wbGUlAAAVCiUCGAdyZWFkaW5nABUEJQIYBWNvdW50ABUAJQIYBGdvb2QAFlAZHBlMJggcFQwZFQAZGAZzYW1wbGUVAhZQFoIGFooDJgg8NgAoBVMtMDQwGAVTLTAwMQAZHBUGFQAVAgAAACaSAxwVChkVABkYB3JlYWRpbmcVAhZQFrIFFpwDJpIDPDYAKAgAAAAAAMBDQBgIAAAAAAAA4D82AAAZHBUGFQAVAgAAACauBhwVBBkVABkYBWNvdW50FQIWUBayBRaSAyauBjw2ACgIJQAAAAAAIAAYCP7//////x8AABkcFQYVABUCAAAAJsAJHBUAGRUGGRgEZ29vZBUCFlAWQhZGJsAJPDYAKAEBGAEAABkcFQYVBhUCAAAAFqgRFlA2/gkAKAloeXBhcnF1ZXQZTBwAABwAABwAABwAAABaAQAAUEFSMQ==',
  'base64',
)

const ARROW = tableToIPC(
  tableFromArrays({
    city: Array.from({ length: 300 }, (_, at) => `City ${at}`),
    people: Array.from({ length: 300 }, (_, at) => (at * 7919) % 300),
  }),
  { format: 'file' },
)

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAQAAAADCAIAAAA7ljmRAAAAEElEQVR4nGNQDLsIRww4OQAjxg9htTjI5wAAAABJRU5ErkJggg==',
  'base64',
)

/** A second of a tone, as programs record it. */
function wav(): Buffer {
  const [rate, seconds] = [8_000, 1]
  const data = Buffer.alloc(rate * seconds, 128)
  for (let at = 0; at < data.length; at++) data[at] = 128 + Math.round(60 * Math.sin((at * 2 * Math.PI * 440) / rate))
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + data.length, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE(rate, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36)
  head.writeUInt32LE(data.length, 40)
  return Buffer.concat([head, data])
}

const FRAME = `<style>td{color:red}</style><table border="1"><thead><tr><th></th><th>gauge</th></tr></thead>
<tbody><tr><th>0</th><td>north &amp; quay</td></tr><tr><th>1</th><td><script>pwned()</script>fuel</td></tr></tbody></table>`

const HTML = `<p onclick=pwned()>Some <b style="position:fixed">bold</b> words</p><script>pwned('secret')</script>
<ul><li>north<li>south</ul><iframe src="https://evil.invalid">secret</iframe><svg onload=pwned()><text>secret</text></svg>
<form action="https://evil.invalid"><input autofocus onfocus=pwned()></form><a href="javascript:pwned()">nowhere</a>
<img src="https://evil.invalid/x.png" onerror=pwned()><table><tr><td>loose<td>cells</table>`

const DRAWING =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><script>pwned()</script><rect width="40" height="20" fill="red" onload="pwned()"/></svg>'

/** A notebook with an output of each kind, and as many cells as are asked for. */
export function notebook(cells = 0): string {
  const output = (data: object) => ({ output_type: 'display_data', data, metadata: {} })
  const more = Array.from({ length: cells }, (_, at) =>
    at % 2 === 0
      ? { cell_type: 'markdown', source: `## Step ${at}\n\nWhat **happens** in step ${at}, and \`why\`.` }
      : {
          cell_type: 'code',
          execution_count: at,
          source: `for row in rows[${at}:]:\n    total += row["metres"] * ${at}\nprint(total)`,
          outputs: [{ output_type: 'stream', name: 'stdout', text: `${at * 3.5}\n` }],
        },
  )
  return JSON.stringify({
    nbformat: 4,
    nbformat_minor: 5,
    metadata: { kernelspec: { language: 'python', name: 'python3' }, language_info: { name: 'python' } },
    cells: [
      {
        cell_type: 'markdown',
        metadata: {},
        source: ['# Tides\n', '\n', 'Levels at the quay <img src=x onerror=pwned()>'],
      },
      {
        cell_type: 'code',
        execution_count: 7,
        source: ['import pandas as pd\n', 'frame = pd.read_csv("tides.csv")'],
        outputs: [
          { output_type: 'stream', name: 'stdout', text: ['read \u001b[32m28\u001b[0m rows\n'] },
          output({ 'text/html': FRAME, 'text/plain': '  gauge' }),
          output({ 'image/png': PNG.toString('base64'), 'text/plain': '<Figure>' }),
          output({ 'image/svg+xml': DRAWING }),
          output({ 'application/json': { drift: [1, 2] } }),
          output({ 'text/html': HTML }),
          output({ 'text/html': '<div id=plot></div><script>pwned()</script>' }),
          {
            output_type: 'error',
            ename: 'KeyError',
            evalue: "'metres'",
            traceback: ["\u001b[31mKeyError\u001b[0m: 'metres'"],
          },
        ],
      },
      ...more,
    ],
  })
}

const SUMMARY = JSON.stringify([
  { path: 'plots/levels.svg', title: 'Levels of the spring', description: 'Metres above the gauge.' },
  ['tables/one.csv', { path: 'notes/../secret.md' }, 'tables/two.csv'],
])

const README = '# Spring tides\n\nSee [the first table](tables/one.csv) and ![levels](plots/levels.svg).\n'

const SHOWN = packageOf({
  'README.md': { text: README },
  'plots/levels.svg': { text: DRAWING },
  'quilt_summarize.json': { text: SUMMARY },
  'tables/one.csv': { text: 'day,metres\n1,2.5\n2,3.5\n' },
  'tables/two.csv': { text: 'day,metres\n3,1.5\n' },
  'notes/empty.txt': { text: '' },
  'tree.yaml': { text: 'gauges:\n  - quay\n' },
})

const registry = Object.fromEntries(
  Object.entries(registryV1({ 'harbour/spring': { 1740000000: SHOWN } })).map(([key, text]) => [
    `shelf/${key}`,
    String(text).replaceAll('s3://bucket/', ''),
  ]),
)

const DEEP = `${'['.repeat(200_000)}${']'.repeat(200_000)}`

/** A file of every kind that has a preview, and some that must not harm it. */
export const PREVIEWS: Corpus = {
  files: {
    ...registry,
    'data/tides.csv':
      'day,gauge,metres\n1,"north, quay",2.5\n2,fuel-dock\n3,lighthouse,10.5,extra\n4,basin,\n5,mouth,-1\n',
    'data/tides.tsv': 'day\tmetres\n1\t2,5\n2\t1,5\n',
    'data/points.parquet': PARQUET,
    'data/cities.arrow': Buffer.from(ARROW ?? []),
    'data/broken.parquet': Buffer.concat([Buffer.from('PAR1'), Buffer.alloc(200, 7), Buffer.from('PAR1')]),
    'data/settings.yaml': 'name: relay\nports: [80, 443]\nlimits:\n  body: 1048576\n',
    'data/settings.toml': 'name = "relay"\nmade = 2026-03-02T10:00:00Z\n[limits]\nbody = 9007199254740993\n',
    'data/big.json': '{"id": 12345678901234567890, "list": [1, 2]}',
    'data/lines.jsonl': '{"a": 1}\n{"a": 2}\n',
    'data/wrong.json': '{"a": 1,,}',
    'data/deep.json': DEEP,
    'data/laughs.yaml': `a: &a [x, x]\n${Array.from({ length: 40 }, (_, at) => `b${at}: &b${at} [*${at === 0 ? 'a' : `b${at - 1}`}, *${at === 0 ? 'a' : `b${at - 1}`}]`).join('\n')}\n`,
    'data/tides.ipynb': notebook(),
    'data/not-a-notebook.ipynb': '{"cells": 3}',
    'data/latin.txt': Buffer.from('Grüße aus dem Hafen, für 3 £\n', 'latin1'),
    'data/wide.txt': Buffer.from('\ufeffZwei Bytes für jedes Zeichen\n', 'utf16le'),
    'data/wide-bare.txt': Buffer.from('No mark says that there are two bytes a letter\n', 'utf16le'),
    'data/empty.txt': '',
    'data/empty.csv': '',
    'data/unknown.bin': Buffer.from([0, 1, 2, 255, 72, 101, 108, 108, 111, 0, 127]),
    'data/tone.wav': wav(),
    'data/clip.mp4': Buffer.from('no recording'),
    'data/dot.png': PNG,
    'data/drawing.svg': DRAWING,
    'data/cell.csv': `a,b\n${'x'.repeat(3_000_000)},2\n`,
    'data/wide.csv': `${Array.from({ length: 900 }, (_, at) => `c${at}`).join(',')}\n${Array.from({ length: 900 }, (_, at) => at).join(',')}\n`,
  },
  collections: { data: 'data', shelf: 'shelf' },
}
