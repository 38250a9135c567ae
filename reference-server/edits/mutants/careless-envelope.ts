import type { Mutant } from "../edit.ts";
import { isRefusal, parsed, type Wire, withBody } from "../wire.ts";
import { wireMutant } from "./mutant.ts";

/** Puts another message, or further members, into the error of a failure of the server. */
const failing =
  (error: Readonly<Record<string, string>>): Wire =>
  (serve) =>
  async (request) => {
    const answer = await serve(request);
    if (!isRefusal(answer, "InternalError")) return answer;
    const body = Object(parsed(answer.bytes));
    return withBody(answer, { ...body, error: { ...body.error, ...error } });
  };

/** What the failures of servers that tell too much say, by what they are written in. */
const told: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  javascript: { message: "Cannot read properties of undefined (reading 'id')" },
  java: { message: "java.lang.NullPointerException" },
  go: { message: "runtime error: invalid memory address or nil pointer dereference" },
  python: { message: "'NoneType' object has no attribute 'id'" },
  sqlite: { message: "UNIQUE constraint failed: api_keys.secret_hash" },
  busy: { message: "SQLITE_BUSY: database is locked" },
  postgres: { message: 'relation "api_keys" does not exist' },
  socket: { message: "connect ETIMEDOUT redis-master:6379" },
  class: { exception: "SqliteError" },
};

/** Servers whose envelope is wrong where few look. */
export const carelessEnvelopeMutants: readonly Mutant[] = [
  ...Object.entries(told).map(([name, error]) =>
    wireMutant("ENV-33", name, `says of a failure: ${Object.values(error).join()}`, failing(error)),
  ),
];
