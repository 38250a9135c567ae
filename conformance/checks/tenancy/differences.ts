import { constants } from "../../../generated/constants.ts";
import { type Exchange, errorOf, headerOf } from "../../exchange/exchange.ts";

/** An answer and the id that was asked for. */
export interface Asked {
  readonly exchange: Exchange;
  readonly id: string;
}

/** A part of the answers in which two kinds of them differ each time: `null` where one has no such part. */
export interface Difference {
  /** Such as "status", "error.message" or "header etag". */
  readonly part: string;
  readonly one: string | null;
  readonly other: string | null;
}

/**
 * Parts by which answers of one kind can be told from those of another: within a kind they are always the same, and the
 * two kinds differ. What changes from call to call tells nothing.
 */
export function differences(ones: readonly Asked[], others: readonly Asked[]): readonly Difference[] {
  const [left, right] = [ones.map(partsOf), others.map(partsOf)];
  const names = new Set([...left, ...right].flatMap((parts) => [...parts.keys()]));
  return [...names].flatMap((part) => {
    const [one, other] = [valueIn(left, part), valueIn(right, part)];
    return one === undefined || other === undefined || one === other ? [] : [{ part, one, other }];
  });
}

/** The value of a part that all answers of a kind have, or lack; undefined when it differs among them. */
function valueIn(answers: readonly ReadonlyMap<string, string>[], part: string): string | null | undefined {
  const [first = null, ...others] = answers.map((parts) => parts.get(part) ?? null);
  return others.every((value) => value === first) ? first : undefined;
}

/**
 * Headers of the connection and the moment (RFC 9110, 7.6.1), which differ between two answers anyway; the length follows
 * from the members, in which the request's own id may be longer or shorter.
 */
const transient: readonly string[] = ["connection", "content-length", "date", "keep-alive", "transfer-encoding"];

/** All that an answer tells, part by part, with the id that was asked for, and the request's own, masked. */
function partsOf(asked: Asked): ReadonlyMap<string, string> {
  const { outcome } = asked.exchange;
  if (outcome.kind === "lost") return new Map([["status", "no answer"]]);
  const mask = maskOf(asked);
  const headers = Object.entries(outcome.headers).filter(([name]) => !transient.includes(name));
  return new Map([
    ["status", String(outcome.status)],
    ...headers.map(([name, value]) => [`header ${name}`, mask(value)] as const),
    ...(outcome.json === undefined
      ? [["body", mask(outcome.text)] as const]
      : membersOf(outcome.json, "").map(([name, value]) => [name, mask(value)] as const)),
  ]);
}

/** Every value within a JSON value, by its path; what holds others counts by how many there are. */
function membersOf(value: unknown, path: string): readonly (readonly [string, string])[] {
  if (typeof value !== "object" || value === null) return [[path, JSON.stringify(value) ?? ""]];
  const inner = Object.entries(value);
  return [
    [
      `members of ${path === "" ? "the body" : path}`,
      inner
        .map(([name]) => name)
        .sort()
        .join(", "),
    ],
    ...inner.flatMap(([name, member]) => membersOf(member, path === "" ? name : `${path}.${name}`)),
  ];
}

function maskOf({ exchange, id }: Asked): (text: string) => string {
  const own = errorOf(exchange)?.request_id;
  const header = headerOf(exchange, constants.requestIdHeader);
  const forms = [id, id.toLowerCase(), id.toUpperCase(), own, header];
  const shown = forms.filter((form) => typeof form === "string" && form !== "");
  return (text) => shown.reduce<string>((masked, form) => masked.replaceAll(String(form), "{id}"), text);
}
