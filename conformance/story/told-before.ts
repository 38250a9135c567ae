import { objectOf, type SentRequest } from "../exchange/exchange.ts";
import { credentialIn, organizationIn } from "./caller-organizations.ts";
import { operationsById } from "./changes.ts";
import { pathOf } from "./names.ts";
import { parsedBody } from "./parsed-body.ts";
import { besideText, momentOf } from "./spans.ts";
import type { Step } from "./step.ts";

/**
 * How what a call is made with stands to what the server told before, by name: a moment to one of an earlier refusal or to
 * the organization's time, as `scheduled_at =` "next_send_at + 1 h"; an id to its caller, as `x-target-org =` "the caller's own
 * organization"; and what was last told of the record in its path, as `{id}'s scheduled_at` "in the past".
 */
export type Standing = readonly (readonly [name: string, text: string])[];

/** Learns what the server told in the course of one check. */
export interface ToldBefore {
  hear(step: Step): void;
  /** That of a call, before its answer is heard; `organization` tells the id of its caller's. */
  standingOf(step: Step, organization: () => string | null): Standing;
}

/** Milliseconds within which a moment is told by another one. */
const nearest = 2 * 86_400_000;

/** Milliseconds by which a clock that runs may be another than the kit's. */
const leeway = 5_000;

type Moments = ReadonlyMap<string, number>;

interface Told {
  readonly record: Readonly<Record<string, unknown>>;
  /** A credential. */
  readonly to: string;
}

export function newToldBefore(): ToldBefore {
  /** Moments in the details of the refusals that a caller got, by name. */
  const refused = new Map<string, Map<string, number>>();
  /** What was last told of a record, and to whom. */
  const records = new Map<string, Told>();
  /** The time of organizations whose clock stands still. */
  const clocks = new Map<string, number>();

  return {
    hear(step) {
      const { through, request, outcome } = step;
      if (request === null || outcome?.kind !== "response") return;
      const answer = objectOf(outcome.json);
      if (through === "sandbox") {
        const data = objectOf(answer?.data);
        const id = organizationIn(step) ?? data?.id;
        const now = momentOf(data?.now);
        if (typeof id === "string" && now !== null && (clocks.has(id) || isStill(data))) clocks.set(id, now);
        return;
      }
      if (outcome.status >= 400) {
        const told = refused.get(credentialIn(request)) ?? new Map<string, number>();
        for (const [name, time] of momentsIn(objectOf(objectOf(answer?.error)?.details))) told.set(name, time);
        if (told.size > 0) refused.set(credentialIn(request), told);
        return;
      }
      const record = objectOf(answer?.data);
      if (typeof record?.id === "string") records.set(record.id, { record, to: credentialIn(request) });
    },
    standingOf({ request, operation = null, at }, organization) {
      if (request === null) return [];
      const known = (): { now: number; isExact: boolean } => {
        const now = clocks.get(organization() ?? "");
        return { now: now ?? at, isExact: now !== undefined };
      };
      const told = refused.get(credentialIn(request)) ?? new Map();
      return [
        ...[...sentMoments(request)].flatMap(([name, time]) => {
          const text = besideOne(time, told) ?? besideNow(time, known);
          return text === null ? [] : [[`${name} =`, text] as const];
        }),
        ...ownIn(request, operation, organization()).map(
          (name) => [`${name} =`, "the caller's own organization"] as const,
        ),
        ...namedIn(request, operation).flatMap(([name, id]) => {
          const last = records.get(id);
          // Organizations have clocks of their own.
          const isOwn = last?.to === credentialIn(request);
          return recordStanding(name, last?.record, isOwn ? known : null);
        }),
      ];
    },
  };
}

const isStill = (data: Readonly<Record<string, unknown>> | null): boolean => data?.clock === "manual";

const momentsIn = (record: Readonly<Record<string, unknown>> | null): Moments =>
  new Map(
    Object.entries(record ?? {}).flatMap(([name, value]) => {
      const time = momentOf(value);
      return time === null ? [] : [[name, time] as const];
    }),
  );

/** Moments that a request is made with: in its query, and at the top of its body. */
function sentMoments({ url, body }: SentRequest): Moments {
  const [, query = ""] = pathOf(url).split("?");
  const ofQuery = [...new URLSearchParams(query)].map(([name, value]) => [`?${name}`, value] as const);
  const ofBody = body !== null && /\d{4}-\d\d-\d\dT/.test(body) ? (objectOf(parsedBody(body)) ?? {}) : {};
  return momentsIn({ ...Object.fromEntries(ofQuery), ...ofBody });
}

/** By the nearest of moments that were told; null where none is near. */
function besideOne(time: number, told: Moments): string | null {
  const [near] = [...told].toSorted(([, one], [, other]) => Math.abs(time - one) - Math.abs(time - other));
  return near === undefined || Math.abs(time - near[1]) > nearest ? null : besideText(near[0], time - near[1]);
}

/** By the organization's time, where that stands still. */
function besideNow(time: number, known: () => { now: number; isExact: boolean }): string | null {
  const { now, isExact } = known();
  return isExact ? besideText("now", time - now) : null;
}

/** Where a request names its caller's own organization: parameters, headers, and members at the top of its body. */
function ownIn(request: SentRequest, operation: string | null, own: string | null): readonly string[] {
  const { url, headers, body } = request;
  if (own === null || ![url, body ?? "", ...Object.values(headers)].some((text) => text.includes(own))) return [];
  const [, query = ""] = pathOf(url).split("?");
  const sent = [
    ...namedIn(request, operation),
    ...[...new URLSearchParams(query)].map(([name, value]) => [`?${name}`, value] as const),
    ...Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const),
    ...Object.entries(objectOf(parsedBody(body)) ?? {}),
  ];
  return sent.flatMap(([name, value]) => (value === own ? [name] : []));
}

/** The ids in a request's path, by the names that the contract gives them. */
function namedIn(request: SentRequest, operation: string | null): readonly (readonly [name: string, id: string])[] {
  const template = operationsById.get(operation ?? "")?.path.split("/") ?? [];
  if (!template.some((name) => name.startsWith("{"))) return [];
  const segments = (pathOf(request.url).split("?")[0] ?? "").split("/").slice(-template.length);
  return template.flatMap((name, index) => (name.startsWith("{") ? [[name, segments[index] ?? ""] as const] : []));
}

/**
 * What was last told of a record: which of its moments had come, where the time is known by which that is to be said, and what
 * is one of few things that it can be.
 */
function recordStanding(
  name: string,
  record: Readonly<Record<string, unknown>> | undefined,
  known: (() => { now: number; isExact: boolean }) | null,
): Standing {
  return Object.entries(record ?? {})
    .slice(0, mostMembers)
    .flatMap(([member, value]) => {
      if ((member === "status" && typeof value === "string" && /^\w{1,40}$/.test(value)) || typeof value === "boolean")
        return [[`${name}'s ${member}`, JSON.stringify(value)]];
      if (!member.endsWith("_at") || alwaysPast.has(member)) return [];
      if (value === null) return [[`${name}'s ${member}`, "null"]];
      const time = momentOf(value);
      if (time === null || known === null) return [];
      const { now, isExact } = known();
      if (!isExact && Math.abs(time - now) < leeway) return [];
      return [[`${name}'s ${member}`, time <= now ? "in the past" : "in the future"]];
    });
}

/** Members of a record that are looked at. */
const mostMembers = 40;

/** When a record was made or changed is over whenever it is told. */
const alwaysPast: ReadonlySet<string> = new Set(["created_at", "updated_at"]);
