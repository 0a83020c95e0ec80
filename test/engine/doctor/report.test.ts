import { describe, expect, it } from 'vitest'
import { anonymise } from '../../../src/engine/doctor/report.ts'

const PLACES = { home: '/home/anna', here: '/home/anna/secret-plan', host: 'annas-laptop' }

function shown(name: string, message: string): string | undefined {
  return anonymise({ checks: [{ name, status: 'ok', message }] }, PLACES).checks[0]?.message
}

describe('a report for an issue', () => {
  it.each([
    ['the home directory', 'configuration', 'It is in /home/anna/.config/c.yaml.', 'It is in ~/.config/c.yaml.'],
    ['the project', 'place', '/home/anna/secret-plan/.context has 3 files.', 'PROJECT/.context has 3 files.'],
    ['other places', 'home', '/srv/acme/tree is no directory.', '/… is no directory.'],
    ['a neighbour of home', 'home', '/home/annabel/x is no directory.', '/… is no directory.'],
    ['an address', 'model', 'At https://llm.acme.example:8443/v1?key=k, and answers.', 'At https://…, and answers.'],
    ['a host with a port', 'model', 'connect ECONNREFUSED db.acme.example:5432', 'connect ECONNREFUSED …'],
    ['the machine', 'clock', 'The clock of annas-laptop is wrong.', 'The clock of … is wrong.'],
    ['files with secrets', 'secrets', '2 files left out: docs/.env, hr/key.pem', '2 files left out.'],
    ['collections', 'database', 'merger: There is no directory /srv/merger.', '…: There is no directory /….'],
    ['servers', 'MCP servers', 'acme-crm: 3 tools. payroll: it does not start.', '…: 3 tools. …: it does not start.'],
  ])('leaves out %s', (_, name, message, left) => {
    expect(shown(name, message)).toBe(left)
  })

  it.each([
    ['node', 'Node.js 24.21.0 on linux x64.'],
    ['git', 'git version 2.39.5.'],
    ['confinement', 'Ambit opens a file first, and then checks its location with /proc/self/fd.'],
    ['temporary files', '/tmp can be written.'],
    ['packages', 'Installed: pg. Off, since the package is not installed: buckets of S3 (@aws-sdk/client-s3).'],
    ['database', 'SQLite: ~/.local/share/ambit/ambit.db, 442.4 kB, 2 documents.'],
  ])('keeps what %s says', (name, message) => {
    expect(shown(name, message)).toBe(message)
  })

  it('leaves names out of hints, too', () => {
    const check = { name: 'home', status: 'warning', message: 'No.', hint: 'Look at /home/anna/x.' } as const
    expect(anonymise({ checks: [check] }, PLACES).checks[0]?.hint).toBe('Look at ~/x.')
  })
})
