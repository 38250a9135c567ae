import type { DeliveryAttempt } from "../domain/deliveries/delivery.ts";
import type { Event } from "../domain/events/event.ts";
import type { Endpoints, Keys, Ledger, Messages, PhoneNumbers, UnitOfWork } from "../store/unit-of-work.ts";
import type { PortChange } from "./edit.ts";
import { type Ports, withMembers } from "./ports.ts";

/** Members in place of a unit's own. */
export type UnitChange = (tx: UnitOfWork) => Partial<UnitOfWork>;

/** Changes what units of work see and do; `change` is called for each server, and what it gives for each unit. */
export const working = (change: (ports: Ports) => UnitChange): PortChange => ({
  ports(ports) {
    const changed = change(ports);
    const { store } = ports;
    const members: Partial<typeof store> = {
      atomically: (organizationId, work) =>
        store.atomically(organizationId, (tx) => work(withMembers(tx, changed(tx)))),
    };
    return { ...ports, store: withMembers(store, members) };
  },
});

/** The same for what units do with endpoints. */
export const keepingEndpoints = (
  change: () => (endpoints: Endpoints, tx: UnitOfWork) => Partial<Endpoints>,
): PortChange =>
  working(() => {
    const changed = change();
    return (tx) => ({ endpoints: withMembers(tx.endpoints, changed(tx.endpoints, tx)) });
  });

/** The same for what units do with keys. */
export const keepingKeys = (change: () => (keys: Keys, tx: UnitOfWork) => Partial<Keys>): PortChange =>
  working(() => {
    const changed = change();
    return (tx) => ({ keys: withMembers(tx.keys, changed(tx.keys, tx)) });
  });

/** The same for what units do with messages. */
export const keepingMessages = (change: (messages: Messages, tx: UnitOfWork) => Partial<Messages>): PortChange =>
  working(() => (tx) => ({ messages: withMembers(tx.messages, change(tx.messages, tx)) }));

/** The same for what units do with phone numbers. */
export const keepingNumbers = (change: (numbers: PhoneNumbers, tx: UnitOfWork) => Partial<PhoneNumbers>): PortChange =>
  working(() => (tx) => ({ phoneNumbers: withMembers(tx.phoneNumbers, change(tx.phoneNumbers, tx)) }));

/** The same for what units do with money. */
export const keepingMoney = (change: () => (ledger: Ledger) => Partial<Ledger>): PortChange =>
  working(() => {
    const changed = change();
    return (tx) => ({ ledger: withMembers(tx.ledger, changed(tx.ledger)) });
  });

/** The same for the events that units enqueue. */
export const enqueueing = (
  change: () => (...[event, to, tx]: readonly [...Parameters<UnitOfWork["enqueue"]>, UnitOfWork]) => Promise<number>,
): PortChange =>
  working(() => {
    const changed = change();
    return (tx) => ({ enqueue: (event, to) => changed(event, to, tx) });
  });

/** Changes units that replay an attempt, from when they have found it. */
export const replaying = (
  change: (
    ports: Ports,
  ) => (tx: UnitOfWork, attempt: DeliveryAttempt) => Partial<UnitOfWork> | Promise<Partial<UnitOfWork>>,
): PortChange =>
  working((ports) => {
    const changed = change(ports);
    return (tx) => {
      let members: Partial<UnitOfWork> = {};
      return {
        attempts: {
          async find(id) {
            const attempt = await tx.attempts.find(id);
            if (attempt !== null) members = await changed(tx, attempt);
            return members.attempts === undefined ? attempt : members.attempts.find(id);
          },
        },
        get endpoints() {
          return members.endpoints ?? tx.endpoints;
        },
        get events() {
          return members.events ?? tx.events;
        },
        enqueue: (event, to) => (members.enqueue ?? tx.enqueue)(event, to),
      };
    };
  });

/** Changes the new event of a replay. */
export const replayingAs = (change: (event: Event, attempt: DeliveryAttempt) => Event): PortChange =>
  replaying(() => (tx, attempt) => ({ enqueue: (event, to) => tx.enqueue(change(event, attempt), to) }));

/** Has the endpoint of a replayed attempt be active or not. */
export const receiverOf = (tx: UnitOfWork, active: boolean): Pick<UnitOfWork, "endpoints"> => ({
  endpoints: withMembers(tx.endpoints, {
    async find(id) {
      const endpoint = await tx.endpoints.find(id);
      return endpoint && { ...endpoint, active };
    },
  }),
});

/** Counts the active endpoints of all organizations together. */
export const countingAll: PortChange = keepingEndpoints(() => {
  const counts = new Map<string | undefined, number>();
  return (endpoints, { organization }) => ({
    async countActive() {
      counts.set(organization?.id, await endpoints.countActive());
      return [...counts.values()].reduce((sum, count) => sum + count, 0);
    },
    async insert(endpoint) {
      await endpoints.insert(endpoint);
      counts.set(organization?.id, await endpoints.countActive());
    },
  });
});
