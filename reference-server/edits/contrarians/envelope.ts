import { errorRows } from "../../../generated/error-rows.ts";
import { operations } from "../../../generated/operations.ts";
import type { Contrarian } from "../edit.ts";
import { remembering } from "../port-changes.ts";
import { isRefusal, onAnswer, parsed, withBody } from "../wire.ts";

const envelope = "http/envelope.ts";

/** Operations with a body for whose faults the document shows neither form. */
const creations = [operations.createApiKey, operations.createWebhookEndpoint].map(({ id }) => id);

/** Reads that the document says are not limited. */
const unlimited = [operations.listDeliveryAttempts, operations.listMessages, operations.getMessage].map(({ id }) => id);

/** Servers that word and order their answers in other ways. */
export const envelopeContrarians: readonly Contrarian[] = [
  {
    id: "Q11-lenient",
    does: "reads the first JSON value of a body and overlooks what follows",
    answers: "Q11",
    changes: [
      {
        file: "http/read-body.ts",
        find: "const value = parse(text);",
        replace: 'const value = parse(text) ?? parse(text.replace(/\\}\\}$/, "}").replace(/,\\}$/, "}"));',
      },
    ],
  },
  {
    id: "Q13-small",
    does: "reads bodies of up to 64 KiB",
    answers: "Q13",
    changes: [
      {
        file: "http/read-body.ts",
        find: "export const bodyLimit = 1024 * 1024;",
        replace: "export const bodyLimit = 64 * 1024;",
      },
    ],
  },
  {
    id: "Q13-large",
    does: "reads bodies of up to 16 MiB",
    answers: "Q13",
    changes: [
      {
        file: "http/read-body.ts",
        find: "export const bodyLimit = 1024 * 1024;",
        replace: "export const bodyLimit = 16 * 1024 * 1024;",
      },
    ],
    excludes: ["Q13-small"],
  },
  {
    id: "Q13-input",
    does: "says of a body that is too large what it says of one that is no JSON, with a status of its own",
    answers: "Q13",
    changes: [
      {
        wire: onAnswer("createApiKey", (answer) => {
          if (!isRefusal(answer, "PayloadTooLarge")) return answer;
          const { error, ...others } = Object(parsed(answer.bytes));
          return withBody(answer, { ...others, error: { ...error, code: errorRows.InvalidInput.code } });
        }),
      },
    ],
    excludes: ["Q13-large"],
  },
  {
    id: "Q15-in-message",
    does: "names the request in its messages about what is not there",
    answers: "Q15",
    changes: [
      {
        file: envelope,
        find: "message: refusal.message,",
        replace: 'message: refusal.row === "NotFound" ? `${refusal.message} (request ${requestId})` : refusal.message,',
      },
    ],
  },
  {
    id: "Q54-reads",
    does: "limits all that has no limit of its own, but for reads of which the document rules a limit out",
    answers: "Q54",
    changes: [
      {
        file: "http/rate-limit.ts",
        find: "const { draws } = routeOf(exchange).operation;",
        replace: `const { id: operation, draws: listed } = routeOf(exchange).operation;\n    const draws = listed.length > 0 || ${JSON.stringify(unlimited)}.includes(operation) ? listed : [{ bucket: "reads", records: null, tooMany: null }];`,
      },
      {
        file: "domain/tiers/limit-size.ts",
        find: "const bucket = isBucket(name) ? buckets[name] : null;",
        replace:
          'if (name === "reads") return { capacity: 15, periodSeconds: 1 };\n  const bucket = isBucket(name) ? buckets[name] : null;',
      },
    ],
  },
  {
    id: "Q54-crowd",
    does: "fails every third of the calls of an organization that meet in the limit",
    answers: "Q54",
    changes: [
      remembering(
        "http/rate-limit.ts",
        'import { callerOf, routeOf, type Step } from "./exchange.ts";',
        "const crowd = new Map<string, number>();",
      ),
      {
        file: "http/rate-limit.ts",
        find: "const drawn = await store.draw(id, draw);",
        replace:
          'const before = crowd.get(id) ?? 0;\n    crowd.set(id, before + 1);\n    await new Promise((resolve) => setTimeout(resolve, 20));\n    crowd.set(id, (crowd.get(id) ?? 0) - 1);\n    if (before % 3 === 2) return refuse.InternalError("Something went wrong. Try again.");\n    const drawn = await store.draw(id, draw);',
      },
    ],
  },
  {
    id: "Q15-opaque",
    does: "gives request ids another form",
    answers: "Q15",
    changes: [
      {
        file: "http/request-id.ts",
        find: "`req_${randomUUIDv7()}`",
        replace: 'Buffer.from(randomUUIDv7()).toString("base64url")',
      },
    ],
  },
  {
    id: "Q30-headers",
    does: "words messages in another language and sends more headers",
    answers: "Q30",
    changes: [
      {
        file: envelope,
        find: '    "cache-control": "no-store",',
        replace: '    "cache-control": "private, no-store",\n    "x-served-by": "edge-7",\n    vary: "Origin",',
      },
      {
        file: "domain/keys/api-keys.ts",
        find: 'refuse.NotFound("There is no such API key.")',
        replace: 'refuse.NotFound("Schlüssel nicht gefunden.")',
      },
    ],
  },
  {
    id: "Q33-charset",
    does: "names the charset of its answers",
    answers: "Q33",
    changes: [
      {
        file: envelope,
        find: '"content-type": "application/json",',
        replace: '"content-type": "application/json; charset=utf-8",',
      },
    ],
  },
  {
    id: "Q17-zero-offset",
    does: "writes UTC as an offset of zero",
    answers: "Q17",
    changes: [
      { file: "domain/clock.ts", find: "      return text;", replace: '      return text.replace("Z", "+00:00");' },
    ],
  },
  {
    id: "Q2-created",
    does: "answers every success of the reference's 200 with 201",
    answers: "Q2",
    changes: [
      {
        file: "http/success-status.ts",
        find: "return success.reference;",
        replace: 'return success.allowed === "2XX" && success.reference === 200 ? 201 : success.reference;',
      },
    ],
  },
  {
    id: "Q21-body-400",
    does: "answers an invalid field of a creation with the 400 form, as the document shows no form for these",
    answers: "Q21",
    changes: [
      {
        file: "http/validate-request.ts",
        find: "if (special === undefined) return rows.fields(fieldDetails(violations, naming));",
        replace: `const { id } = routeOf(exchange).operation;\n    if (special === undefined && ${JSON.stringify(creations)}.includes(id))\n      return new Refusal("ValidationFailed400", "Some fields are invalid.", { details: fieldDetails(violations, naming) });\n    if (special === undefined) return rows.fields(fieldDetails(violations, naming));`,
      },
    ],
  },
  {
    id: "Q32-path-first",
    does: "tells a caller without credentials that a path does not exist",
    answers: "Q32",
    changes: [
      {
        file: "http/app.ts",
        find: "[entry, () => rows.unknownPath()]",
        replace: "[() => rows.unknownPath()]",
      },
    ],
  },
  {
    id: "Q39-empty",
    does: "takes an empty staff header as not sent",
    answers: "Q39",
    changes: [
      {
        file: "http/authorize.ts",
        find: "    if (target === undefined) return null;",
        replace: '    if (target === undefined || target === "") return null;',
      },
    ],
  },
  {
    id: "Q55-headers",
    does: "tells in headers how much of a limit is left",
    answers: "Q55",
    changes: [
      {
        file: "http/envelope.ts",
        find: '    "content-length": Buffer.byteLength(text),',
        replace:
          '    "content-length": Buffer.byteLength(text),\n    "ratelimit-limit": "10",\n    "ratelimit-remaining": "9",',
      },
    ],
  },
];
