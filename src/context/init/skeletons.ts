import { readAsset } from '../../files/home.ts'

/** The name of the instruction file among the templates. */
export const INSTRUCTION_FILE = 'AGENTS.md'

/**
 * The templates of `init` by name: of a context directory, the most important first; then of an instruction file. Every sentence is true, so that an
 * unedited file misleads no agent; and no example is a list item, which would count as content.
 */
export function readSkeletons(): ReadonlyMap<string, string> {
  const [, ...parts] = Buffer.from(readAsset('skeletons.txt')).toString('utf8').split(/^%%% /m)
  return new Map(parts.map((part) => [part.split('\n', 1)[0] ?? '', part.slice(part.indexOf('\n') + 1)]))
}
