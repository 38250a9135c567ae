import type { Operation } from "../../generated/runtime/operation.ts";
import { roomyBucket } from "./roomy-bucket.ts";

/** What to wish of an organization so that no call of the operation is throttled. */
export const roomyLimits = ({ draws }: Operation) =>
  draws.length === 0 ? {} : { limits: Object.fromEntries(draws.map(({ bucket }) => [bucket, roomyBucket])) };
