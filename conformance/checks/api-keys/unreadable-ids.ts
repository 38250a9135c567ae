import { randomUUID } from "node:crypto";
import type { ErrorRowName } from "../../../generated/error-rows.ts";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { rowNamed, rowText } from "../../exchange/admits.ts";
import { type Exchange, errorOf, isSuccess, objectOf, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { readScope } from "../../steps/grantable.ts";
import { malformedIds } from "../../steps/malformed-ids.ts";
import { nearMisses } from "../../steps/near-misses/near-misses.ts";

/** Ids under which there is no key to read. */
export const unreadableIds = check({
  id: "api-keys.unreadable-ids",
  title: "An unknown id is not found, a malformed one is refused by name",
  rules: ["KEYG-08", "KEYG-09", "KEYG-10"],
  kind: "sampled",
  needs: ["key"],
  effects: ["reads"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant()).main();
    const read = (id: string) => t.call("getApiKey", { path: { id } }, main);
    const unknown = await read(randomUUID());
    if (main.scopes === null && answeredBy(unknown, "Forbidden"))
      throw new Blocked("the given key may not read keys", `give the kit a key that holds ${readScope}`);
    const refused: Exchange[] = [];
    for (const id of malformedIds) refused.push(await read(id));

    // Each is the other's control: a target that tells no ids apart answers one of them right by accident.
    const alike = refused.every((exchange) => summaryOf(exchange) === summaryOf(unknown));
    if (!alike || !answeredBy(unknown, "NotFound")) notFound(t, "an unknown id", unknown);
    for (const exchange of refused) {
      if (!alike || !answeredBy(exchange, "ValidationFailed400")) malformed(t, "an id that is no UUID", exchange);
    }
    if (alike) {
      const both = `an unknown id and malformed ones are all answered ${summaryOf(unknown)}`;
      throw new Blocked(both, "see the rule of this check that fails first", "server");
    }
    for (const [what, id] of uuidsOfVersions()) notFound(t, what, await read(id), "warns");
    for (const [what, id] of strangeUuids) notFound(t, what, await read(id), "passes");
    for (const id of ["a".repeat(300), "Schlüssel", "0", "null", "true"])
      malformed(t, `the id ${id.slice(0, 20)}`, await read(id));
    // Of the key that asks, where the kit knows it: a server that reads but part of an id would find that one.
    for (const { dimension, values, arguable } of nearMisses(main.id ?? randomUUID(), { kind: "uuid" }, t.random)) {
      for (const value of values) malformed(t, `an id with ${dimension}`, await read(value), arguable);
    }
  },
});

/** What nobody has: one of each version of RFC 9562 (4.2), and one in upper case, which is the same id (4). */
const uuidsOfVersions = (): readonly (readonly [string, string])[] => [
  ...[1, 2, 3, 4, 5, 6, 7, 8].map((version) => [`a UUID of version ${version}`, ofVersion(version)] as const),
  ["a UUID in upper case", randomUUID().toUpperCase()],
];

const ofVersion = (version: number): string => `${randomUUID().slice(0, 14)}${version}${randomUUID().slice(15)}`;

/** UUIDs by their form that some definitions leave out: servers may call them unknown or malformed, nothing else. */
const strangeUuids: readonly (readonly [string, string])[] = [
  ["the nil UUID", "00000000-0000-0000-0000-000000000000"],
  ["the max UUID", "ffffffff-ffff-ffff-ffff-ffffffffffff"],
  ["a UUID of version 15", "5d6c2a7e-90b1-f3c4-8d5e-6f708192a3b4"],
  ["a UUID of another variant", "5d6c2a7e-90b1-43c4-cd5e-6f708192a3b4"],
];

/** Decides that an id is not found; `whenMalformed` is what it means that the server calls it malformed instead. */
function notFound(
  t: CheckContext,
  what: string,
  exchange: Exchange,
  whenMalformed: "fails" | "warns" | "passes" = "fails",
): void {
  const isMalformed = answeredBy(exchange, "ValidationFailed400");
  const holds = answeredBy(exchange, "NotFound") || (isMalformed && whenMalformed === "passes");
  t.verify("KEYG-08", holds, {
    expected: `${textOf("NotFound")} for ${what}`,
    admits: ["NotFound"],
    actual: summaryOf(exchange),
    exchanges: [exchange],
    warnOnly: isMalformed && whenMalformed === "warns",
  });
  if (!isMalformed) t.equal("KEYG-08", "error.details", errorOf(exchange)?.details, undefined, exchange);
}

/** Decides that an id is refused as malformed, by name. Where that is arguable, a server may read it all the same. */
function malformed(t: CheckContext, what: string, exchange: Exchange, arguable = false): void {
  const isRead = isSuccess(exchange) || answeredBy(exchange, "NotFound");
  const refused = t.verify("KEYG-09", answeredBy(exchange, "ValidationFailed400"), {
    expected: `${textOf("ValidationFailed400")} for ${what}`,
    admits: ["ValidationFailed400"],
    actual: summaryOf(exchange),
    exchanges: [exchange],
    warnOnly: arguable && isRead,
  });
  if (!refused && arguable) return;
  const keys = Object.keys(objectOf(errorOf(exchange)?.details) ?? {});
  t.verify(
    "KEYG-10",
    keys.some((key) => key.toLowerCase().includes("id")),
    {
      expected: `error.details with a key that contains id, for ${what}`,
      actual: keys.length > 0 ? keys.join(", ") : "no details",
      exchanges: [exchange],
    },
  );
}

const textOf = (row: ErrorRowName): string => rowText(rowNamed(row));
