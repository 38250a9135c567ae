import type { Logger } from "pino";
import type { Choices } from "../generated/choices.ts";
import type { AddressPolicy } from "./delivery/address-guard.ts";
import { Courier, type Pace } from "./delivery/courier.ts";
import type { ResolveName } from "./delivery/resolve-name.ts";
import { createSender, type Sender, usualSendPatience } from "./delivery/send-attempt.ts";
import { chosenManner, chosenSchedule } from "./delivery-choices.ts";
import type { Carrier } from "./domain/carrier/carrier.ts";
import type { DeliveryManner } from "./domain/deliveries/delivery-request.ts";
import type { World } from "./domain/world.ts";
import { concludeRegistrations } from "./routes/conclude-registrations.ts";
import { expireDoubleOptIn } from "./routes/double-opt-ins.ts";
import type { RunDue } from "./sandbox/advance-clock.ts";
import type { Store } from "./store/store.ts";

/** How the server sends to receivers. */
export interface DeliveryOptions {
  /** Admits receivers on this machine, over http too: for development and tests. */
  readonly admitLoopback?: boolean;
  /** Milliseconds that a receiver has for its answer. */
  readonly timeout?: number;
  /** Resolves the names of receivers; as `SenderOptions` says unless given. */
  readonly resolve?: ResolveName;
  readonly pace?: Pace;
  /** Sends over HTTP unless given. */
  readonly sender?: Sender;
  /** Simulated unless given. */
  readonly carrier?: Carrier;
  /** Real milliseconds that an advance of a manual clock takes at most. */
  readonly advanceBound?: number;
}

/** What sends, and how. */
export interface Deliveries {
  readonly courier: Courier;
  readonly sender: Sender;
  readonly manner: DeliveryManner;
  readonly policy: AddressPolicy;
  readonly runDue: RunDue;
}

export interface DeliveriesParts {
  readonly store: Store;
  readonly world: World;
  readonly choices: Choices;
  readonly log: Logger;
}

/** Not started yet. */
export function createDeliveries(
  { store, world, choices, log }: DeliveriesParts,
  options: DeliveryOptions,
): Deliveries {
  const { sender = createHttpSender(choices, log, options), pace, carrier, advanceBound } = options;
  const policy = policyOf(options);
  const manner = chosenManner(choices);
  const courier = new Courier({
    ...{ queue: store.dueWork, sender, world, log, manner },
    schedule: chosenSchedule(choices),
    expire: expireDoubleOptIn({ store, world, choices }),
    conclude: concludeRegistrations({ store, world, choices }),
    ...(pace === undefined ? {} : { pace }),
    ...(carrier === undefined ? {} : { carrier }),
  });
  store.onEnqueued(() => courier.wake());
  const runDue: RunDue = (organizationId, until) => courier.advance(organizationId, until, advanceBound);
  return { courier, sender, manner, policy, runDue };
}

/** Sends to receivers as the options say. */
export const createHttpSender = (
  choices: Choices,
  log: Logger,
  options: Pick<DeliveryOptions, "admitLoopback" | "timeout" | "resolve">,
): Sender => {
  const { timeout: total = usualSendPatience.total, resolve } = options;
  return createSender({
    policy: policyOf(options),
    patience: { ...usualSendPatience, connect: Math.min(usualSendPatience.connect, total), total },
    excerptBytes: Number(choices.excerptBytes),
    ...(resolve === undefined ? {} : { resolve }),
    unexpected: (problem) => log.error({ err: problem }, "a request to a receiver failed unexpectedly"),
  });
};

const policyOf = ({ admitLoopback = false }: DeliveryOptions): AddressPolicy => ({ loopback: admitLoopback });
