import { operations } from "../../../generated/operations.ts";
import type { RuleId } from "../../../generated/rules.ts";
import type { Mutant } from "../edit.ts";
import { drawingTogether, drawsFrom } from "../port-changes.ts";
import { isRefusal, onAnswer, withHeaders } from "../wire.ts";
import { mutant, mutantOf, wireMutant } from "./mutant.ts";

const rateLimit = "http/rate-limit.ts";
const limitSize = "domain/tiers/limit-size.ts";
const { id: rotate } = operations.rotateApiKey;
const { id: create } = operations.createApiKey;

/** Asks throttled rotations to wait for so many seconds. */
const waiting = (seconds: number) =>
  onAnswer(rotate, (answer) =>
    isRefusal(answer, "RateLimited") ? withHeaders(answer, { "retry-after": String(seconds) }) : answer,
  );

/** A bucket for every key, of calls that draw on buckets with such names. */
const perKey = (name: string): string =>
  `bucket: (each.bucket.startsWith("${name}") && caller.kind === "key" ? \`\${each.bucket} \${caller.id}\` : each.bucket) as never,`;

/** Gives two units back with every call of one operation that is refused for what it says, and with none of others. */
const refunding = (breaks: RuleId, name: string, operation: string, noun: string): Mutant =>
  mutant(
    breaks,
    name,
    `gives two units back with every ${noun} that is refused for what it says, and with nothing else`,
    rateLimit,
    'if (choices.refusedCallsDraw === "never") exchange.undo.push(() => store.giveBack(id, draw));',
    `if (routeOf(exchange).operation.id === "${operation}")
      exchange.undo.push(async () => {
        await store.giveBack(id, draw);
        await store.giveBack(id, draw);
      });`,
  );

/** Servers that keep limits with faults that show in few calls. */
export const carelessLimitMutants: readonly Mutant[] = [
  mutant(
    "KEYC-30",
    "refund-invalid",
    "gives two units back with every creation that is refused for what it says",
    rateLimit,
    'if (choices.refusedCallsDraw === "never") exchange.undo.push(() => store.giveBack(id, draw));',
    `exchange.undo.push(async () => {
      await store.giveBack(id, draw);
      await store.giveBack(id, draw);
    });`,
  ),
  refunding("KEYC-30", "refund-creations", create, "creation"),
  refunding("KEYC-30", "refund-rotations", rotate, "rotation"),
  refunding("WHP-23", "refund-replays", operations.replayDelivery.id, "replay"),
  refunding("LIM-06", "refund-sends", operations.sendMessage.id, "send"),
  mutant(
    "LIM-19",
    "own-minute",
    "keeps the limit on erasures for a minute where nobody has set another",
    limitSize,
    'if (bucket.kind === "bucket") return bucket;',
    'if (bucket.kind === "bucket") return name === "contactErasures" ? { ...bucket, periodSeconds: 60 } : bucket;',
  ),
  mutant(
    "LIM-19",
    "own-day",
    "keeps the limit on erasures for a day where nobody has set another",
    limitSize,
    'if (bucket.kind === "bucket") return bucket;',
    'if (bucket.kind === "bucket") return name === "contactErasures" ? { ...bucket, periodSeconds: 86_400 } : bucket;',
  ),
  mutant(
    "LIM-02",
    "own-half",
    "refills the send ladder's buckets in half the time where nobody has set others",
    limitSize,
    "return { capacity: tier.capacity, periodSeconds: bucket.periodSeconds };",
    "return { capacity: tier.capacity, periodSeconds: bucket.periodSeconds / 2 };",
  ),
  mutantOf("KEYC-30", "many-scopes", "counts no creation of a key with four scopes or more", [
    {
      file: "http/request-path.ts",
      find: "    onlyFor(drawsFirst, limit),",
      replace: `    onlyFor((operation) => drawsFirst(operation) && operation.id !== "${create}", limit),`,
    },
    {
      file: "http/request-path.ts",
      find: "    onlyFor((operation) => !drawsFirst(operation), limit),",
      replace: `    onlyFor((operation) => !drawsFirst(operation) || operation.id === "${create}", limit),`,
    },
    {
      file: rateLimit,
      find: "units: drawUnits(each, exchange.input.body),",
      replace: `units: routeOf(exchange).operation.id === "${create}" && Object(exchange.input.body).scopes?.length > 3
          ? 0
          : drawUnits(each, exchange.input.body),`,
    },
  ]),
  wireMutant("LIM-14", "rotation-day", "asks throttled rotations to wait for a day", waiting(86_400)),
  wireMutant("KEYC-33", "rotation-second", "asks throttled rotations to wait for a second", waiting(1)),
  mutantOf("KEYR-07", "rotates", "rotates a key before it looks at the limit", [
    {
      file: "http/request-path.ts",
      find: "    onlyFor((operation) => !drawsFirst(operation), limit),\n    answerOnce(store, world, choices, handle),",
      replace: `    onlyFor((operation) => !drawsFirst(operation) && operation.id !== "${rotate}", limit),\n    answerOnce(store, world, choices, handle),\n    onlyFor((operation) => operation.id === "${rotate}", limit),`,
    },
  ]),
  mutantOf("TEN-16", "sends", "keeps one limit of sends for all organizations", [
    drawingTogether((draw) => drawsFrom(draw, "messageSendsPerSecond")),
  ]),
  mutantOf("TEN-16", "consents", "keeps one limit of consents for all organizations", [
    drawingTogether((draw) => drawsFrom(draw, "consentRecords")),
  ]),
  mutant(
    "TEN-17",
    "sends",
    "keeps a limit of sends for every key",
    rateLimit,
    "bucket: each.bucket,",
    perKey("message"),
  ),
  mutant(
    "TEN-17",
    "consents",
    "keeps a limit of consents for every key",
    rateLimit,
    "bucket: each.bucket,",
    perKey("consent"),
  ),
];
