import type { OrganizationClock } from "../../domain/clock.ts";
import type { Claim, Lease, Settlement } from "../../domain/work/due-work.ts";
import type { JobRow } from "../delivery-tables.ts";
import type { Connection } from "../engine/statement.ts";

/** Partitions that a claim looks into. Those in neither list are in others' hands. */
export interface OpenedPartitions {
  readonly open: readonly string[];
  /** Nothing of them is claimed until somebody opens them again. */
  readonly closed: readonly string[];
  /** Jobs of the open ones, which the transaction holds and leases next, with what they are about. */
  load(jobs: readonly JobRow[], clock: OrganizationClock, lease: Lease): Promise<readonly LoadedJob[]>;
}

export interface LoadedJob {
  readonly id: string;
  readonly claim: Claim;
  /** JSON: what its row is to keep until it is settled. */
  readonly forced: string | null;
}

/** What the queue asks of each kind of work. */
export interface SqlWorkKind {
  /** Waits for partitions that others hold, or leaves them out. */
  open(on: Connection, ids: readonly string[], ifHeld: "wait" | "leave"): Promise<OpenedPartitions>;
  /** Writes the records of work that was settled. */
  record(on: Connection, settlements: readonly Settlement[]): Promise<void>;
}
