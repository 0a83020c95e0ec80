/** Describes research sessions in the OpenAPI document. */

import { array, flag, object, plainSchema, text, withDescription } from '../../../core/answer.ts'
import { defineInputs } from '../../../core/define-inputs.ts'
import { reportExportAnswer, sessionAnswer, sessionFileAnswer, sessionListAnswer } from '../../../research/answers.ts'
import { researchInputs } from '../../../research/input.ts'
import { REPORT_FORMATS, type ReportFormat } from '../../../research/settings.ts'
import { content, endpoint, jsonContent, jsonResponses, noContent, PROBLEM, parameter } from '../endpoint.ts'

const { files: _, ...sessionInputs } = researchInputs

/** Inputs of a new session. Files are uploaded separately. */
export const newSessionInputs = defineInputs(sessionInputs)

const session = plainSchema(sessionAnswer())
const file = plainSchema(sessionFileAnswer())

const SESSION_ID = parameter('session', 'path', { description: 'its id, or the beginning of the id' })
const FILE_PARAMETERS = [SESSION_ID, parameter('file', 'path')]
const UPLOAD_SCHEMA = {
  type: 'object',
  required: ['file'],
  properties: { file: { type: 'string', contentMediaType: 'application/octet-stream' } },
}
const PLAN_SCHEMA = withDescription(
  object({ 'children?': array(object({ question: text, 'pinned?': flag })), 'add?': array(text) }),
  'Questions that replace those of the plan; or questions to add, also to a finished run.',
)
const DELETED = noContent('It was deleted.')
const FORMAT = { schema: { type: 'string', enum: [...REPORT_FORMATS, 'json'], default: 'md' } }
const LAST_EVENT_ID = { $ref: '#/components/parameters/LastEventId' }
const integerFrom = (minimum: number) => ({ schema: { type: 'integer', minimum } })

/** Describes an endpoint of one session. `parameters` in `rest` replace the default. */
function forSession(call: Parameters<typeof endpoint>[0], summary: string, rest: object) {
  return endpoint(call, summary, { parameters: [SESSION_ID], ...rest })
}

function sessionResponse(status = 200): object {
  return jsonResponses('The session.', session, status)
}

export function sessionPaths(): Readonly<Record<string, ReturnType<typeof endpoint>>> {
  const base = '/api/sessions/{session}'
  const action = (name: string, summary: string, status = 200) =>
    forSession(`post sessions.${name}`, summary, { responses: sessionResponse(status) })
  return {
    '/api/sessions': {
      ...endpoint('get sessions.list', 'The sessions of research, the newest first', {
        responses: jsonResponses('Sessions.', sessionListAnswer()),
      }),
      ...endpoint('post sessions.create', 'Create a session of research; start it separately', {
        requestBody: { required: true, ...jsonContent(plainSchema(newSessionInputs.json())) },
        responses: sessionResponse(201),
      }),
    },
    [base]: {
      ...forSession('get sessions.show', 'A session with its files, its questions and its report', {
        responses: sessionResponse(),
      }),
      ...forSession('delete sessions.remove', 'Delete a session and its files', { responses: DELETED }),
    },
    [`${base}/files`]: {
      ...forSession('get sessions.files', 'The files of a session', {
        responses: jsonResponses('Files.', object({ files: array(file) })),
      }),
      ...forSession('post sessions.upload', 'Upload a file; it is parsed when the session starts', {
        requestBody: { required: true, ...content('multipart/form-data', UPLOAD_SCHEMA) },
        responses: jsonResponses('The stored file.', file, 201),
      }),
    },
    [`${base}/files/{file}`]: forSession('delete sessions.removeFile', 'Delete a file', {
      parameters: FILE_PARAMETERS,
      responses: DELETED,
    }),
    [`${base}/files/{file}/text`]: forSession('get sessions.text', 'The text of a file; sources name its lines', {
      parameters: FILE_PARAMETERS,
      responses: jsonResponses('Its text.', object({ alias: text, text })),
    }),
    [`${base}/start`]: action('start', 'Start a session', 202),
    [`${base}/pause`]: action('pause', 'Pause a session; resume continues it'),
    [`${base}/resume`]: action('resume', 'Resume a session', 202),
    [`${base}/stop`]: action('stop', 'Stop a session for good; it writes a report of what it found'),
    [`${base}/plan`]: forSession(
      'post sessions.plan',
      'Change the questions of a plan, or add questions to a finished session',
      { requestBody: { required: true, ...jsonContent(PLAN_SCHEMA) }, responses: sessionResponse() },
    ),
    [`${base}/report`]: forSession('get sessions.report', 'The report; as JSON with all its evidence', {
      parameters: [SESSION_ID, parameter('format', 'query', FORMAT), parameter('version', 'query', integerFrom(1))],
      responses: { 200: { description: 'The report.', content: reportContents() }, default: PROBLEM },
    }),
    [`${base}/events`]: forSession(
      'get sessions.events',
      'The events of a session as they happen, each with a sentence for a person',
      {
        parameters: [SESSION_ID, parameter('after', 'query', integerFrom(0)), LAST_EVENT_ID],
        responses: EVENT_RESPONSES,
      },
    ),
  }
}

export const REPORT_TYPES: Readonly<Record<ReportFormat, string>> = {
  md: 'text/markdown; charset=utf-8',
  html: 'text/html; charset=utf-8',
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  csl: 'application/vnd.citationstyles.csl+json',
  bib: 'application/x-bibtex; charset=utf-8',
}

/** The media types of a report, with a schema for JSON. */
function reportContents(): object {
  const types = Object.values(REPORT_TYPES).map((type) => type.replace(/;.*/, ''))
  const schema = reportExportAnswer().properties?.report ?? {}
  return { ...Object.fromEntries(types.map((type) => [type, { schema: text }])), 'application/json': { schema } }
}

const EVENT_RESPONSES = {
  200: {
    description: 'Events; a client that missed too many gets the gap and a snapshot.',
    ...content('text/event-stream', text),
  },
  204: { description: 'There are no more events.' },
  default: PROBLEM,
}
