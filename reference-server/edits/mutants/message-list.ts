import { refuse } from "../../../generated/error-rows.ts";
import type { Message } from "../../../generated/models/messages.ts";
import { operations } from "../../../generated/operations.ts";
import type { FoundMessages, MessagePage } from "../../store/messages/find-messages.ts";
import type { Store } from "../../store/store.ts";
import type { Mutant, PortChange } from "../edit.ts";
import { storing } from "../port-changes.ts";
import { seeing } from "../seen.ts";
import { dataOf, isRefusal, onAnswer, onRequest, parsed, refusedWith, type Wire, withBody } from "../wire.ts";
import { bodyOf, queryOf, withKey } from "../wire-requests.ts";
import { mutantOf, wireMutant } from "./mutant.ts";

const { id: list } = operations.listMessages;

/** Changes how the store finds a page of messages. */
const finding = (
  change: (store: Store, organizationId: string, page: MessagePage) => Promise<FoundMessages>,
): PortChange => storing((store) => ({ messages: (organizationId, page) => change(store, organizationId, page) }));

/** Changes the messages of a page. */
const showing = (change: (messages: readonly Message[]) => readonly Message[]): Wire =>
  onAnswer(list, (answer) => {
    const body = Object(parsed(answer.bytes));
    return Array.isArray(body.data) ? withBody(answer, { ...body, data: change(body.data) }) : answer;
  });

/** Changes what a page tells of itself. */
const telling = (
  change: (meta: { readonly total: number; readonly limit: number; readonly offset: number }, shown: number) => object,
): Wire =>
  onAnswer(list, (answer) => {
    const { meta, ...body } = Object(parsed(answer.bytes));
    if (answer.status >= 300) return answer;
    return withBody(answer, { ...body, meta: { ...meta, ...change(meta, body.data.length) } });
  });

/** Servers that list messages in a wrong way. */
export const messageListMutants: readonly Mutant[] = [
  wireMutant(
    "MSG-60",
    "waiting",
    "lists no message that is waiting",
    showing((messages) => messages.filter(({ status }) => status !== "scheduled")),
  ),
  wireMutant("MSG-60", "deferred", "lists no message that was deferred", (serve) => {
    const deferred = new Set<unknown>();
    return async (request) => {
      const answer = await serve(request);
      const { id } = Object(dataOf(answer));
      if (request.operation === "sendMessage" && Object(bodyOf(request)).scheduled_at === undefined)
        if (answer.status === 202) deferred.add(id);
      return request.operation === list
        ? showing((messages) => messages.filter((message) => !deferred.has(message.id)))(async () => answer)(request)
        : answer;
    };
  }),
  mutantOf("MSG-60", "newest", "leaves out the newest message", [
    finding(async (store, organizationId, page) => {
      const found = await store.messages(organizationId, { ...page, limit: page.limit + 1 });
      const messages = page.before === null ? found.messages.slice(1) : found.messages.slice(0, page.limit);
      return { messages, total: found.total };
    }),
  ]),
  mutantOf("MSG-61", "first-again", "begins again with each page", [
    finding((store, organizationId, page) => store.messages(organizationId, { ...page, before: null })),
  ]),
  mutantOf("MSG-61", "overlapping", "shows the last message of a page on the next one too", [
    finding((store, organizationId, { before, limit }) =>
      store.messages(organizationId, {
        before: before === null ? null : { ...before, id: "ffffffff-ffff-ffff-ffff-ffffffffffff" },
        limit,
      }),
    ),
  ]),
  mutantOf("MSG-61", "skipping", "skips a message between two pages", [
    finding(async (store, organizationId, page) => {
      if (page.before === null) return store.messages(organizationId, page);
      const found = await store.messages(organizationId, { ...page, limit: page.limit + 1 });
      return { ...found, messages: found.messages.slice(1) };
    }),
  ]),
  wireMutant(
    "MSG-62",
    "oldest",
    "shows the oldest first on each page",
    showing((messages) => messages.toReversed()),
  ),
  wireMutant(
    "MSG-62",
    "by-id",
    "orders a page by what nobody sees",
    showing((messages) => messages.toSorted((one, other) => (one.created_at < other.created_at ? -1 : 1))),
  ),
  wireMutant(
    "MSG-63",
    "shown",
    "counts what the page shows",
    telling((_, shown) => ({ total: shown })),
  ),
  wireMutant(
    "MSG-63",
    "left",
    "counts what is still to come",
    telling(({ total, offset }) => ({ total: total - offset })),
  ),
  wireMutant(
    "MSG-49",
    "list",
    "reads the list of nobody who may not send just now",
    seeing((seen) => (serve) => {
      const throttled = new Set<string>();
      return async (request) => {
        const answer = await serve(request);
        const organization = seen.callerOf(request)?.organization ?? "";
        if (request.operation === "sendMessage" && isRefusal(answer, "RateLimited")) throttled.add(organization);
        return request.operation === list && throttled.has(organization)
          ? refusedWith(answer, refuse.RateLimited("Wait.", { "Retry-After": "1" }))
          : answer;
      };
    }),
  ),
  wireMutant(
    "TEN-23",
    "everybodys",
    "lists for everybody what the latest organization sent",
    seeing((seen) =>
      onRequest(list, (request) => {
        const latest = seen.organizations().at(-1);
        const key = latest === undefined ? undefined : seen.widestKeyOf(latest);
        return key === undefined ? request : withKey(request, key);
      }),
    ),
  ),
  mutantOf("TEN-23", "total", "counts the messages of all organizations", [
    storing((store) => {
      const organizations = new Set<string>();
      return {
        async messages(organizationId, page) {
          organizations.add(organizationId);
          const found = await store.messages(organizationId, page);
          const first = { before: null, limit: 1 };
          const totals = await Promise.all([...organizations].map((id) => store.messages(id, first)));
          return { ...found, total: totals.reduce((sum, { total }) => sum + total, 0) };
        },
      };
    }),
  ]),
  wireMutant(
    "TEN-23",
    "cursor",
    "goes on in the list that a cursor is of, whoever gives it",
    seeing((seen) => {
      const owners = new Map<string, string>();
      return (serve) => async (request) => {
        if (request.operation !== list) return serve(request);
        const owner = owners.get(queryOf(request).get("cursor") ?? "");
        const key = owner === undefined ? undefined : seen.widestKeyOf(owner);
        const answer = await serve(key === undefined ? request : withKey(request, key));
        const { next_cursor } = Object(Object(parsed(answer.bytes)).meta);
        const caller = seen.callerOf(request);
        if (typeof next_cursor === "string" && caller !== undefined) owners.set(next_cursor, caller.organization);
        return answer;
      };
    }),
  ),
];
