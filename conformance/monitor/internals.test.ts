import { expect, test } from "vitest";
import { internalsIn } from "./internals.ts";

test.each([
  ["SQL", 'update \\"users\\" set \\"name\\" = $1'],
  ["SQL", 'select "id" from "users"'],
  ["SQL", 'insert into "users" values ($1)'],
  ["SQL", 'relation: where \\"users\\".\\"id\\" = $1'],
  ["SQL", "from `users` where"],
  ["an error of a database", '"code":"SQLITE_BUSY"'],
  ["a host name or address", '"code":"ECONNREFUSED"'],
  ["an exception", '"type":"TypeError"'],
  ["a host name or address", '"message":"no answer of db.internal"'],
])("%s is found in %s", (name, text) => {
  expect(internalsIn(text)).toContain(name);
});

test.each([
  'We could not update "auto top-up". Try later.',
  'Try again from "Billing" later.',
  'That is where "it" went wrong.',
  '"type":"errors.internal"',
  '"request_id":"req_db.internal"',
])("nothing is found in %s", (text) => {
  expect(internalsIn(text)).toEqual([]);
});
