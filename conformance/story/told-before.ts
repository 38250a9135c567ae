import { objectOf, type SentRequest } from "../exchange/exchange.ts";
import { credentialIn, newCallerOrganizations, organizationIn } from "./caller-organizations.ts";
import { operationsById } from "./changes.ts";
import { pathOf } from "./names.ts";
import { parsedBody } from "./parsed-body.ts";
import { besideText, momentOf } from "./spans.ts";
import type { Standing, Step } from "./step.ts";

/** Learns what the server told in the course of one check. */
export interface ToldBefore {
  hear(step: Step): void;
  /** That of a call, before its answer is heard; `organization` tells the id of its caller's. */
  standingOf(step: Step, organization: () => string | null): Standing;
}

/** How the calls of a story stand to what was told before them; `issuedBy` tells the call whose answer gave a key. */
export function standingsIn(
  steps: readonly Step[],
  issuedBy: (secret: string) => Step | null,
): ReadonlyMap<Step, Standing> {
  const organizations = newCallerOrganizations(issuedBy);
  const told = newToldBefore();
  const standings = new Map<Step, Standing>();
  for (const step of steps) {
    organizations.hear(step);
    if (step.through === "api" && step.request !== null) {
      const credential = credentialIn(step.request);
      standings.set(
        step,
        told.standingOf(step, () => organizations.of(credential)?.id ?? null),
      );
    }
    told.hear(step);
  }
  return standings;
}

/** Milliseconds within which a moment is told by another one. */
const nearest = 2 * 86_400_000;

/** Milliseconds by which a clock that runs may be another than the kit's. */
const leeway = 5_000;

type Moments = ReadonlyMap<string, number>;

type Members = Readonly<Record<string, unknown>>;

interface Told {
  readonly record: Members;
  /** A credential. */
  readonly to: string;
}

export function newToldBefore(): ToldBefore {
  /** Moments in the details of the refusals that a caller got, by name. */
  const refused = new Map<string, Map<string, number>>();
  /** What was last told of a record, and to whom. */
  const records = new Map<string, Told>();
  /** What was last told of a phone number to one caller, of whatever kinds of records that were. */
  const numbers = new Map<string, Members>();
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
      const to = credentialIn(request);
      for (const record of recordsIn(answer?.data)) {
        if (typeof record.id === "string") records.set(record.id, { record, to });
        if (!isNumber(record.phone_number)) continue;
        const of = `${to} ${record.phone_number}`;
        numbers.set(of, { ...numbers.get(of), ...record });
      }
    },
    standingOf({ request, operation = null, at }, organization) {
      if (request === null) return [];
      const known = (): { now: number; isExact: boolean } => {
        const now = clocks.get(organization() ?? "");
        return { now: now ?? at, isExact: now !== undefined };
      };
      const told = refused.get(credentialIn(request)) ?? new Map();
      const sent = sentIn(request);
      return [
        ...[...sentMoments(request, sent)].flatMap(([name, time]) => {
          const text = besideOne(time, told) ?? besideNow(time, known);
          return text === null ? [] : [[`${name} =`, text] as const];
        }),
        ...ownIn(request, sent, operation, organization()).map(
          (name) => [`${name} =`, "the caller's own organization"] as const,
        ),
        ...namedIn(request, operation).flatMap(([name, id]) => {
          const last = records.get(id);
          // Organizations have clocks of their own.
          const isOwn = last?.to === credentialIn(request);
          return recordStanding(name, last?.record, isOwn ? known : null);
        }),
        ...sentNames(request, sent).flatMap(([name, value]) => {
          const record = records.get(value)?.record ?? numbers.get(`${credentialIn(request)} ${value}`);
          // What it belongs to may be what matters, such as a campaign's brand.
          const belongs = Object.entries(record ?? {}).flatMap(([member, of]) =>
            member.endsWith("_id") && typeof of === "string"
              ? recordStanding(`${name}'s ${member}`, records.get(of)?.record, null)
              : [],
          );
          return [...recordStanding(name, record, null), ...belongs];
        }),
      ];
    },
  };
}

const isStill = (data: Members | null): boolean => data?.clock === "manual";

const momentsIn = (record: Members | null): Moments =>
  new Map(
    Object.entries(record ?? {}).flatMap(([name, value]) => {
      const time = momentOf(value);
      return time === null ? [] : [[name, time] as const];
    }),
  );

/** What a request is made with: by name in its query, and at the top of its body. */
interface Sent {
  readonly query: readonly (readonly [name: string, value: string])[];
  /** Read where somebody asks: most bodies that are long are looked at for nothing. */
  readonly body: () => Members;
}

function sentIn({ url, body }: SentRequest): Sent {
  const [, query] = url.split("?");
  let members: Members | null = null;
  return {
    query: query === undefined ? [] : [...new URLSearchParams(query)].map(([name, value]) => [`?${name}`, value]),
    body() {
      members ??= objectOf(parsedBody(body)) ?? {};
      return members;
    },
  };
}

/** Moments that a request is made with. */
function sentMoments({ body }: SentRequest, sent: Sent): Moments {
  const ofBody = body !== null && /\d{4}-\d\d-\d\dT/.test(body) ? sent.body() : {};
  return momentsIn({ ...Object.fromEntries(sent.query), ...ofBody });
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
function ownIn(request: SentRequest, sent: Sent, operation: string | null, own: string | null): readonly string[] {
  const { url, headers, body } = request;
  if (own === null || ![url, body ?? "", ...Object.values(headers)].some((text) => text.includes(own))) return [];
  const named = [
    ...namedIn(request, operation),
    ...sent.query,
    ...Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const),
    ...Object.entries(sent.body()),
  ];
  return named.flatMap(([name, value]) => (value === own ? [name] : []));
}

/** The records that an answer shows: the one, or some of a list, which may stand in a member of it. */
function recordsIn(data: unknown): readonly Members[] {
  const record = objectOf(data);
  const lists: readonly unknown[] = [data, ...Object.values(record ?? {})];
  const listed = lists.flatMap((list) => (Array.isArray(list) ? list.slice(0, mostListed) : []));
  return [...listed, record].flatMap<Members>((one) => objectOf(one) ?? []);
}

/** Records of a list that are looked at. */
const mostListed = 20;

/** Ids and phone numbers that a request is made with. */
function sentNames({ body }: SentRequest, sent: Sent): readonly (readonly [name: string, value: string])[] {
  const ofBody = body !== null && body.length <= longestLooked ? Object.entries(sent.body()) : [];
  return [...sent.query, ...ofBody].flatMap(([name, value]) =>
    typeof value === "string" && (isId(value) || isNumber(value)) ? [[name, value] as const] : [],
  );
}

/** Characters of a body that is looked at for names. */
const longestLooked = 2_000;

const isId = (text: string): boolean => /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(text);

const isNumber = (value: unknown): value is string => typeof value === "string" && /^\+\d{7,15}$/.test(value);

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
  record: Members | undefined,
  known: (() => { now: number; isExact: boolean }) | null,
): Standing {
  return Object.entries(record ?? {})
    .slice(0, mostMembers)
    .flatMap(([member, value]) => {
      // Whether an answer shows a secret is no state of its record.
      if (member.includes("secret")) return [];
      if (typeof value === "boolean" || (isOfFew(member) && typeof value === "string" && /^[\w-]{1,40}$/.test(value)))
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

/** Whether a member, by its name, is one of few things. */
const isOfFew = (member: string): boolean => /(^|_)(status|state|type)$/.test(member);

/** Members of a record that are looked at. */
const mostMembers = 40;

/** When a record was made or changed is over whenever it is told. */
const alwaysPast: ReadonlySet<string> = new Set(["created_at", "updated_at"]);
