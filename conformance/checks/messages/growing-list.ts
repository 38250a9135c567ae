import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import type { TenantWish } from "../../provision/tenant.ts";
import { type FeedQuery, followPages, type Paging } from "../../steps/feed.ts";
import { listMessages, messagesOn, sendDraws, type TakenMessage, takeLater } from "../../steps/message.ts";
import { roomyBucket } from "../../steps/roomy-bucket.ts";
import { eventually, isSameId } from "../../steps/settle.ts";

/** Messages of one instant, and a size of pages that parts them. */
const [messages, size] = [5, 2];

const roomy: TenantWish = {
  clock: "manual",
  limits: { messageSendsPerSecond: roomyBucket, messageSendsPerMinute: roomyBucket, consentRecords: roomyBucket },
};

/** A list of messages that were all sent at one instant, and one that grows while it is paged through. */
export const growingList = check({
  id: "messages.growing-list",
  title: "Pages show each message once also where all are of one instant, and where more are sent between two pages",
  rules: ["MSG-61"],
  kind: "scenario",
  needs: ["limit-override", "manual-clock"],
  effects: ["creates", "spends"],
  draws: sendDraws(messages + 1),
  async run(t) {
    const main = await (await t.tenant(roomy)).main();
    const taken: TakenMessage[] = [];
    while (taken.length < messages) taken.push(await takeLater(t, main));
    const read = (query: FeedQuery, between?: () => Promise<void>): Promise<Paging> =>
      followPages(t, main, query, {
        read: listMessages,
        shown: messagesOn,
        ...(between === undefined ? {} : { between }),
      });
    const complete = await eventually(t, main.tenant, async () => {
      const { pages, refused } = await read({});
      if (refused !== null) t.control(refused, "reading the list of messages");
      const ids = pages.flatMap((page) => messagesOn(t, page)).map(({ id }) => id);
      return taken.every((one) => ids.some((id) => isSameId(id, one.id))) ? pages : null;
    });
    if (complete === null) throw new Blocked("messages are not in the list", "see MSG-60 first", "server");

    judge(t, "of one instant", taken, await read({ limit: String(size) }));
    let isAdded = false;
    const add = async (): Promise<void> => {
      if (isAdded) return;
      await main.tenant.advance(2, "a message of a later instant");
      await takeLater(t, main);
      isAdded = true;
    };
    judge(t, "that were there before another one was sent", taken, await read({ limit: String(size) }, add));
  },
});

/** Decides whether pages show none twice, and all that were taken before. */
function judge(
  t: CheckContext<"MSG-61">,
  which: string,
  taken: readonly TakenMessage[],
  { pages, refused, endless }: Paging,
): void {
  const ids = pages.flatMap((page) => messagesOn(t, page)).map(({ id }) => id);
  const twice = ids.find((id, index) => ids.findIndex((one) => isSameId(one, id)) !== index);
  const missing = taken.find((one) => !ids.some((id) => isSameId(id, one.id)));
  const faults = [
    ...(refused === null || isSuccess(refused) ? [] : [`a page that was answered ${summaryOf(refused)}`]),
    ...(twice === undefined ? [] : [`${String(twice)} twice`]),
    ...(missing === undefined ? [] : [`${missing.id} not among them`]),
    ...(endless ? ["no end"] : []),
  ];
  t.verify("MSG-61", faults.length === 0, {
    expected: `each of ${taken.length} messages ${which} once from the first page to the last`,
    actual: faults.length === 0 ? "that" : faults.join(", "),
    exchanges: [...pages.slice(0, 3), ...(refused === null ? [] : [refused])],
    question: "Q19",
  });
}
