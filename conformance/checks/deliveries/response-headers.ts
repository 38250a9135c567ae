import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { type ResponseParts, respond } from "../../exchange/answer.ts";
import type { Delivery } from "../../exchange/delivery.ts";
import { Blocked } from "../../outcome/verdict.ts";
import type { Inbox } from "../../receiver/inbox.ts";
import { deliverOne, eventIdOf } from "../../steps/deliver-one.ts";
import { createEndpoint, isSameUrl } from "../../steps/endpoint.ts";
import type { AttemptRecord } from "../../steps/feed.ts";
import { judgeOutcomeOf, telling } from "../../steps/judge-outcome.ts";
import { attemptsAt, isSameId, settle } from "../../steps/settle.ts";

/** A response of the endpoint's own address that names another address, or requires something else. */
interface Named {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Status that the named address returns. */
  readonly elsewhere: number;
  /** Clients may fail to decode the body. */
  readonly isUndecodable?: boolean;
}

/** Redirects of each method rule (RFC 9110, 15.4). */
const redirects = [301, 302, 303, 307, 308] as const;

/** Bytes of a header's value that common clients still read. */
const longValueBytes = 3_000;

/** Responses by what they name: an absolute address and one that is relative to the endpoint's. */
const responsesNaming = (absolute: string, relative: string): readonly Named[] =>
  alternated(
    redirects.flatMap((status) => [
      { status, headers: { location: absolute }, elsewhere: 200 },
      { status, headers: { location: relative }, elsewhere: 500 },
    ]),
    othersNaming(absolute),
  );

/** Alternates the responses: a server may stop deliveries to an endpoint that fails many times in a row. */
const alternated = (ones: readonly Named[], others: readonly Named[]): readonly Named[] =>
  Array.from({ length: Math.max(ones.length, others.length) }, (_, index) => [ones[index], others[index]])
    .flat()
    .filter((one) => one !== undefined);

const othersNaming = (absolute: string): readonly Named[] => [
  { status: 300, headers: { location: absolute }, elsewhere: 200 },
  { status: 200, headers: { location: absolute }, elsewhere: 500 },
  { status: 201, headers: { location: absolute }, elsewhere: 500 },
  { status: 202, headers: { location: absolute, "retry-after": "1" }, elsewhere: 500 },
  { status: 200, headers: { "content-location": absolute }, elsewhere: 500 },
  { status: 200, headers: { refresh: `0; url=${absolute}` }, elsewhere: 500 },
  { status: 200, headers: { link: `<${absolute}>; rel="canonical"` }, elsewhere: 500 },
  { status: 500, headers: { location: absolute }, elsewhere: 200 },
  { status: 500, headers: { refresh: `0; url=${absolute}` }, elsewhere: 200 },
  { status: 503, headers: { "retry-after": "1" }, elsewhere: 200 },
  { status: 401, headers: { "www-authenticate": 'Basic realm="hooks"' }, elsewhere: 200 },
  { status: 200, headers: { "set-cookie": "session=1; Path=/" }, elsewhere: 500 },
  { status: 200, headers: { "x-long": "x".repeat(longValueBytes) }, elsewhere: 500 },
  { status: 426, headers: { upgrade: "HTTP/2.0", connection: "Upgrade" }, elsewhere: 200 },
  { status: 200, headers: { "content-encoding": "gzip" }, elsewhere: 500, isUndecodable: true },
];

/** Attempts at an endpoint that names another address in its response. */
export const responseHeaders = check({
  id: "deliveries.response-headers",
  title: "The record shows the response of the endpoint's own URL, not of another URL that the response names",
  rules: ["EVT-11", "EVT-12", "WHE-19", "WHL-09", "WHL-13", "WHL-15", "WHL-16"],
  kind: "scenario",
  needs: ["receiver"],
  effects: ["creates"],
  draws: {},
  async run(t) {
    const owner = await (await t.tenant({ clock: "manual" })).main();
    const [inbox, other] = [t.inbox(), t.inbox()];
    const endpoint = await createEndpoint(t, owner, { inbox });
    const relative = new URL(other.url).pathname;
    for (const [index, named] of responsesNaming(other.url, relative).entries()) {
      const { status, headers, elsewhere } = named;
      const body = `own response ${index}`;
      const parts: ResponseParts = { body, headers: { "content-type": "text/plain; charset=utf-8", ...headers } };
      // Only the first request gets it. Requests that a client repeats are not judged.
      inbox.answer(respond(status, parts), respond(status, { body }));
      other.answer(respond(elsewhere, { body: `response ${index} from elsewhere` }));
      const before = other.deliveries().length;
      const delivery = await deliverOne(t, endpoint, inbox);
      await settle(owner.tenant);
      const isOfEvent = ({ event_id }: AttemptRecord): boolean => isSameId(event_id, eventIdOf(delivery));
      const { records, pages } = await attemptsAt(t, endpoint, (all) => all.some(isOfEvent));
      const shown = { exchanges: pages, deliveries: [delivery] };
      const mine = records.filter(isOfEvent);
      if (mine.length === 0) throw new Blocked("a delivery has no attempt on record", "see WHL-08 first", "server");
      judgeElsewhere(t, named, other, before, delivery);
      // A server that follows redirects may record further requests, with the addresses to which it sent them.
      const own = mine.filter(({ url }) => url === delivery.url || isSameUrl(url, delivery.url));
      const isOwn = t.verify("WHL-15", own.length > 0, {
        ...shown,
        expected: `a record with the endpoint's url ${delivery.url}, to which the attempt was sent`,
        actual: mine.map(({ url }) => JSON.stringify(url)).join(", "),
      });
      if (!isOwn) continue;
      const first = own.toSorted((one, two) => Number(one.attempt) - Number(two.attempt))[0];
      if (first === undefined) continue;
      const warnOnly = named.isUndecodable === true;
      t.verify("WHL-09", first.response_status === status, {
        ...shown,
        expected: `response_status ${status}, which the endpoint's own address returned`,
        actual: JSON.stringify(first.response_status) ?? "none",
        warnOnly,
      });
      t.verify("WHL-16", (first.error ?? null) === null, {
        ...shown,
        expected: "error null, since the endpoint's own address answered",
        actual: JSON.stringify(first.error) ?? "none",
        warnOnly,
      });
      if (first.response_status !== status) continue;
      if (telling.includes(status) && !warnOnly) judgeOutcomeOf(t, first, status, pages);
      const excerpt = first.response_body_excerpt ?? "";
      t.verify("WHL-13", warnOnly || (typeof excerpt === "string" && isPartOf(excerpt, body)), {
        ...shown,
        expected: `response_body_excerpt, a leading part of ${JSON.stringify(body)}`,
        actual: JSON.stringify(excerpt),
        question: "Q74",
      });
    }
  },
});

/** The excerpt may be of any length, and an ellipsis may show that there was more. */
const isPartOf = (excerpt: string, body: string): boolean =>
  body.startsWith(excerpt.replace(/\s?(\u2026|\.\.\.)$/u, ""));

/** Verifies that no request went to an address that a response named. Following redirects is an open question. */
function judgeElsewhere(
  t: CheckContext<"WHE-19">,
  { status }: Named,
  other: Inbox,
  before: number,
  delivery: Delivery,
): void {
  const further = other.deliveries().slice(before);
  const isFollowed = status >= 300 && status <= 399;
  t.verify("WHE-19", isFollowed || further.length === 0, {
    expected: `nothing sent to the address that a response with status ${status} names`,
    actual: further.length === 0 ? "that" : further.map(({ method }) => `${method} ${other.url}`).join(", "),
    exchanges: [],
    deliveries: [delivery, ...further],
  });
}
