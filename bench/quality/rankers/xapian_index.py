"""An index of Xapian in memory, asked over lines of JSON: documents, then a line `null`, then queries; a line for each answer."""

import json
import sys

import xapian

db = xapian.WritableDatabase("", xapian.DB_BACKEND_INMEMORY)
generator = xapian.TermGenerator()
generator.set_stemmer(xapian.Stem("english"))
generator.set_flags(xapian.TermGenerator.FLAG_CJK_NGRAM)

ids = []
for line in sys.stdin:
    row = json.loads(line)
    if row is None:
        break
    document = xapian.Document()
    generator.set_document(document)
    generator.index_text(row["title"])
    generator.increase_termpos()
    generator.index_text(row["text"])
    db.add_document(document)
    ids.append(row["id"])

parser = xapian.QueryParser()
parser.set_stemmer(xapian.Stem("english"))
parser.set_stemming_strategy(xapian.QueryParser.STEM_SOME)
enquire = xapian.Enquire(db)


def query_of(text):
    """Without flags nothing in a query is syntax: its words are joined by OR. Where it cannot be read, its parts are."""
    try:
        return parser.parse_query(text, xapian.QueryParser.FLAG_CJK_NGRAM)
    except xapian.QueryParserError:
        half = len(text) // 2
        if half == 0:
            return xapian.Query()
        return xapian.Query(xapian.Query.OP_OR, query_of(text[:half]), query_of(text[half:]))


print(len(ids), flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    enquire.set_query(query_of(asked["query"]))
    found = enquire.get_mset(0, asked["most"])
    print(json.dumps([ids[match.docid - 1] for match in found]), flush=True)
