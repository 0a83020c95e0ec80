import { writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { tree } from '../../support/tree.ts'
import { ERAS, PROJECT, spawned, textOf } from './support.ts'

describe.each(ERAS)('a session of a client of %s', (_, era) => {
  it('is given what is new, nothing twice by calls at the same time, and all of it when it asks for that', async () => {
    using planted = tree({ ...PROJECT, 'pkg/a.ts': '' })
    await using client = await spawned(era, planted.base)
    const load = async (given: Record<string, unknown>) =>
      textOf(await client.callTool({ name: 'load_context', arguments: given }))
    const first = await Promise.all([load({}), load({}), load({})])
    expect(first.filter((text) => text.includes('Tests first.'))).toHaveLength(1)
    const second = await load({ touched: ['pkg/a.ts'] })
    expect(second).toMatch(/^<context filename="[^"]*pkg\/AGENTS\.md">\n# Package\n\n<\/context>\n<notice>\n/)
    expect(second).not.toContain('Tests first.')
    expect(second).toMatch(/Given before in this session, so left out: .*AGENTS\.md.*For all of it: fresh: true\./)
    expect(await load({ touched: ['pkg/a.ts'] })).toMatch(/^<notice>\nGiven before in this session/)
    writeFileSync(planted.at('AGENTS.md'), '# Root\n\nTests last.\n')
    const changed = await load({})
    expect(changed).toMatch(
      /^<context [^\n]*\n# Root\n\nTests last\.\n\n<\/context>\n<notice>\nGiven before, and changed since: AGENTS\.md\./,
    )
    expect(await load({})).toMatch(/^<notice>\nGiven before in this session/)
    writeFileSync(planted.at('AGENTS.md'), '# Root\n\nTests first.\n')
    expect(await load({})).toContain('Given before, and changed since: AGENTS.md.')
    const whole = await load({ touched: ['pkg/a.ts'], fresh: true })
    expect(whole.match(/^<context /gm)).toHaveLength(4)
    expect(whole).not.toContain('<notice>')
  })
})
