import { afterEach, describe, expect, it } from "vitest";
import { referenceChoices } from "../../generated/choices.ts";
import { bounds } from "../../generated/limits.ts";
import { scopeNamed } from "../../generated/scopes.ts";
import { refused, startTestServer, type TestServer } from "../test-server.ts";

const path = "/v1/messages";
const price = Number(referenceChoices.segmentPriceMicros);
const unknown = "0190a0b0-0000-7000-8000-000000000000";
/** Noon in New York. */
const start = Date.UTC(2030, 0, 1, 17);
const hour = 3_600_000;
const to = "+12025550130";
const draft = { to, body: "Hello." };
const at = (milliseconds: number): string => new Date(start + milliseconds).toISOString();
const later = { ...draft, scheduled_at: at(hour) };
const farthest = Number(referenceChoices.scheduleDays) * 24 * hour;

let server: TestServer;
afterEach(() => server.close());

async function begin(arrangement: object = {}, scopes?: readonly string[]) {
  server = await startTestServer();
  return member(arrangement, scopes);
}

/** An organization with a manual clock and money for ten segments, to which one recipient has consented. */
async function member(arrangement: object = {}, scopes?: readonly string[]) {
  const arranged = {
    ...{ clock: "manual", starts_at: new Date(start).toISOString(), wallet_micros: 10 * price },
    limits: { messageSendsPerSecond: { capacity: 100, period_seconds: 1 } },
    ...arrangement,
  };
  const { id, key: token } = await server.organization(arranged, scopes);
  const known = (state: "opted-in" | "opted-out", phoneNumber = to) =>
    server.store.atomically(id, (tx) =>
      tx.consents.put({ organizationId: id, phoneNumber, state, source: "form", capturedAt: start }),
    );
  await known("opted-in");
  return {
    id,
    known,
    send: (body: unknown = draft, key?: string) =>
      server.call("POST", path, { token, body, ...(key === undefined ? {} : { headers: { "idempotency-key": key } }) }),
    read: (message: string) => server.call("GET", `${path}/${message}`, { token }),
    list: (query = "") => server.call("GET", `${path}${query}`, { token }),
    cancel: (message: string) => server.call("DELETE", `${path}/${message}`, { token }),
    move: (message: string, stage: string) =>
      server.sandbox("POST", `/organizations/${id}/messages/${message}/move`, { to: stage }),
    advance: (seconds: number) => server.sandbox("POST", `/organizations/${id}/advance`, { seconds }),
    async state() {
      const { wallet_micros, lifetime_spend_micros, digest } = (
        await server.sandbox("GET", `/organizations/${id}/state`)
      ).body.data;
      return { wallet: wallet_micros, spend: lifetime_spend_micros, digest };
    },
  };
}

describe("a message", () => {
  it("is charged by its segments when it is taken, and goes its way when its time comes", async () => {
    const { send, read, advance, state } = await begin();
    const sent = await send({ ...draft, body: "a".repeat(161) });
    expect([sent.status, sent.body.data]).toEqual([
      202,
      {
        ...{ id: expect.any(String), to, body: "a".repeat(161), status: "queued" },
        ...{ scheduled_at: null, created_at: new Date(start).toISOString() },
      },
    ]);
    expect(await state()).toMatchObject({ wallet: 8 * price, spend: 2 * price });
    const { id } = (await send(later)).body.data;
    await advance(3600);
    expect((await read(sent.body.data.id)).body.data.status).toBe("delivered");
    expect((await read(id)).body.data).toMatchObject({ status: "sent", scheduled_at: later.scheduled_at });
    await advance(1);
    expect((await read(id)).body.data.status).toBe("delivered");
    expect(await state()).toMatchObject({ wallet: 7 * price, spend: 3 * price });
  });

  it.each([
    ["the carrier refuses it", "+12025550180", "failed"],
    ["nobody can be reached", "+12025550190", "undelivered"],
  ])("ends otherwise where %s", async (_why, number, status) => {
    const { send, read, advance, known } = await begin();
    await known("opted-in", number);
    const { id } = (await send({ ...draft, to: number })).body.data;
    await advance(5);
    expect((await read(id)).body.data.status).toBe(status);
  });

  it("is its organization's alone", async () => {
    const { send, read } = await begin();
    const stranger = await member();
    const { id } = (await send(later)).body.data;
    const foreign = refused(await stranger.read(id), 404, "NOT_FOUND");
    expect(refused(await read(unknown), 404, "NOT_FOUND").message).toBe(foreign.message);
    const theirs = refused(await stranger.cancel(id), 409, "MESSAGE_NOT_CANCELABLE");
    const missing = refused(await stranger.cancel(unknown), 409, "MESSAGE_NOT_CANCELABLE");
    expect(theirs.message).toBe(missing.message);
    const moved = await server.sandbox("POST", `/organizations/${stranger.id}/messages/${id}/move`, { to: "terminal" });
    refused(moved, 404, "SANDBOX_NOT_FOUND");
    expect((await read(id)).body.data.status).toBe("scheduled");
  });

  it("is charged as often as the wallet covers it, however many come at once", async () => {
    const { send, state } = await begin({ wallet_micros: 3 * price });
    const answers = await Promise.all(Array.from({ length: 9 }, () => send()));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(3).fill(202), ...Array(6).fill(402)]);
    expect(await state()).toMatchObject({ wallet: 0, spend: 3 * price });
  });
});

describe("a send that is refused leaves no trace", () => {
  const quiet = { quiet_hours: { mode: "reject", start: "09:00", end: "20:00" } };
  const withoutBypass = Object.values(scopeNamed).filter((scope) => scope !== scopeNamed.messagesBypassQuietHours);

  it.each([
    ["no consent", { to: "+12025550131" }, {}, undefined, "CONSENT_REQUIRED"],
    ["quiet hours", {}, quiet, undefined, "QUIET_HOURS"],
    ["a bypass without its scope", { bypass_quiet_hours: true }, {}, withoutBypass, "QUIET_HOURS_BYPASS_FORBIDDEN"],
    ["too little money", {}, { wallet_micros: price - 1 }, undefined, "INSUFFICIENT_CREDIT"],
    ["a time that is past", { scheduled_at: at(-1_000) }, {}, undefined, "VALIDATION_FAILED"],
    ["a time a second too far ahead", { scheduled_at: at(farthest + 1_000) }, {}, undefined, "VALIDATION_FAILED"],
    ["a time that there is not", { scheduled_at: "2030-02-30T12:00:00Z" }, {}, undefined, "VALIDATION_FAILED"],
    ["a body without a text", { body: "" }, {}, undefined, "VALIDATION_FAILED"],
    ["a control character in its text", { body: "a\u0007b" }, {}, undefined, "VALIDATION_FAILED"],
    ["half a surrogate pair in its text", { body: "a\ud83d" }, {}, undefined, "INVALID_INPUT"],
    ["a body that is too long", { body: "a".repeat(1601) }, {}, undefined, "VALIDATION_FAILED"],
    ["a recipient who has no number", { to: "nobody" }, {}, undefined, "VALIDATION_FAILED"],
    ["an emergency number", { to: "911" }, {}, undefined, "VALIDATION_FAILED"],
    ["an emergency number behind a calling code", { to: "+1911" }, {}, undefined, "VALIDATION_FAILED"],
    ["an exchange that is a service's", { to: "+12029110130" }, {}, undefined, "VALIDATION_FAILED"],
    ["a short code", { to: "72345" }, {}, undefined, "VALIDATION_FAILED"],
    ["a number with a digit too many", { to: "+120255501300" }, {}, undefined, "VALIDATION_FAILED"],
    [
      "a number of another country, which has not consented",
      { to: "+442071838750" },
      {},
      undefined,
      "CONSENT_REQUIRED",
    ],
  ])("for %s", async (_why, body, arrangement, scopes, code) => {
    const { send, state } = await begin(arrangement, scopes);
    const before = await state();
    for (const key of [undefined, "key"]) expect((await send({ ...draft, ...body }, key)).body.error.code).toBe(code);
    expect(await state()).toEqual(before);
  });

  it("and one for the farthest time that there is, or with more than one line, is taken", async () => {
    const { send, read } = await begin();
    for (const wish of [{ scheduled_at: at(farthest) }, { body: "a\r\n\tb 😀" }]) {
      const taken = await send({ ...draft, ...wish });
      expect(taken.status).toBe(202);
      expect((await read(taken.body.data.id)).body.data).toMatchObject(wish);
    }
  });

  it("and its idempotency key to a send that is taken", async () => {
    const { send, known } = await begin();
    await known("opted-out");
    expect((await send(draft, "key")).body.error.code).toBe("CONSENT_REQUIRED");
    await known("opted-in");
    expect((await send(draft, "key")).status).toBe(202);
  });
});

describe("sends with one idempotency key", () => {
  it("are one message, however many come at once", async () => {
    const { send, state } = await begin({ wallet_micros: price });
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(draft, "key")));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(202));
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
    expect(await state()).toMatchObject({ wallet: 0, spend: price });
  });

  it("get the first answer when the message was canceled and its time is past, and another body none", async () => {
    const { send, cancel, advance, state } = await begin();
    const first = await send(later, "key");
    await cancel(first.body.data.id);
    await advance(7200);
    const again = await send(later, "key");
    expect([again.status, again.body.data]).toEqual([first.status, first.body.data]);
    refused(await send({ ...later, body: "Other." }, "key"), 422, "VALIDATION_FAILED");
    expect(await state()).toMatchObject({ wallet: 10 * price, spend: 0 });
  });
});

describe("a cancellation", () => {
  it("gives the charge back once, however many come at once, and is never sent", async () => {
    const { send, read, cancel, advance, state } = await begin();
    const { id } = (await send(later)).body.data;
    const answers = await Promise.all(Array.from({ length: 8 }, () => cancel(id)));
    expect(answers.map(({ status, body }) => [status, body.data.status])).toEqual(Array(8).fill([200, "canceled"]));
    expect(await state()).toMatchObject({ wallet: 10 * price, spend: 0 });
    await advance(7200);
    expect((await read(id)).body.data.status).toBe("canceled");
  });

  it("of a message that goes out at that moment gives the charge back, or the message is sent", async () => {
    const { send, read, cancel, state } = await begin({
      clock: "real",
      starts_at: undefined,
      wallet_micros: 21 * price,
    });
    const sendAndCancel = async () => {
      const { id } = (await send()).body.data;
      const answers = await Promise.all([cancel(id), cancel(id)]);
      return { id, isCanceled: answers.some(({ status }) => status === 200) };
    };
    const all = await Promise.all(Array.from({ length: 20 }, sendAndCancel));
    const status = async (id: string) => (await read(id)).body.data.status;
    for (const { id, isCanceled } of all) if (!isCanceled) await expect.poll(() => status(id)).toBe("delivered");
    // One that comes behind them, so that nothing of theirs is left to be done.
    const { id: last } = (await send()).body.data;
    await expect.poll(() => status(last)).toBe("delivered");
    const ends = await Promise.all(all.map(({ id }) => status(id)));
    expect(ends).toEqual(all.map(({ isCanceled }) => (isCanceled ? "canceled" : "delivered")));
    const sent = 1 + all.filter(({ isCanceled }) => !isCanceled).length;
    expect(await state()).toMatchObject({ wallet: (21 - sent) * price, spend: sent * price });
  });

  it.each(["claimed", "terminal", "failed"])(
    "comes too late for a message that is %s, and gives nothing back",
    async (stage) => {
      const { send, read, cancel, move, state } = await begin();
      const { id } = (await send(later)).body.data;
      const { status } = (await move(id, stage)).body.data;
      const before = await state();
      refused(await cancel(id), 409, "MESSAGE_NOT_CANCELABLE");
      expect((await read(id)).body.data.status).toBe(status);
      expect(await state()).toEqual(before);
    },
  );
});

describe("a message that the sandbox moves", () => {
  it("stays where it is put, and is moved on from there only", async () => {
    const { send, read, move, advance } = await begin();
    const { id } = (await send(later)).body.data;
    expect((await move(id, "claimed")).body.data).toEqual({ id, status: "sending" });
    await advance(7200);
    expect((await read(id)).body.data.status).toBe("sending");
    refused(await move(id, "claimed"), 409, "ILLEGAL_TRANSITION");
    expect((await move(id, "terminal")).body.data).toEqual({ id, status: "delivered" });
    for (const stage of ["claimed", "terminal"]) refused(await move(id, stage), 409, "ILLEGAL_TRANSITION");
    refused(await move(unknown, "claimed"), 404, "SANDBOX_NOT_FOUND");
  });

  it("is none that was canceled", async () => {
    const { send, cancel, move } = await begin();
    const { id } = (await send(later)).body.data;
    await cancel(id);
    for (const stage of ["claimed", "terminal"]) refused(await move(id, stage), 409, "ILLEGAL_TRANSITION");
  });

  it("is at its end at once where it was on its way", async () => {
    const { send, read, move, advance } = await begin();
    const { id } = (await send()).body.data;
    await advance(0);
    expect((await read(id)).body.data.status).toBe("sent");
    refused(await move(id, "claimed"), 409, "ILLEGAL_TRANSITION");
    expect((await move(id, "terminal")).status).toBe(200);
    await advance(5);
    expect((await read(id)).body.data.status).toBe("delivered");
  });
});

describe("the list of messages", () => {
  it("holds the organization's messages, newest first, each once on pages of any size", async () => {
    const { send, list, advance } = await begin();
    const other = await member();
    await other.send();
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      ids.unshift((await send(later)).body.data.id);
      await advance(count % 2);
    }
    const newest = (await list()).body;
    expect(newest.meta).toEqual({ total: 5, limit: bounds.deliveryPageDefault, offset: 0 });
    const shown: readonly string[] = newest.data.map(({ id }: { readonly id: string }) => id);
    expect(shown.toSorted()).toEqual(ids.toSorted());
    const times = newest.data.map(({ created_at }: { readonly created_at: string }) => created_at);
    expect(times).toEqual(times.toSorted().toReversed());
    for (const limit of [1, 2, 4, 5]) {
      const paged: string[] = [];
      let cursor = "";
      do {
        const page = (await list(`?limit=${limit}${cursor}`)).body;
        expect(page.meta).toMatchObject({ total: 5, limit, offset: paged.length });
        paged.push(...page.data.map(({ id }: { readonly id: string }) => id));
        cursor = page.meta.next_cursor === undefined ? "" : `&cursor=${page.meta.next_cursor}`;
      } while (cursor !== "");
      expect(paged).toEqual(shown);
    }
  });

  it("refuses a page that is too large, and a cursor of another organization or another list", async () => {
    const { send, list } = await begin();
    const other = await member();
    for (const each of [send, send, other.send, other.send]) await each(later);
    const theirs = (await other.list("?limit=1")).body.meta.next_cursor;
    for (const query of [`?limit=${bounds.deliveryPageMax + 1}`, "?limit=0", `?cursor=${theirs}`, "?cursor=none"])
      refused(await list(query), 422, "VALIDATION_FAILED");
    expect((await other.list(`?cursor=${theirs}`)).body.data).toHaveLength(1);
  });
});
