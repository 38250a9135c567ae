import { AsyncLocalStorage } from "node:async_hooks";
import type { ObservedCall } from "../../generated/runtime/transport.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Step, StorySoFar } from "./step.ts";

/** All that is done in the course of one check, as it is done. */
export interface Story {
  /** Does the work of the check: whatever is told meanwhile belongs to this story. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** What was done for the check, and for the value that is tried at the moment. */
  soFar(): StorySoFar;
  /** Begins to try a value. */
  nextValue(): void;
}

// Steps are told by who takes them, some for an organization that several checks share: none knows whose story it is in.
const stories = new AsyncLocalStorage<Course>();

interface Course extends Pick<Story, "soFar"> {
  readonly check: string | null;
  tell(step: Step): void;
}

/** The story of a check, by its id; `hear` is told of each step. */
export function newStory(check: string | null = null, hear: (step: Step) => void = () => undefined): Story {
  const steps: Step[] = [];
  const before: Step[] = [];
  let beforeValues: number | null = null;
  const soFar: Story["soFar"] = () => ({ steps: [...steps].sort((a, b) => a.at - b.at), before: [...before] });
  const tell = (step: Step): void => {
    steps.push(step);
    hear(step);
  };
  const course: Course = { check, soFar, tell };
  return {
    run: (work) => stories.run(course, work),
    soFar,
    nextValue() {
      beforeValues ??= steps.length;
      before.push(...steps.splice(beforeValues));
    },
  };
}

/** Adds a step to the story of the check in whose course this is called; outside of any it is in none. */
export const tellStep = (step: Step): void => stories.getStore()?.tell(step);

/** Id of that check; null outside of any. */
export const checkUnderWay = (): string | null => stories.getStore()?.check ?? null;

/** What was done so far in that check; undefined outside of any. */
export const storySoFar = (): StorySoFar | undefined => stories.getStore()?.soFar();

/** A call of the sandbox as a step. */
export function sandboxStep(what: string, { method, url, headers, body, status, answer, sentAt }: ObservedCall): Step {
  return {
    ...{ through: "sandbox", what, exchange: null, seconds: null, at: sentAt },
    request: { method, url, headers, body: body === null ? null : Buffer.from(body).toString() },
    outcome: {
      ...{ kind: "response", status },
      // Read where somebody asks: few steps are ever shown.
      get json() {
        return parsed(answer);
      },
    },
  };
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString());
  } catch {
    return undefined;
  }
}

/** Time that passed by itself, as a step. */
export const waitStep = (what: string, seconds: number): Step => ({
  ...{ through: "wait", what, exchange: null, request: null, outcome: null, seconds, at: Date.now() },
});

/** Something that a hook of the target did, as a step. */
export const hookStep = (what: string): Step => ({
  ...{ through: "hook", what, exchange: null, request: null, outcome: null, seconds: null, at: Date.now() },
});

/** A call of the API as a step. */
export function stepOf({ number, operation, request, outcome, sentAt, answeredAt }: Exchange): Step {
  return {
    ...{ through: "api", what: null, exchange: number, operation, request, seconds: null, at: sentAt },
    until: answeredAt,
    outcome:
      outcome.kind === "response"
        ? { kind: "response", status: outcome.status, json: outcome.json }
        : { kind: "lost", reason: outcome.reason },
  };
}
