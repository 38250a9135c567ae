import { afterEach, describe, expect, it } from "vitest";
import { type Choices, choiceValues, referenceChoices } from "../generated/choices.ts";
import { startTestServer, type TestServer } from "./test-server.ts";

/** Shows on a running server that it does what the value says. */
export type Probe = (server: TestServer) => Promise<void>;

/** A probe for every value of the options: one without does not pass the type check. */
export type Probes<Options extends keyof Choices> = {
  readonly [Option in Options]: { readonly [Value in Choices[Option]]: Probe };
};

/** Options that show in deliveries and in what there is about them. All others are shown without any. */
export type DeliveryOption =
  | ("pageTotal" | "lastCursor" | "badCursor" | "unknownEndpointFilter" | "sinceAfterUntil" | "unansweredInStatusRange")
  | ("unansweredStatus" | "digestEncoding" | "excerptBytes" | "recordedHeaderNames")
  | ("signatureDialect" | "eventBody" | "retrySchedule" | "goneAnswer" | "eventRetentionDays" | "graceSignatures")
  | ("keyEvents" | "endpointVersion" | "testEventType" | "malformedId" | "deletedData");

/** Options that show in what an organization pays for, and in what is under way for a time. */
export type SpendingOption =
  | "disabledAgain"
  | "lowBalanceMicros"
  | "failedLookupRetry"
  | "idempotencyKeyHours"
  | "idempotencyKeyLength"
  | "lookupPriceMicros"
  | "numberRentMicros"
  | "numberOrderMax"
  | "segmentPriceMicros"
  | "messagesAtOptOut"
  | "scheduleDays"
  | "brandVerificationSeconds"
  | "campaignReviewSeconds"
  | "doubleOptInHours";

/** Tests that the server honours the options, and that the probes can tell. */
export function describeOptions<Options extends keyof Choices>(title: string, probes: Probes<Options>): void {
  const all: Readonly<Record<string, Readonly<Record<string, Probe>>>> = probes;
  const cases = Object.entries(choiceValues).flatMap(([option, values]) =>
    option in probes ? values.map((value) => [option as Options, value] as const) : [],
  );
  const probe = async (server: TestServer, option: Options, value: string) => all[option]?.[value]?.(server);

  describe(title, () => {
    let server: TestServer;
    afterEach(() => server.close());

    it.each(cases)("%s: %s", async (option, value) => {
      expect.hasAssertions();
      server = await startTestServer({ chosen: { [option]: value } });
      await probe(server, option, value);
    });

    it.each(cases.filter(([option, value]) => value !== referenceChoices[option]))(
      "the probe of %s: %s fails on the reference",
      async (option, value) => {
        server = await startTestServer();
        await expect(probe(server, option, value)).rejects.toThrow();
      },
    );
  });
}
