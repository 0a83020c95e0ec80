/** @module-tag long */

import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { ROOT } from '../source-files.ts'
import { inBrowser } from './in-browser.ts'
import { launch, named } from './support.ts'

inBrowser(named('the documentation, opened from disk'), () => {
  const out = mkdtempSync(join(tmpdir(), 'ambit-site-'))
  const { version } = packageJson
  let browser: Browser
  beforeAll(async () => {
    const build = () => execFileSync(process.execPath, [join(ROOT, 'scripts/write-site.ts'), out])
    build()
    cpSync(join(out, version), join(out, '0.0.1'), { recursive: true })
    build()
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    rmSync(out, { recursive: true })
  })

  it('leads to the newest version, searches, and goes to a result and to another version', async () => {
    const page = await browser.newPage()
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(error.message))
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
    await page.goto(pathToFileURL(join(out, 'index.html')).href)
    await page.waitForURL(`**/${version}/index.html`)
    await page.getByLabel('Search the documentation').fill('resume a stopped research')
    await page.locator('#results a').first().click()
    await page.waitForURL(/guides\/research\.html/)
    expect(await page.getByLabel('Version').locator('option').allTextContents()).toEqual([version, '0.0.1'])
    await page.getByLabel('Version').selectOption('0.0.1')
    await page.waitForURL(/0\.0\.1\/index\.html$/)
    expect(errors).toEqual([])
  })
})
