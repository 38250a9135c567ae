import { Blocked } from "../outcome/verdict.ts";

/** Thrown where a time was to be compared with the kit's own, and the organization's clock shows another one. */
export const timeOfItsOwn = (): Blocked =>
  new Blocked(
    "the clock of the organization stands still and was moved, so its times tell nothing of the world's",
    "give the kit a new_organization hook that makes one with a real clock, or a sandbox",
  );
