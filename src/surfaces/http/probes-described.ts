/** Signs of life, as the OpenAPI document has them. */

const STATUS = {
  'application/json': { schema: { type: 'object', properties: { status: { type: 'string' } } } },
}

const PROBLEM = { $ref: '#/components/responses/Problem' }

export const SIGNS = {
  '/healthz': {
    get: {
      operationId: 'healthz',
      summary: 'Whether the server answers',
      security: [],
      responses: { 200: { description: 'It does.', content: STATUS } },
    },
  },
  '/readyz': {
    get: {
      operationId: 'readyz',
      summary: 'Whether the server can do its work',
      security: [],
      responses: { 200: { description: 'Its database answers, and it is not ending.', content: STATUS }, 503: PROBLEM },
    },
  },
  '/metrics': {
    get: {
      operationId: 'metrics',
      summary: 'What the server counted, and how many jobs wait, for Prometheus; takes the scope admin',
      responses: {
        200: { description: 'The text format.', content: { 'text/plain': { schema: { type: 'string' } } } },
        default: PROBLEM,
      },
    },
  },
}
