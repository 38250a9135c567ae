import type { Method, Operation } from "./contract.ts";

/** What calls by each method change where nothing else is said, as HTTP has it; PATCH sets what it names. */
export const changesByMethod: Readonly<Record<Method, Operation["changes"]>> = {
  get: "nothing",
  put: "once",
  patch: "once",
  delete: "once",
  post: "eachTime",
};
