import type { Json } from "../contract.ts";
import { isObject } from "../schema/schema-node.ts";
import type { Edit } from "./change.ts";
import { type DocumentContext, type OperationPair, whereOf } from "./document-context.ts";
import { type Draft, draft, type Where } from "./draft.ts";
import type { HttpOperation, HttpSurface } from "./http-surface.ts";
import { type JsonObject, jsonAt, listAt, meaningOf, objectAt, pointerOf, textAt, tokensOf } from "./json-at.ts";
import { type Alternative, securityEdits } from "./security-edits.ts";

/** Credentials that are needed together: what each must be able to do, by what the scheme is, not its name. */
type Requirement = ReadonlyMap<string, ReadonlySet<string>>;

/** What sufficed must suffice: each of the base's alternatives needs one of the head's that asks for no more. */
export function diffSecurity(context: DocumentContext, matched: readonly OperationPair[]): readonly Draft[] {
  const schemes = schemesOf(context.base.surface.document, context.head.surface.document);
  const compared = matched.flatMap(({ base, head }) =>
    base === undefined || head === undefined ? [] : [compare(context, schemes, base, head)],
  );
  const edits = securityEdits(compared.map(({ difference }) => difference));
  return compared.flatMap((one) => draftsOf(context, schemes, one, edits));
}

type Schemes = ReturnType<typeof schemesOf>;

/** What the security of an operation was and is. */
type Compared = ReturnType<typeof compare>;

function compare(
  { base: one, head: other }: DocumentContext,
  schemes: Schemes,
  base: HttpOperation,
  head: HttpOperation,
) {
  const before = requirementsOf(base, one.surface, schemes.base);
  const after = requirementsOf(head, other.surface, schemes.head);
  const lost = before.filter((one) => !after.some((other) => asksNoMore(other.requirement, one.requirement)));
  const gained = after.filter((one) => !before.some((other) => asksNoMore(other.requirement, one.requirement)));
  // Where both ask for the same by name, what differs is what the names stand for.
  const renewed = lost.filter((one) => gained.some((other) => other.text === one.text));
  // One that is the same by another name is one's own still where the other is there beside it.
  const isOwn = (one: Required, own: readonly Required[], others: readonly Required[]): boolean =>
    !others.some((other) => isSame(one, other) && (one.text === other.text || !isAmong(other, own))) &&
    !renewed.some(({ text }) => text === one.text);
  const difference = {
    gone: before.filter((one) => isOwn(one, before, after)),
    come: after.filter((one) => isOwn(one, after, before)),
  };
  return { base, head, before, after, lost, gained, renewed, difference };
}

function draftsOf(
  context: DocumentContext,
  schemes: Schemes,
  { base, head, before, after, lost, gained, renewed, difference }: Compared,
  edits: ReturnType<typeof securityEdits>,
): readonly Draft[] {
  const whole = `${head.pointer}/security`;
  const at = (alternative: string, edit: Edit): Where => ({
    ...whereOf(context, { base, head }, `${whole}${pointerOf(alternative)}`),
    edit,
  });
  const { gone, come } = difference;
  const refused = lost
    .filter((one) => gone.includes(one))
    .map((one) => ({ ...one, edit: edits.ofGone(difference, one) }));
  // What nobody misses: whoever has it is let in by another alternative.
  const spared = gone.filter((one) => !lost.includes(one));
  // Who may come in instead stands beside who no longer may.
  const admitted = gained
    .filter((one) => come.includes(one) && !refused.some(({ edit }) => edit.come.has(one.text)))
    .map((one) => ({ ...one, edit: edits.ofCome(spared, difference, one) }));
  const names = new Set(
    before.filter(({ text }) => after.some((one) => one.text === text)).flatMap((one) => one.names),
  );
  return [
    ...(lost.length + gained.length > 0 ? [] : unreadScopes(context, base, head, whole)),
    ...renewed.map(({ token, names }) => {
      const found = names.flatMap((name) => schemeEdit(context, name) ?? []);
      const [edit = { at: whole, keyword: "security-tightened", before: [], after: [] }] = found;
      const what = found.map(schemeText).join("; ");
      return draft(
        "security-tightened",
        at(token, edit),
        `${what}: a client with credentials that sufficed is refused.`,
      );
    }),
    ...refused.map(({ token, edit: { before, after } }) => {
      const edit = { at: whole, keyword: "security-tightened", before, after };
      const [was, is] = [before.join(" or "), after.join(" or ")];
      const what = after.length === 0 ? `Security ${was} suffices no longer` : `Security ${is} in place of ${was}`;
      return draft(
        "security-tightened",
        at(token, edit),
        `${what}: a client with credentials that sufficed is refused.`,
      );
    }),
    ...admitted.map(({ token, edit: { before, after } }) => {
      const edit = { at: whole, keyword: "security-loosened", before, after };
      const [was, is] = [before.join(" or "), after.join(" or ")];
      const what = before.length === 0 ? `Security ${is} suffices too` : `Security ${is} in place of ${was}`;
      return draft(
        "security-loosened",
        at(token, edit),
        `${what}: callers come in who could not, and none breaks by it.`,
      );
    }),
    ...[...names].flatMap((name): readonly Draft[] => {
      const edit = schemes.isMoved(name) ? schemeEdit(context, name) : null;
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
  at: string,
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

/** One way to be let in, with what it asks for. */
interface Required extends Alternative {
  readonly requirement: Requirement;
}

function requirementsOf(
  operation: HttpOperation,
  { document }: HttpSurface,
  identityOf: (name: string) => string,
): readonly Required[] {
  const alternatives = operation.security.length === 0 ? [{}] : operation.security;
  return alternatives.map((alternative) => {
    const names = Object.keys(alternative).sort();
    const scopesOf = (name: string): readonly string[] => listAt(alternative, name).map(String).sort();
    return {
      token: names.join("+") || "none",
      text: JSON.stringify(names.map((name) => [name, scopesOf(name)])),
      names,
      parts: new Map(
        names.map((name) => [
          JSON.stringify([identityOf(name), scopesOf(name)]),
          shownScheme(document, alternative, name),
        ]),
      ),
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
  const { scheme: authentication, name } = scheme;
  const folded: Json = {
    ...scheme,
    ...(typeof authentication === "string" ? { scheme: authentication.toLowerCase() } : {}),
    // HTTP reads names of headers without regard to case.
    ...(typeof name === "string" && scheme.in === "header" ? { name: name.toLowerCase() } : {}),
  };
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

const isAmong = ({ text }: Required, all: readonly Required[]): boolean => all.some((one) => one.text === text);

const isSame = (one: Required, other: Required): boolean =>
  asksNoMore(one.requirement, other.requirement) && asksNoMore(other.requirement, one.requirement);

function shown({ security }: HttpOperation, { document }: HttpSurface): string {
  if (security.length === 0) return "none";
  const alternatives = security.map((alternative) => {
    const parts = Object.keys(alternative).map((name) => shownScheme(document, alternative, name));
    return parts.join(" and ") || "none";
  });
  return alternatives.join(" or ");
}

function shownScheme(document: JsonObject, alternative: JsonObject, name: string): string {
  const scopes = listAt(alternative, name).map(String);
  const known = jsonAt(document, "components", "securitySchemes", name) === undefined ? " (undeclared)" : "";
  return `${name}${known}${scopes.length > 0 ? ` with ${scopes.join(", ")}` : ""}`;
}
