import type { Pace } from "../../reference-server/delivery/courier.ts";

/** How many times faster than real time the servers' time passes: minutes until a retry become seconds. */
const speed = 200;

/** Real milliseconds that a receiver has for its answer. */
export const answerTimeout = 800;

/** Real milliseconds after which what a killed server had in hand is taken over. */
export const leaseTime = 2_000;

/** How much longer than an attempt a lease is, in the servers' milliseconds. */
const leaseSlack = leaseTime * speed - answerTimeout;

/** The servers' present; equal in all processes that have the same `start`, which is real. Milliseconds since 1970. */
export const soakedNow = (start: number): number => start + (Date.now() - start) * speed;

/** How much a server does at once. */
export const soakedPace: Pace = {
  most: 200,
  mostPerPartition: 30,
  mostPerAdvance: 30,
  poll: 100,
  gather: 5,
  leaseSlack,
};
