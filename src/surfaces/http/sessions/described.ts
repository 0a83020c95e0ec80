/** Sessions of research in the OpenAPI document. */

import { array, flag, object, plainSchema, text, withDescription } from '../../../core/answer.ts'
import { defineInputs } from '../../../core/define-inputs.ts'
import { reportExportAnswer, sessionAnswer, sessionFileAnswer, sessionListAnswer } from '../../../research/answers.ts'
import { researchInputs } from '../../../research/input.ts'
import { REPORT_FORMATS, type ReportFormat } from '../../../research/settings.ts'
import {
  content,
  type Endpoints,
  endpoint,
  jsonContent,
  jsonResponses,
  noContent,
  PROBLEM,
  parameter,
} from '../endpoint.ts'

const { files: _, ...sessionInputs } = researchInputs

/** Inputs of a new session. Files are uploaded separately. */
export const newSession = defineInputs(sessionInputs)

const session = plainSchema(sessionAnswer())
const file = plainSchema(sessionFileAnswer())

const SESSION = parameter('session', 'path', { description: 'by its id, or the beginning of it' })
const FILE = [SESSION, parameter('file', 'path')]
const UPLOAD = {
  type: 'object',
  required: ['file'],
  properties: { file: { type: 'string', contentMediaType: 'application/octet-stream' } },
}
const PLAN = withDescription(
  object({ 'children?': array(object({ question: text, 'pinned?': flag })), 'add?': array(text) }),
  'The questions in place of those of the plan; or questions to add, also to a finished run.',
)
const FORMAT = { schema: { type: 'string', enum: [...REPORT_FORMATS, 'json'], default: 'md' } }
const integerFrom = (minimum: number) => ({ schema: { type: 'integer', minimum } })

/** An endpoint of one session. `rest` may have parameters of its own. */
function ofSession(call: Parameters<typeof endpoint>[0], summary: string, rest: object): Endpoints {
  return endpoint(call, summary, { parameters: [SESSION], ...rest })
}

function sessionResponse(status = 200): object {
  return jsonResponses('The session.', session, status)
}

export function sessionPaths(): Readonly<Record<string, Endpoints>> {
  const at = '/api/sessions/{session}'
  const act = (name: string, summary: string, status = 200) =>
    ofSession(`post sessions.${name}`, summary, { responses: sessionResponse(status) })
  return {
    '/api/sessions': {
      ...endpoint('get sessions.list', 'The sessions of research, the newest first', {
        responses: jsonResponses('Sessions.', sessionListAnswer()),
      }),
      ...endpoint('post sessions.create', 'Create a session of research; start it separately', {
        requestBody: { required: true, ...jsonContent(plainSchema(newSession.json())) },
        responses: sessionResponse(201),
      }),
    },
    [at]: {
      ...ofSession('get sessions.show', 'A session with its files, its questions and its report', {
        responses: sessionResponse(),
      }),
      ...ofSession('delete sessions.remove', 'Delete a session and its files', {
        responses: noContent('It was deleted.'),
      }),
    },
    [`${at}/files`]: {
      ...ofSession('get sessions.files', 'The files of a session', {
        responses: jsonResponses('Files.', object({ files: array(file) })),
      }),
      ...ofSession('post sessions.upload', 'Upload a file; it is parsed when the session starts', {
        requestBody: { required: true, ...content('multipart/form-data', UPLOAD) },
        responses: jsonResponses('The stored file.', file, 201),
      }),
    },
    [`${at}/files/{file}`]: ofSession('delete sessions.removeFile', 'Delete a file', {
      parameters: FILE,
      responses: noContent('It was deleted.'),
    }),
    [`${at}/files/{file}/text`]: ofSession('get sessions.text', 'The text of a file, whose lines the sources name', {
      parameters: FILE,
      responses: jsonResponses('Its text.', object({ alias: text, text })),
    }),
    [`${at}/start`]: act('start', 'Start it', 202),
    [`${at}/pause`]: act('pause', 'Pause it; resume continues it'),
    [`${at}/resume`]: act('resume', 'Resume it', 202),
    [`${at}/stop`]: act('stop', 'Stop it for good; it writes a report of what it found'),
    [`${at}/plan`]: ofSession(
      'post sessions.plan',
      'Change the questions of a plan, or add questions to a finished session',
      { requestBody: { required: true, ...jsonContent(PLAN) }, responses: sessionResponse() },
    ),
    [`${at}/report`]: ofSession('get sessions.report', 'The report; as JSON with all its evidence', {
      parameters: [SESSION, parameter('format', 'query', FORMAT), parameter('version', 'query', integerFrom(1))],
      responses: { 200: { description: 'The report.', content: reportContents() }, default: PROBLEM },
    }),
    [`${at}/events`]: ofSession(
      'get sessions.events',
      'The events of a session as they happen, each with a sentence for a person',
      {
        parameters: [
          SESSION,
          parameter('after', 'query', integerFrom(0)),
          { $ref: '#/components/parameters/LastEventId' },
        ],
        responses: EVENTS,
      },
    ),
  }
}

/** The media types of a report, by its format. */
export const REPORTS: Readonly<Record<ReportFormat, string>> = {
  md: 'text/markdown; charset=utf-8',
  html: 'text/html; charset=utf-8',
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  csl: 'application/vnd.citationstyles.csl+json',
  bib: 'application/x-bibtex; charset=utf-8',
}

/** The media types of a report, with a schema for JSON. */
function reportContents(): object {
  const types = Object.values(REPORTS).map((type) => type.replace(/;.*/, ''))
  const schema = reportExportAnswer().properties?.report ?? {}
  return { ...Object.fromEntries(types.map((type) => [type, { schema: text }])), 'application/json': { schema } }
}

const EVENTS = {
  200: {
    description: 'Events; a client that missed too many gets the gap and a snapshot.',
    ...content('text/event-stream', text),
  },
  204: { description: 'There are no more events.' },
  default: PROBLEM,
}
