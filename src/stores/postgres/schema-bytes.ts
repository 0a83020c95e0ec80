/** The step by which bytes may be in objects beside the database. Those that there are stay where they are. */
export const BYTES = `
  -- Of the object that they are in; NULL where they are in "data", which is else empty.
  ALTER TABLE ambit.research_bytes ADD COLUMN key text COLLATE "C";
  CREATE UNIQUE INDEX research_bytes_key ON ambit.research_bytes(key) WHERE key IS NOT NULL;

  -- Objects that are to be taken away: whatever statement took their row tells them.
  CREATE TABLE ambit.research_gone (
    key text COLLATE "C" PRIMARY KEY
  );
  CREATE FUNCTION ambit.object_gone() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO ambit.research_gone (key) VALUES (old.key) ON CONFLICT DO NOTHING;
    RETURN NULL;
  END $$;
  CREATE TRIGGER bytes_deleted AFTER DELETE OR UPDATE OF key ON ambit.research_bytes
    FOR EACH ROW WHEN (old.key IS NOT NULL) EXECUTE FUNCTION ambit.object_gone();

  -- Tells what this database keeps beside itself from what others keep in the same place.
  CREATE TABLE ambit.identity (
    id text COLLATE "C" PRIMARY KEY
  );
  INSERT INTO ambit.identity (id) VALUES (replace(gen_random_uuid()::text, '-', ''));
  `
