#!/usr/bin/env node
// Stands for the programs of the benchmarks: reads what they read, asks a judge what they ask one for, writes what they write.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const args = process.argv.slice(2).filter((one) => one !== '-u')
const name = args[0] === '-m' ? args[1] : args[0]
const given = (flag) => args[args.indexOf(flag) + 1]
const lines = (path) =>
  readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
const write = (path, text) => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
const jsonLines = (values) => values.map((value) => `${JSON.stringify(value)}\n`).join('')
const judged = async (model, asked) => {
  const response = await fetch(process.env.SCRIPTED_JUDGE, {
    method: 'POST',
    body: JSON.stringify({ model, ...asked }),
  })
  return response.json()
}
const modelIn = (variable) => new RegExp(`^${variable} = "([^"]+)"`, 'm').exec(readFileSync('utils/api.py', 'utf8'))[1]
const links = (article) => [...article.matchAll(/\[[^\]]+\]\((https?:[^)]+)\)/g)].map(([, url]) => url)

const PROGRAMS = {
  'deepresearch_bench_race.py': async () => {
    const target = args[1]
    const articles = new Map(lines(join(given('--raw_data_dir'), `${target}.jsonl`)).map((one) => [one.prompt, one]))
    const criteria = new Map(lines('data/criteria_data/criteria.jsonl').map((one) => [one.prompt, one]))
    const references = new Map(lines('data/test_data/cleaned_data/reference.jsonl').map((one) => [one.prompt, one]))
    const scores = []
    for (const { prompt } of lines(given('--query_file')).slice(0, Number(given('--limit')))) {
      const asked = {
        article: articles.get(prompt).article,
        reference: references.get(prompt).article,
        ...criteria.get(prompt),
      }
      const { mine, other } = await judged(modelIn('Model'), asked)
      scores.push(mine / (mine + other))
    }
    const mean = scores.reduce((sum, one) => sum + one, 0) / scores.length
    write(
      join(given('--output_dir'), 'race_result.txt'),
      `Comprehensiveness: ${mean.toFixed(4)}\nOverall Score: ${mean.toFixed(4)}\n`,
    )
  },
  'utils.extract': async () => {
    const known = new Set(lines(given('--query_data_path')).map(({ id }) => id))
    const all = lines(given('--raw_data_path')).filter(({ id }) => known.has(id))
    write(
      given('--output_path'),
      jsonLines(all.map((one) => ({ ...one, citations: links(one.article).map((url) => ({ fact: 'A fact.', url })) }))),
    )
  },
  'utils.deduplicate': async () => {
    const all = lines(given('--raw_data_path'))
    const unique = ({ citations }) => Object.fromEntries(citations.map(({ fact, url }) => [url, { facts: [fact] }]))
    write(given('--output_path'), jsonLines(all.map((one) => ({ ...one, citations_deduped: unique(one) }))))
  },
  'utils.scrape': async () => {
    const all = lines(given('--raw_data_path'))
    for (const { citations_deduped } of all)
      for (const [url, one] of Object.entries(citations_deduped)) one.url_content = await (await fetch(url)).text()
    write(given('--output_path'), jsonLines(all))
  },
  'utils.validate': async () => {
    const all = lines(given('--raw_data_path'))
    for (const { citations_deduped } of all)
      for (const one of Object.values(citations_deduped)) one.validate_res = await judged(modelIn('FACT_Model'), one)
    write(given('--output_path'), jsonLines(all))
  },
  'utils.stat': async () => {
    const results = lines(given('--input_path')).flatMap((one) =>
      Object.values(one.citations_deduped).map((each) => each.validate_res.result),
    )
    const valid = results.filter((one) => one === 'supported').length
    write(
      given('--output_path'),
      `total_citations: ${results.length}\ntotal_valid_citations: ${valid}\nvalid_rate: ${valid / results.length}\n`,
    )
  },
  'scripts_evaluation/evaluate_with_openai.py': async () => {
    const truth = new Map(lines(given('--ground_truth')).map((one) => [String(one.query_id), one]))
    const wanted = readFileSync('topics-qrels/qrel_evidence.txt', 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split(' '))
    const runs = readdirSync(given('--input_dir')).map((file) =>
      JSON.parse(readFileSync(join(given('--input_dir'), file), 'utf8')),
    )
    const [correct, recalls] = [[], []]
    for (const { query_id, status, result, retrieved_docids } of runs) {
      if (status !== 'completed' || result.at(-1).type !== 'output_text') throw new Error('It is not completed.')
      correct.push(
        (await judged(given('--model'), { response: result.at(-1).output, answer: truth.get(query_id).answer }))
          .correct,
      )
      const evidence = wanted.filter(([id]) => id === query_id).map(([, , document]) => document)
      recalls.push(evidence.filter((one) => retrieved_docids.includes(one)).length / evidence.length)
    }
    const percent = (values) => (100 * values.reduce((sum, one) => sum + Number(one), 0)) / values.length
    const summary = {
      LLM: 'ambit',
      'Accuracy (%)': percent(correct),
      'Recall (%)': percent(recalls),
      'Calibration Error (%)': null,
    }
    write(join(given('--eval_dir'), 'ambit', 'evaluation_summary.json'), JSON.stringify(summary))
  },
  'eval.main': async () => {
    const folder = given('--input_folder')
    const scores = []
    for (const id of readdirSync(folder)) {
      const [file] = readdirSync(join(folder, id)).filter((one) => one.endsWith('.md'))
      const article = readFileSync(join(folder, id, file), 'utf8')
      scores.push((await judged(given('--model_name'), { article, links: links(article) })).score)
    }
    const mean = scores.reduce((sum, one) => sum + one, 0) / scores.length
    write(
      join(given('--output_folder'), 'results.csv'),
      `baseline_name,organization,nugget_coverage\nopenai_deepresearch,${mean},\n`,
    )
  },
}

await PROGRAMS[name]()
