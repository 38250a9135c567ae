import { type OneAtATime, oneAtATime } from "../domain/one-at-a-time.ts";
import { consentsOf } from "./consent/consents.ts";
import { doubleOptInsOf } from "./consent/double-opt-ins.ts";
import { hostedFormsOf } from "./consent/hosted-forms.ts";
import { endpointsOf } from "./endpoints/endpoints.ts";
import { type Connection, inTransaction } from "./engine/statement.ts";
import { enqueue } from "./events/outbox.ts";
import { recordsOf } from "./events/records.ts";
import { keptAnswersOf } from "./idempotency/kept-answers.ts";
import { keysOf } from "./keys/keys.ts";
import { legalAcceptancesOf } from "./legal-acceptances/legal-acceptances.ts";
import { linesOf } from "./lookups/lines.ts";
import { lookupsOf } from "./lookups/lookups.ts";
import { messagesOf } from "./messages/messages.ts";
import { notificationsOf } from "./notifications/notifications.ts";
import { findOrganization, moveClock, setAutoTopUp, setOutage, setReseller } from "./organizations/organizations.ts";
import { Overtaken } from "./overtaken.ts";
import { phoneNumbersOf } from "./phone-numbers/phone-numbers.ts";
import { profilesOf } from "./profiles/profiles.ts";
import { brandsOf } from "./registration/brands.ts";
import { campaignsOf } from "./registration/campaigns.ts";
import { secretsOf } from "./secrets/signing-secrets.ts";
import type { UnitOfWork } from "./unit-of-work.ts";
import { ledgerOf } from "./wallet/ledger.ts";
import { dropWaiting } from "./work/partitions.ts";

/** How often a unit is tried that the database broke off because of others. */
const mostTries = 5;

/** The same where others got what it wanted: each try that fails is somebody's success, so that many may be needed. */
const mostTriesWhenOvertaken = 100;

/** Something for after a unit: it is done when all is committed, and not at all when nothing is. */
export type FollowUp = () => Promise<void> | void;

/** A unit of work that waited for something else than the store. */
class UnitWaited extends Error {
  constructor() {
    super(
      "A unit of work waits for something else than the store, and everybody else waits for the unit. " +
        "Do that before it or after it, and use nothing but the unit's own methods within.",
    );
    this.name = "UnitWaited";
  }
}

/**
 * Units of work, which hold their organization's row from beginning to end: those of one organization come one after
 * the other, in whatever process, and never meet those of others. Within a process they take turns before they take a
 * connection, so that an organization with many of them leaves the connections to the others.
 */
export class SqlUnits {
  readonly #main: Connection;
  readonly #enqueued: () => void;
  readonly #inTurn: OneAtATime = oneAtATime();

  constructor(main: Connection, enqueued: () => void) {
    this.#main = main;
    this.#enqueued = enqueued;
  }

  atomically<Result>(organizationId: string, work: (tx: UnitOfWork) => Promise<Result>): Promise<Result> {
    return this.#inTurn(organizationId, async () => {
      for (let tries = 1; ; tries++) {
        try {
          return await this.#try(organizationId, work);
        } catch (problem) {
          const isOvertaken = problem instanceof Overtaken;
          if (!isOvertaken && !this.#main.engine.isConflict(problem)) throw problem;
          if (tries >= (isOvertaken ? mostTriesWhenOvertaken : mostTries)) throw problem;
        }
      }
    });
  }

  async #try<Result>(organizationId: string, work: (tx: UnitOfWork) => Promise<Result>): Promise<Result> {
    const followUps: FollowUp[] = [];
    const result = await inTransaction(this.#main, async (on) => {
      const working = this.#unit(on, organizationId, followUps).then(work);
      return on.engine.isSynchronous ? withoutWaiting(working) : working;
    });
    for (const followUp of followUps) await followUp();
    return result;
  }

  async #unit(on: Connection, organizationId: string, followUps: FollowUp[]): Promise<UnitOfWork> {
    const organization = await findOrganization(on, organizationId, "held");
    const main = this.#main;
    const enqueued = () => void followUps.push(this.#enqueued);
    const deleted = (id: string) => void followUps.push(() => dropWaiting(main, id));
    return {
      organization,
      keys: keysOf(on, organizationId),
      endpoints: endpointsOf({ on, organizationId, deleted, activated: enqueued }),
      secrets: secretsOf(on, organizationId),
      ledger: ledgerOf(on, organizationId),
      lookups: lookupsOf(on, organizationId),
      lines: linesOf(on, organizationId),
      phoneNumbers: phoneNumbersOf(on, organizationId),
      messages: messagesOf({ on, organizationId, organization, enqueued }),
      consents: consentsOf(on, organizationId),
      doubleOptIns: doubleOptInsOf({ on, organizationId, organization, enqueued }),
      hostedForms: hostedFormsOf(on, organizationId),
      profiles: profilesOf(on, organizationId),
      notifications: notificationsOf(on, organizationId),
      legalAcceptances: legalAcceptancesOf(on, organizationId),
      brands: brandsOf({ on, organizationId, organization, enqueued }),
      campaigns: campaignsOf({ on, organizationId, organization, enqueued }),
      answers: keptAnswersOf(on, organizationId),
      ...recordsOf(on, organizationId),
      async enqueue(event, to) {
        const count = organization === null ? 0 : await enqueue(on, event, to, organization);
        if (count > 0) enqueued();
        return count;
      },
      moveClock: (at) => moveClock(on, organizationId, at),
      setReseller: (isReseller) => setReseller(on, organizationId, isReseller),
      setOutage: (kind, calls) => setOutage(on, organizationId, kind, calls),
      setAutoTopUp: (autoTopUp) => setAutoTopUp(on, organizationId, autoTopUp),
    };
  }
}

/** Rejects when the event loop takes a turn meanwhile: an engine that answers at once needs none. */
async function withoutWaiting<Result>(work: Promise<Result>): Promise<Result> {
  const { promise: waited, reject } = Promise.withResolvers<never>();
  const turn = setImmediate(() => reject(new UnitWaited()));
  try {
    return await Promise.race([work, waited]);
  } finally {
    clearImmediate(turn);
  }
}
