/** Run as a program: becomes the user nobody, reads what is named, and prints the answers as JSON. Arguments: root, paths. */
import { openRoot } from '../../src/files/disk.ts'
import { becomeNobody } from '../support/nobody.ts'

becomeNobody()

const [path = '', ...names] = process.argv.slice(2)
const root = openRoot(path)
const answers = names.map((name) => {
  const [read, list] = [root.read(name), root.list(name)]
  return {
    read: read.ok ? Buffer.from(read.bytes).toString() : `${read.why}: ${read.detail}`,
    list: list.ok ? list.entries.map((entry) => entry.name).join(' ') : `${list.why}: ${list.detail}`,
  }
})
process.stdout.write(JSON.stringify(answers))
