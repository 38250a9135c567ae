import type { HardShape } from "../../compiler/diff/fixtures/hard-documents.ts";

/** How much is measured. */
export interface Extent {
  /** Rounds of the requests, which are short. */
  readonly requestRounds: number;
  /** Rounds of whole commands. */
  readonly commandRounds: number;
  /** Operations of the documents that are compared, the anchor first. */
  readonly documents: readonly [number, number];
  /** The same for documents of each shape that is hard to compare. */
  readonly hardDocuments: readonly [number, number];
  /** The shapes that are compared, and nothing beside them; null for all and the usual documents. */
  readonly shapes: readonly HardShape[] | null;
  /** Rules, checks and areas of a verification, whole and in its part about webhooks; empty for all. */
  readonly verified: { readonly whole: readonly string[]; readonly webhooks: readonly string[] };
  /** Values tried for each property of a verification; null for as many as usual. */
  readonly propertyRuns: number | null;
  /** Length of one sample of requests. */
  readonly loadMilliseconds: number;
  /** Most requests of one sample. */
  readonly loadRequests: number;
  /** Unmeasured load on each server before the first round, for its compiler to settle. */
  readonly warmUpMilliseconds: number;
  /** Rounds of deliveries and of pages of the feed. */
  readonly deliveryRounds: number;
  /** Deliveries of one sample. */
  readonly deliveries: number;
  /** Attempts in the feeds that are measured, the anchor first. */
  readonly feedSizes: readonly [number, ...number[]];
  /** Calls whose median is one sample of a page. */
  readonly feedCalls: number;
}

export const usualExtent: Extent = {
  requestRounds: 15,
  commandRounds: 5,
  documents: [100, 1_000],
  hardDocuments: [100, 1_000],
  shapes: null,
  verified: { whole: [], webhooks: ["webhooks", "deliveries", "events"] },
  propertyRuns: null,
  loadMilliseconds: 800,
  loadRequests: 100_000,
  warmUpMilliseconds: 2000,
  deliveryRounds: 9,
  deliveries: 2000,
  feedSizes: [1_000, 100_000, 1_000_000],
  feedCalls: 15,
};

/** Shows that everything runs; its figures say little. */
export const quickExtent: Extent = {
  requestRounds: 1,
  commandRounds: 1,
  documents: [10, 20],
  hardDocuments: [10, 20],
  shapes: null,
  verified: { whole: ["api-keys.create-answer"], webhooks: ["webhooks.rotate-answer"] },
  propertyRuns: 1,
  loadMilliseconds: 100,
  loadRequests: 200,
  warmUpMilliseconds: 50,
  deliveryRounds: 1,
  deliveries: 40,
  feedSizes: [100, 1_000],
  feedCalls: 1,
};
