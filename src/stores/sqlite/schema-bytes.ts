/** An object that nobody has any more is told, by whatever statement it lost its row. As SQLite keeps them: see `TRIGGERS`. */
export const BYTES_TRIGGERS: readonly string[] = [
  'CREATE TRIGGER bytes_deleted AFTER DELETE ON research_bytes WHEN old.key IS NOT NULL BEGIN INSERT OR IGNORE INTO research_gone (key) VALUES (old.key); END',
  'CREATE TRIGGER bytes_moved AFTER UPDATE OF key ON research_bytes WHEN old.key IS NOT NULL BEGIN INSERT OR IGNORE INTO research_gone (key) VALUES (old.key); END',
]

/** The step by which bytes may be in objects beside the database. Those that there are stay where they are. */
export const BYTES = [
  `
  -- Of the object that they are in; NULL where they are in "data", which is else empty.
  ALTER TABLE research_bytes ADD COLUMN key TEXT;
  CREATE UNIQUE INDEX research_bytes_key ON research_bytes(key) WHERE key IS NOT NULL;

  -- Objects that are to be taken away.
  CREATE TABLE research_gone (
    key TEXT PRIMARY KEY
  ) STRICT, WITHOUT ROWID;

  -- Tells what this database keeps beside itself from what others keep in the same place.
  CREATE TABLE identity (
    id TEXT PRIMARY KEY
  ) STRICT, WITHOUT ROWID;
  INSERT INTO identity (id) VALUES (lower(hex(randomblob(16))))`,
  ...BYTES_TRIGGERS,
].join(';\n')
