import type { Check } from "../../check/check.ts";
import { Blocked } from "../../check/verdict.ts";
import { codeOf, type Exchange, errorOf, isSuccess, statusOf } from "../../exchange/exchange.ts";
import { ownKey } from "../authentication/own-key.ts";
import { neverIssued } from "./never-issued.ts";

/** Another organization's key, asked for by its id. */
export const foreignKey: Check = {
  id: "tenancy.foreign-key",
  title: "Another organization's key is not found, and nothing tells it from one that never was",
  rules: ["TEN-01", "TEN-05"],
  kind: "scenario",
  needs: ["other-organization"],
  effects: ["creates"],
  draws: 4,
  async run(t) {
    const tenant = await t.tenant();
    const main = await tenant.main();
    const own = await ownKey(t, tenant);
    t.control(await t.call("getApiKey", own.input, main), "reading an own key");
    const foreign = (await ownKey(t, await t.otherTenant())).input.path.id;
    const unknown = neverIssued(foreign, t.random);

    const foreignRead = await t.call("getApiKey", { path: { id: foreign } }, main);
    t.refused("TEN-01", foreignRead, "NotFound");
    const unknownRead = await t.call("getApiKey", { path: { id: unknown } }, main);
    // Where nothing is refused, there is nothing to tell apart.
    if (isSuccess(unknownRead)) throw new Blocked("a key that never was could be read", "see KEYG-08 first", "server");
    t.equal("TEN-05", "the refusal", told(foreignRead, foreign), told(unknownRead, unknown), foreignRead, unknownRead);
    const headers = headerNames(foreignRead);
    t.verify("TEN-05", headers === headerNames(unknownRead), {
      expected: `the headers ${headerNames(unknownRead)}`,
      actual: headers,
      exchanges: [foreignRead, unknownRead],
      // The rule does not speak of headers, and what stands between server and kit may add some.
      warnOnly: true,
    });
    const foreignRotation = await t.call("rotateApiKey", { path: { id: foreign } }, main);
    const unknownRotation = await t.call("rotateApiKey", { path: { id: unknown } }, main);
    const expected = told(unknownRotation, unknown);
    t.equal("TEN-05", "the refusal", told(foreignRotation, foreign), expected, foreignRotation, unknownRotation);
  },
};

/** What an answer tells, with the id that was asked for, and its own, masked wherever they are repeated. */
function told(exchange: Exchange, id: string): object {
  const { message, details, request_id } = errorOf(exchange) ?? {};
  const forms = [id, id.toLowerCase(), id.toUpperCase(), ...(typeof request_id === "string" ? [request_id] : [])];
  const masked = forms.reduce((text, form) => text.replaceAll(form, "{id}"), JSON.stringify({ message, details }));
  return { status: statusOf(exchange), code: codeOf(exchange), told: masked };
}

/** Headers of the connection and the moment, which differ between two answers anyway (RFC 9110, 7.6.1). */
const transient: readonly string[] = ["connection", "date", "keep-alive", "transfer-encoding"];

const headerNames = ({ outcome }: Exchange): string =>
  outcome.kind === "response"
    ? Object.keys(outcome.headers)
        .filter((name) => !transient.includes(name))
        .sort()
        .join(", ")
    : "none";
