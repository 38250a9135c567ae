import type { Json } from "../contract.ts";
import { isList } from "../schema/schema-node.ts";
import { type DocumentContext, type OperationPair, whereOf } from "./document-context.ts";
import { type Draft, draft } from "./draft.ts";
import type { HttpOperation, HttpSurface } from "./http-surface.ts";
import { jsonAt, listAt, objectAt, pointerOf, textAt } from "./json-at.ts";

/**
 * Compares the documents' own addresses, and the addresses of operations that have others. The documents' own count only
 * if some operation uses them on both sides: servers may move to path items or operations.
 */
export function diffServers(context: DocumentContext, matched: readonly OperationPair[]): readonly Draft[] {
  const none: OperationPair = { base: undefined, head: undefined };
  const isInherited = matched.some(({ base, head }) => base?.servers === null && head?.servers === null);
  const isUsed = isInherited || !matched.some(({ base, head }) => base !== undefined && head !== undefined);
  const whole = isUsed
    ? compare(context, none, ownServers(context.base.surface), ownServers(context.head.surface), "")
    : [];
  const single = matched.flatMap((operations) => {
    const { base, head } = operations;
    if (base === undefined || head === undefined || (base.servers === null && head.servers === null)) return [];
    const before = serversOf(base, context.base.surface);
    return compare(context, operations, before, serversOf(head, context.head.surface), head.pointer);
  });
  return [...whole, ...single];
}

/** An address as the document has it, and what it comes to. */
interface Address {
  readonly server: Json;
  /** A variable's name is no part of it, nor a slash at its end. */
  readonly template: string;
  readonly variables: readonly Json[];
  /** The document names none, so that by the letter it is where the document lies. */
  readonly isUnnamed: boolean;
}

function ownServers({ document, movedPath }: HttpSurface): readonly Address[] {
  const servers = listAt(document, "servers");
  if (servers.length > 0) return addressesOf(servers, movedPath);
  return addressesOf([{ url: "/" }], movedPath).map((address) => ({ ...address, isUnnamed: true }));
}

const serversOf = (operation: HttpOperation, surface: HttpSurface): readonly Address[] =>
  operation.servers !== null && operation.servers.length > 0 ? addressesOf(operation.servers, "") : ownServers(surface);

/** Without what the operations are known by. */
const addressesOf = (servers: readonly Json[], movedPath: string): readonly Address[] =>
  servers.map((server) => {
    const url = textAt(server, "url") ?? "";
    const whole = url.replaceAll(/\{[^}]*\}/g, "{}");
    const template = normalizedUrl(whole.length > 1 ? whole.replace(/\/$/, "") : whole);
    const all = objectAt(server, "variables");
    return {
      server,
      template: movedPath === "" ? template : template.slice(0, -movedPath.length) || "/",
      variables: [...url.matchAll(/\{([^}]*)\}/g)].map(([, name = ""]) => jsonAt(all, name) ?? {}),
      isUnnamed: false,
    };
  });

const defaultPorts: ReadonlyMap<string, string> = new Map([
  ["http", "80"],
  ["https", "443"],
  ["ws", "80"],
  ["wss", "443"],
]);

/** The URL with its scheme and host in lower case and without the scheme's default port (RFC 3986, 6.2.2.1 and 6.2.3). */
function normalizedUrl(url: string): string {
  const parts = /^([a-z][a-z0-9+.-]*):\/\/(?:([^/?#@]*)@)?([^/?#@]*)(.*)$/is.exec(url);
  if (parts === null) return url;
  const [, scheme = "", user, authority = "", rest = ""] = parts;
  const [, host = "", port = ""] = /^(.*?)(?::(\d*))?$/s.exec(authority) ?? [];
  const isDefault = port === "" || port === defaultPorts.get(scheme.toLowerCase());
  const userInfo = user === undefined ? "" : `${user}@`;
  return `${scheme.toLowerCase()}://${userInfo}${host.toLowerCase()}${isDefault ? "" : `:${port}`}${rest}`;
}

/** Whether each address that the one stands for is one of the other's, the same by default. */
const isIn = (one: Address, other: Address): boolean =>
  one.template === other.template &&
  one.variables.every((variable, index) => {
    const [own, admitted] = [variable, other.variables[index]].map((side) => jsonAt(side, "enum"));
    if (textAt(variable, "default") !== textAt(other.variables[index], "default")) return false;
    // One that has no list may be anything.
    if (admitted === undefined) return true;
    return isList(own) && own.every((value) => isList(admitted) && admitted.includes(value));
  });

/** Addresses that are written out of one with variables. */
const mostWritten = 100;

/** Every address that one stands for, where its variables list their values; null where they do not, or those are too many. */
function writtenOut({ template, variables }: Address): readonly string[] | null {
  const [first = "", ...rest] = template.split("{}");
  let found: readonly string[] = [first];
  for (const [index, part] of rest.entries()) {
    const values = listAt(variables[index], "enum");
    if (values.length === 0 || found.length * values.length > mostWritten) return null;
    found = found.flatMap((url) => values.map((value) => `${url}${String(value)}${part}`));
  }
  return found.map(normalizedUrl);
}

function compare(
  context: DocumentContext,
  operations: OperationPair,
  base: readonly Address[],
  head: readonly Address[],
  owner: string,
): readonly Draft[] {
  const [before, after] = [base, head].map((side) => new Set(side.flatMap((one) => writtenOut(one) ?? [])));
  const isAmong = (one: Address, others: readonly Address[], written: ReadonlySet<string> | undefined): boolean =>
    others.some(({ template }) => template === one.template)
      ? others.some((other) => isIn(one, other))
      : writtenOut(one)?.every((url) => written?.has(url)) === true;
  const removed = base.filter((one) => !isAmong(one, head, after));
  // What takes the place of an address that nobody named, or the other way round, is one edit.
  const isNamedAnew = removed.some(({ isUnnamed }) => isUnnamed);
  const added = head.filter((one) => !isNamedAnew && !one.isUnnamed && !isAmong(one, base, before));
  const at = (server: Json) =>
    whereOf(context, operations, `${owner}${pointerOf("servers", textAt(server, "url") ?? "")}`);
  return [
    ...removed.map(({ server, isUnnamed }) =>
      isUnnamed
        ? draft("unnamed-server-removed", at(server), unnamedRemoved)
        : draft(
            "server-removed",
            at(server),
            `The address ${shown(server)} is gone: a client that is set to it reaches nothing.`,
          ),
    ),
    ...added.map(({ server }) =>
      draft("server-added", at(server), `The address ${shown(server)} is new: nobody has to use it.`),
    ),
  ];
}

const unnamedRemoved =
  "Addresses are named where none was: a client that is set to where the document lies, as it is by the letter then, may reach nothing.";

const shown = (server: Json): string => {
  const defaults = Object.entries(objectAt(server, "variables")).map(
    ([name, variable]) => `${name} ${textAt(variable, "default") ?? ""}`,
  );
  return `${textAt(server, "url") ?? ""}${defaults.length > 0 ? ` (${defaults.join(", ")})` : ""}`;
};
