import { createHmac } from "node:crypto";
import { constants } from "../../../generated/constants.ts";
import type { RuleId } from "../../../generated/rules.ts";
import type { Delivery } from "../../domain/deliveries/delivery.ts";
import { type Signed, signatureHeader, usualDialect } from "../../domain/signatures/delivery-signature.ts";
import type { Mutant, PortChange } from "../edit.ts";
import { knowingOriginals, sending, withHeader } from "../port-changes.ts";
import { mutantOf } from "./mutant.ts";

/** Signs deliveries in another way; `header` is what the server made of it. */
const signing = (change: (signed: Signed, delivery: Delivery, header: string) => string): PortChange =>
  sending((request, delivery) => {
    const header = request.headers[constants.signatureHeader] ?? "";
    const seconds = Number(/^t=(\d+)/.exec(header)?.[1]);
    const signed = { eventId: delivery.event.id, seconds, body: request.body };
    return withHeader(request, constants.signatureHeader, change(signed, delivery, header));
  });

const signatures = (breaks: RuleId, name: string, does: string, change: Parameters<typeof signing>[0]): Mutant =>
  mutantOf(breaks, name, does, [signing(change)]);

/** A mutant that writes time and signature in another way. */
const written = (name: string, does: string, header: (seconds: number, signature: string) => string): Mutant =>
  signatures("EVT-06", name, does, ({ seconds }, _, before) => header(seconds, before.replace(/^.*v1=/, "")));

/** A mutant that signs with another time. */
const timed = (name: string, does: string, change: (seconds: number) => number): Mutant =>
  signatures("EVT-07", name, does, (signed, { endpoint }) =>
    signatureHeader({ ...signed, seconds: change(signed.seconds) }, [endpoint.secret]),
  );

/** A mutant that signs another body than it sends. */
const ofBody = (name: string, does: string, change: (body: Buffer) => Uint8Array): Mutant =>
  signatures("EVT-08", name, does, (signed, { endpoint }) =>
    signatureHeader({ ...signed, body: change(Buffer.from(signed.body)) }, [endpoint.secret]),
  );

/** A mutant whose signature rests on less than the time and the body. */
const restingOn = (name: string, does: string, content: (signed: Signed) => string): Mutant =>
  signatures("EVT-09", name, does, (signed, { endpoint }) => {
    const hmac = createHmac("sha256", Buffer.from(endpoint.secret, "base64"));
    return `t=${signed.seconds},v1=${hmac.update(content(signed)).digest("hex")}`;
  });

const hour = 3600;
const secondOf = (milliseconds: number): number => Math.floor(milliseconds / 1000);

/** Servers that sign deliveries otherwise than the contract says. */
export const signatureMutants: readonly Mutant[] = [
  written("milliseconds", "writes the time of a signature in milliseconds", (at, own) => `t=${at}000,v1=${own}`),
  written("order", "writes the signature before its time", (at, own) => `v1=${own},t=${at}`),
  written("spaced", "writes a blank behind the comma", (at, own) => `t=${at}, v1=${own}`),
  written("bare", "writes the signature alone", (_, own) => own),
  written(
    "iso",
    "writes the time of a signature as a date",
    (at, own) => `t=${new Date(at * 1000).toISOString()},v1=${own}`,
  ),
  timed("local", "signs with the local time of a place in the east", (seconds) => seconds + hour),
  timed("hourly", "rounds the time of a signature down to the hour before", (seconds) =>
    Math.floor(Math.floor(seconds / hour - 0.1) * hour),
  ),
  mutantOf("EVT-07", "frozen", "signs with the time of its first delivery", [
    {
      ports(ports) {
        let frozen: number | undefined;
        const freezing = signing((signed, { endpoint }) => {
          frozen ??= signed.seconds;
          return signatureHeader({ ...signed, seconds: frozen }, [endpoint.secret]);
        });
        return freezing.ports(ports);
      },
    },
  ]),
  mutantOf("EVT-07", "replay", "signs a replay with the original's time", [
    knowingOriginals((originalOf) =>
      signing((signed, { event, endpoint }, header) => {
        const original = originalOf(event);
        return original === undefined
          ? header
          : signatureHeader({ ...signed, seconds: secondOf(original.createdAt) }, [endpoint.secret]);
      }),
    ),
  ]),
  ofBody("latin", "signs each byte as a character", (body) => Buffer.from(body.toString("latin1"))),
  ofBody("long", "signs the beginning of a long body", (body) => body.subarray(0, 16_384)),
  ofBody("escaped", "signs a body with other escapes than it sends", (body) =>
    Buffer.from(body.toString().replace(/[^ -~]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`)),
  ),
  signatures(
    "EVT-08",
    "retry",
    "sends the signature of the first attempt with a new time",
    (signed, { attempts, event, endpoint }, header) => {
      const first = signatureHeader({ ...signed, seconds: secondOf(event.createdAt) }, [endpoint.secret]);
      return attempts > 0 ? first.replace(/^t=\d+/, `t=${signed.seconds}`) : header;
    },
  ),
  mutantOf("EVT-08", "replay", "signs a replay with another key", [
    knowingOriginals((originalOf) =>
      signing((signed, { event }, header) =>
        originalOf(event) ? signatureHeader(signed, [Buffer.from(event.organizationId).toString("base64")]) : header,
      ),
    ),
  ]),
  mutantOf("EVT-08", "replay-dialect", "signs a replay in another way", [
    knowingOriginals((originalOf) =>
      signing((signed, { event, endpoint }, header) =>
        originalOf(event) ? signatureHeader(signed, [endpoint.secret], { ...usualDialect, key: "raw" }) : header,
      ),
    ),
  ]),
  mutantOf("EVT-08", "dialects", "signs every other delivery in another way", [
    {
      ports(ports) {
        let deliveries = 0;
        const alternating = signing((signed, { endpoint }, header) =>
          ++deliveries % 2 === 0
            ? signatureHeader(signed, [endpoint.secret], { ...usualDialect, content: "id-time-body" })
            : header,
        );
        return alternating.ports(ports);
      },
    },
  ]),
  restingOn("time", "signs the time alone", ({ seconds }) => `${seconds}.`),
  restingOn("length", "signs the time and the length of the body", ({ seconds, body }) => `${seconds}.${body.length}`),
  restingOn("key", "sends a digest of the secret as the signature", () => ""),
];
