import { randomUUID } from "node:crypto";
import { basePaths } from "../../../generated/constants.ts";
import { operations } from "../../../generated/operations.ts";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { type Exchange, isSuccess, statusOf, summaryOf } from "../../exchange/exchange.ts";
import { isFrontRefusal } from "../../exchange/front-refusal.ts";
import { Blocked } from "../../outcome/verdict.ts";
import type { Outgoing } from "../../sending/sender.ts";
import { readScope } from "../../steps/grantable.ts";
import { ownKey } from "../../steps/own-key.ts";
import { envelopeFlaws, envelopeSummary } from "./envelope-flaws.ts";

const json = { "content-type": "application/json" };

/** Beneath which operations have records of their own. */
const records = new Set(
  Object.values(operations)
    .filter(({ path }) => path.startsWith(basePaths.api))
    .flatMap(({ path }) => /^[^{]+(?=\/\{)/.exec(path)?.[0] ?? []),
);

/** Requests to paths at which no server has anything. */
export const unknownPath = check({
  id: "envelope.unknown-path",
  title: "A path that does not exist is answered with the error envelope, whatever the method, with and without a key",
  rules: ["ENV-29"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: {},
  sharedKeys: [[readScope]],
  async run(t) {
    let refused = 0;
    const judge = async (request: Outgoing): Promise<void> => {
      if (await isRefused(t, request)) refused += 1;
    };
    const { reader, input } = await ownKey(t, await t.tenant());
    const credentials = { authorization: `Bearer ${reader.token}` };
    const name = `bylaw-${randomUUID()}`;
    const paths = [
      `${basePaths.api}${name}`,
      `${basePaths.api}${name}/${randomUUID()}`,
      ...[...records].map((path) => `${path}/${randomUUID()}/${name}`),
    ];
    for (const path of paths) {
      for (const headers of [credentials, {}]) {
        const exchange = await t.send({ method: "GET", path, headers, body: null });
        t.verify("ENV-29", !isSuccess(exchange), {
          expected: `no success for GET ${path}, where nobody has anything`,
          actual: summaryOf(exchange),
          exchanges: [exchange],
        });
        if (judgeRefusal(t, exchange, `GET ${path}`)) refused += 1;
      }
    }
    const [path = ""] = paths;
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      await judge({ method, path, headers: credentials, body: null });
      await judge({ method, path, headers: { ...credentials, ...json }, body: "{}" });
      await judge({ method, path, headers: json, body: "{" });
    }
    // Nothing says whether these lead to the key.
    for (const path of waysPast(operations.getApiKey.path, input.path.id))
      await judge({ method: "GET", path, headers: credentials, body: null, isOddHttp: /\/\/|%2F/.test(path) });
    for (const segment of ["%", "%zz", "%E0%A4%A", "%00"])
      await judge({
        method: "GET",
        path: `${basePaths.api}${name}/${segment}`,
        headers: credentials,
        body: null,
        isOddHttp: true,
      });
    if (refused === 0)
      throw new Blocked("every path that leads nowhere was answered with a success", "see KEYG-09 first", "server");
  },
});

/** The path of a record written in ways that some routers take for the same and others do not. */
function waysPast(template: string, id: string): readonly string[] {
  const path = template.replace(/\{\w+\}/, id);
  return [
    `${path}/`,
    path.replace(basePaths.api, `${basePaths.api}/`),
    path.replace(/[^/]+$/, (last) => `/${last}`),
    path.replace(/[^/]+(?=\/[^/]+$)/, (last) => last.toUpperCase()),
    path.replace(/\/(?=[^/]+$)/, "%2F"),
    path.replace(/[^/]+$/, ""),
    basePaths.api,
  ];
}

/**
 * Decides that a request is refused in the envelope; false where it is not refused. Where it is odd HTTP, what stands
 * before a server may answer.
 */
async function isRefused(t: CheckContext, request: Outgoing): Promise<boolean> {
  const exchange = await t.send(request);
  return judgeRefusal(t, exchange, `${request.method} ${request.path}`);
}

function judgeRefusal(t: CheckContext, exchange: Exchange, what: string): boolean {
  if (isSuccess(exchange)) return false;
  // A proxy or an HTTP parser before the server may refuse odd HTTP with a page (Q134).
  if (isFrontRefusal(exchange)) {
    t.observe("ENV-29", `${what} gives ${envelopeSummary(exchange)}`, exchange);
    return true;
  }
  t.verify("ENV-29", envelopeFlaws(exchange).length === 0, {
    expected: `the error envelope for ${what}`,
    actual: envelopeSummary(exchange),
    exchanges: [exchange],
    // A redirect to the path that was meant is neither a success nor an error.
    warnOnly: isRedirect(exchange),
  });
  return true;
}

function isRedirect(exchange: Exchange): boolean {
  const status = statusOf(exchange) ?? 0;
  return status >= 300 && status < 400;
}
