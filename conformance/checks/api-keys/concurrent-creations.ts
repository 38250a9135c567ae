import { check } from "../../context/check.ts";
import { dataOf, type Exchange, isSuccess, objectOf, statusOf, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { newLabel } from "../../provision/new-label.ts";
import { grantable, readScope } from "../../steps/grantable.ts";
import { wide } from "./valid-creations.ts";

/** Creations under way at once. */
const atOnce = 8;

/** Keys that are made, and then read, at the same moment. */
export const concurrentCreations = check({
  id: "api-keys.concurrent-creations",
  title: "Keys that are created at once are each answered as asked for, and each read back as its own",
  rules: ["KEYC-03", "KEYC-04", "KEYC-11", "KEYC-12", "KEYG-04"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: { apiKeyWrites: 1 + atOnce },
  async run(t) {
    const main = await (await t.tenant({ limits: wide })).main();
    const others = grantable(main).filter((scope) => scope !== readScope);
    const scopes = [readScope, ...others];
    await t.createKey(main, scopes.slice(0, 1));
    // Neighbours ask for different scopes, where the caller holds more than one.
    const asked = Array.from({ length: atOnce }, (_, at) => ({
      label: newLabel(),
      scopes: scopes.slice(0, 1 + (at % scopes.length)),
    }));
    const created = await Promise.all(
      asked.map(async (body) => ({ body, exchange: await t.call("createApiKey", { body }, main) })),
    );
    for (const { exchange } of created)
      if (!isSuccess(exchange)) throw strange("a creation", exchange, "see KEYC-01 first");
    const keys = created.map(({ body, exchange }) => ({ body, exchange, key: objectOf(dataOf(exchange)) ?? {} }));
    for (const { body, exchange, key } of keys) {
      t.equal("KEYC-03", "label", key.label, body.label, exchange);
      t.equal("KEYC-04", "scopes", inOrder(key.scopes), inOrder(body.scopes), exchange);
    }
    for (const name of ["id", "plaintext"] as const) {
      const different = new Set(keys.map(({ key }) => key[name])).size;
      t.verify("KEYC-12", different === keys.length, {
        expected: `${keys.length} different values of ${name}`,
        actual: String(different),
        exchanges: keys.map(({ exchange }) => exchange),
      });
    }

    const reads = await Promise.all(keys.map(({ key }) => t.call("getApiKey", { path: { id: String(key.id) } }, main)));
    const uses = await Promise.all(
      keys.map(({ key }) =>
        t.call("getApiKey", { path: { id: String(key.id) } }, { ...main, token: String(key.plaintext) }),
      ),
    );
    // A server may fail when it is asked much at once; that shows nothing of the keys.
    const failed = [...reads, ...uses].find((exchange) => (statusOf(exchange) ?? 500) >= 500);
    if (failed !== undefined) throw strange("a read", failed, "see how the target fares under a few calls at once");
    for (const [at, { exchange }] of keys.entries()) {
      const [read, use] = [reads[at] ?? exchange, uses[at] ?? exchange];
      t.equal("KEYG-04", "the key read", lasting(read), lasting(exchange), exchange, read);
      t.accepted("KEYC-11", use);
    }
  },
});

const strange = (what: string, exchange: Exchange, unblock: string): Blocked =>
  new Blocked(`${what} among others was answered ${summaryOf(exchange)}`, unblock, "server");

const inOrder = (scopes: unknown): readonly unknown[] | null => (Array.isArray(scopes) ? scopes.toSorted() : null);

/** Members that neither use nor time changes; ids may come in either case. */
function lasting(exchange: Exchange): object {
  const { id, label, prefix, scopes } = objectOf(dataOf(exchange)) ?? {};
  return { id: String(id).toLowerCase(), label, prefix, scopes: inOrder(scopes) };
}
