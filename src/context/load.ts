import { resolve } from 'node:path'
import type { Assembled } from '../core/assemble.ts'
import { type Focus, type Fragment, type Renderer, type Run, SILENT } from '../core/flow.ts'
import { duplicateUris } from '../core/ledger.ts'
import type { LoadAnswer } from './answers.ts'
import { assembleAnswer } from './load/answer.ts'
import { type DiskPlace, diskPlace, findMissingTouched } from './load/place.ts'
import { assertOptionsFit, contextMarkdown, type LoadRequest } from './load/recipe.ts'
import type { CodePartsRequest } from './load/with-code.ts'
import { arranged, xml } from './renderers/renderers.ts'
import { contextDir } from './sources/context-dir.ts'
import type { InstructionContext } from './sources/instructions.ts'
import { Instructions } from './workspace/instructions.ts'

export type { LoadRequest }

export interface LoadOptions extends Partial<Pick<CodePartsRequest, 'cache' | 'models'>> {
  /** A sentence that names the chosen place, if two places have this name. */
  readonly choice?: string | undefined
}

/**
 * Loads the context of a place on disk: its context directory and its instruction files, and on request the code that is
 * relevant to a task, under one budget.
 *
 * @throws ContextError `not-found` for a place that does not exist; `invalid-input` for a bad request; `cancelled`.
 */
export async function load(
  request: LoadRequest = {},
  run: Run = SILENT,
  { cache, models, choice }: LoadOptions = {},
): Promise<LoadAnswer> {
  assertOptionsFit('disk', request)
  const place = diskPlace(request.place)
  const focus = focusOf(request, place)
  const diskSources = await openSources(request, place)
  const { context, instructions } = diskSources
  const code = request.code
    ? await (await import('./load/with-code.ts')).codePartsFor({ ...request, place, cache, models }, run)
    : undefined
  const sources = (request.instructions ?? true) ? [instructions.project, context, ...instructions.homes] : [context]
  const render = rendererFor(diskSources, request)
  const answer = await assembleAnswer(
    request,
    {
      kind: 'disk',
      sources: code ? [...sources, code.source] : sources,
      render: code ? code.render(render, request.format) : render,
      cap: instructions.cap,
      ...(code && { fitTo: code.budget }),
      focus,
      place: () => place.directory,
      root: instructions.root,
      choice,
      reading: () => context.reading,
      contexts: (assembled) => contextsOf(instructions, assembled),
      digestEntry: (fragment) => {
        const { labels, uri } = fragment.origin
        const read = context.reading.files.get(uri) ?? instructions.contextOf(fragment)
        return { name: labels?.source ?? uri, content: read?.content ?? fragment.text }
      },
      ...((request.drift ?? true) && {
        markDrift: async (assembled: Assembled) =>
          (await import('./load/drift-marks.ts')).markDrift(assembled, instructions.root),
      }),
    },
    run,
  )
  // A spread would call the getters of the answer, which compute digests that few callers read.
  return Object.assign(answer, findMissingTouched(request.touched))
}

type DiskSources = Awaited<ReturnType<typeof openSources>>

/** The context directory and the instruction files of a place. */
async function openSources(request: LoadRequest, { directory: cwd }: DiskPlace) {
  const { order, home } = request
  const setUpFor = async (name: string) => (await import('./profiles/own-profile.ts')).profileFor(name, { cwd, home })
  // The root is the project's, even if the tool marks another directory as its root.
  const { profile, excludePaths } = request.profile === undefined ? {} : await setUpFor(request.profile)
  return {
    context: contextDir({ start: cwd }),
    instructions: new Instructions({ cwd, profile, excludePaths, order, home }),
  }
}

/** The focus of a request. A place that is a file means the directory of the file, and the file counts as touched. */
function focusOf(request: LoadRequest, { directory, file }: DiskPlace): Focus {
  const { task, touched = [] } = request
  const paths = [...(file === undefined ? [] : [file]), ...touched.map((path) => resolve(path))]
  return { place: directory, touched: paths, ...(task !== undefined && { task }) }
}

function rendererFor({ context, instructions }: DiskSources, request: LoadRequest): Renderer {
  const render = request.format === 'xml' ? xml({ attributes: ['filename'] }) : contextMarkdown
  if (instructions.order === 'specific-first') return render
  // First the files of the home directory, then the context directory, then the files of the project from the root down.
  return arranged((kept) => {
    const isInContextDir = ({ origin }: Fragment) => context.reading.files.has(origin.uri)
    const files = instructions.generalFirst(kept.filter((fragment) => !isInContextDir(fragment)))
    const isHome = (fragment: Fragment) => instructions.contextOf(fragment)?.scope === 'home'
    return [...files.filter(isHome), ...kept.filter(isInContextDir), ...files.filter((fragment) => !isHome(fragment))]
  }, render)
}

function contextsOf(instructions: Instructions, { considered, ledger }: Assembled): InstructionContext[] {
  const duplicates = duplicateUris(ledger)
  const kept = considered.kept.filter(({ origin }) => !duplicates.has(origin.uri))
  return [...new Set(kept.flatMap((fragment) => instructions.contextOf(fragment) ?? []))]
}
