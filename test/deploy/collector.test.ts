import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { at, fields, INSTANCE, list, read, texts } from './files.ts'

describe('the collector', () => {
  it('reads what the server counts, and every part of its pipelines is there', () => {
    const file = parse(read('collector.yaml'))
    const [scrape] = list(at(file, 'receivers', 'prometheus', 'config', 'scrape_configs'))
    expect(at(scrape, 'metrics_path')).toBe('/metrics')
    expect(at(scrape, 'static_configs', 0, 'targets')).toEqual(['127.0.0.1:7377'])
    expect(at(scrape, 'static_configs', 0, 'labels', 'instance')).toBe(`\${env:${INSTANCE}}`)
    for (const pipeline of Object.values(fields(at(file, 'service', 'pipelines')))) {
      for (const part of ['receivers', 'processors', 'exporters']) {
        for (const name of texts(at(pipeline, part))) expect(fields(at(file, part))).toHaveProperty(name)
      }
    }
  })
})
