import { takeMatchingWork } from "../pattern-match.ts";

/** Pieces in pieces of what is said of one value; a schema that refers to itself without an object or array between goes on for ever. */
export const mostNesting = 200;

/** Alternatives that a member tells apart are compared one by one, however many. */
export const mostTaggedCases = 2_000;

/** Unions in one proof whose alternatives are looked at together. */
export const mostSplits = 300;

/** How much may be done, in steps. One is a piece of a proof or a value tried: a tenth of a millisecond to one. */
export interface Budget {
  /** Of one comparison: for its proof, and once more to look for a value that refutes it. */
  readonly steps: number;
  /**
   * Of all comparisons that share the budget. What is left of it is shared out: none takes more than a part of it. Those
   * that come late get a least beyond it, until as much again is spent; then nothing more is decided.
   */
  readonly stepsInAll: number;
  /**
   * A last resort beside the steps, since no verdict should hang on a machine: milliseconds of the thread's processor time,
   * so that what else the machine does takes none of them, and ten times as many by the clock. Null where time is no matter.
   */
  readonly milliseconds: number | null;
}

export const plentiful: Budget = { steps: 20_000, stepsInAll: 400_000, milliseconds: null };

/** Milliseconds since some moment. */
export interface Clocks {
  readonly processor: () => number;
  readonly wall: () => number;
}

const clocksOfThread: Clocks = {
  processor() {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  },
  wall: () => performance.now(),
};

/** A machine on which a comparison waits more than it works. */
const wallPerProcessor = 10;

/** Steps that a comparison gets whatever others took, and the part of what is left that it may take beyond them. */
const least = 500;
const part = 1 / 12;
/** The hard bound of all steps, in budgets. */
const most = 2;

/** The work is used up before there was an answer; the message says which of its bounds was met. */
export class OutOfWork extends Error {
  override readonly name = "OutOfWork";
}

/** Counts the work of comparisons that share a budget: the same comparisons in the same order get the same steps. */
export class Work {
  private readonly budget: Budget;
  private readonly clocks: Clocks;
  private readonly began: { readonly processor: number; readonly wall: number };
  private spent = 0;
  private left = 0;
  private granted = 0;
  private sinceLook = 0;
  private isOverTime = false;

  constructor(budget: Budget, clocks: Clocks = clocksOfThread) {
    this.budget = budget;
    this.clocks = clocks;
    this.began = { processor: clocks.processor(), wall: clocks.wall() };
  }

  /** A proof begins, or the search for a value that refutes it. */
  grant(): void {
    const fair = Math.max(least, Math.floor((this.budget.stepsInAll - this.spent) * part));
    this.granted = Math.max(0, Math.min(this.budget.steps, fair, this.mostInAll - this.spent));
    this.left = this.granted;
    takeMatchingWork();
    this.lookAtClock();
  }

  /** Takes steps; throws `OutOfWork` when none was left. */
  step(steps = 1): void {
    if (!this.hasStep(steps)) throw new OutOfWork(this.reason);
  }

  /** Takes steps, if there is one left. */
  hasStep(steps = 1): boolean {
    if (this.isUsedUp) return false;
    const taken = steps + takeMatchingWork();
    this.spent += taken;
    this.left -= taken;
    this.sinceLook += taken;
    if (this.sinceLook >= stepsPerLook) {
      this.sinceLook = 0;
      this.lookAtClock();
    }
    return true;
  }

  private get mostInAll(): number {
    return this.budget.stepsInAll * most;
  }

  /** Whether no comparison gets anything any more. */
  get isSpent(): boolean {
    return this.spent >= this.mostInAll || this.isOverTime;
  }

  /** Whether what all comparisons share is spent, so that each gets the least. */
  get isScarce(): boolean {
    return this.spent >= this.budget.stepsInAll;
  }

  /** Whether the time limit was reached. */
  get endedByTime(): boolean {
    return this.isOverTime;
  }

  get isUsedUp(): boolean {
    return this.left <= 0 || this.isOverTime;
  }

  /** Why there is no answer; a sentence. */
  get reason(): string {
    if (this.isOverTime) {
      return `The time limit of ${(this.budget.milliseconds ?? 0) / 1000} s of processor time was reached before this was decided.`;
    }
    if (this.isSpent) {
      return `Not decided within the ${this.mostInAll.toLocaleString("en")} steps of work that all comparisons get together.`;
    }
    return `Not decided within ${this.granted.toLocaleString("en")} steps of work.`;
  }

  private lookAtClock(): void {
    const { milliseconds } = this.budget;
    if (milliseconds === null) return;
    this.isOverTime ||=
      this.clocks.processor() - this.began.processor > milliseconds ||
      this.clocks.wall() - this.began.wall > milliseconds * wallPerProcessor;
  }
}

const stepsPerLook = 16;
