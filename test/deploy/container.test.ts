import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { routeOf } from '../../src/surfaces/http/entry.ts'
import { isPinned, read, SECRET, wordProblems } from './files.ts'

describe('the container file', () => {
  const lines = read('Containerfile')
    .replace(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => /^[A-Z]+ /.test(line))
  const values = (name: string) =>
    lines.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1))

  it('runs a command that there is, as nobody in particular', () => {
    expect(values('ENTRYPOINT')).toEqual(['["ambit"]'])
    expect(wordProblems(JSON.parse(values('CMD').at(-1) ?? '[]'))).toEqual([])
    expect(values('USER').at(-1)).toMatch(/^[1-9]\d*:[1-9]\d*$/)
    expect(values('STOPSIGNAL')).toEqual(['SIGTERM'])
  })

  it('stands on images and packages of a version, runs no scripts of packages, and holds no secret', () => {
    expect(values('FROM').map((from) => isPinned(from.split(' ')[0] ?? ''))).toEqual([true, true])
    const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
    const installs = values('RUN').filter((run) => /npm (ci|install)/.test(run))
    for (const run of installs) expect(run).toContain('--ignore-scripts')
    for (const name of ['@aws-sdk/client-s3', 'pg'])
      expect(installs.join()).toContain(`${name}@${devDependencies[name]} `)
    expect(values('ENV').concat(values('ARG')).join()).not.toMatch(SECRET)
  })

  it('makes the directory that the program is packed into, as npm does not', () => {
    const [packing = ''] = values('RUN').filter((run) => run.includes('npm pack'))
    const [, place] = /--pack-destination (\S+)/.exec(packing) ?? []
    expect(packing).toContain(`mkdir ${place} && npm pack`)
    expect(values('COPY').join()).toContain(`--from=packed ${place}/`)
  })

  it('tells Podman to build in the format that has its check of health', () => {
    expect(read('Containerfile')).toContain('podman build --format docker ')
  })

  it('is given no database, no secret and no folder of the team from beside the sources', () => {
    const ignored = readFileSync('.dockerignore', 'utf8').split('\n')
    expect(ignored).toEqual(expect.arrayContaining(['.git', '**/*.db', '**/.env*', 'deploy/collections']))
  })

  it('asks for a route that is there', () => {
    const [check = ''] = lines.filter((line) => line.startsWith('HEALTHCHECK'))
    const path = /7377(\/\w+)/.exec(check)?.[1] ?? ''
    expect(routeOf(path, new Set())).toBe(path)
  })
})
