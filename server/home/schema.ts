/** A server that meets another form refuses it. */
export const SCHEMA_VERSION = 3;

/*
 * Items are bytes, so that they can be sealed without being parsed. Numbers of runs are never used
 * again: rows of a removed run are deleted a part at a time.
 */
export const SCHEMA = `
  CREATE TABLE run (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    started_at_ms INTEGER NOT NULL,
    owner TEXT,
    facts TEXT NOT NULL,
    life TEXT NOT NULL,
    tally TEXT NOT NULL
  ) STRICT;
  CREATE TABLE run_item (
    run INTEGER NOT NULL,
    position INTEGER NOT NULL,
    start INTEGER NOT NULL,
    size INTEGER NOT NULL,
    line BLOB NOT NULL,
    PRIMARY KEY (run, position)
  ) STRICT;
  CREATE TABLE run_state (
    run INTEGER NOT NULL,
    key BLOB NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (run, key)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE run_log (
    run INTEGER NOT NULL,
    position INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL,
    line TEXT NOT NULL
  ) STRICT;
  CREATE INDEX run_log_of ON run_log (run, position);
  CREATE TABLE pause (
    id TEXT PRIMARY KEY,
    state TEXT NOT NULL,
    expires_at_ms REAL NOT NULL,
    facts TEXT NOT NULL
  ) STRICT;
  CREATE TABLE output (
    handle TEXT PRIMARY KEY,
    file TEXT NOT NULL,
    disk_bytes INTEGER NOT NULL,
    created_at_ms INTEGER NOT NULL,
    expires_at_ms INTEGER NOT NULL,
    boot TEXT NOT NULL,
    monotonic_ms INTEGER NOT NULL,
    kept_by TEXT,
    kept_since_ms INTEGER,
    note TEXT,
    deleted_at_ms INTEGER,
    sum INTEGER NOT NULL,
    meta TEXT NOT NULL
  ) STRICT;
  CREATE TABLE kept_call (
    call_id TEXT PRIMARY KEY,
    server TEXT NOT NULL,
    pid INTEGER NOT NULL,
    start_time TEXT NOT NULL,
    is_left INTEGER NOT NULL DEFAULT 0,
    record TEXT NOT NULL
  ) STRICT;
  CREATE TABLE journal (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    at_ms INTEGER NOT NULL,
    line TEXT NOT NULL
  ) STRICT`;
