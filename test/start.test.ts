import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ROOT, readSources } from './source-files.ts'

let dir: string
let kept: string

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'ambit-start-'))
  kept = join(dir, 'kept')
  for (const folder of [kept, join(dir, 'lazy')]) mkdirSync(folder)
  writeFileSync(join(dir, 'first.js'), FIRST)
  writeFileSync(join(dir, 'lazy/second.js'), SECOND)
})

afterEach(() => rmSync(dir, { recursive: true }))

const FIRST = `const { once } = require('./once.js'); const { basename } = require('node:path')
exports.run = (word) => require('./lazy/second.js').say(word, once, basename(__filename), __dirname)`
const SECOND = `exports.say = (word, once, file, folder) => {
  if (word === 'to fail') process.exit(1)
  return [word, once === require('../once.js').once, file, folder, require.resolve('../once.js')].join(' ')
}`

/** Starts a process that requires the files. Returns what they say. */
function start(word = 'rain', key = 'key'): string {
  writeFileSync(join(dir, 'once.js'), 'exports.once = {}')
  const script = `import { CompiledFiles } from '${join(ROOT, 'src/start.ts')}'
    console.log(new CompiledFiles('${kept}', '${key}').require('${join(dir, 'first.js')}').run('${word}'))`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
  })
  return stderr + stdout
}

const saying = (word: string) => `${word} true first.js ${dir} ${join(dir, 'once.js')}\n`
const keptFiles = () => readdirSync(kept).sort()

describe('files that are kept as compiled code', () => {
  it('run as they do when Node requires them, by name and with the functions that were called, and are kept once', () => {
    expect(start()).toBe(saying('rain'))
    const names = ['first.js', 'once.js', 'second.js'].map((file) => `key-${file}-${process.version}-${process.arch}`)
    expect(keptFiles()).toEqual(names)
    expect(readFileSync(join(kept, names[2] ?? '')).includes('to fail')).toBe(true)
    const contents = () => names.map((name) => readFileSync(join(kept, name)))
    const before = contents()
    expect(start('snow')).toBe(saying('snow'))
    expect(contents()).toEqual(before)
  })

  it('may be many, and nobody is warned of that', () => {
    const files = Array.from({ length: 20 }, (_, at) => `./lazy/part${at}.js`)
    for (const file of files) writeFileSync(join(dir, file), 'exports.part = 1')
    writeFileSync(join(dir, 'first.js'), `${FIRST}\n${files.map((file) => `require('${file}')`).join('\n')}`)
    expect(start()).toBe(saying('rain'))
    expect(keptFiles()).toHaveLength(23)
  })

  it('are not kept of a run that failed, since it called less', () => {
    start('to fail')
    expect(keptFiles()).toEqual([])
  })

  it('run where what is kept is damaged', () => {
    start()
    const whole = keptFiles().map((name) => ({ path: join(kept, name), bytes: readFileSync(join(kept, name)) }))
    for (const damages of [DAMAGES.slice(0, whole.length), DAMAGES.slice(whole.length)]) {
      for (const [at, damage] of damages.entries()) {
        const { path, bytes } = whole[at] ?? { path: '', bytes: Buffer.of() }
        writeFileSync(path, damage(bytes))
      }
      expect(start('snow')).toBe(saying('snow'))
      for (const { path, bytes } of whole) expect(readFileSync(path).length).toBeGreaterThan(bytes.length / 2)
    }
  })

  it('run where nothing can be kept', () => {
    rmSync(kept, { recursive: true })
    expect(start()).toBe(saying('rain'))
  })

  it('leave no draft that could not be put in its place', () => {
    start()
    for (const name of keptFiles()) {
      rmSync(join(kept, name))
      mkdirSync(join(kept, name, 'x'), { recursive: true })
    }
    expect(start()).toBe(saying('rain'))
    expect(keptFiles()).toHaveLength(3)
  })

  it('of builds that are gone are removed, the oldest first', () => {
    for (let at = 0; at < 300; at++) {
      const path = join(kept, `old${at}`)
      writeFileSync(path, '')
      utimesSync(path, 1000 + at, 1000 + at)
    }
    start()
    const names = keptFiles()
    expect(names).toHaveLength(250)
    expect(names.filter((name) => name.startsWith('key-'))).toHaveLength(3)
    expect(names).not.toContain('old52')
    expect(names).toContain('old53')
  })
})

/** Cut, empty, a changed byte, zeros, and other code, twice. */
const DAMAGES: readonly ((bytes: Buffer) => Buffer)[] = [
  (bytes) => bytes.subarray(0, bytes.length - 100),
  () => Buffer.alloc(0),
  (bytes) => {
    const changed = Buffer.from(bytes)
    changed.writeUInt8(changed.readUInt8(300) ^ 0x5a, 300)
    return changed
  },
  ({ length }) => Buffer.alloc(length),
  () => Buffer.from('no code at all, no code at all, '.repeat(8)),
]

describe('the commands that start sooner', () => {
  it('are those that quick-main.ts holds', async () => {
    const { QUICK_COMMANDS } = await import('../src/start.ts')
    const text = readSources('src').find(({ file }) => file === 'quick-main.ts')?.text ?? ''
    const { commands } = await import('../src/operations/index.ts')
    const imported = [...text.matchAll(/from '\.\/operations\/context\/([\w-]+)\.ts'/g)].map(([, name]) => name)
    expect([...QUICK_COMMANDS].sort()).toEqual(imported.sort())
    expect(QUICK_COMMANDS.every((name) => commands.some((command) => command.name === name))).toBe(true)
  })
})
