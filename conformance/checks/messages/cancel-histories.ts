import { performance } from "node:perf_hooks";
import { movedMessage } from "../../arrangements/moved-message.ts";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { type Exchange, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { type Call, linearize } from "../../linearizability/linearize.ts";
import { Blocked } from "../../outcome/verdict.ts";
import type { Credential } from "../../provision/tenant.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { balanceOf } from "../../steps/lookup.ts";
import {
  callCancel,
  optIn,
  readMessage,
  sendDraws,
  settledStatus,
  shownIn,
  statusOnce,
  takeLater,
} from "../../steps/message.ts";

type Rule = "MSG-52" | "MSG-81" | "MSG-82";

/** Where a message is. */
type State = "unclaimed" | "canceled" | "claimed" | "terminal";

const kinds = ["cancel", "claim", "finish", "read"] as const;

type Kind = (typeof kinds)[number];

/** A call as it was made. */
interface Made extends Call<State> {
  readonly kind: Kind;
  /** Such as "cancel: 200 success". */
  readonly text: string;
  readonly exchange: Exchange | null;
}

/** The statuses that show where a message is, each with the states that it may stand for. */
type Statuses = ReadonlyMap<string, readonly State[]>;

/** Clients that call at once, and what each of them calls one after the other. */
const clients = 4;
const callsOfClient = 3;
const rounds = 6;

/** Calls of a round that cancel, end or read a message at once. */
export const cancelHistories = check({
  id: "messages.cancel-histories",
  title:
    "Canceled, claimed and read at once, a message is canceled or claimed, and no call is answered as if it were both",
  rules: ["MSG-52", "MSG-81", "MSG-82"],
  kind: "sampled",
  needs: ["manual-clock", "message-move", "state"],
  effects: ["creates", "spends"],
  draws: sendDraws(rounds + 3),
  async run(t) {
    const first = await (await t.tenant({ clock: "manual" })).main();
    await optIn(t, first);
    const statuses = await statusesOf(t, first);
    for (let round = 1; round <= rounds; round += 1) {
      // In an organization of its own, to which nothing comes back late of what an earlier round was charged.
      const tenant = await t.tenant({ clock: "manual" });
      const main = await tenant.main();
      const before = await balanceOf(tenant);
      const { id } = await takeLater(t, main);
      // One of many claims is often the first of all calls: every other round begins without them.
      const early = round % 2 === 0 ? kinds : (["cancel", "cancel", "read"] as const);
      const made = await madeAtOnce(t, main, { id, statuses, early });
      judge(t, made);
      const after = await balanceOf(tenant);
      t.verify("MSG-52", after <= before, {
        expected: `at most ${before} millionths of a US dollar in the wallet, as before the send`,
        actual: String(after),
        warnOnly: !tenant.own,
        exchanges: made.flatMap(({ exchange }) => exchange ?? []).slice(0, 4),
      });
    }
  },
});

/** Learns which statuses a message shows in which state, each of a message that stays there. */
async function statusesOf(t: CheckContext<Rule>, main: Credential): Promise<Statuses> {
  const found = new Map<string, State[]>();
  const note = (status: string, state: State): void => void found.set(status, [...(found.get(status) ?? []), state]);
  const [one, other] = [(await takeLater(t, main)).id, (await takeLater(t, main)).id];
  const unclaimed = (await statusOnce(t, main, one, () => true)).status;
  const isOther = (status: string): boolean => status !== unclaimed;
  note(unclaimed, "unclaimed");
  t.control(await callCancel(t, main, one), "cancelling a message");
  note((await settledStatus(t, main, one, unclaimed)).status, "canceled");
  await main.tenant.arrange(movedMessage, { message_id: other, to: "claimed" });
  const claimed = (await statusOnce(t, main, other, isOther)).status;
  note(claimed, "claimed");
  await main.tenant.arrange(movedMessage, { message_id: other, to: "terminal" });
  note((await statusOnce(t, main, other, (status) => status !== claimed)).status, "terminal");
  return found;
}

/** Has clients call at once, each one call after the other. */
async function madeAtOnce(
  t: CheckContext<Rule>,
  main: Credential,
  { id, statuses, early }: Omit<Wanted, "kind"> & { readonly early: readonly Kind[] },
): Promise<readonly Made[]> {
  const any = (of: readonly Kind[]): Kind => of[Math.floor(t.random() * of.length)] ?? "cancel";
  const scripts = Array.from({ length: clients }, () =>
    Array.from({ length: callsOfClient }, (_, at) => any(at + 1 < callsOfClient ? early : kinds)),
  );
  // Whatever else is called, somebody cancels, and somebody reads before and behind it.
  scripts.push(["cancel", "read", "cancel"], ["read", "cancel", "read", "read"]);
  const made = await Promise.all(
    scripts.map(async (script) => {
      const own: Made[] = [];
      for (const kind of script) own.push(await make(t, main, { id, kind, statuses }));
      return own;
    }),
  );
  return made.flat();
}

interface Wanted {
  readonly id: string;
  readonly kind: Kind;
  readonly statuses: Statuses;
}

async function make(t: CheckContext<Rule>, main: Credential, { id, kind, statuses }: Wanted): Promise<Made> {
  const sentAt = performance.now();
  switch (kind) {
    case "cancel": {
      const exchange = await callCancel(t, main, id);
      const text = `cancel: ${summaryOf(exchange)}`;
      return { kind, text, exchange, sentAt, ...cancelled(exchange, performance.now()) };
    }
    case "read": {
      const exchange = await readMessage(t, main, id);
      const { status } = shownIn(t, "getMessage", exchange);
      const shown = isSuccess(exchange) && status !== null ? statuses.get(status) : undefined;
      const from = (state: State) => (shown === undefined || shown.includes(state) ? [state] : []);
      const text = `read: ${status ?? summaryOf(exchange)}`;
      return { kind, text, exchange, sentAt, answeredAt: performance.now(), from };
    }
    case "claim":
    case "finish": {
      const to = kind === "claim" ? "claimed" : "terminal";
      const isMoved = await main.tenant.arrange(movedMessage, { message_id: id, to }).then(
        () => true,
        // What was refused, or got no answer, may have been done all the same.
        (error: unknown) => {
          if (error instanceof Blocked) return false;
          throw error;
        },
      );
      const from = (state: State): readonly State[] => {
        const moved: readonly State[] = state === "unclaimed" || (to === "terminal" && state === "claimed") ? [to] : [];
        // A hook may find nothing to move and not say so.
        return isMoved && moved.length > 0 ? moved : [state, ...moved];
      };
      // What the sandbox was told it may do a moment later.
      const answeredAt = Number.POSITIVE_INFINITY;
      return { kind, text: `${kind}: ${isMoved ? "done" : "not done"}`, exchange: null, sentAt, answeredAt, from };
    }
  }
}

/** What a cancellation can have done, by its answer. */
function cancelled(exchange: Exchange, now: number): Pick<Made, "answeredAt" | "from"> {
  if (isSuccess(exchange))
    return { answeredAt: now, from: (state) => (state === "unclaimed" || state === "canceled" ? ["canceled"] : []) };
  if (answeredBy(exchange, "MessageNotCancelable"))
    return { answeredAt: now, from: (state) => (state === "claimed" || state === "terminal" ? [state] : []) };
  // Any other answer, or none: it may have been canceled, now or later.
  const from = (state: State): readonly State[] => (state === "unclaimed" ? [state, "canceled"] : [state]);
  return { answeredAt: Number.POSITIVE_INFINITY, from };
}

function judge(t: CheckContext<Rule>, made: readonly Made[]): void {
  const inOrder = made.toSorted((one, other) => one.sentAt - other.sentAt);
  const actual = inOrder.map(({ text }) => text).join(", ");
  const evidence = { actual, exchanges: inOrder.flatMap(({ exchange }) => exchange ?? []) };
  const decisive = inOrder.filter(({ kind }) => kind !== "read");
  const holds = t.verify("MSG-81", linearize(decisive, "unclaimed") !== null, {
    expected: "answers that fit some order of these calls, in which the message is canceled or claimed once",
    ...evidence,
    exchanges: decisive.flatMap(({ exchange }) => exchange ?? []),
  });
  if (!holds) return;
  t.verify("MSG-82", linearize(inOrder, "unclaimed") !== null, {
    expected: "statuses that fit some order of these calls",
    ...evidence,
  });
}
