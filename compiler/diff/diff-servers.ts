import type { Json } from "../contract.ts";
import { type DocumentContext, type OperationPair, whereOf } from "./document-context.ts";
import { type Draft, draft } from "./draft.ts";
import type { HttpOperation, HttpSurface } from "./http-surface.ts";
import { jsonAt, listAt, meaningOf, objectAt, pointerOf, textAt } from "./json-at.ts";
import { pairs } from "./pairs.ts";

/** The documents' own addresses, and those of operations that have others. */
export function diffServers(context: DocumentContext, matched: readonly OperationPair[]): readonly Draft[] {
  const none: OperationPair = { base: undefined, head: undefined };
  const whole = compare(context, none, ownServers(context.base.surface), ownServers(context.head.surface), "");
  const single = matched.flatMap((operations) => {
    const { base, head } = operations;
    if (base === undefined || head === undefined || (base.servers === null && head.servers === null)) return [];
    const before = serversOf(base, context.base.surface);
    return compare(context, operations, before, serversOf(head, context.head.surface), head.pointer);
  });
  return [...whole, ...single];
}

/** An address as the document has it, and what it is known by. */
interface Address {
  readonly server: Json;
  readonly identity: string;
}

function ownServers({ document, movedPath }: HttpSurface): readonly Address[] {
  const servers = listAt(document, "servers");
  return addressesOf(servers.length > 0 ? servers : [{ url: "/" }], movedPath);
}

const serversOf = (operation: HttpOperation, surface: HttpSurface): readonly Address[] =>
  operation.servers !== null && operation.servers.length > 0 ? addressesOf(operation.servers, "") : ownServers(surface);

/** Without what the operations are known by. */
const addressesOf = (servers: readonly Json[], movedPath: string): readonly Address[] =>
  servers.map((server) => {
    const whole = identityOf(server);
    return { server, identity: movedPath === "" ? whole : whole.slice(0, -movedPath.length) || "/" };
  });

function compare(
  context: DocumentContext,
  operations: OperationPair,
  base: readonly Address[],
  head: readonly Address[],
  owner: string,
): readonly Draft[] {
  const found = pairs(base, head, ({ identity }) => identity);
  const at = (server: Json) =>
    whereOf(context, operations, `${owner}${pointerOf("servers", textAt(server, "url") ?? "")}`);
  return [
    ...found.removed.map(({ server }) =>
      draft(
        "server-removed",
        at(server),
        `The address ${shown(server)} is gone: a client that is set to it reaches nothing.`,
      ),
    ),
    ...found.added.map(({ server }) =>
      draft("server-added", at(server), `The address ${shown(server)} is new: nobody has to use it.`),
    ),
  ];
}

/** Equal for equal addresses; a variable's name is no part of it, its values are. */
function identityOf(server: Json): string {
  const variables = objectAt(server, "variables");
  const url = (textAt(server, "url") ?? "").replaceAll(
    /\{([^}]*)\}/g,
    (_, name: string) => `{${meaningOf(jsonAt(variables, name) ?? {})}}`,
  );
  return url.length > 1 ? url.replace(/\/$/, "") : url;
}

const shown = (server: Json): string => {
  const defaults = Object.entries(objectAt(server, "variables")).map(
    ([name, variable]) => `${name} ${textAt(variable, "default") ?? ""}`,
  );
  return `${textAt(server, "url") ?? ""}${defaults.length > 0 ? ` (${defaults.join(", ")})` : ""}`;
};
