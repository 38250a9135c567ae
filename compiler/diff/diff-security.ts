import type { Json } from "../contract.ts";
import { isObject } from "../schema/schema-node.ts";
import { type DocumentContext, type OperationPair, whereOf } from "./document-context.ts";
import { type Draft, draft, type Where } from "./draft.ts";
import type { HttpOperation, HttpSurface } from "./http-surface.ts";
import { type JsonObject, jsonAt, listAt, meaningOf, pointerOf } from "./json-at.ts";

/** Credentials that are needed together: what each must be able to do, by what the scheme is, not its name. */
type Requirement = ReadonlyMap<string, ReadonlySet<string>>;

/** What sufficed must suffice: each of the base's alternatives needs one of the head's that asks for no more. */
export function diffSecurity(context: DocumentContext, operations: OperationPair): readonly Draft[] {
  const { base, head } = operations;
  if (base === undefined || head === undefined) return [];
  const before = requirementsOf(context.base.surface, base);
  const after = requirementsOf(context.head.surface, head);
  const [was, is] = [shown(base, context.base.surface), shown(head, context.head.surface)];
  const edit = { at: `${head.pointer}/security`, keyword: "security", before: [was], after: [is] };
  const at = (alternative: string): Where => ({
    ...whereOf(context, operations, `${head.pointer}${pointerOf("security", alternative)}`),
    edit,
  });
  const lost = before.filter((one) => !after.some((other) => asksNoMore(other.requirement, one.requirement)));
  const gained = after.filter((one) => !before.some((other) => asksNoMore(other.requirement, one.requirement)));
  return [
    ...lost.map(({ token }) =>
      draft(
        "security-tightened",
        at(token),
        `Security ${was} → ${is}: a client with credentials that sufficed is refused.`,
      ),
    ),
    ...gained.map(({ token }) =>
      draft(
        "security-loosened",
        at(token),
        `Security ${was} → ${is}: no client breaks, but callers come in who could not.`,
      ),
    ),
  ];
}

/** One way to be let in; the token names it in pointers, whatever its place in the list. */
interface Alternative {
  readonly token: string;
  readonly requirement: Requirement;
}

function requirementsOf(surface: HttpSurface, operation: HttpOperation): readonly Alternative[] {
  const anyone: Alternative = { token: "none", requirement: new Map() };
  if (operation.security.length === 0) return [anyone];
  return operation.security.map((alternative) => ({
    token: Object.keys(alternative).sort().join("+") || anyone.token,
    requirement: requirementOf(surface.document, alternative),
  }));
}

function requirementOf(document: JsonObject, alternative: JsonObject): Requirement {
  return new Map(
    Object.entries(alternative).map(([name, scopes]) => [
      schemeOf(document, name),
      new Set((Array.isArray(scopes) ? scopes : []).map(String)),
    ]),
  );
}

/** A scheme as a text that is equal for equal schemes, whatever they are called. */
function schemeOf(document: JsonObject, name: string): string {
  const scheme = jsonAt(document, "components", "securitySchemes", name);
  if (!isObject(scheme)) return `unknown ${name}`;
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
