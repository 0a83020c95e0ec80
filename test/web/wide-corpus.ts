import type { Corpus } from './support.ts'

const WORD = 'AbstractSingletonProxyFactoryBeanConfigurationRegistryInitializerForDistributedTransactions'
const URL_LONG = `https://example.org/${'a-path-that-goes-on/'.repeat(8)}?q=${'0123456789'.repeat(12)}`
const CJK = '上下文引擎根据位置任务和令牌预算选择适用的内容并说明理由'.repeat(6)
const CODE = `export const ${WORD} = (${Array.from({ length: 12 }, (_, at) => `parameter${at}: ReadonlyMap<string, ${WORD}>`).join(', ')}) => null`
const PATH = `src/${WORD}/${'nested-folder/'.repeat(4)}${WORD.toLowerCase()}.controller.spec.ts`
const LONG_NAME = `${'a name that is longer than any column of a page could hold '.repeat(3).trim()}.md`
const DEEP = `${'a-folder-with-a-name-of-some-length/'.repeat(5)}${WORD}.md`

/** Markdown in which everything is wider than any column. */
export const WIDE_TEXT = `# ${WORD} and what is longer than a line of a page of this width can be expected to hold

${CJK}

See ${URL_LONG} and [a link whose words are ${WORD}](${URL_LONG}), \`${PATH}\`, **${WORD}** and ${WORD}.

## ${CJK.slice(0, 80)}

\`\`\`ts
${CODE}
\`\`\`

> ${WORD} ${URL_LONG}

| ${WORD} | second column | ${CJK.slice(0, 40)} |
| --- | --- | --- |
| ${PATH} | ${URL_LONG} | ${CJK} |

- [x] ${PATH}
- [ ] ${CJK}
  1. ${URL_LONG}

    ${CODE}

![${WORD}](${URL_LONG})

What ${WORD} costs: 400 EUR a month in ${PATH}.
`

export const WIDE_QUESTION = `What does ${WORD} cost in ${PATH}, and why ${CJK.slice(0, 60)}?`

const CSV = `${WORD},b,${CJK.slice(0, 50)}\n${Array.from({ length: 30 }, (_, at) => `${PATH},${at},"${URL_LONG}"`).join('\n')}\n`

const NOTEBOOK = JSON.stringify({
  metadata: { language_info: { name: 'typescript' } },
  cells: [
    { cell_type: 'markdown', source: `# ${WORD}\n\n${CJK} ${URL_LONG}\n\n$$\n${'x + '.repeat(80)}x\n$$` },
    {
      cell_type: 'code',
      execution_count: 1,
      source: CODE,
      outputs: [
        { output_type: 'stream', text: `${URL_LONG} ${CJK}` },
        { output_type: 'error', ename: WORD, evalue: PATH, traceback: [] },
        { output_type: 'display_data', data: { 'application/json': { [WORD]: URL_LONG } } },
        {
          output_type: 'display_data',
          data: { 'text/html': `<table><tr><th>${WORD}</th></tr><tr><td>${URL_LONG}</td></tr></table>` },
        },
      ],
    },
  ],
})

/** What a team might have that names things as they come. */
export const WIDE: Corpus = {
  files: {
    'wide/README.md': WIDE_TEXT,
    [`wide/${LONG_NAME}`]: WIDE_TEXT,
    [`wide/${DEEP}`]: WIDE_TEXT,
    [`wide/${CJK.slice(0, 60)}.md`]: `# ${CJK}\n\n${CJK}\n`,
    'wide/code.ts': `${CODE}\n// ${URL_LONG}\n// ${CJK}\n`,
    'wide/table.csv': CSV,
    'wide/tree.json': JSON.stringify({ [WORD]: { [PATH]: URL_LONG, list: [CJK, { [CJK]: PATH }] } }),
    'wide/tree.yaml': `${WORD}:\n  - ${URL_LONG}\n  - ${CJK}\n`,
    'wide/wrong.json': `{"${WORD}": ${URL_LONG}`,
    'wide/ragged.csv': `${WORD},b\n${PATH}\n${URL_LONG},2,${CJK}\n`,
    'wide/bytes.bin': Buffer.from([0, ...Array.from({ length: 200 }, (_, at) => at)]),
    'wide/cells.ipynb': NOTEBOOK,
    'wide/plain.txt': `${CODE}\n${CJK}\n`,
    'a-collection-whose-name-goes-on-and-on-until-nobody-can-read-it/one.md': '# One\n',
    'AGENTS.md': `# ${WORD}\n\n${CJK}\n\nRead \`${PATH}\` and ${URL_LONG} first.\n`,
  },
  collections: {
    wide: 'wide',
    'a-collection-whose-name-goes-on-and-on-until-nobody-can-read-it':
      'a-collection-whose-name-goes-on-and-on-until-nobody-can-read-it',
  },
  contexts: {
    '/': `${WORD} ${URL_LONG}`,
    wide: `${CJK} ${PATH}`,
    [`wide/${DEEP.split('/')[0]}`]: CODE,
  },
}

export const WIDE_PLACES = { long: LONG_NAME, deep: DEEP }
