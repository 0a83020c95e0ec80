import { describe, expect, it } from 'vitest'
import { AnchorLookup, anchorsIn } from '../../src/drift/citations/anchors.ts'

describe('the anchors of a text', () => {
  it.each<[what: string, text: string, expected: string[]]>([
    ['a heading', '# First steps', ['first-steps']],
    ['a heading with closing marks', '## First ##', ['first']],
    ['an underlined heading', 'First\nsteps\n===\n\nNext\n---\n', ['first-steps', 'next']],
    ['punctuation', "# What's new, in v1.2?", ['whats-new-in-v12']],
    ['spaces around what is left out', '# A & B', ['a--b']],
    ['letters of other scripts', '# Größe 大きさ', ['größe-大きさ']],
    ['an emoji', '# 🚀 Start', ['-start']],
    ['an underscore', '# snake_case', ['snake_case']],
    ['emphasis', '# **Bold** and _italic_', ['bold-and-_italic_', 'bold-and-italic']],
    ['code', '# The `<b>` tag of `a.b`', ['the-b-tag-of-ab']],
    ['a link', '# See [the guide](docs/guide.md) [and][1]', ['see-the-guide-and']],
    ['an image', '# ![logo](a.png) Name', ['name']],
    ['a tag', '# A <em>word</em>', ['a-word']],
    ['the same heading again', '# A\n# A\n# A', ['a', 'a-1', 'a-2']],
    ['a heading in a quote and in a list', '> # A\n\n- # B', ['a']],
    ['a heading in HTML', '<h1 align="center">\n  My name\n</h1>', ['my-name']],
    ['a named place', '<a name="Here"></a> <div id=there>', ['here', 'there']],
    ['a name of its own', '# A {#custom}', ['custom', 'a']],
    ['nothing in code', '```\n# A\n```', []],
    ['nothing in a comment', '<!--\n# A\n-->', []],
    ['nothing in front matter', '---\n# a: b\n---\n# C', ['c']],
    ['nothing of a number sign in a word', '#A', []],
    ['nothing of a table', '| a |\n| --- |\n| b |', []],
  ])('are those of %s', (_, text, expected) => {
    expect([...anchorsIn(text)]).toEqual(expected)
  })

  it.each(['', 'top', 'TOP', 'L10', 'L10-L20', 'l3', 'user-content-a', 'A', '/route', 'a=b', ':~:text=a'])(
    'are not asked for %j',
    (anchor) => {
      expect(new AnchorLookup().has('# A', anchor)).toBe(true)
    },
  )
})
