import { parseArgs } from 'node:util'
import type { BenchOptions } from './harness.ts'

export const USAGE = `usage: npm run bench -- [NAME…] [DIR…] [options]
  check    needs the folders of checkouts of labelled commits: npm run bench check -- ./some/repository
  reach    with the folders of repositories: which of their instruction files reach each agent, instead of the timings
  secrets  with the folders of repositories: what is found in them, besides the generated corpus
  search, program
           --corpus DIR  a folder of Markdown instead of a generated one
           --files N     the size of the generated one, from 100 (default 10000)
  quality  --set DIR     a judged set, or documentation in Markdown; repeat it for more (default: the repository's own)
           --model DIR   a folder with an embedding model, to measure it too
  answers  --questions DIR  a folder with the documents that bench/research/questions/README.md names
  search, quality
           --quick       only Ambit and FTS5; only Ambit
  search, quality
           --qmd DIR     a folder in which @tobilu/qmd is installed, to measure it too
  task     with the folders of repositories that bench/task.bench.ts names: what is found for their fixes, instead of
           the timings; results are stored in .cache, so that a stopped run can be resumed
  peers    with the folders of repositories: how much of the changes of their fixes the tools show
           --peers DIR   a folder with repomix in node_modules and aider-chat in venv, to measure them too;
                         for quality: ripgrep
  catalog  --files N     number of objects to index (default 100000)
  --write  keeps the figures in bench/results, and writes docs/figures/measurements.md; without it, they are only printed`

export interface BenchArguments {
  readonly suites: readonly string[]
  readonly options: BenchOptions
  /** The figures are kept in the repository. Default: they are printed alone, so that a visitor's run changes no file. */
  readonly isKept?: true
}

/** Suites that measure nothing without the folders of repositories. */
const NEEDS_FOLDERS = ['check', 'peers']

/** Minimum number of files, because the suite `search` also measures a tenth and a hundredth of them. */
const MIN_FILES = 100

/** Parses the arguments. Returns the problem if they are not valid. */
export function parseBenchArguments(
  args: readonly string[],
  suites: readonly string[],
): BenchArguments | { readonly problem: string } {
  const read = readArguments(args)
  if ('problem' in read) return read
  const { corpus, files, set: sets = [], qmd, peers, questions, model, quick: isQuick, write: isKept } = read.values
  const [folders = [], named = []] = partition(read.positionals, (word) => /[/\\]/.test(word))
  const unknown = named.filter((name) => !suites.includes(name))
  if (unknown.length > 0) return { problem: `No suite is called ${unknown.join(', ')}: there are ${suites.join(', ')}` }
  if (files !== undefined && !(/^\d+$/.test(files) && Number(files) >= MIN_FILES))
    return { problem: `--files takes a whole number from ${MIN_FILES}, not ${files}` }
  const lacking = NEEDS_FOLDERS.find((name) => named.includes(name) && folders.length === 0)
  if (lacking !== undefined) return { problem: `${lacking} needs the folders of repositories` }
  const options = {
    sets,
    ...(isQuick && { isQuick }),
    ...(folders.length > 0 && { folders }),
    ...(corpus === undefined ? {} : { corpus }),
    ...(files === undefined ? {} : { files: Number(files) }),
    ...(qmd === undefined ? {} : { qmd }),
    ...(peers === undefined ? {} : { peers }),
    ...(questions === undefined ? {} : { questions }),
    ...(model === undefined ? {} : { model }),
  }
  const all = folders.length > 0 ? suites : suites.filter((name) => !NEEDS_FOLDERS.includes(name))
  return { suites: named.length > 0 ? named : all, options, ...(isKept && { isKept }) }
}

function partition(words: readonly string[], is: (word: string) => boolean): [yes: string[], no: string[]] {
  return [words.filter(is), words.filter((word) => !is(word))]
}

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        corpus: { type: 'string' },
        files: { type: 'string' },
        set: { type: 'string', multiple: true },
        qmd: { type: 'string' },
        peers: { type: 'string' },
        questions: { type: 'string' },
        model: { type: 'string' },
        quick: { type: 'boolean' },
        write: { type: 'boolean' },
      },
    })
  } catch (error) {
    return { problem: (error as Error).message }
  }
}
