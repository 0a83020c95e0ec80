import { defineService } from '../../core/define-inputs.ts'

export const hookService = defineService({
  name: 'hook',
  holds: 'stdio',
  isLenient: true,
  summary: 'Answer a hook of a coding agent with the context that the agent lacks',
  positional: ['agent', 'event'],
  inputs: {
    agent: { is: 'text', required: true, noun: 'name of the agent', description: 'the agent, such as claude or codex' },
    event: { is: 'text', description: 'the event, if the agent does not send it' },
    task: { is: 'flag', default: false, description: 'add relevant code to the first prompt of a session' },
  },
  examples: { 'ambit hook claude < event.json': 'answer as for Claude Code' },
})
