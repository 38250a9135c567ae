import type { Mutant } from "../edit.ts";
import { bodyOf, withRequestBody } from "../wire-requests.ts";
import { mutant, mutantOf, wireMutant } from "./mutant.ts";

const lookups = "routes/lookups.ts";

const keyed = {
  file: "http/answer-once.ts",
  find: "if (idempotencyHeader === null || key === undefined) return handle(exchange);",
};

/** Has users' idempotency keys of an operation count for nothing. */
const keysOfUsers = (operation: string): string =>
  `if (idempotencyHeader === null || key === undefined) return handle(exchange);
   if (callerOf(exchange).kind === "session" && routeOf(exchange).operation.id === "${operation}") return handle(exchange);`;

/** Servers with faults that services of this kind have had. */
export const fieldFaultMutants: readonly Mutant[] = [
  mutant("MSG-64", "user", "forgets the keys of what users send", keyed.file, keyed.find, keysOfUsers("sendMessage")),
  mutant("LKP-09", "user", "forgets the keys of users' lookups", keyed.file, keyed.find, keysOfUsers("createLookup")),
  mutantOf("CON-38", "opened", "takes a form that was opened for its submission", [
    {
      file: "pages/serve-hosted-form.ts",
      find: "return answer(response, 200, openPage(form, false));",
      replace: `return store
        .atomically(form.organizationId, (tx) => tx.consents.put(consentOf(form, now)))
        .then(() => answer(response, 200, openPage(form, false)));`,
    },
  ]),
  mutant(
    "WHR-23",
    "on",
    "turns an endpoint on whose secret is rotated",
    "routes/webhooks.ts",
    "const rotated = rotatedEndpoint(endpoint, secret, now);",
    "const rotated = { ...rotatedEndpoint(endpoint, secret, now), active: true };",
  ),
  mutantOf("BIL-35", "race", "looks at the wallet before a lookup, and not again when it charges", [
    {
      file: lookups,
      find: "const lineType = await lineTypes.of(organizationId, phoneNumber);",
      // As long as whoever knows lines takes to answer.
      replace: `await new Promise((answered) => setTimeout(answered, 250));
        const lineType = await lineTypes.of(organizationId, phoneNumber);`,
    },
    {
      file: lookups,
      find: "const refusal = refuseUncovered(await tx.ledger.wallet(), price);",
      replace: "const refusal = null;",
    },
    {
      file: lookups,
      find: "await charge(tx, charged);",
      replace: "if (refuseUncovered(await tx.ledger.wallet(), price) === null) await charge(tx, charged);",
    },
  ]),
  mutant(
    "NUM-38",
    "escaped",
    "keeps a number's label as it would stand in HTML",
    "domain/phone-numbers/phone-number.ts",
    "label: changed(number.label, update.label)",
    'label: changed(number.label, update.label?.replace(/&/g, "&amp;").replace(/</g, "&lt;") ?? update.label)',
  ),
  mutant(
    "NUM-38",
    "ascii",
    "keeps question marks for what of a number's label is beyond ASCII",
    "domain/phone-numbers/phone-number.ts",
    "label: changed(number.label, update.label)",
    'label: changed(number.label, update.label?.replace(/[^\\x00-\\x7f]/gu, "?") ?? update.label)',
  ),
  wireMutant("MSG-51", "plain", "puts plain marks for typographic ones in what is sent", (serve) => (request) => {
    const { body } = Object(bodyOf(request));
    return serve(
      request.operation === "sendMessage" && typeof body === "string"
        ? withRequestBody(request, { ...Object(bodyOf(request)), body: body.replace(/[“”]/g, '"').replace(/’/g, "'") })
        : request,
    );
  }),
  mutant(
    "ENV-03",
    "browser",
    "answers pages of others with a page that says so",
    "http/app.ts",
    "logged(request, response);",
    'logged(request, response); if (request.headers.origin !== undefined) return void response.status(500).type("html").send("Not allowed by CORS");',
  ),
  mutant(
    "MSG-05",
    "lapses",
    "forgets after 180 days that a recipient has opted out",
    "routes/messages.ts",
    "consent: await tx.consents.of(wanted.to)",
    `consent: await tx.consents.of(wanted.to).then((known) =>
      known?.state === "opted-out" && now - known.capturedAt > 180 * 86_400_000 ? { ...known, state: "opted-in" as const } : known)`,
  ),
  mutantOf("CON-30", "expires", "has a double opt-in that was confirmed expire like any other", [
    {
      file: "domain/consent/double-opt-in.ts",
      find: "source,",
      replace: 'source: "double opt-in",',
    },
    {
      file: "routes/messages.ts",
      find: "consent: await tx.consents.of(wanted.to)",
      replace: `consent: await tx.consents.of(wanted.to).then((known) =>
        known?.source === "double opt-in" && now - known.capturedAt > Number(choices.doubleOptInHours) * 3_600_000 ? null : known)`,
    },
  ]),
  mutant(
    "BIL-24",
    "lapses",
    "takes who paid more than a year ago for one who never did",
    "routes/billing.ts",
    "!hasPaid(await store.wallet(organization.id))",
    `!((wallet, at) => {
      const paid: Map<string, number> = ((portals as { paid?: Map<string, number> }).paid ??= new Map());
      if (hasPaid(wallet) && !paid.has(organization.id)) paid.set(organization.id, at);
      return at - (paid.get(organization.id) ?? 0) <= 365 * 86_400_000;
    })(await store.wallet(organization.id), callerTime({ organization } as Caller, world.now()))`,
  ),
];
