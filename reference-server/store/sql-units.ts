import type { Kysely } from "kysely";
import { type OneAtATime, oneAtATime } from "../domain/one-at-a-time.ts";
import type { OutageKind } from "../domain/organizations/organization.ts";
import { consentsOf } from "./consent/consents.ts";
import { endpointsOf } from "./endpoints/endpoints.ts";
import type { Engine } from "./engine/engine.ts";
import { enqueue } from "./events/outbox.ts";
import { recordsOf } from "./events/records.ts";
import { keptAnswersOf } from "./idempotency/kept-answers.ts";
import { keysOf } from "./keys/keys.ts";
import { lookupsOf } from "./lookups/lookups.ts";
import { organizationOf } from "./rows.ts";
import { secretsOf } from "./secrets/signing-secrets.ts";
import type { Tables } from "./tables.ts";
import type { UnitOfWork } from "./unit-of-work.ts";
import { ledgerOf } from "./wallet/ledger.ts";
import { dropWaiting } from "./work/partitions.ts";

/** How often a unit is tried that others come in the way of. */
const mostTries = 5;

/** Where an organization's outages are counted. */
export const outageColumns = {
  unhandled_error: "outage_calls",
  lookup: "lookup_outage_calls",
} as const satisfies Record<OutageKind, string>;

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
  readonly #db: Kysely<Tables>;
  readonly #engine: Engine;
  readonly #enqueued: () => void;
  readonly #inTurn: OneAtATime = oneAtATime();

  constructor(db: Kysely<Tables>, engine: Engine, enqueued: () => void) {
    this.#db = db;
    this.#engine = engine;
    this.#enqueued = enqueued;
  }

  atomically<Result>(organizationId: string, work: (tx: UnitOfWork) => Promise<Result>): Promise<Result> {
    return this.#inTurn(organizationId, async () => {
      for (let tries = 1; ; tries++) {
        try {
          return await this.#try(organizationId, work);
        } catch (problem) {
          if (tries === mostTries || !this.#engine.isConflict(problem)) throw problem;
        }
      }
    });
  }

  async #try<Result>(organizationId: string, work: (tx: UnitOfWork) => Promise<Result>): Promise<Result> {
    const followUps: FollowUp[] = [];
    const result = await this.#db.transaction().execute(async (db) => {
      const working = this.#unit(db, organizationId, followUps).then(work);
      return this.#engine.isSynchronous ? withoutWaiting(working) : working;
    });
    for (const followUp of followUps) await followUp();
    return result;
  }

  async #unit(db: Kysely<Tables>, organizationId: string, followUps: FollowUp[]): Promise<UnitOfWork> {
    const owner = db.selectFrom("organizations").selectAll().where("id", "=", organizationId);
    const row = await this.#engine.held(owner).executeTakeFirst();
    const organization = row ? organizationOf(row) : null;
    const owned = db.updateTable("organizations").where("id", "=", organizationId);
    const main = this.#db;
    const enqueued = () => void followUps.push(this.#enqueued);
    const deleted = (id: string) => void followUps.push(() => dropWaiting(main, this.#engine, id));
    return {
      organization,
      keys: keysOf(db, organizationId),
      endpoints: endpointsOf({ db, locks: this.#engine, organizationId, deleted, activated: enqueued }),
      secrets: secretsOf(db, organizationId),
      ledger: ledgerOf(db, organizationId),
      lookups: lookupsOf(db),
      consents: consentsOf(db, organizationId),
      answers: keptAnswersOf(db, this.#engine, organizationId),
      ...recordsOf(db, organizationId),
      async enqueue(event, to) {
        const count = organization === null ? 0 : await enqueue(db, event, to, organization);
        if (count > 0) enqueued();
        return count;
      },
      async moveClock(at) {
        await owned.set({ manual_clock: at }).execute();
      },
      async setOutage(kind, calls) {
        await owned.set({ [outageColumns[kind]]: calls }).execute();
      },
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
