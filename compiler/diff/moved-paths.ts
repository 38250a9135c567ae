import { isObject } from "../schema/schema-node.ts";
import type { HttpSurface } from "./http-surface.ts";
import { listAt, textAt } from "./json-at.ts";

/**
 * Two surfaces of which one says in its addresses what the other says in its paths: `https://a.example/v2` and `/things`
 * are `https://a.example` and `/v2/things`. Where more operations are each other's by then, that part counts to the paths
 * of both, since requests are the same.
 */
export function withMovedPaths(base: HttpSurface, head: HttpSurface): readonly [base: HttpSurface, head: HttpSurface] {
  const [before, after] = [addressPath(base), addressPath(head)];
  if (before === null || after === null || before === after) return [base, head];
  const moved: readonly [HttpSurface, HttpSurface] | null = before.startsWith(`${after}/`)
    ? [withMoved(base, before.slice(after.length)), head]
    : after.startsWith(`${before}/`)
      ? [base, withMoved(head, after.slice(before.length))]
      : null;
  return moved !== null && inCommon(...moved) > inCommon(base, head) ? moved : [base, head];
}

/** The path that all of a document's own addresses end with; empty for none. Null where they differ, or it has variables. */
function addressPath({ document }: HttpSurface): string | null {
  const servers = listAt(document, "servers").filter(isObject);
  const paths = new Set(servers.map((server) => pathOf(textAt(server, "url") ?? "")));
  const [path = "", ...others] = paths;
  return others.length > 0 || path.includes("{") ? null : path;
}

/** What follows the host, which may be a variable by itself. */
const pathOf = (url: string): string =>
  url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*|^\/\/[^/]*|^\{[^}]*\}(?=\/|$)/i, "").replace(/\/+$/, "");

/** Operations with addresses of their own stay what they are. */
const withMoved = (surface: HttpSurface, path: string): HttpSurface => ({
  ...surface,
  movedPath: path,
  operations: surface.operations.map((operation) =>
    operation.servers === null ? { ...operation, key: operation.key.replace(" ", ` ${path}`) } : operation,
  ),
});

function inCommon(base: HttpSurface, head: HttpSurface): number {
  const keys = new Set(base.operations.map(({ key }) => key));
  return head.operations.filter(({ key }) => keys.has(key)).length;
}
