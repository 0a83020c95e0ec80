import type { ServiceInput } from '../../operations/index.ts'
import { oneLine } from '../../text/controls.ts'
import { serializeVisibly } from '../../text/invisible.ts'
import type { TalkCommandParts } from './ask.ts'
import { type Flags, withEngine } from './command.ts'
import { INTERRUPTED, streamsOf } from './streams.ts'

const CHANGE_COUNTS = ['added', 'changed', 'moved', 'removed', 'failed'] as const

function pollingNotice(name: string): string {
  const limit = 'On Linux, a higher fs.inotify.max_user_watches helps.'
  return `${oneLine(name)}: the system has no watches left, so Ambit compares the files every few seconds. ${limit}\n`
}

/** Updates the index after each change of the files, until Ctrl-C. Prints a line for each update. Returns the exit code. */
export async function watch(
  { names = [] }: ServiceInput<'watch'>,
  flags: Flags,
  { plain, open }: Pick<TalkCommandParts, 'plain' | 'open'>,
): Promise<number> {
  const { out, err } = streamsOf(plain)
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort(signal))
  const { json } = flags
  await withEngine(open, flags, async (engine) => {
    const { collections } = await engine.library()
    // With `--json`, stdout and stderr get no notices.
    const isEmpty = !json && names.length === 0 && (await collections.list()).length === 0
    if (isEmpty) err.write('There are no collections yet. Collections that you add are watched.\n')
    if (err.isTerminal) err.write('Watching. Ctrl-C ends it.\n')
    const polledNames = new Set<string>()
    for await (const { name, ...answer } of collections.watch({ names }, controller.signal)) {
      const counts = CHANGE_COUNTS.flatMap((count) => (answer[count] > 0 ? [`${answer[count]} ${count}`] : []))
      if (!json && answer.polling && !polledNames.has(name)) err.write(pollingNotice(name))
      if (answer.polling) polledNames.add(name)
      if (!json && answer.problem !== undefined) err.write(`${oneLine(name)}: ${oneLine(answer.problem)}\n`)
      if (json) out.write(`${serializeVisibly({ name, ...answer })}\n`)
      else if (counts.length > 0) out.write(`${oneLine(name)}: ${counts.join(', ')}\n`)
    }
  })
  if (controller.signal.reason !== 'SIGINT') return 0
  if (err.isTerminal) err.write('Later changes are found by the next "ambit watch" or "ambit index".\n')
  return INTERRUPTED
}
