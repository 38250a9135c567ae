import type { ErrorRowName } from "../../../generated/error-rows.ts";
import { check } from "../../context/check.ts";
import { rowAllows, rowNamed, rowText } from "../../exchange/admits.ts";
import { dataOf, type Exchange, isSuccess, objectOf, statusOf, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { readScope } from "../../steps/grantable.ts";
import { ownKey } from "../../steps/own-key.ts";
import { sameMessage } from "../../steps/same-message.ts";
import { badAuthorizations } from "./bad-authorizations.ts";
import { judgeAuthorization } from "./judge-authorization.ts";

const row: ErrorRowName = "Unauthorized";

/** One call that a key may make, with everything that is no key. */
export const badCredentials = check({
  id: "authentication.bad-credentials",
  title: "No, malformed and unknown credentials are refused, all with one message",
  rules: ["AUTH-01", "AUTH-02", "AUTH-03", "AUTH-04", "AUTH-06", "AUTH-07"],
  kind: "sampled",
  needs: ["key"],
  effects: ["creates"],
  draws: {},
  sharedKeys: [[readScope]],
  async run(t) {
    const { reader, input, exchange } = await ownKey(t, await t.tenant());
    const read = async (headers: Readonly<Record<string, string>>, isOddHttp = false): Promise<Exchange> => {
      const exchange = await t.attempt("getApiKey", { ...input, headers, isOddHttp }, null);
      if (rowAllows(rowNamed("RateLimited"), statusOf(exchange) ?? 0))
        throw new Blocked(
          "the target limits how often a caller may fail to authenticate",
          "lift that limit for the kit",
        );
      return exchange;
    };
    const refusals: Exchange[] = [];
    const elsewhere = [
      { "x-api-key": reader.token },
      { cookie: `authorization=${reader.token}; token=${reader.token}; session=${reader.token}` },
      { "proxy-authorization": `Bearer ${reader.token}` },
      { "x-authorization": `Bearer ${reader.token}` },
      { "api-key": reader.token },
    ];
    for (const headers of [{}, ...elsewhere]) {
      const missing = await read(headers);
      t.refused("AUTH-01", missing, row);
      refusals.push(missing);
    }
    // What a server reads of a query that it does not know, it may refuse before it asks who calls.
    for (const name of ["api_key", "access_token", "token", "key"]) {
      const queried = await t.attempt("getApiKey", { ...input, query: { [name]: reader.token } }, null);
      t.verify("AUTH-01", !isSuccess(queried), {
        expected: `a refusal where the key is in the query alone, as ${name}`,
        actual: summaryOf(queried),
        exchanges: [queried],
      });
    }
    const shown = objectOf(dataOf(exchange))?.prefix;
    const published = [reader.id, typeof shown === "string" && shown !== reader.token ? shown : null];
    for (const text of published.filter((each) => each !== null)) {
      const known = await read({ authorization: `Bearer ${text}` });
      t.refused("AUTH-04", known, row);
      refusals.push(known);
    }
    for (const bad of badAuthorizations(reader.token, t.random)) {
      const exchanges: Exchange[] = [];
      for (const authorization of bad.values) exchanges.push(await read({ authorization }, bad.strange));
      judgeAuthorization(t, bad, exchanges);
      refusals.push(...exchanges);
    }
    // The case of a scheme is nothing (RFC 9110, 11.1), but the document does not say so.
    for (const scheme of ["bearer", "BEARER"]) {
      const cased = await read({ authorization: `${scheme} ${reader.token}` });
      t.verify("AUTH-02", isSuccess(cased) || answeredBy(cased, row), {
        expected: `success or ${rowText(rowNamed(row))} for the scheme ${scheme}`,
        admits: ["success", row],
        actual: summaryOf(cased),
        exchanges: [cased],
      });
    }
    sameMessage(t, "AUTH-07", row, refusals);
  },
});
