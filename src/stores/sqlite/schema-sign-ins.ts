/** The step by which browsers that were let in are known to all processes. */
export const SIGN_INS = `
  CREATE TABLE sign_ins (
    number INTEGER PRIMARY KEY,
    -- Of what the cookie holds, which nobody keeps.
    sha256 TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    -- NULL where it did not come by one.
    token TEXT,
    -- JSON: a list of words. NULL where a token or a name says it.
    scopes TEXT,
    basis TEXT NOT NULL,
    began TEXT UNIQUE,
    expires_at TEXT NOT NULL
  ) STRICT;
  CREATE INDEX sign_ins_name ON sign_ins(name, number);
  CREATE INDEX sign_ins_expires ON sign_ins(expires_at);

  -- What all processes know together, and nobody else.
  CREATE TABLE keys (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  `
