import {
  type PackageDiffAnswer,
  type PackageLogAnswer,
  type PackageLsAnswer,
  type PackageShowAnswer,
  packageDiffAnswer,
  packageListAnswer,
  packageLogAnswer,
  packageLsAnswer,
  packageSearchAnswer,
  packageShowAnswer,
} from '../../engine/engine.ts'
import { alignRows } from '../../text/columns.ts'
import { oneLine } from '../../text/controls.ts'
import { countNoun, formatBytes } from '../../text/counts.ts'
import { frameText } from '../../text/frames.ts'
import { quoteShell } from '../../text/shell-quote.ts'
import { metadataText } from '../../text/truncate.ts'
import { countLimit, defineOperation, textFormat } from '../schema.ts'
import { changeRows, countEntries, jsonLines, messageLine, packageInput, shortHash, shortTime } from './formats.ts'

/** The registry to list or to search. */
const registry = {
  is: 'path',
  path: 'package',
  placeholder: 'COLLECTION',
  description: 'a collection, COLLECTION/NAMESPACE/, or s3://BUCKET; default all collections',
} as const

export const packageReading = {
  list: defineOperation({
    name: 'packages.list',
    summary: 'List the packages in a collection or bucket',
    effect: 'read',
    positional: ['registry'],
    examples: {
      'ambit package list': 'list the packages of all collections',
      'ambit package list lab/team/': 'list the packages of a namespace',
      'ambit package list s3://open-data': 'list the packages of a bucket that is not a collection',
    },
    inputs: {
      registry,
      limit: countLimit(1000, 10_000, 'maximum number of names of a collection'),
      after: { is: 'text', placeholder: 'NAME', description: 'continue after this name' },
    },
    output: packageListAnswer,
    run: async (engine, request, run) => (await engine.packages()).list(request, run),
    text: ({ packages, problems }) => {
      if (packages.length === 0 && problems.length === 0) return 'There are no packages here.\n'
      return packages.map(({ place }) => `${oneLine(place)}\n`).join('')
    },
    notices: ({ more, problems }) => [
      ...more.map(({ registry, after }) => `There are more in ${registry}: --after ${quoteShell(after)} shows more.`),
      ...problems.map(({ registry, message }) => `${registry}: ${message}`),
    ],
    failed: ({ problems }) => problems.length > 0,
  }),

  search: defineOperation({
    name: 'packages.search',
    summary: 'Search packages by name, message, metadata and paths',
    effect: 'read',
    positional: ['words'],
    examples: {
      'ambit package search rainfall': 'search all collections',
      'ambit package search calibration plots --registry lab': 'search one collection',
    },
    inputs: {
      words: { is: 'text', list: true, required: true, description: 'words of the name, message, metadata or paths' },
      registry,
      limit: countLimit(10, 1000, 'maximum number of packages'),
    },
    output: packageSearchAnswer,
    run: async (engine, { words, ...request }, run) =>
      (await engine.packages()).search({ ...request, query: words.join(' ') }, run),
    text: ({ packages, searched }) => {
      if (packages.length === 0) return `Not found in ${countNoun(searched, 'package')}.\n`
      const lines = packages.flatMap(({ place, message, entries }) => [
        `${oneLine(place)}${message ? `  ${oneLine(message)}` : ''}\n`,
        ...entries.map((key) => `    ${oneLine(key)}\n`),
      ])
      return lines.join('')
    },
    notices: ({ more, problems }) => [
      ...more.map(({ registry, after }) => `There are more packages in ${registry}, after ${after}: name a namespace.`),
      ...problems.map(({ registry, message }) => `${registry}: ${message}`),
    ],
  }),

  show: defineOperation({
    name: 'packages.show',
    summary: 'Show a package: its hash, message, metadata and size',
    effect: 'read',
    positional: ['package'],
    examples: {
      'ambit package show lab/team/results': 'show its latest revision',
      'ambit package show lab/team/results@1a2b3c': 'show the revision whose hash begins with 1a2b3c',
      "ambit package show 'quilt+s3://open-data#package=team/results'": 'show a package by its address',
    },
    tool: {
      name: 'package_show',
      set: 'packages',
      about: 'A data package: hash, message, size, workflow and metadata',
      inputs: { package: 'COLLECTION/NS/NAME[@HASH|:TAG], or quilt+s3://BUCKET#package=NS/NAME' },
    },
    inputs: { package: packageInput, format: textFormat('the format: text for people, xml for prompts') },
    output: packageShowAnswer,
    run: async (engine, { package: name }, run) => (await engine.packages()).show({ package: name }, run),
    text: (answer, request) => (request?.format === 'xml' ? packageElements(answer) : packageText(answer)),
    notices: hashNotice,
  }),

  log: defineOperation({
    name: 'packages.log',
    summary: 'List the revisions of a package, the newest first',
    effect: 'read',
    positional: ['package'],
    examples: { 'ambit package log lab/team/results': 'show the hash, time and message of each' },
    inputs: {
      package: {
        ...packageInput,
        description: 'COLLECTION/NAMESPACE/NAME, or quilt+s3://BUCKET#package=NAMESPACE/NAME',
      },
      limit: countLimit(20, 10_000, 'maximum number of revisions'),
    },
    output: packageLogAnswer,
    run: async (engine, request, run) => (await engine.packages()).log(request, run),
    text: ({ revisions }) => alignRows(revisions.map(revisionRow)) || 'It has no revisions.\n',
    notices: ({ revisions, total, latest }) => [
      ...(total > revisions.length ? [`${total - revisions.length} older: --limit N shows more.`] : []),
      ...(latest !== null && !revisions.some(({ hash }) => hash === latest)
        ? [`The latest is ${latest}, which is not among these.`]
        : []),
    ],
  }),

  diff: defineOperation({
    name: 'packages.diff',
    summary: 'Show the differences between two revisions or two packages',
    effect: 'read',
    positional: ['before', 'after'],
    examples: { 'ambit package diff lab/team/results@1a2b3c lab/team/results': 'show what changed since a revision' },
    inputs: {
      before: { ...packageInput, placeholder: 'BEFORE' },
      after: {
        ...packageInput,
        placeholder: 'AFTER',
        description: 'another revision of the same package, or another package',
      },
      limit: {
        is: 'integer',
        minimum: 0,
        maximum: 100_000,
        default: 1000,
        description: 'maximum number of changes to list',
      },
    },
    output: packageDiffAnswer,
    run: async (engine, request, run) => (await engine.packages()).diff(request, run),
    text: (answer) => {
      const { added, removed, changed, unchanged } = answer
      const sum = `${added} added, ${removed} removed, ${changed} changed, ${unchanged} unchanged`
      return `${diffHeading(answer)}${changeRows(answer)}${sum}\n`
    },
    notices: ({ added, removed, changed, changes }) => {
      const hiddenCount = added + removed + changed - changes.length
      return hiddenCount > 0 ? [`${hiddenCount} more: --limit N shows them.`] : []
    },
  }),

  ls: defineOperation({
    name: 'packages.ls',
    summary: 'List the entries of a package',
    effect: 'read',
    positional: ['package', 'path'],
    examples: {
      'ambit package ls lab/team/results': 'list its directories and entries',
      'ambit package ls lab/team/results plots': 'list one directory',
    },
    inputs: {
      package: packageInput,
      path: {
        is: 'path',
        path: 'package',
        placeholder: 'DIRECTORY',
        description: 'a directory of the package; default its root',
      },
      limit: countLimit(1000, 10_000, 'maximum number of names'),
      after: { is: 'text', placeholder: 'NAME', description: 'continue after this name' },
    },
    output: packageLsAnswer,
    run: async (engine, request, run) => (await engine.packages()).ls(request, run),
    text: ({ children }) => (children.length === 0 ? 'It is empty.\n' : alignRows(children.map(childRow), [1])),
    notices: ({ next, children, totalChildren }) =>
      next === undefined
        ? []
        : [`${children.length} of ${totalChildren} are shown: --after ${quoteShell(next)} shows more.`],
  }),
}

function packageText(answer: PackageShowAnswer): string {
  const { bucket, name, hash, modified, message, workflow, userMeta, computedHash, totalEntries, totalBytes } = answer
  const rows = [
    ['package', oneLine(name)],
    ['bucket', oneLine(bucket)],
    ['hash', hash],
    ['computed', computedHash === hash ? 'the same' : (computedHash ?? 'none')],
    ['modified', modified === null ? 'not known: no pointer with a time names it' : shortTime(modified)],
    ['message', message === null ? 'none' : oneLine(message)],
    ['entries', `${countEntries(totalEntries)}, ${formatBytes(totalBytes)}`],
  ]
  const sections = Object.entries({ workflow, metadata: userMeta }).filter(([, value]) => value !== null)
  return `${alignRows(rows)}${sections.map(([title, value]) => `${title}\n${jsonLines(value, '  ')}`).join('')}`
}

function hashNotice({ hash, computedHash, problem }: PackageShowAnswer): string[] {
  if (computedHash === hash) return []
  if (computedHash === null) return [`Its hash cannot be computed${problem === undefined ? '.' : `: ${problem}`}`]
  return [`The manifest is not the one that its hash names: it has the hash ${computedHash}, not ${hash}.`]
}

/** The elements of a package, as in the context of a place: its facts, and its metadata if it has any. */
function packageElements({ userMeta, computedHash: _, problem: __, ...info }: PackageShowAnswer): string {
  const element = (tag: string, value: unknown) => frameText({ tag, attributes: {}, text: metadataText(value) })
  return `${element('package-info', info)}${userMeta === null ? '' : element('package-metadata', userMeta)}`
}

function revisionRow(revision: PackageLogAnswer['revisions'][number]): string[] {
  const { hash, modified, pointers, isLatest, message, problem } = revision
  // Leaves out pointers whose name is a time: they repeat when the revision was pushed.
  const tags = pointers.filter((name) => !/^\d+$/.test(name))
  const note = problem === undefined ? (message ?? '') : `! ${problem}`
  const labelledNote = tags.length === 0 ? note : `[${tags.join(', ')}] ${note}`
  return [isLatest ? '*' : ' ', shortHash(hash), shortTime(modified), oneLine(labelledNote)]
}

function diffHeading({ before, after, header, ...changed }: PackageDiffAnswer): string {
  const revisionName = ({ name, hash }: PackageDiffAnswer['before']) => `${oneLine(name)}@${shortHash(hash)}`
  const parts = header.map((part) => `${part === 'userMeta' ? 'the metadata' : 'the workflow'} differs\n`)
  return `${revisionName(before)} → ${revisionName(after)}\n${messageLine(changed)}${parts.join('')}`
}

function childRow(child: PackageLsAnswer['children'][number]): string[] {
  if (child.kind === 'directory') {
    return [`${oneLine(child.name)}/`, formatBytes(child.totalBytes), countEntries(child.totalEntries)]
  }
  return [
    oneLine(child.name),
    child.size === null ? '?' : formatBytes(child.size),
    child.hash === null ? '' : shortHash(child.hash.value),
  ]
}
