import type { Json } from "../contract.ts";
import { isObject } from "../schema/schema-node.ts";
import type { Edit } from "./change.ts";
import { type DocumentContext, type OperationPair, whereOf } from "./document-context.ts";
import { type Draft, draft, type Where } from "./draft.ts";
import type { HttpOperation, HttpSurface } from "./http-surface.ts";
import { type JsonObject, jsonAt, listAt, meaningOf, objectAt, pointerOf, textAt, tokensOf } from "./json-at.ts";

/** Credentials that are needed together: what each must be able to do, by what the scheme is, not its name. */
type Requirement = ReadonlyMap<string, ReadonlySet<string>>;

/** What sufficed must suffice: each of the base's alternatives needs one of the head's that asks for no more. */
export function diffSecurity(context: DocumentContext, operations: OperationPair): readonly Draft[] {
  const { base, head } = operations;
  if (base === undefined || head === undefined) return [];
  const identify = schemesOf(context.base.surface.document, context.head.surface.document);
  const before = requirementsOf(base, identify.base);
  const after = requirementsOf(head, identify.head);
  const [was, is] = [shown(base, context.base.surface), shown(head, context.head.surface)];
  const at = (alternative: string, edit: Edit): Where => ({
    ...whereOf(context, operations, `${head.pointer}${pointerOf("security", alternative)}`),
    edit,
  });
  const whole = { at: `${head.pointer}/security`, keyword: "security", before: [was], after: [is] };
  const lost = before.filter((one) => !after.some((other) => asksNoMore(other.requirement, one.requirement)));
  const gained = after.filter((one) => !before.some((other) => asksNoMore(other.requirement, one.requirement)));
  // Where both ask for the same by name, what differs is what the names stand for.
  const renewed = lost.filter((one) => gained.some((other) => other.text === one.text));
  const isRenewed = ({ text }: Alternative): boolean => renewed.some((one) => one.text === text);
  const names = new Set(
    before.filter(({ text }) => after.some((one) => one.text === text)).flatMap((one) => one.names),
  );
  return [
    ...(lost.length + gained.length > 0 ? [] : unreadScopes(context, base, head, whole)),
    ...renewed.map(({ token, names }) => {
      const edits = names.flatMap((name) => schemeEdit(context, name) ?? []);
      return draft(
        "security-tightened",
        at(token, edits[0] ?? whole),
        `${edits.map(schemeText).join("; ")}: a client with credentials that sufficed is refused.`,
      );
    }),
    ...lost
      .filter((one) => !isRenewed(one))
      .map(({ token }) =>
        draft(
          "security-tightened",
          at(token, whole),
          `Security ${was} → ${is}: a client with credentials that sufficed is refused.`,
        ),
      ),
    // Who may come in instead stands beside who no longer may.
    ...(lost.length > 0 ? [] : gained).map(({ token }) =>
      draft(
        "security-loosened",
        at(token, whole),
        `Security ${was} → ${is}: no client breaks, but callers come in who could not.`,
      ),
    ),
    ...[...names].flatMap((name): readonly Draft[] => {
      const edit = identify.isMoved(name) ? schemeEdit(context, name) : null;
      const why = "tokens that a client has still suffice, those that it gets at the old address may not";
      return edit === null || edit.before.length === 0
        ? []
        : [draft("token-address-changed", at(name, edit), `${schemeText(edit)}: ${why}.`)];
    }),
  ];
}

/** Scopes that are written otherwise where there are none. */
function unreadScopes(
  context: DocumentContext,
  base: HttpOperation,
  head: HttpOperation,
  { at }: Edit,
): readonly Draft[] {
  const [was, is] = [
    shown({ ...base, security: base.unreadSecurity ?? base.security }, context.base.surface),
    shown({ ...head, security: head.unreadSecurity ?? head.security }, context.head.surface),
  ];
  if (was === is || (base.unreadSecurity === null && head.unreadSecurity === null)) return [];
  const where = whereOf(context, { base, head }, at);
  const edit = { at, keyword: "security", before: [was], after: [is] };
  const message = `Security ${was} → ${is}: schemes that are not of OAuth 2 or OpenID Connect have no scopes in OpenAPI 3.0, so it says nothing by the letter, and what was meant is anyone's guess.`;
  return [draft("malformed-keyword-changed", { ...where, edit }, message)];
}

/** How a scheme of one name differs; null where it does not. */
function schemeEdit({ base, head }: DocumentContext, name: string): Edit | null {
  const [before, after] = [base, head].map(({ surface }) => factsIn(schemeIn(surface.document, name)));
  const [gone, come] = [
    [...(before ?? [])].filter(([key, value]) => after?.get(key) !== value),
    [...(after ?? [])].filter(([key, value]) => before?.get(key) !== value),
  ].map((facts) => facts.map(([key, value]) => `${key} ${value}`.trim()));
  if (gone === undefined || come === undefined || gone.length + come.length === 0) return null;
  return { at: pointerOf("components", "securitySchemes", name), keyword: "securityScheme", before: gone, after: come };
}

const schemeText = ({ at, before, after }: Edit): string => {
  const [old, now] = [before, after].map((facts) => facts.join(", ") || "nothing");
  return `security scheme ${tokensOf(at).at(-1) ?? ""}: ${old} → ${now}`;
};

/** What a scheme says of credentials, by keyword: `name` is `X-Key`, `implicit authorizationUrl` is an address. */
function factsIn(scheme: JsonObject): ReadonlyMap<string, string> {
  const own = Object.entries(scheme).filter(([key]) => !unsaid.includes(key) && !key.startsWith("x-"));
  const flows = Object.entries(objectAt(scheme, "flows")).flatMap(
    ([flow, said]): readonly (readonly [string, Json])[] => [
      [`flow ${flow}`, ""],
      ...addresses.flatMap((key) => {
        const address = textAt(said, key);
        return address === null ? [] : [[`${flow} ${key}`, address] as const];
      }),
    ],
  );
  return new Map(
    [...own, ...flows].map(([key, value]) => [key, typeof value === "string" ? value : JSON.stringify(value)]),
  );
}

const unsaid = ["flows", "description", "bearerFormat"];

/** One way to be let in; the token names it in pointers, whatever its place in the list. */
interface Alternative {
  readonly token: string;
  /** Equal for alternatives that ask for the same scopes of schemes with the same names. */
  readonly text: string;
  readonly names: readonly string[];
  readonly requirement: Requirement;
}

function requirementsOf(operation: HttpOperation, identityOf: (name: string) => string): readonly Alternative[] {
  const anyone: Alternative = { token: "none", text: "", names: [], requirement: new Map() };
  if (operation.security.length === 0) return [anyone];
  return operation.security.map((alternative) => {
    const names = Object.keys(alternative).sort();
    const scopesOf = (name: string): readonly string[] => listAt(alternative, name).map(String).sort();
    return {
      token: names.join("+") || anyone.token,
      text: JSON.stringify(names.map((name) => [name, scopesOf(name)])),
      names,
      requirement: new Map(names.map((name) => [identityOf(name), new Set(scopesOf(name))])),
    };
  });
}

/** Where tokens are got: who has one is let in wherever that is. */
const addresses = ["authorizationUrl", "tokenUrl", "refreshUrl", "deviceAuthorizationUrl"];

/**
 * Texts that are equal for equal schemes, whatever they are called. One that keeps its name and its flows, and whose tokens
 * are got elsewhere, stays what it is.
 */
function schemesOf(base: JsonObject, head: JsonObject) {
  const isMoved = (name: string): boolean => {
    const [before, after] = [schemeIn(base, name), schemeIn(head, name)];
    const flows = Object.keys(objectAt(after, "flows"));
    return (
      isObject(before.flows) &&
      textOf(before) !== textOf(after) &&
      textOf({ ...before, flows: null }) === textOf({ ...after, flows: null }) &&
      Object.keys(before.flows).every((flow) => flows.includes(flow))
    );
  };
  const named = (document: JsonObject, name: string): string =>
    isObject(jsonAt(document, "components", "securitySchemes", name))
      ? textOf(schemeIn(document, name))
      : `unknown ${name}`;
  return {
    isMoved,
    base: (name: string): string => named(base, name),
    head: (name: string): string => named(isMoved(name) ? base : head, name),
  };
}

const schemeIn = (document: JsonObject, name: string): JsonObject =>
  objectAt(jsonAt(document, "components", "securitySchemes", name));

function textOf(scheme: JsonObject): string {
  const folded: Json = typeof scheme.scheme === "string" ? { ...scheme, scheme: scheme.scheme.toLowerCase() } : scheme;
  // What a flow may grant is told where operations ask for it; a bearer token's format is a hint.
  return meaningOf(
    JSON.parse(
      JSON.stringify(folded, (key, value) => (key === "scopes" || key === "bearerFormat" ? undefined : value)),
    ),
  );
}

/** Whoever satisfies `most` satisfies `least`. */
const asksNoMore = (least: Requirement, most: Requirement): boolean =>
  [...least].every(([scheme, scopes]) => {
    const had = most.get(scheme);
    return had !== undefined && [...scopes].every((scope) => had.has(scope));
  });

function shown(operation: HttpOperation, { document }: HttpSurface): string {
  if (operation.security.length === 0) return "none";
  const alternatives = operation.security.map((alternative) => {
    const parts = Object.keys(alternative).map((name) => {
      const scopes = listAt(alternative, name).map(String);
      const known = jsonAt(document, "components", "securitySchemes", name) === undefined ? " (undeclared)" : "";
      return `${name}${known}${scopes.length > 0 ? ` with ${scopes.join(", ")}` : ""}`;
    });
    return parts.join(" and ") || "none";
  });
  return alternatives.join(" or ");
}
