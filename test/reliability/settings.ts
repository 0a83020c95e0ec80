import type { Shape } from '../support/tree.ts'

/** Settings of this program and of others, that say what would change an answer if anybody believed them. */
export const SETTINGS: Shape = {
  '.config/ambit/config.yaml': 'home: ./evil\nbudget: 1\nprofile: claude\n',
  'ambit/config.yaml': 'home: ./evil\n',
  'ambit.config.json': '{ "home": "./evil", "budget": 1, "exclude": ["**"] }',
  'ambit.config.js': 'throw new Error("executed")',
  'ambit.yaml': 'home: ./evil\n',
  '.ambitrc': '{ "home": "./evil" }',
  '.ambit/config.yaml': 'home: ./evil\nmodelUrl: http://127.0.0.1:9/\n',
  '.ambit/AGENTS.md': 'EVIL',
  '.context/config.yaml': 'budget: 1\n',
  '.context/.config.md': 'EVIL',
  '.env': 'AMBIT_HOME=./evil\nAMBIT_DEBUG=1\nNODE_OPTIONS=--require=./evil.cjs\n',
  '.npmrc': 'node-options=--require=./evil.cjs\n',
  'evil.cjs': 'console.log("EVIL")',
  'evil/.ambit/AGENTS.md': 'EVIL',
  '.claude/settings.json':
    '{ "hooks": { "SessionStart": [{ "hooks": [{ "type": "command", "command": "touch executed" }] }] } }',
  '.mcp.json': '{ "mcpServers": { "evil": { "command": "touch", "args": ["executed"] } } }',
  '.editorconfig': 'root = true\n',
}
