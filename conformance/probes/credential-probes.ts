import { bounds } from "../../generated/limits.ts";
import { objectOf } from "../exchange/exchange.ts";
import { secondsOf } from "../story/passed.ts";
import type { Step } from "../story/step.ts";
import { dataIn, type Probe, placeAmong, tokenOf, wronglyServed } from "./probe.ts";

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
    const seconds = seen.steps.slice(rotation, used).reduce((sum, step) => sum + secondsOf(step), 0);
    return `the old secret still works: ${token}, which was replaced by ${plaintextIn(seen.steps[rotation])}, is served ${seconds} s later`;
  },
};

const recordIn = (step: Step | undefined): Readonly<Record<string, unknown>> | null =>
  step === undefined ? null : objectOf(dataIn(step));

function plaintextIn(step: Step | undefined): string | undefined {
  const plaintext = recordIn(step)?.plaintext;
  return typeof plaintext === "string" ? plaintext : undefined;
}

/** A previous secret whose end is told too early by the rotation itself. */
export const shortGrace: Probe = {
  id: "short-grace",
  says({ finding: { exchanges, deliveries }, steps }) {
    const last = Math.max(...exchanges.map((exchange) => placeAmong(exchange, steps)));
    for (const [at, step] of steps.slice(0, last + 1).entries()) {
      const until = recordIn(step)?.previous_valid_until;
      const begun = typeof until === "string" ? timeAt(at, steps) : null;
      if (typeof until !== "string" || begun === null || step.through !== "api") continue;
      // What that secret signs shows it, or the answer itself: other keys do not hang on it.
      const isAtIssue = deliveries.length > 0 || exchanges.some(({ number }) => number === step.exchange);
      if (!isAtIssue) continue;
      const seconds = (Date.parse(until) - begun) / 1000;
      if (!(seconds >= 0 && seconds < wanted * 0.9)) continue;
      const unit = Math.round(wanted / seconds) === 1000 ? ": its seconds may be taken for milliseconds" : "";
      return `the previous secret is given too little time: answer ${step.exchange} says until ${until}, ${seconds} s later and not ${wanted}${unit}`;
    }
    return null;
  },
};

const wanted = bounds.organizationSecretGraceSeconds;

/** What the organization's clock showed at a step, by when it was read next; null where it was not. */
function timeAt(at: number, steps: readonly Step[]): number | null {
  let moved = 0;
  for (const step of steps.slice(at + 1)) {
    moved += secondsOf(step);
    const now = step.through === "sandbox" ? recordIn(step)?.now : undefined;
    if (typeof now === "string") return Date.parse(now) - moved * 1000;
  }
  return null;
}
