import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { isSuccess } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import type { Credential } from "../../provision/tenant.ts";
import { deliverOne } from "../../steps/deliver-one.ts";
import { callCreate, createEndpoint, endpointIn, rotateSecret, usualEvent } from "../../steps/endpoint.ts";
import { testEndpoint } from "../../steps/make-event.ts";
import { attemptsAt, settle } from "../../steps/settle.ts";

/** What addresses may have behind a path, each with a trait that a careless copy loses. */
const plain: readonly string[] = [
  ...["?bylaw=1", "?a=1&b=2&a=3", "?empty=&flag", "?q=a%20b%2Bc%26d", "?next=https%3A%2F%2Fbylaw.example%2F%3Fx%3D1"],
  ...["/", "/trailing/", "/UPPER/lower", "/with.dots;v=1,2", "/caf%C3%A9", "/a%20b", "/a+b?c+d", "/tilde~_-."],
  ...["/path?x=%C3%A9%F0%9F%99%82", `/${"segment/".repeat(60)}end`, `?long=${"0123456789".repeat(60)}`],
];

/** What a server in front of the receiver may write in another way. */
const rewritten: readonly string[] = ["/a%2Fb", "//double", "/lower%c3%a9", "?x=%c3%a9", "/%7Etilde", "/!$'()*"];

/** Addresses at which nothing arrives, after which nobody tries more: each costs a whole wait. */
const few = 2;

/** Addresses with all that addresses may have. Which of them an endpoint may have is open. */
export const exactAddresses = check({
  id: "webhooks.exact-addresses",
  title:
    "An endpoint keeps its address to the letter: path and query arrive, are recorded and shown as they were given",
  rules: ["WHE-08", "WHL-15", "WHR-01"],
  kind: "scenario",
  needs: ["receiver"],
  effects: ["creates"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant({ clock: "manual" })).main();
    // The sound twin: an address without any of that.
    const inbox = t.inbox();
    await deliverOne(t, await createEndpoint(t, main, { inbox }), inbox);
    const became = new Set<Became>();
    let missing = 0;
    for (const end of [...plain, ...rewritten]) {
      const what = await judge(t, main, end, rewritten.includes(end));
      became.add(what);
      if (what === "missing") missing += 1;
      if (missing === few) break;
    }
    if (became.has("recorded")) return;
    throw new Blocked(
      "no such address was admitted, or none was in the feed in time",
      "see WHE-01, WHE-08 and WHL-08",
      "server",
    );
  },
});

/** What became of an address: not admitted; admitted, and nothing arrived; arrived; on record as well. */
type Became = "refused" | "missing" | "arrived" | "recorded";

async function judge(t: CheckContext, as: Credential, end: string, warnOnly: boolean): Promise<Became> {
  const inbox = t.inbox();
  const body = { url: `${inbox.url}${end}`, events: [usualEvent] };
  const created = await callCreate(t, as, body);
  if (!isSuccess(created)) return "refused";
  const endpoint = endpointIn(t, created, body, as);
  const { exchange } = await testEndpoint(t, endpoint);
  await settle(as.tenant);
  const arrival = await inbox.until(1);
  const token = inbox.url.slice(inbox.url.lastIndexOf("/") + 1);
  // What stands between target and receiver may take the head of a path away, not change its end.
  const ends = arrival.deliveries.map(({ path }) => path.slice(path.indexOf(token) + token.length));
  t.verify("WHE-08", arrival.ok && ends.every((one) => normal(one) === normal(end)), {
    expected: `a delivery at ${body.url}`,
    actual: arrival.ok ? `one at ${arrival.deliveries.map(({ path }) => path).join(", ")}` : arrival.message,
    isSilence: !arrival.ok,
    exchanges: [created, ...(exchange === null ? [] : [exchange])],
    deliveries: arrival.deliveries,
    warnOnly,
  });
  if (!arrival.ok) return "missing";
  const { records, pages } = await attemptsAt(t, endpoint, 1);
  const recorded = records.map(({ url }) => url);
  if (recorded.length > 0)
    t.verify(
      "WHL-15",
      recorded.every((url) => isSameAddress(url, body.url)),
      {
        expected: `url ${body.url}`,
        actual: recorded.map((url) => JSON.stringify(url)).join(", "),
        exchanges: [created, ...pages.slice(0, 1)],
      },
    );
  const rotated = await rotateSecret(t, endpoint);
  t.verify("WHR-01", isSameAddress(rotated.data.url, body.url) || rotated.data.url === endpoint.data.url, {
    expected: `the endpoint with url ${body.url}`,
    actual: JSON.stringify(rotated.data.url) ?? "none",
    exchanges: [created, rotated.exchange],
  });
  await t.call("deleteWebhookEndpoint", { path: { id: endpoint.id } }, as);
  return recorded.length > 0 ? "recorded" : "arrived";
}

const isSameAddress = (one: unknown, other: string): boolean =>
  typeof one === "string" && URL.canParse(one) && normal(new URL(one).href) === normal(new URL(other).href);

/** Escapes in upper case, and none of what needs none (RFC 3986, 6.2.2). */
const normal = (text: string): string =>
  text.replaceAll(/%[0-9a-f]{2}/gi, (escaped) => {
    const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
    return /[A-Za-z0-9._~-]/.test(character) ? character : escaped.toUpperCase();
  });
