import { isDeepStrictEqual } from "node:util";
import { operations } from "../../../generated/operations.ts";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import type { Exchange } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import type { Credential } from "../../provision/tenant.ts";
import { deferringNight } from "../../steps/deferring-night.ts";
import { followPages, metaOf, nextCursorOf } from "../../steps/feed.ts";
import {
  aheadSeconds,
  callCancel,
  listMessages,
  messagesOn,
  sendDraws,
  type TakenMessage,
  takeLater,
  takeMessage,
  timeAhead,
} from "../../steps/message.ts";
import { eventually, isSameId } from "../../steps/settle.ts";

/** Messages of each organization: as many as a small page and a second one hold. */
const messages = 4;

/** A size of pages on which they have no room. */
const small = 2;

/** Times that another organization sends messages where the list seems to show it. */
const patience = 3;

/** Takes messages one after the other, each at another second where the clock can be moved. */
async function takeSome(t: CheckContext, as: Credential): Promise<readonly TakenMessage[]> {
  const taken: TakenMessage[] = [];
  for (let count = 0; count < messages; count += 1) {
    if (taken.length > 0 && as.tenant.manualClock) await as.tenant.advance(1, "a message of another second");
    // The first to be sent is the last to go out.
    taken.push(await takeLater(t, as, { scheduled_at: await timeAhead(as.tenant, aheadSeconds - count * 600) }));
  }
  return taken;
}

const idsOn = (t: CheckContext, pages: readonly Exchange[]): readonly unknown[] =>
  pages.flatMap((page) => messagesOn(t, page)).map(({ id }) => id);

const isAmong = (ids: readonly unknown[], id: unknown): boolean => ids.some((one) => isSameId(one, id));

/** The places at which messages are shown, in the order in which they were sent; only those that are. */
const placesOf = (ids: readonly unknown[], taken: readonly TakenMessage[]): readonly number[] =>
  taken.map(({ id }) => ids.findIndex((one) => isSameId(one, id))).filter((place) => place >= 0);

/** Decides whether what was sent last comes first, from one page to the next. */
function judgeOrder(t: CheckContext<"MSG-62">, pages: readonly Exchange[], taken: readonly TakenMessage[]): void {
  const places = placesOf(idsOn(t, pages), taken);
  t.verify(
    "MSG-62",
    isDeepStrictEqual(
      places,
      places.toSorted((one, other) => other - one),
    ),
    {
      expected: "what was sent last before what was sent first",
      actual: `messages sent one after the other at places ${places.map((place) => place + 1).join(", ")}`,
      exchanges: pages.slice(0, 2),
      question: "Q170",
    },
  );
}

/** The list of messages, on pages of whatever size. */
export const messageList = check({
  id: "messages.list",
  title: "The list of messages holds each message once, newest first, and tells how many there are",
  rules: ["MSG-60", "MSG-61", "MSG-62", "MSG-63"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates", "spends"],
  draws: sendDraws(messages),
  sharedKeys: [[operations.listMessages.scope]],
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const taken = await takeSome(t, main);
    const through = (query: Readonly<Record<string, string>>) =>
      followPages(t, main, query, { read: listMessages, shown: messagesOn });
    const whole = async () => {
      const { pages, refused } = await through({});
      if (refused !== null && pages.length === 0) t.control(refused, "reading the list of messages");
      return pages;
    };
    const complete = await eventually(t, tenant, async () => {
      const pages = await whole();
      return taken.every(({ id }) => isAmong(idsOn(t, pages), id)) ? pages : null;
    });
    const pages = complete ?? (await whole());
    const missing = taken.find(({ id }) => !isAmong(idsOn(t, pages), id));
    t.verify("MSG-60", missing === undefined, {
      expected: `each of ${taken.length} messages that were just sent in the list`,
      actual: missing === undefined ? "that" : `message ${missing.id} not among ${idsOn(t, pages).length}`,
      exchanges: [...(missing === undefined ? [] : [missing.exchange]), ...pages.slice(0, 2)],
    });
    if (missing !== undefined) throw new Blocked("messages are not in the list", "see MSG-60 first", "server");
    // By another key of the organization than sent them.
    const another = await tenant.keyWith([operations.listMessages.scope]);
    const theirs = t.control(await listMessages(t, another), "reading the list by another key");
    const [last] = taken.slice(-1);
    t.verify("MSG-60", isAmong(idsOn(t, [theirs]), last?.id), {
      expected: `the message ${last?.id}, which another key has sent, in the list`,
      actual: `${idsOn(t, [theirs]).length} others`,
      exchanges: [theirs],
    });

    judgeOrder(t, pages, taken);
    const paged = await through({ limit: String(small) });
    judgeOrder(t, paged.pages, taken);
    const ids = idsOn(t, paged.pages);
    const lost = taken.find(({ id }) => !isAmong(ids, id));
    const twice = ids.find((id, index) => ids.findIndex((one) => isSameId(one, id)) !== index);
    if (paged.endless && twice === undefined && !tenant.own)
      throw new Blocked(
        `the organization has more messages than fit on ${paged.pages.length} pages`,
        "give the kit an organization of its own: a new_organization hook, or a sandbox",
      );
    t.verify("MSG-61", paged.refused === null && !paged.endless && lost === undefined && twice === undefined, {
      expected: "each message once from the first page to the last",
      actual:
        paged.refused !== null
          ? "a page that was refused"
          : twice !== undefined
            ? `${String(twice)} twice`
            : lost !== undefined
              ? `${ids.length} messages, ${lost.id} not among them`
              : paged.endless
                ? "no end"
                : "that",
      exchanges: paged.refused === null ? paged.pages.slice(0, 3) : [...paged.pages.slice(-1), paged.refused],
      question: "Q19",
    });

    if (!tenant.fresh)
      throw new Blocked(
        "others may send messages while they are counted",
        "give the kit an organization of its own: a new_organization hook, or a sandbox",
      );
    for (const page of [...pages, ...paged.pages]) t.equal("MSG-63", "meta.total", metaOf(page).total, messages, page);
  },
});

/** Messages that were deferred, and such as were canceled. */
export const listedWhatever = check({
  id: "messages.listed-whatever-becomes-of-it",
  title: "The list of messages holds what was deferred, and what was canceled, and counts them",
  rules: ["MSG-60", "MSG-63"],
  kind: "scenario",
  needs: ["quiet-hours", "manual-clock", "chosen-time"],
  effects: ["creates", "spends", "sends"],
  draws: sendDraws(2),
  async run(t) {
    const main = await (await t.tenant(deferringNight)).main();
    const deferred = await takeMessage(t, main);
    const canceled = await takeMessage(t, main);
    t.control(await callCancel(t, main, canceled.id), "cancelling a message");
    for (const [what, { id, exchange }] of [
      ["deferred", deferred],
      ["canceled", canceled],
    ] as const) {
      const look = async () => t.control(await listMessages(t, main), "reading the list of messages");
      const isIn = (page: Exchange): boolean => isAmong(idsOn(t, [page]), id);
      const shown = await eventually(t, main.tenant, async () => {
        const page = await look();
        return isIn(page) ? page : null;
      });
      const page = shown ?? (await look());
      // A list may hold no message that was canceled (Q100).
      if (what === "canceled" && !isIn(page))
        t.observe("MSG-60", "a canceled message is not in the list", exchange, page);
      else
        t.verify("MSG-60", isIn(page), {
          expected: `the message ${id}, which was ${what}, in the list`,
          actual: shown === null ? `${idsOn(t, [page]).length} others` : "that",
          exchanges: [exchange, page],
        });
      if (main.tenant.fresh && shown !== null && nextCursorOf(page) === null)
        t.equal("MSG-63", "meta.total", metaOf(page).total, messagesOn(t, page).length, page);
    }
  },
});

/** What one organization sees of its messages while another one sends some. */
export const messageListIsolation = check({
  id: "messages.list-isolation",
  title: "Nothing that another organization sends shows in the list of messages: neither it nor its number",
  rules: ["TEN-23"],
  kind: "scenario",
  needs: ["other-organization"],
  effects: ["creates", "spends"],
  draws: sendDraws((2 + patience) * messages),
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const stranger = await (await t.otherTenant({ clock: "manual" })).main();
    const own = await takeSome(t, main);
    const theirs = await takeSome(t, stranger);
    const cursor = nextCursorOf(await listMessages(t, stranger, { limit: "1" }));
    // Under another's cursor too.
    const queries = [{}, { limit: "1" }, ...(cursor === null ? [] : [{ cursor }, { limit: "1", cursor }])];
    for (const query of queries) {
      const page = await listMessages(t, main, query);
      const leaked = messagesOn(t, page).find(({ id }) => theirs.some((one) => isSameId(one.id, id)));
      t.verify("TEN-23", leaked === undefined, {
        expected: "no message of another organization",
        actual: leaked === undefined ? "none" : `message ${String(leaked.id)}`,
        exchanges: [page],
      });
    }

    if (!tenant.fresh || !tenant.manualClock)
      throw new Blocked(
        "others may send messages while the list is compared",
        "give the kit an organization of its own whose clock it moves: a sandbox",
      );
    const look = async (): Promise<readonly Exchange[]> => {
      const next = nextCursorOf(await listMessages(t, main, { limit: "1" }));
      const asked = [{}, { limit: "1" }, ...(next === null ? [] : [{ limit: "1", cursor: next }])];
      const pages: Exchange[] = [];
      for (const query of asked) pages.push(await listMessages(t, main, query));
      return pages;
    };
    /** What differs once another organization has sent messages; null where nothing does. */
    const changed = async () => {
      // A list may show a message a moment later; it is at rest when it looks alike twice.
      let before = await look();
      const atRest = await eventually(t, tenant, async () => {
        const again = await look();
        const isAlike = isDeepStrictEqual(
          before.map((page) => seenOn(t, page)),
          again.map((page) => seenOn(t, page)),
        );
        before = again;
        return isAlike && own.every(({ id }) => isAmong(idsOn(t, again.slice(0, 1)), id)) ? again : null;
      });
      if (atRest === null)
        throw new Blocked("a list at rest was never shown twice alike", "see MSG-60 and MSG-63 first", "server");
      const [first] = await takeSome(t, stranger);
      if (first !== undefined) t.control(await callCancel(t, stranger, first.id), "cancelling a message");
      const after = await look();
      const differs = after.findIndex((page, index) => !isDeepStrictEqual(seenOn(t, page), seenOn(t, atRest[index])));
      return differs < 0 ? null : ([atRest[differs], after[differs]] as const);
    };
    // A total may be counted now and then only; what others send shows each time.
    let difference = await changed();
    for (let tries = 1; tries < patience && difference !== null; tries += 1) difference = await changed();
    const [then, now] = difference ?? [];
    t.verify("TEN-23", difference === null, {
      expected: `the list as it was before another organization sent messages: ${JSON.stringify(seenOn(t, then))}`,
      actual: difference === null ? "that" : JSON.stringify(seenOn(t, now)),
      exchanges: [then, now].filter((page) => page !== undefined),
    });
  },
});

/** What a page shows, but for cursors, which may be made anew each time. */
function seenOn(t: CheckContext, page: Exchange | undefined): object | null {
  if (page === undefined) return null;
  const { total, limit, offset } = metaOf(page);
  return { ids: idsOn(t, [page]), total, limit, offset, more: nextCursorOf(page) !== null };
}
