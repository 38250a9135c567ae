import type { Mutant } from "../edit.ts";
import { dataOf, type Wire, type WireRequest } from "../wire.ts";
import { mutantOf } from "./mutant.ts";

/** Serves callers whose token `tokenIn` finds as if it had come where it belongs. */
const takingFrom =
  (tokenIn: (request: WireRequest) => string | undefined): Wire =>
  (serve) =>
  (request) => {
    const token = request.headers.authorization === undefined ? tokenIn(request) : undefined;
    return serve(
      token === undefined
        ? request
        : { ...request, rawHeaders: [...request.rawHeaders, "authorization", `Bearer ${token}`] },
    );
  };

/** Serves whoever has almost the token of a session. */
const takingAlmost =
  (made: (token: string) => string): Wire =>
  (serve) => {
    const sessions = new Map<string, string>();
    return async (request) => {
      const token = request.headers.authorization?.replace("Bearer ", "");
      const known = token === undefined ? undefined : sessions.get(made(token));
      const rawHeaders = request.rawHeaders.map((text) => (text === `Bearer ${token}` ? `Bearer ${known}` : text));
      const answer = await serve(known === undefined ? request : { ...request, rawHeaders });
      const session = request.operation === "createSession" ? dataOf(answer)?.token : undefined;
      if (typeof session === "string") sessions.set(made(session), session);
      return answer;
    };
  };

/** Servers that let in who brings a key in another place, or what is almost a session. */
export const credentialsElsewhereMutants: readonly Mutant[] = [
  mutantOf("AUTH-01", "query", "takes a key from the query", [
    { wire: takingFrom(({ path }) => new URLSearchParams(path.split("?")[1]).get("access_token") ?? undefined) },
  ]),
  mutantOf("AUTH-01", "cookie", "takes a key from a cookie", [
    { wire: takingFrom(({ headers }) => /\btoken=([^;]+)/.exec(headers.cookie ?? "")?.[1]) },
  ]),
  mutantOf("AUTH-06", "half", "knows sessions by their first half", [
    { wire: takingAlmost((token) => token.slice(0, 24)) },
  ]),
  mutantOf("AUTH-06", "last", "overlooks the last character of a session", [
    { wire: takingAlmost((token) => token.slice(0, -1)) },
  ]),
  mutantOf("AUTH-06", "case", "knows sessions in either case", [
    { wire: takingAlmost((token) => token.toLowerCase()) },
  ]),
];
