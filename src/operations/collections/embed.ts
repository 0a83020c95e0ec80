import { embedAnswer, modelDownloadAnswer } from '../../engine/engine.ts'
import { oneLine } from '../../text/controls.ts'
import { countNoun, formatBytes } from '../../text/counts.ts'
import { collectionNames, defineOperation, offByDefault } from '../schema.ts'
import { leftLines } from './indexing.ts'

/** Operations on vectors, and on the model that makes them. */
export const embedding = {
  embed: defineOperation({
    name: 'embed',
    summary: 'Compute vectors of new documents, so that you can search by meaning',
    effect: 'write',
    positional: ['names'],
    examples: { 'ambit embed': 'embed every document that has no vectors yet; you can stop and resume at any time' },
    inputs: {
      names: { ...collectionNames, description: 'collections; default all' },
      force: offByDefault('recompute all vectors'),
    },
    output: embedAnswer,
    hasProgress: true,
    run: async (engine, request, run) => (await engine.library()).collections.embed(request, run),
    text: ({ model, embedded, chunks, left }) => {
      const done = `${oneLine(model)}: ${countNoun(embedded, 'document')} embedded, in ${countNoun(chunks, 'chunk')}\n`
      return `${done}${leftLines(left.map((one) => ({ ...one, path: `${one.collection}/${one.path}` })))}`
    },
  }),

  getModel: defineOperation({
    name: 'embed.get',
    command: 'embed --get',
    summary: 'Search by meaning with an embedding model that runs in this process: download one, or use one on disk',
    effect: 'write',
    scope: 'admin',
    positional: ['model'],
    examples: {
      'ambit embed --get': 'download MiniLM, 24 MB, for English; its runtime is installed separately',
      'ambit embed --get ./my-model': 'use a folder of sentence-transformers, or an ONNX file',
      'ambit embed --get minishlab/potion-multilingual-128M': 'download a table of words of 101 languages',
    },
    inputs: {
      model: {
        is: 'path',
        path: 'collection',
        default: 'sentence-transformers/all-MiniLM-L6-v2',
        placeholder: 'MODEL',
        description: 'OWNER/NAME or OWNER/NAME@REVISION on Hugging Face, or the path of a folder or of an ONNX file',
      },
    },
    output: modelDownloadAnswer,
    hasProgress: true,
    isAlone: true,
    run: (engine, { model }, run) => engine.getModel(model, run),
    text: ({ model, revision, folder, files }) => {
      const size = formatBytes(files.reduce((sum, { bytes }) => sum + bytes, 0))
      const downloadNote = `, revision ${revision.slice(0, 12)}: ${size} in ${oneLine(folder)}; checksums agree\n`
      const done = oneLine(model) + (files.length > 0 ? downloadNote : ` is the model in use, in ${oneLine(folder)}\n`)
      return `${done}Searches use it from now on. Run "ambit embed" to compute the vectors of all documents beforehand.\n`
    },
  }),
}
