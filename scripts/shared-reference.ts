import { type Reference, startReference } from "./commands/reference-target.ts";

let shared: Promise<Reference> | null = null;

/**
 * The reference server of all tests of this process, which ends with it: each of them works in organizations of its own,
 * and a server that has run for a while answers sooner than one that has just started.
 */
export const sharedReference = (): Promise<Reference> => {
  shared ??= startReference({});
  return shared;
};
