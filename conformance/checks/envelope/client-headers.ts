import { randomUUID } from "node:crypto";
import { basePaths, constants } from "../../../generated/constants.ts";
import { operations } from "../../../generated/operations.ts";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { errorOf, headerOf, isSuccess } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { readScope } from "../../steps/grantable.ts";
import { ownKey } from "../../steps/own-key.ts";
import { envelopeFlaws, envelopeSummary } from "./envelope-flaws.ts";

/** Values of `Accept`, of which some leave JSON out. */
const accepted = ["application/json", "*/*", "text/html,application/xhtml+xml;q=0.9", "text/plain", "application/xml"];

/** What a browser says of itself and of the page that calls. */
const ofBrowser = {
  origin: "https://app.example.com",
  referer: "https://app.example.com/keys",
  "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
  "accept-language": "de-DE,de;q=0.9,en;q=0.5",
  "cache-control": "no-cache",
  cookie: "theme=dark; session=none",
};

/** What a caller says about the answer that it wants, and about itself. */
export const clientHeaders = check({
  id: "envelope.client-headers",
  title: "Answers are JSON in the envelope with one request id, whatever the client accepts and calls its request",
  rules: ["ENV-02", "ENV-03", "ENV-11", "ENV-12", "ENV-13"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: {},
  sharedKeys: [[readScope]],
  async run(t) {
    const { reader, input } = await ownKey(t, await t.tenant());
    const credentials = { authorization: `Bearer ${reader.token}` };
    const requests = [
      { path: pathOf(input.path.id), headers: credentials },
      { path: pathOf(randomUUID()), headers: credentials },
      { path: pathOf("not-a-uuid"), headers: credentials },
      { path: pathOf(input.path.id), headers: {} },
      { path: `${basePaths.api}bylaw-${randomUUID()}`, headers: credentials },
    ];
    const served = new Set<boolean>();
    for (const { path, headers } of requests) {
      for (const accept of accepted) served.add(await judge(t, path, { ...headers, accept }));
      served.add(await judge(t, path, { ...headers, ...ofBrowser }));
      for (const own of [randomUUID(), `bylaw-${randomUUID().slice(0, 8)}`, `${randomUUID()} `.repeat(8).trim()])
        served.add(await judge(t, path, { ...headers, [requestIdHeader]: own }));
    }
    if (!served.has(true)) throw new Blocked("no key was read", "see KEYG-01 first", "server");
    if (!served.has(false)) throw new Blocked("nothing was refused", "see AUTH-01 and KEYG-09 first", "server");
  },
});

/** As the monitor looks for it in requests. */
const requestIdHeader = constants.requestIdHeader.toLowerCase();

const pathOf = (id: string): string => operations.getApiKey.path.replace("{id}", id);

/** Decides how a request is answered, and tells whether it was served. */
async function judge(t: CheckContext, path: string, headers: Readonly<Record<string, string>>): Promise<boolean> {
  const exchange = await t.send({ method: "GET", path, headers, body: null });
  const id = headerOf(exchange, constants.requestIdHeader) ?? "";
  const served = isSuccess(exchange);
  const mediaType = headerOf(exchange, "content-type") ?? "none";
  const isJson = /^application\/json\s*(;|$)/i.test(mediaType) && (served || envelopeFlaws(exchange).length === 0);
  t.verify(served ? "ENV-02" : "ENV-03", isJson, {
    expected: "JSON in the envelope, with media type application/json",
    actual: `${mediaType}, ${envelopeSummary(exchange)}`,
    exchanges: [exchange],
  });
  t.verify(served ? "ENV-12" : "ENV-13", id !== "", {
    expected: `a header ${constants.requestIdHeader}`,
    actual: "none",
    exchanges: [exchange],
  });
  if (!served && id !== "") t.equal("ENV-11", "error.request_id", errorOf(exchange)?.request_id, id, exchange);
  return served;
}
