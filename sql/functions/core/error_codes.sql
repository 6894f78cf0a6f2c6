-- Every code that a refusal may carry, by whoever refuses: the database, the daemon, the command
-- line. `make contract` writes them to contract/errors.json, `make docs` to the reference.
insert into striatumd.error_codes (code, exit_code, http_status, is_retryable, explanation) values
  ('bundle_differs', 9, 409, false,
   'An owner bundle that the database has on record is not the one in this program.'),
  ('busy', 75, 503, true,
   'Something needed was locked by somebody else for too long.'),
  ('daemon_serving', 4, 409, false,
   'A daemon serves from the database, and what was asked needs it to stand still.'),
  ('database_ahead', 9, 409, false,
   'The database holds owner bundles that this program does not know.'),
  ('database_unsuitable', 78, 409, false,
   'The database is too old, or not in UTF-8, or has a name that striatum cannot use.'),
  ('internal_error', 1, 500, false,
   'Something failed that should not; the log says what.'),
  ('owner_rights_missing', 13, 403, false,
   'Something that only a superuser can set up is missing, and this login is none.'),
  ('preamble_unmet', 78, 409, false,
   'Something that must hold around the schema could not be set up.'),
  ('usage_invalid', 2, 400, false,
   'The command line cannot be understood.');
