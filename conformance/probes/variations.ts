import { randomUUID } from "node:crypto";
import type { OrganizationRequest } from "../../generated/models/sandbox-organizations.ts";
import { rules } from "../../generated/rules.ts";
import type { Rule } from "../../generated/runtime/rule.ts";
import { components, operationSchemas } from "../../generated/schemas.ts";
import { type Exchange, objectOf } from "../exchange/exchange.ts";
import { operationsById } from "../story/changes.ts";
import { pathOf, recipientsIn } from "../story/names.ts";
import { parsedBody } from "../story/parsed-body.ts";
import { momentOf } from "../story/spans.ts";
import type { Step } from "../story/step.ts";
import type { Change } from "./live-probes.ts";
import { organizationOf, ownersIn } from "./owners.ts";
import { type Case, dataIn } from "./probe.ts";

/** A call that failed, with one thing about it changed. */
export interface Variant {
  /** What is another about it, such as "with another phone_number". */
  readonly how: string;
  readonly change: Change;
  /** What it is a part of: it is asked where that was answered otherwise. */
  readonly partOf?: string;
}

/** A way to change one thing about a call, by which readings of a fault are told apart; none where the call has no such thing. */
export interface Variation {
  readonly id: string;
  readonly of: (seen: Case, exchange: Exchange) => readonly Variant[];
}

/** Things of one kind that are left out or changed. */
const mostOfKind = 3;

/** The same for another phone number: that of an earlier call, or else one that nobody has named. */
const otherNumber: Variation = {
  id: "other-number",
  of({ steps }, { operation, request }) {
    const known = new Set(steps.flatMap((step) => (step.request === null ? [] : recipientsIn(step.request))));
    const other = (number: string): string =>
      [...known].find((one) => one !== number) ?? number.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10));
    const path = pathOf(request.url);
    const template = operationsById.get(operation ?? "")?.path.split("/") ?? [];
    const inPath = path.split("?")[0]?.split("/").slice(-template.length) ?? [];
    const ofPath = inPath.flatMap((segment, index): readonly Variant[] => {
      const number = decodeURIComponent(segment);
      if (!isNumber(number) || !template[index]?.startsWith("{")) return [];
      const name = template[index].slice(1, -1);
      return [
        { how: `with another ${name}`, change: { path: path.replace(segment, encodeURIComponent(other(number))) } },
      ];
    });
    const body = bodyOf(request.body);
    const ofBody = Object.entries(body ?? {}).flatMap(([name, value]): readonly Variant[] =>
      typeof value === "string" && isNumber(value)
        ? [{ how: `with another ${name}`, change: { body: JSON.stringify({ ...body, [name]: other(value) }) } }]
        : [],
    );
    return [...ofPath, ...ofBody];
  },
};

const isNumber = (text: string): boolean => /^\+\d{8,15}$/.test(text);

/** The same for another record of the same kind, which the caller made before. */
const otherRecord: Variation = {
  id: "other-record",
  of({ steps }, { operation, request }) {
    const template = operationsById.get(operation ?? "")?.path;
    const [path = "", query] = pathOf(request.url).split("?");
    const [before = "", after = "", ...more] = template?.split(/\{\w+\}/) ?? [];
    if (template === undefined || before === template || more.length > 0 || !path.startsWith(before)) return [];
    const own = path.slice(before.length, path.length - after.length);
    const id = steps
      .filter((step) => isOfCaller(step, request.headers.authorization) && madeIn(step, before))
      .map((step) => objectOf(dataIn(step))?.id)
      .findLast((one) => typeof one === "string" && one !== own && !isGone(steps, `${before}${one}`));
    const [, name = "id"] = /\{(\w+)\}/.exec(template) ?? [];
    if (typeof id !== "string") return [];
    return [
      {
        how: `with another ${name}`,
        change: { path: `${before}${id}${after}${query === undefined ? "" : `?${query}`}` },
      },
    ];
  },
};

const isOfCaller = ({ through, request }: Step, authorization: string | undefined): boolean =>
  through === "api" && request?.headers.authorization === authorization;

/** Whether a call made a record of those that stand at an address. */
const madeIn = ({ request }: Step, address: string): boolean =>
  request?.method === "POST" && `${pathOf(request.url)}/` === address;

const isGone = (steps: readonly Step[], address: string): boolean =>
  steps.some(({ request }) => request?.method === "DELETE" && pathOf(request.url) === address);

/** The same without something that it can do without. */
const withoutOptional: Variation = {
  id: "without-optional",
  of(_, { operation, request }) {
    const [path = "", query = ""] = pathOf(request.url).split("?");
    const names = [...new URLSearchParams(query).keys()].filter((name) => !requiredOf(operation, "query").has(name));
    const withoutAll = named(names);
    const without = (some: readonly string[]): Variant => {
      const left = new URLSearchParams(query);
      for (const name of some) left.delete(name);
      const change = { path: left.size === 0 ? path : `${path}?${left}` };
      return { how: named(some), change, ...(some.length < names.length && { partOf: withoutAll }) };
    };
    const ofQuery = [...(names.length > 1 ? [names] : []), ...names.slice(0, mostOfKind).map((name) => [name])];
    const body = bodyOf(request.body);
    const members = Object.keys(body ?? {}).filter((name) => !requiredOf(operation, "body").has(name));
    // Of what a body has to have one of, nothing is left out.
    const ofBody = Object.keys(body ?? {}).length < 2 ? [] : members.slice(0, mostOfKind);
    return [
      ...ofQuery.map(without),
      ...ofBody.map((name) => ({
        ...{ how: `without ${name}` },
        change: { body: JSON.stringify({ ...body, [name]: undefined }) },
      })),
    ];
  },
};

const named = (parameters: readonly string[]): string => `without ${parameters.map((name) => `?${name}`).join(", ")}`;

/** The same for a window that begins earlier, or ends later. */
const otherWindow: Variation = {
  id: "other-window",
  of(_, { request }) {
    const [path = "", query = ""] = pathOf(request.url).split("?");
    const times = [...new URLSearchParams(query)]
      .flatMap(([name, value]) => {
        const at = momentOf(value);
        return at === null ? [] : [{ name, at }];
      })
      .sort((a, b) => a.at - b.at);
    const moved = ({ name, at }: { readonly name: string; readonly at: number }, by: number): Variant => {
      const left = new URLSearchParams(query);
      left.set(name, new Date(at + by).toISOString());
      return { how: `with ?${name} an hour ${by < 0 ? "earlier" : "later"}`, change: { path: `${path}?${left}` } };
    };
    const [first, last] = [times[0], times.at(-1)];
    return first === undefined || last === undefined || first === last ? [] : [moved(first, -hour), moved(last, hour)];
  },
};

const hour = 3_600_000;

/** The same with a moment of its body an hour later: whether it is looked at, or only what begins or ends then. */
const otherMoment: Variation = {
  id: "other-moment",
  of(_, { request }) {
    const body = bodyOf(request.body);
    return Object.entries(body ?? {})
      .flatMap(([name, value]): readonly Variant[] => {
        const at = momentOf(value);
        if (at === null) return [];
        const later = { ...body, [name]: new Date(at + hour).toISOString() };
        return [{ how: `with ${name} an hour later`, change: { body: JSON.stringify(later) } }];
      })
      .slice(0, mostOfKind - 1);
  },
};

/** The same with a figure ten times as large: what compares it with something finds it otherwise then. */
const otherFigure: Variation = {
  id: "other-figure",
  of(_, { request }) {
    const body = bodyOf(request.body);
    return Object.entries(body ?? {})
      .flatMap(([name, value]): readonly Variant[] =>
        typeof value === "number" && value !== 0
          ? [{ how: `with ${name} ${10 * value}`, change: { body: JSON.stringify({ ...body, [name]: 10 * value }) } }]
          : [],
      )
      .slice(0, mostOfKind - 1);
  },
};

/** Names that the contract demands of a request's query or body, as far as it says so at once. */
function requiredOf(operation: string | null, where: "query" | "body"): ReadonlySet<string> {
  const schema = Object.entries(operationSchemas).find(([id]) => id === operation)?.[1][where];
  const reference = objectOf(schema)?.$ref;
  const model = typeof reference === "string" ? components[reference.slice(reference.lastIndexOf("/") + 1)] : schema;
  const required = objectOf(model)?.required;
  return new Set(Array.isArray(required) ? required.map(String) : []);
}

/** The same with an idempotency key that nobody has used. */
export const freshKey: Variation = {
  id: "fresh-key",
  of(_, { operation, request }) {
    const header = operationsById.get(operation ?? "")?.idempotencyHeader ?? null;
    const name = Object.keys(request.headers).find((one) => one.toLowerCase() === header?.toLowerCase());
    return name === undefined ? [] : [{ how: `with a fresh ${header}`, change: { headers: { [name]: randomUUID() } } }];
  },
};

/** The same by another key of the caller's organization. */
const otherCaller: Variation = {
  id: "other-caller",
  of: (seen, exchange) => callers(seen, exchange, true, "as another key of the organization"),
};

/** The same by another organization; where something is named that is the caller's own, it would be refused for that. */
const otherOrganization: Variation = {
  id: "other-organization",
  of: (seen, exchange) =>
    isOfForeign(rules[seen.finding.rule]) || /\{/.test(operationsById.get(exchange.operation ?? "")?.path ?? "{")
      ? []
      : callers(seen, exchange, false, "as another organization"),
};

const isOfForeign = ({ demands }: Rule): boolean => demands === "foreignRecord" || demands === "isolation";

/** The same by whoever else called in the check, of the caller's organization or not. */
function callers(seen: Case, { request }: Exchange, ofSame: boolean, how: string): readonly Variant[] {
  const own = request.headers.authorization;
  const { ofCaller } = ownersIn(seen);
  const owner = ofCaller.get(own ?? "");
  if (own === undefined || owner === undefined) return [];
  const used = seen.steps.flatMap(({ through, request: sent, outcome }) =>
    through === "api" && outcome?.kind === "response" && outcome.status < 300
      ? (sent?.headers.authorization ?? [])
      : [],
  );
  const other = used.findLast((one) => one !== own && ofCaller.has(one) && (ofCaller.get(one) === owner) === ofSame);
  return other === undefined ? [] : [{ how, change: { headers: { authorization: other } } }];
}

function bodyOf(text: string | null): Readonly<Record<string, unknown>> | null {
  return text === null ? null : objectOf(parsedBody(text));
}

/**
 * What the organization of a call's caller was made with. Null where the sandbox did not make it in the check, where another
 * key than its first one called, which may do less, and where the call names what only its caller has.
 */
export function settingsOfCaller(seen: Case, exchange: Exchange): OrganizationRequest | null {
  const { operation, request } = exchange;
  const isOwn =
    /\{/.test(operationsById.get(operation ?? "")?.path ?? "{") || recordId.test(request.url + request.body);
  const made = isOwn ? null : organizationOf(seen, exchange);
  return request.headers.authorization === `Bearer ${made?.firstKey}` ? (made?.settings ?? null) : null;
}

/** The id of a record. */
const recordId = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/i;

/** Every way, those first that tell most. */
export const variations: readonly Variation[] = [
  otherNumber,
  otherRecord,
  freshKey,
  otherWindow,
  otherMoment,
  otherFigure,
  withoutOptional,
  otherCaller,
  otherOrganization,
];
