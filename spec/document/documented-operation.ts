/** A (status, code) pair of the error table, written `status code`; `4xx` for the one whose status is not shown. */
export type Answer = `${number | "4xx"} ${string}`;

export interface DocumentedOperation {
  readonly route: string;
  /** Null: the document does not name it. */
  readonly scope: string | null;
  /** A signed-in user and no key may call it; left out, where both may. */
  readonly caller?: "session";
  /**
   * What calls change of what other answers show, as far as the document tells it of the route; left out, where it tells no
   * more than the method does. "once": the same call again changes nothing further.
   */
  readonly changes?: "nothing" | "once";
  /** What the document says that the operation answers. */
  readonly answers: readonly Answer[];
  /** What the document leaves open for the operation; every other row of the table it can't answer. */
  readonly open: readonly Answer[];
}

/** What any operation may answer: bad credentials, a missing scope, the staff header, a failure of the server. */
export const everywhere: readonly Answer[] = [
  "401 UNAUTHORIZED",
  "403 FORBIDDEN",
  "403 PLATFORM_REQUIRED",
  "500 INTERNAL_ERROR",
];

/** What calls by a method change where the document says nothing else: as HTTP has it, and an update sets what it names. */
export const changesByMethod: { readonly [method: string]: "nothing" | "once" | "eachTime" } = {
  GET: "nothing",
  POST: "eachTime",
  PUT: "once",
  PATCH: "once",
  DELETE: "once",
};
