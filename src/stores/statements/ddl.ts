/**
 * The tables of a store, declared once for both databases. A word in braces stands for SQL that differs between them, as in
 * `statement.ts`: `{number}` has 64 bits, `{small}` 32; `{counter}` never gives a number twice; `{packed}` is bytes that are not
 * compressed again.
 */
export const DDL = `
CREATE TABLE ambit.collections (
  id {rowid}, name {text} NOT NULL UNIQUE, root {text} NOT NULL,
  patterns {text} NOT NULL, exclude {text} NOT NULL, paused {small} NOT NULL DEFAULT 0,
  created_at {text} NOT NULL, indexed_at {text}, substrings {small} NOT NULL DEFAULT 0,
  documents {number} NOT NULL DEFAULT 0, bytes {number} NOT NULL DEFAULT 0,
  -- JSON: endpoint, region, profile and the like; without a secret.
  access {text} NOT NULL DEFAULT '{}'
) {strict};

-- An id is never reused, so an old search result cannot lead to another document.
CREATE TABLE ambit.documents (
  id {counter32}, collection_id {number} NOT NULL, path {text} NOT NULL,
  hash {bytes} NOT NULL, title {text} NOT NULL, format {text} NOT NULL,
  size {number} NOT NULL, mtime {text} NOT NULL, ctime {text} NOT NULL,
  modified_at {text} NOT NULL, metadata {text} NOT NULL, substrings {small} NOT NULL DEFAULT 0,
  UNIQUE (collection_id, path),
  FOREIGN KEY (collection_id) REFERENCES ambit.collections(id)
) {strict};
CREATE INDEX documents_hash ON ambit.documents(hash);

-- Files that are not documents. They are read again only when they change.
CREATE TABLE ambit.skipped (
  collection_id {number} NOT NULL, path {text} NOT NULL,
  size {number} NOT NULL, mtime {text} NOT NULL, ctime {text} NOT NULL,
  why {text} NOT NULL, detail {text} NOT NULL,
  PRIMARY KEY (collection_id, path),
  FOREIGN KEY (collection_id) REFERENCES ambit.collections(id) ON DELETE CASCADE
) {tree};

-- A separate table, so that a scan of the documents does not read their texts.
CREATE TABLE ambit.texts (
  document_id {number} PRIMARY KEY, deflated {packed} NOT NULL,
  FOREIGN KEY (document_id) REFERENCES ambit.documents(id) ON DELETE CASCADE
) {strict};

-- collection: '' for a context that applies everywhere, because a key cannot contain NULL.
CREATE TABLE ambit.path_contexts (
  collection {text} NOT NULL DEFAULT '', path_prefix {text} NOT NULL,
  context {text} NOT NULL CHECK (trim(context) <> ''),
  created_at {text} NOT NULL, updated_at {text} NOT NULL,
  PRIMARY KEY (collection, path_prefix)
) {tree};

CREATE TABLE ambit.segments (
  id {counter},
  -- 0 while a process writes it; the process is the holder, as in leases.
  active {small} NOT NULL DEFAULT 0,
  docs {number} NOT NULL DEFAULT 0, ids {packed}, body_lengths {packed}, title_lengths {packed},
  live_docs {number} NOT NULL DEFAULT 0, live_body {number} NOT NULL DEFAULT 0, live_title {number} NOT NULL DEFAULT 0,
  dead {packed}, holder {text}
) {strict};

CREATE TABLE ambit.postings (
  segment {number} NOT NULL, term {text} NOT NULL, data {packed} NOT NULL,
  PRIMARY KEY (segment, term)
) {tree};

-- expires: milliseconds since 1970, by the clock of the database.
CREATE TABLE ambit.leases (
  name {text} PRIMARY KEY, holder {text} NOT NULL, expires {number} NOT NULL
) {strict};

-- How often each part changed. In PostgreSQL, parts that many processes write at once have several rows.
CREATE TABLE ambit.changes (
  what {text} PRIMARY KEY, count {number} NOT NULL
) {tree};

-- A model with its settings. Vectors of different models are not comparable. centre: 32 bits for each dimension.
CREATE TABLE ambit.vector_models (
  id {rowid}, fingerprint {text} NOT NULL UNIQUE, centre {bytes} NOT NULL
) {strict};

-- Contents whose chunks all have vectors. Includes contents without chunks.
CREATE TABLE ambit.vector_contents (
  model_id {number} NOT NULL, hash {bytes} NOT NULL,
  PRIMARY KEY (model_id, hash),
  FOREIGN KEY (model_id) REFERENCES ambit.vector_models(id) ON DELETE CASCADE
) {tree};

CREATE TABLE ambit.vectors (
  id {counter32}, model_id {number} NOT NULL, hash {bytes} NOT NULL,
  first_line {number} NOT NULL, last_line {number} NOT NULL, bits {packed} NOT NULL,
  FOREIGN KEY (model_id, hash) REFERENCES ambit.vector_contents(model_id, hash) ON DELETE CASCADE
) {strict};
CREATE INDEX vectors_content ON ambit.vectors(model_id, hash);

-- A separate table, so that a scan of all bits does not read the bytes.
CREATE TABLE ambit.vector_bytes (
  vector_id {number} PRIMARY KEY, scale {real} NOT NULL, data {packed} NOT NULL,
  FOREIGN KEY (vector_id) REFERENCES ambit.vectors(id) ON DELETE CASCADE
) {strict};

-- owner: '' for the local owner. Clients choose the ids, so two owners may have the same id.
CREATE TABLE ambit.conversations (
  number {rowid}, owner {text} NOT NULL DEFAULT '', id {text} NOT NULL,
  title {text} NOT NULL, place {text} NOT NULL, model {text} NOT NULL,
  created_at {text} NOT NULL, updated_at {text} NOT NULL,
  UNIQUE (owner, id)
) {strict};
CREATE INDEX conversations_updated ON ambit.conversations(owner, updated_at, id);

-- A question and its answer. shown: the answer as people see it. messages: to and from the model. Both are JSON, as is state.
CREATE TABLE ambit.exchanges (
  number {rowid}, conversation {number} NOT NULL, at {number} NOT NULL,
  id {text} NOT NULL, question {text} NOT NULL, place {text} NOT NULL, model {text} NOT NULL,
  asked_at {text} NOT NULL, ended {text}, shown {text} NOT NULL, messages {text} NOT NULL,
  whole {small} NOT NULL, state {text} NOT NULL,
  UNIQUE (conversation, at),
  FOREIGN KEY (conversation) REFERENCES ambit.conversations(number) ON DELETE CASCADE
) {strict};

CREATE TABLE ambit.research_sessions (
  number {counter}, owner {text} NOT NULL DEFAULT '', id {text} NOT NULL UNIQUE,
  question {text} NOT NULL, follows {text}, status {text} NOT NULL DEFAULT 'created',
  -- Counts the changes of its files.
  revision {number} NOT NULL DEFAULT 0,
  settings {text} NOT NULL,
  -- What the process that runs it should do; '' for nothing.
  wanted {text} NOT NULL DEFAULT '',
  created_at {text} NOT NULL, updated_at {text} NOT NULL
) {strict};
CREATE INDEX research_sessions_owner ON ambit.research_sessions(owner, number);

-- A row exists while a session has a file with these bytes. If key is set, the bytes are in an object, and data is empty.
CREATE TABLE ambit.research_bytes (
  sha256 {text} PRIMARY KEY, data {packed} NOT NULL, key {text}
) {strict};
CREATE UNIQUE INDEX research_bytes_key ON ambit.research_bytes(key) WHERE key IS NOT NULL;

-- Objects to delete.
CREATE TABLE ambit.research_gone (
  key {text} PRIMARY KEY
) {tree};

CREATE TABLE ambit.research_files (
  number {counter}, session {text} NOT NULL, id {text} NOT NULL,
  name {text} NOT NULL, alias {text} NOT NULL, size {number} NOT NULL, type {text} NOT NULL,
  sha256 {text} NOT NULL, revision {number} NOT NULL,
  -- 1: kept for the runs that cite it; its alias is not given again.
  removed {small} NOT NULL DEFAULT 0,
  added_at {text} NOT NULL,
  UNIQUE (session, alias),
  FOREIGN KEY (session) REFERENCES ambit.research_sessions(id) ON DELETE CASCADE
) {strict};
CREATE INDEX research_files_bytes ON ambit.research_files(sha256);

-- The log of a run. Rows never change.
CREATE TABLE ambit.research_events (
  session {text} NOT NULL, seq {number} NOT NULL, at {text} NOT NULL, data {packed} NOT NULL,
  PRIMARY KEY (session, seq),
  FOREIGN KEY (session) REFERENCES ambit.research_sessions(id) ON DELETE CASCADE
) {tree};

-- sha256: of the secret, which is not stored. scopes, collections: JSON lists of words; collections NULL for all.
CREATE TABLE ambit.tokens (
  number {rowid}, id {text} NOT NULL UNIQUE, sha256 {text} NOT NULL UNIQUE, name {text} NOT NULL,
  scopes {text} NOT NULL, collections {text},
  created_at {text} NOT NULL, expires_at {text}, used_at {text}, revoked_at {text}
) {strict};

-- Results derived from files: texts and digests. key: from the inputs of the result.
CREATE TABLE ambit.research_kept (
  key {text} PRIMARY KEY, sha256 {text} NOT NULL, data {packed} NOT NULL,
  FOREIGN KEY (sha256) REFERENCES ambit.research_bytes(sha256) ON DELETE CASCADE
) {tree};
CREATE INDEX research_kept_of ON ambit.research_kept(sha256);

-- Distinguishes the objects of databases that share a place.
CREATE TABLE ambit.identity (
  id {text} PRIMARY KEY
) {tree};

-- Browsers that are signed in. sha256: of the content of the cookie, which is not stored. token: NULL for a sign-in without one.
-- scopes: a JSON list of words; NULL where the token or the name decides. device: such as 'Firefox on Linux'; '' when unknown.
CREATE TABLE ambit.sign_ins (
  number {rowid}, sha256 {text} NOT NULL UNIQUE, name {text} NOT NULL, token {text}, scopes {text},
  basis {text} NOT NULL, began {text} UNIQUE, expires_at {text} NOT NULL, device {text} NOT NULL DEFAULT ''
) {strict};
CREATE INDEX sign_ins_name ON ambit.sign_ins(name, number);
CREATE INDEX sign_ins_expires ON ambit.sign_ins(expires_at);

-- Secrets that all processes of the store share.
CREATE TABLE ambit.keys (
  name {text} PRIMARY KEY, value {text} NOT NULL
) {tree};

-- Commands that the process that writes an answer has not read yet. The conversation may not exist yet. giver: id of the answer
-- that the command is for.
CREATE TABLE ambit.answer_words (
  number {rowid}, owner {text} NOT NULL, conversation {text} NOT NULL, giver {text} NOT NULL, word {text} NOT NULL
) {strict};
CREATE INDEX answer_words_of ON ambit.answer_words(owner, conversation, number);

-- state: queued, running, done, failed, stopped. awaited: 1 if the job may be stopped when no caller waits for it any more.
-- answer: the result as JSON, for a process that waits for the job.
CREATE TABLE ambit.index_jobs (
  collection_id {number} PRIMARY KEY, owner {text} NOT NULL, forced {small} NOT NULL, state {text} NOT NULL,
  attempts {small} NOT NULL DEFAULT 0, done {number} NOT NULL DEFAULT 0, total {number} NOT NULL DEFAULT 0,
  problem {text}, asked_at {text} NOT NULL, updated_at {text} NOT NULL,
  awaited {small} NOT NULL DEFAULT 0, answer {text},
  FOREIGN KEY (collection_id) REFERENCES ambit.collections(id) ON DELETE CASCADE
) {strict};
`
