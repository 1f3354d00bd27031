-- Splits the table of events into partitions of a million tables each, in the order of their creation. See
-- docs/scaling.md. Stop all servers, make a backup, then, as the owner of the schema:
--
--   psql -v ON_ERROR_STOP=1 -f partition-events.sql postgresql://tilery@localhost/tilery
--
-- The events that are there stay where they are, as the first partition; nothing is copied. The last partition takes
-- whatever is beyond the others: add more before it is reached. It is all or nothing.

BEGIN;
SET LOCAL search_path = tilery;
LOCK TABLE tables, events IN ACCESS EXCLUSIVE MODE;
ALTER TABLE events RENAME TO events_first;
ALTER INDEX events_pkey RENAME TO events_first_pkey;
CREATE TABLE events (
    number BIGINT NOT NULL, seq BIGINT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (number, seq)
) PARTITION BY RANGE (number);
DO $$
DECLARE
    million CONSTANT BIGINT := 1000000;
    begins BIGINT := (SELECT coalesce(max(number), 0) + 1 FROM tables);
BEGIN
    EXECUTE format('ALTER TABLE events ATTACH PARTITION events_first FOR VALUES FROM (MINVALUE) TO (%s)', begins);
    FOR each IN 1..8 LOOP
        EXECUTE format(
            'CREATE TABLE events_from_%1$s PARTITION OF events FOR VALUES FROM (%1$s) TO (%2$s)', begins, begins + million
        );
        begins := begins + million;
    END LOOP;
    EXECUTE format('CREATE TABLE events_beyond PARTITION OF events FOR VALUES FROM (%s) TO (MAXVALUE)', begins);
END
$$;
COMMIT;
