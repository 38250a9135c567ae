import { isDeepStrictEqual } from "node:util";
import { bounds } from "../../../generated/limits.ts";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import type { Exchange } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import type { Credential } from "../../provision/tenant.ts";
import { answeredEndpoint } from "../../steps/answered-endpoint.ts";
import { deleteEndpoint, type Endpoint } from "../../steps/endpoint.ts";
import { type FeedQuery, list, metaOf, nextCursorOf, queryText, recordsOf } from "../../steps/feed.ts";
import { makeEvent } from "../../steps/make-event.ts";
import { outcomes } from "../../steps/outcomes.ts";
import { replay } from "../../steps/replay.ts";
import { attemptsAt, eventually, isSameId, settle } from "../../steps/settle.ts";

/** Events in each of two organizations: enough for pages of one that others follow. */
const events = 3;

/** What one organization sees of its feed while another one is at work. */
export const feedIsolation = check({
  id: "deliveries.feed-isolation",
  title: "Nothing that another organization does shows in a feed: not in its records, order, totals or pages",
  rules: ["TEN-04"],
  kind: "scenario",
  needs: ["other-organization"],
  effects: ["creates"],
  draws: { deliveryReplays: 1 },
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const stranger = await (await t.otherTenant({ clock: "manual" })).main();
    const own = await filled(t, main);
    const theirs = await filled(t, stranger);
    const foreign = nextCursorOf(await list(t, stranger, { limit: "1" }));
    if (foreign !== null) await underForeignCursor(t, main, foreign, theirs.ids);

    if (!tenant.fresh || !tenant.manualClock)
      throw new Blocked(
        "others may add to the feed while it is compared",
        "give the kit an organization of its own whose clock it moves: a sandbox",
      );
    const cursor = nextCursorOf(await list(t, main, { limit: "1" }));
    const queries: readonly FeedQuery[] = [
      ...[
        {},
        { limit: "1" },
        { limit: String(bounds.deliveryPageMax) },
        { outcome: outcomes[0] ?? "" },
        { endpoint_id: own.endpoint.id },
      ],
      ...[{ since: "2000-01-01T00:00:00Z" }, { http_status_min: String(bounds.httpStatusMin) }],
      ...(cursor === null ? [] : [{ limit: "1", cursor }]),
    ];
    const look = async (): Promise<readonly Exchange[]> => {
      const pages: Exchange[] = [];
      for (const query of queries) pages.push(t.control(await list(t, main, query), "reading the feed"));
      return pages;
    };
    // A feed may show an attempt some time after it was made.
    let first = await look();
    const second = await eventually(t, tenant, async () => {
      const again = await look();
      if (isDeepStrictEqual(first.map(seenIn), again.map(seenIn))) return again;
      first = again;
      return null;
    });
    if (second === null)
      throw new Blocked("a feed at rest was never shown twice alike", "see WHL-23 and WHL-44 first", "server");
    await atWork(t, theirs.endpoint);
    const after = await look();
    for (const [index, query] of queries.entries()) {
      const [before, later] = [second[index], after[index]];
      if (before === undefined || later === undefined) continue;
      const holds = isDeepStrictEqual(seenIn(later), seenIn(before));
      t.verify("TEN-04", holds, {
        expected: `the feed${queryText(query) === "" ? "" : ` with ${queryText(query)}`} as it was before another organization had events: ${JSON.stringify(seenIn(before))}`,
        actual: holds ? "that" : JSON.stringify(seenIn(later)),
        exchanges: [before, later],
      });
    }
  },
});

/** An endpoint with attempts, and the ids of their records. */
async function filled(
  t: CheckContext,
  as: Credential,
): Promise<{ readonly endpoint: Endpoint; readonly ids: readonly unknown[] }> {
  const endpoint = await answeredEndpoint(t, as);
  for (let count = 0; count < events; count += 1) await makeEvent(t, endpoint);
  const { records, enough } = await attemptsAt(t, endpoint, events);
  if (!enough) throw new Blocked("attempts were not in the feed in time", "see WHL-08 first", "server");
  return { endpoint, ids: records.map(({ id }) => id) };
}

/** What leaves records behind in the organization that does it. */
async function atWork(t: CheckContext, endpoint: Endpoint): Promise<void> {
  const { owner } = endpoint;
  for (let count = 0; count < events; count += 1) await makeEvent(t, endpoint);
  const { records } = await attemptsAt(t, endpoint, 2 * events);
  const [record] = records;
  if (typeof record?.id === "string") await replay(t, owner, record.id);
  await settle(owner.tenant);
  const other = await answeredEndpoint(t, owner);
  await makeEvent(t, other);
  await settle(owner.tenant);
  await deleteEndpoint(t, other);
  // What was counted for it is nobody else's.
  await list(t, owner, { limit: "1" });
}

/** What an answer shows, but for cursors, which may be made anew each time. */
function seenIn(exchange: Exchange): object {
  const { total, limit, offset } = metaOf(exchange);
  const ids = recordsOf(exchange).map(({ id }) => id);
  return { ids, total, limit, offset, more: nextCursorOf(exchange) !== null };
}

/** Another organization's cursor leads nowhere, or on in one's own feed. */
async function underForeignCursor(
  t: CheckContext,
  as: Credential,
  cursor: string,
  theirs: readonly unknown[],
): Promise<void> {
  const page = await list(t, as, { limit: "1", cursor });
  const leaked = recordsOf(page).find(({ id }) => theirs.some((one) => isSameId(one, id)));
  t.verify("TEN-04", leaked === undefined, {
    expected: "no attempt of the organization that the cursor is of",
    actual: leaked === undefined ? "none" : `attempt ${leaked.id}`,
    exchanges: [page],
  });
}
