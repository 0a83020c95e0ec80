PRAGMA user_version = 1;
CREATE TABLE collections (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    root TEXT NOT NULL,
    patterns TEXT NOT NULL,
    exclude TEXT NOT NULL,
    paused INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL,
    indexed_at TEXT
  ) STRICT;
CREATE TABLE documents (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    collection_id INTEGER NOT NULL REFERENCES collections(id),
    path TEXT NOT NULL,
    hash BLOB NOT NULL,
    title TEXT NOT NULL,
    format TEXT NOT NULL,
    size INTEGER NOT NULL,
    mtime TEXT NOT NULL,
    ctime TEXT NOT NULL,
    modified_at TEXT NOT NULL,
    metadata TEXT NOT NULL,
    UNIQUE (collection_id, path)
  ) STRICT;
CREATE TABLE skipped (
    collection_id INTEGER NOT NULL REFERENCES collections(id) ON DELETE CASCADE,
    path TEXT NOT NULL,
    size INTEGER NOT NULL,
    mtime TEXT NOT NULL,
    ctime TEXT NOT NULL,
    why TEXT NOT NULL,
    detail TEXT NOT NULL,
    PRIMARY KEY (collection_id, path)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE texts (
    document_id INTEGER PRIMARY KEY REFERENCES documents(id) ON DELETE CASCADE,
    deflated BLOB NOT NULL
  ) STRICT;
CREATE TABLE path_contexts (
    collection TEXT NOT NULL DEFAULT '',
    path_prefix TEXT NOT NULL,
    context TEXT NOT NULL CHECK (trim(context) <> ''),
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    PRIMARY KEY (collection, path_prefix)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE segments (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- 0 while it is being written.
    active INTEGER NOT NULL DEFAULT 0,
    docs INTEGER NOT NULL DEFAULT 0,
    ids BLOB,
    body_lengths BLOB,
    title_lengths BLOB,
    live_docs INTEGER NOT NULL DEFAULT 0,
    live_body INTEGER NOT NULL DEFAULT 0,
    live_title INTEGER NOT NULL DEFAULT 0,
    dead BLOB
  ) STRICT;
CREATE TABLE postings (
    segment INTEGER NOT NULL,
    term TEXT NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (segment, term)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE leases (
    name TEXT PRIMARY KEY,
    holder TEXT NOT NULL,
    -- Milliseconds since 1970.
    expires INTEGER NOT NULL
  ) STRICT;
INSERT INTO collections VALUES (1, 'docs', '/home/ada/docs', '[]', '[]', 0, '2026-11-28T04:17:02.200Z', '2026-11-28T04:17:02.797Z');
INSERT INTO documents VALUES (1, 1, 'boats.md', X'C1886A8667EAC88D4E9A10FD8783ABBA6FBB39588789B95DA09E958BB8DF331E', 'Boats', 'markdown', 30, '1795839421696872997', '1795839421696872997', '2026-11-28T04:17:01.696Z', '{}');
INSERT INTO documents VALUES (2, 1, 'lions.md', X'665E31EF798C31257A8A947509D0CFD8D87D2EDCDC656B9AD3298F8AEB638AF7', 'Lions', 'markdown', 33, '1795839421696872997', '1795839421696872997', '2026-11-28T04:17:01.696Z', '{}');
INSERT INTO texts VALUES (1, X'535670CA4F2C29E6E2F228CDC951C8482C5648CB2F2D52480209EA710100');
INSERT INTO texts VALUES (2, X'5356F0C9CCCF2BE6E27254C8C9CCCF53C84B2C2856C8CC5328C94855282ECDD3E30200');
INSERT INTO path_contexts VALUES ('docs', '/', 'Facts', '2026-11-28T04:17:03.050Z', '2026-11-28T04:17:03.050Z');
INSERT INTO segments VALUES (1, 1, 2, X'0100000002000000', X'0500000007000000', X'0300000003000000', 2, 12, 6, NULL);
INSERT INTO postings VALUES (1, 'a', X'010200');
INSERT INTO postings VALUES (1, 'boat', X'010102010102');
INSERT INTO postings VALUES (1, 'four', X'010000');
INSERT INTO postings VALUES (1, 'ha', X'010000');
INSERT INTO postings VALUES (1, 'hull', X'010000');
INSERT INTO postings VALUES (1, 'in', X'010200');
INSERT INTO postings VALUES (1, 'lion', X'010302010302');
INSERT INTO postings VALUES (1, 'md', X'00020002');
INSERT INTO postings VALUES (1, 'nap', X'010200');
INSERT INTO postings VALUES (1, 'sun', X'010200');
INSERT INTO postings VALUES (1, 'the', X'010200');
CREATE INDEX documents_hash ON documents(hash);
