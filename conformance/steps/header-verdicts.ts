import { constants } from "../../generated/constants.ts";
import { deliveryHeaders, eventTypes } from "../../generated/events.ts";
import { components } from "../../generated/schemas.ts";
import { type Delivery, headerValues } from "../exchange/delivery.ts";

type HeaderName = (typeof deliveryHeaders)[number]["name"];

/** Rules on the headers that every delivery has, whatever it is of. */
export const headerRules = ["EVT-02", "EVT-03", "EVT-04", "EVT-05", "EVT-06"] as const;

export interface HeaderVerdict {
  readonly rule: (typeof headerRules)[number];
  readonly holds: boolean;
  readonly expected: string;
  readonly actual: string;
}

/** The headers that every delivery has, and whether this one does. */
export function headerVerdicts(delivery: Delivery): readonly HeaderVerdict[] {
  const judged = (
    rule: HeaderVerdict["rule"],
    name: HeaderName,
    wanted: string,
    isGood: (value: string) => boolean,
  ): HeaderVerdict => {
    const values = headerValues(delivery, name);
    const holds =
      values.length > 0 && values.every(isGood) && (values.length === 1 || name === constants.signatureHeader);
    return {
      rule,
      holds,
      expected: `${name}, ${wanted}`,
      actual: values.map((v) => JSON.stringify(v)).join(" and ") || "none",
    };
  };
  const eventId = new RegExp(String(components.EventId?.pattern), "u");
  return [
    // The names of media types have no case (RFC 9110, 8.3.1).
    judged("EVT-02", "Content-Type", "application/json", (value) => patternOf("Content-Type", "iu").test(value)),
    judged("EVT-03", "User-Agent", "not empty", (value) => value.trim() !== ""),
    judged("EVT-04", constants.eventIdHeader, `${constants.eventIdPrefix} and a UUID`, (value) => eventId.test(value)),
    judged("EVT-05", constants.eventTypeHeader, "a documented type", (value) =>
      eventTypes.some((type) => type === value),
    ),
    judged("EVT-06", constants.signatureHeader, "t=<unix seconds>,v1=<signature>", (value) =>
      patternOf(constants.signatureHeader, "u").test(value),
    ),
  ];
}

const patternOf = (name: HeaderName, flags: string): RegExp =>
  new RegExp(deliveryHeaders.find((header) => header.name === name)?.pattern ?? "", flags);
