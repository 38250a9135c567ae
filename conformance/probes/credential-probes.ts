import { objectOf } from "../exchange/exchange.ts";
import type { Step } from "../story/step.ts";
import { type Case, dataIn, type Probe, tokenOf, wronglyServed } from "./probe.ts";

/** A credential that is none, and is served because it looks like one. */
export const nearCredential: Probe = {
  id: "near-credential",
  says(seen) {
    const token = tokenOf(wronglyServed(seen)?.request.headers ?? {});
    if (token === null || token === "" || seen.secrets.includes(token)) return null;
    for (const secret of seen.secrets.toReversed()) {
      const how = likenessOf(token, secret);
      if (how !== null) return `keys are not compared as a whole: served with ${how} ${secret}`;
    }
    return null;
  },
};

/** How a text looks like a secret that it is not; null where it does not. */
function likenessOf(token: string, secret: string): string | null {
  if (token.toLowerCase() === secret.toLowerCase()) return "the letters in another case of";
  if (token.replace(/[\s"';]/g, "") === secret) return "blanks, quotes or semicolons around or within";
  if (token.startsWith(secret)) return "something more behind";
  const [first, last] = [sharedStart(token, secret), sharedStart(turned(token), turned(secret))];
  if (first * 2 >= secret.length) return `the first ${first} of the ${secret.length} characters of`;
  return last * 2 >= secret.length ? `the last ${last} of the ${secret.length} characters of` : null;
}

function sharedStart(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

const turned = (text: string): string => [...text].reverse().join("");

/** A secret that a rotation has replaced, and that is served all the same. */
export const replacedCredential: Probe = {
  id: "replaced-credential",
  says(seen) {
    const exchange = wronglyServed(seen);
    const token = exchange === null ? null : tokenOf(exchange.request.headers);
    if (token === null) return null;
    const made = seen.steps.findIndex((step) => plaintextIn(step) === token);
    const id = recordIn(seen.steps[made])?.id;
    const rotation = seen.steps.findIndex(
      (step, index) => index > made && plaintextIn(step) !== undefined && recordIn(step)?.id === id,
    );
    const used = seen.steps.findIndex((step) => step.exchange === exchange?.number);
    if (made < 0 || id === undefined || rotation < 0 || used < rotation) return null;
    const seconds = secondsAmong(seen.steps.slice(rotation, used));
    return `the old secret still works: ${token}, which was replaced by ${plaintextIn(seen.steps[rotation])}, is served ${seconds} s later`;
  },
};

const recordIn = (step: Step | undefined): Readonly<Record<string, unknown>> | null =>
  step === undefined ? null : objectOf(dataIn(step));

function plaintextIn(step: Step | undefined): string | undefined {
  const plaintext = recordIn(step)?.plaintext;
  return typeof plaintext === "string" ? plaintext : undefined;
}

/** Seconds that clocks were moved by, and that were waited. */
const secondsAmong = (steps: readonly Step[]): number =>
  steps.reduce((sum, step) => sum + (step.seconds ?? movedBy(step)), 0);

function movedBy({ through, request }: Case["steps"][number]): number {
  if (through !== "sandbox") return 0;
  try {
    return Number(objectOf(JSON.parse(request?.body ?? "null"))?.seconds ?? 0) || 0;
  } catch {
    return 0;
  }
}
