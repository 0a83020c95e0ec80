/** Sessions of research in the OpenAPI document. */

import { array, flag, type JsonSchema, object, text, withDescription } from '../../../core/answer.ts'
import { defineInputs } from '../../../core/define-inputs.ts'
import { plainSchema } from '../../../core/plain-schema.ts'
import { reportExportAnswer, sessionAnswer, sessionFileAnswer, sessionListAnswer } from '../../../research/answers.ts'
import { researchInputs } from '../../../research/input.ts'
import { REPORT_FORMATS } from '../../../research/settings.ts'

const { files: _, ...sessionInputs } = researchInputs

/** What a session is made with; its files are uploaded one by one. */
export const newSession = defineInputs(sessionInputs)

const session = plainSchema(sessionAnswer())
const file = plainSchema(sessionFileAnswer())

const AT = '/api/sessions/{session}'

const SESSION = {
  name: 'session',
  in: 'path',
  required: true,
  description: 'by its id, or the beginning of it',
  schema: text,
}
const FILE = { name: 'file', in: 'path', required: true, schema: text }

const PROBLEM = { $ref: '#/components/responses/Problem' }

export function sessionPaths(): object {
  return { ...pathsOfSessions(), ...pathsOfFiles(), ...pathsOfRuns() }
}

function sessionResponse(schema: JsonSchema, status = 200, description = 'The session as it is.'): object {
  return { [status]: { description, content: { 'application/json': { schema } } }, default: PROBLEM }
}

function noContent(description: string): object {
  return { 204: { description }, default: PROBLEM }
}

/** One endpoint: what it is called, what it does, and the rest of it. */
function endpoint(name: string, summary: string, rest: object): object {
  return { operationId: `sessions.${name}`, summary, ...rest }
}

function body(type: string, schema: JsonSchema | object): object {
  return { required: true, content: { [type]: { schema } } }
}

function pathsOfSessions(): object {
  const parameters = [SESSION]
  return {
    '/api/sessions': {
      get: endpoint('list', 'The sessions of research, the newest first', {
        responses: sessionResponse(sessionListAnswer(), 200, 'Sessions.'),
      }),
      post: endpoint('create', 'Make a session of research, which is not started yet', {
        requestBody: body('application/json', plainSchema(newSession.json())),
        responses: sessionResponse(session, 201),
      }),
    },
    [AT]: {
      get: endpoint('show', 'A session with its files, its questions and its report', {
        parameters,
        responses: sessionResponse(session),
      }),
      delete: endpoint('remove', 'Forget a session and its files', { parameters, responses: noContent('It is gone.') }),
    },
  }
}

const UPLOAD = {
  type: 'object',
  required: ['file'],
  properties: { file: { type: 'string', contentMediaType: 'application/octet-stream' } },
}

function pathsOfFiles(): object {
  const files = object({ files: array(file) })
  const words = object({ alias: text, text })
  const parameters = [SESSION]
  return {
    [`${AT}/files`]: {
      get: endpoint('files', 'The files of a session', {
        parameters,
        responses: sessionResponse(files, 200, 'Files.'),
      }),
      post: endpoint('upload', 'Add a file; it is read when the session is started', {
        parameters,
        requestBody: body('multipart/form-data', UPLOAD),
        responses: sessionResponse(file, 201, 'The file as it is kept.'),
      }),
    },
    [`${AT}/files/{file}`]: {
      delete: endpoint('removeFile', 'Take a file away', {
        parameters: [SESSION, FILE],
        responses: noContent('It is gone.'),
      }),
    },
    [`${AT}/files/{file}/text`]: {
      get: endpoint('text', 'The text that was taken from a file, which sources count in', {
        parameters: [SESSION, FILE],
        responses: sessionResponse(words, 200, 'Its text.'),
      }),
    },
  }
}

function pathsOfRuns(): object {
  const parameters = [SESSION]
  const act = (name: string, summary: string, status = 200) => ({
    post: endpoint(name, summary, { parameters, responses: sessionResponse(session, status) }),
  })
  return {
    [`${AT}/start`]: act('start', 'Start it', 202),
    [`${AT}/pause`]: act('pause', 'End it so that it can be gone on with'),
    [`${AT}/resume`]: act('resume', 'Go on with it', 202),
    [`${AT}/stop`]: act('stop', 'End it for good, with a report of what it found'),
    [`${AT}/plan`]: {
      post: endpoint(
        'plan',
        'Change the first questions of a session that waits for it, or add questions to one that is over',
        {
          parameters,
          requestBody: body('application/json', PLAN),
          responses: sessionResponse(session),
        },
      ),
    },
    [`${AT}/report`]: {
      get: endpoint('report', 'The report, and as JSON all that it rests on', {
        parameters: [SESSION, FORMAT, VERSION],
        responses: {
          200: { description: 'The report.', content: reports(reportExportAnswer().properties?.report ?? {}) },
          default: PROBLEM,
        },
      }),
    },
    [`${AT}/events`]: {
      get: endpoint('events', 'What happens in a session, as it happens; each with a sentence for a person', {
        parameters: [SESSION, AFTER, { $ref: '#/components/parameters/LastEventId' }],
        responses: EVENTS,
      }),
    },
  }
}

const FORMAT = {
  name: 'format',
  in: 'query',
  schema: { type: 'string', enum: [...REPORT_FORMATS, 'json'], default: 'md' },
}
const VERSION = { name: 'version', in: 'query', schema: { type: 'integer', minimum: 1 } }
const AFTER = { name: 'after', in: 'query', schema: { type: 'integer', minimum: 0 } }

function reports(report: JsonSchema): object {
  const bytes = { schema: text }
  const others = {
    'application/pdf': bytes,
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document': bytes,
    'application/vnd.citationstyles.csl+json': bytes,
    'application/x-bibtex': bytes,
  }
  return { 'text/markdown': bytes, 'text/html': bytes, ...others, 'application/json': { schema: report } }
}

const EVENTS = {
  200: {
    description: 'Events; a client that missed too many gets the gap and a snapshot.',
    content: { 'text/event-stream': { schema: text } },
  },
  204: { description: 'There are no more events.' },
  default: PROBLEM,
}

const PLAN = withDescription(
  object({ 'children?': array(object({ question: text, 'pinned?': flag })), 'add?': array(text) }),
  'The questions in place of those of the plan; or questions to add, also to a finished run.',
)
