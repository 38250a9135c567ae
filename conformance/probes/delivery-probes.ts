import { constants } from "../../generated/constants.ts";
import { valuesIn } from "../evidence/json-pointer.ts";
import type { DeliverySeen } from "../exchange/delivery.ts";
import type { Step } from "../story/step.ts";
import type { Probe } from "./probe.ts";

/** A delivery whose header has another event's id than its body. */
export const misnamedEvent: Probe = {
  id: "misnamed-event",
  says({ finding: { deliveries }, steps }) {
    for (const delivery of deliveries.toReversed()) {
      const named = headerOf(delivery);
      const own = idsIn(parsed(delivery.request.body));
      const [id, ...others] = own.filter((one) => !isFormOf(one, named ?? ""));
      if (named === null || id === undefined || others.length > 0 || own.length > 1) continue;
      const given = steps.find((step) => idsIn(answerOf(step)).includes(id));
      const told = given?.exchange == null ? "" : `, which answer ${given.exchange} gave it`;
      const first = deliveries.find((one) => one !== delivery && idsIn(parsed(one.request.body)).includes(named));
      const whose = first === undefined ? "" : `, that of delivery ${first.number}`;
      return `${constants.eventIdHeader} has another event's id: delivery ${delivery.number} has ${named} there${whose}, and ${id} in its body${told}`;
    }
    return null;
  },
};

const headerOf = ({ request }: DeliverySeen): string | null =>
  Object.entries(request.headers).find(([name]) => name.toLowerCase() === constants.eventIdHeader.toLowerCase())?.[1] ??
  null;

/** Whether an id is another one, but for how it is written. */
const isFormOf = (one: string, other: string): boolean =>
  [one, other].some((whole) => [one, other].every((part) => whole.toLowerCase().includes(part.toLowerCase())));

const answerOf = ({ through, outcome }: Step): unknown =>
  through === "api" && outcome?.kind === "response" ? outcome.json : undefined;

/** Ids of events in a value of JSON. */
const idsIn = (value: unknown): readonly string[] => [
  ...new Set(
    [...valuesIn(value)].flatMap(([, own]) =>
      typeof own === "string" && own.startsWith(constants.eventIdPrefix) ? [own] : [],
    ),
  ),
];

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
