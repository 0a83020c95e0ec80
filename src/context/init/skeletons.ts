/**
 * Templates of `init`. Every sentence is true, so that an unedited file misleads no agent; and no example is a list item, which would count as
 * content.
 */

/** The files of a context directory, the most important first. */
export const CONTEXT_FILES: readonly { readonly name: string; readonly content: string }[] = [
  {
    name: 'CONSTITUTION.md',
    content: `# Constitution

Rules that hold for every change, whoever makes it. They are few, because they are always shown whole.

## Always

- Say what was done and what was not. A check that was not run has not passed.
- Mend the cause of a fault, not its symptom.
- Ask before anything that cannot be undone: deleting data, rewriting shared history, publishing.

## Never

- Put secrets into the repository: no keys, passwords, tokens or personal data.
- Weaken, skip or delete a test to make a change pass.
- Undo or overwrite somebody's work that the task does not concern.
`,
  },
  {
    name: 'TASKS.md',
    content: `# Tasks

What is being done and what comes next, a list item a task: \`- [ ]\` is open, \`- [x]\` done, \`- [!]\` blocked.
Tags such as \`#priority:high\` may follow. Done tasks go when nobody looks them up any more.

## Now

## Next

## Done
`,
  },
  {
    name: 'DECISIONS.md',
    content: `# Decisions

What is settled, and why, so that it is not argued again. A decision has a heading of its own,
\`## YYYY-MM-DD Title\`, and says what was chosen, what else was considered, and what follows from it.
One that no longer holds stays, and names the one that replaced it.
`,
  },
  {
    name: 'CONVENTIONS.md',
    content: `# Conventions

How things are done here where more than one way would work. What a formatter or a linter enforces is not repeated.

## Code

- A change follows the style of the file that it is in.
- Comments say why; what happens is said by the code and its names.

## Tests

- A mended fault has a test that fails without the mend.
- Tests do not depend on each other, on the clock or on the network.

## Changes

- One purpose a commit; its message says why.
`,
  },
  {
    name: 'ARCHITECTURE.md',
    content: `# Architecture

The parts of the system and how they fit together: what a newcomer needs before reading code.

## Parts

Each part, what it is for, and what it must not depend on.

## Flows

How a request, an event or a build runs through the parts, for the few that matter most.

## Boundaries

What comes from outside, where it is checked, and what is trusted.
`,
  },
  {
    name: 'GLOSSARY.md',
    content: `# Glossary

Words that mean something particular here, a list item each: the word in bold, what it means, and the words that are
not used for it.
`,
  },
  {
    name: 'LEARNINGS.md',
    content: `# Learnings

What turned out otherwise than expected, so that it is found out only once. A learning has a heading of its own,
\`## YYYY-MM-DD Title\`, and says what happened, why, and what to do about it.
`,
  },
]

/** The instruction file of a project that has none. */
export const INSTRUCTION_FILE = {
  name: 'AGENTS.md',
  content: `# Working on this project

What an agent needs to change this project safely.

## Context

What the code does not say is in \`.context/\`: rules, tasks, decisions, conventions, architecture, terms, learnings.
A hook of Ambit may have brought it already, below a line that begins with \`Project context, loaded by Ambit\`: follow that.
Only where there is no such line, run \`ambit load\` before you start, once, and follow what it prints.

## Commands

Look up how to build, test and lint in the project's manifest or its continuous integration before you guess.

## Keeping the context true

- A task that is begun, done or blocked: \`.context/TASKS.md\`.
- A choice that others have to live with: \`.context/DECISIONS.md\`.
- A surprise that cost time: \`.context/LEARNINGS.md\`.
`,
}
