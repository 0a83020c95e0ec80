/** The step by which an answer may be stopped, and a call of it approved, from any process. */
export const ANSWERS = `
  -- What was said to whoever gives an answer, until it is heard. There may be no such conversation yet.
  CREATE TABLE answer_words (
    number INTEGER PRIMARY KEY,
    owner TEXT NOT NULL,
    conversation TEXT NOT NULL,
    -- Whom it is said to: what is said of one answer is not heard by the next.
    giver TEXT NOT NULL,
    word TEXT NOT NULL
  ) STRICT;
  CREATE INDEX answer_words_of ON answer_words(owner, conversation, number);
  `
