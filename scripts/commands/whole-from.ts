import { InvalidArgumentError } from "commander";

/** Reads a whole number of a flag, within bounds. */
export const wholeFrom =
  (least: number, most: number) =>
  (text: string): number => {
    const value = Number(text);
    if (/^\d{1,10}$/.test(text) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It is a whole number from ${least} to ${most}.`);
  };
