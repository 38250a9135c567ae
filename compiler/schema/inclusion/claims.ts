import { type Doubt, eachOnce, mostDoubts } from "./doubt.ts";
import type { VainSearches } from "./undecided.ts";
import { OutOfWork, type Work } from "./work.ts";

/** Steps of all proofs of two documents after which each takes a short cut. */
const thorough = 60_000;
const deepest = 2_000;
/** Claims proved inside of each other; beyond, one about a part of the value is put off, for the stack's sake. */
const mostOpen = 100;
/** The same where none can be put off, since all are about one value. */
const mostOfOneValue = 200;

/** Stands among the orders of open claims for all that are put off. */
const onPutOff = -1;

/** Proofs of a claim that fails, until what was found against it is taken to be all. */
const mostFailures = 2;

/** A claim that is being proved; a claim about parts of the value may rest on it. */
interface Open {
  readonly depth: number;
  readonly order: number;
}

/**
 * Claims about values, each proved once. A claim may be taken for granted while it is being proved, of smaller values
 * only: values are finite, so the proof is by induction on their size.
 */
export class Claims {
  private readonly open = new Map<string, Open>();
  private readonly settled = new Map<string, readonly Doubt[]>();
  private depth = 0;
  /** Depth of the open claim that was opened last. */
  private innermost = -1;
  private readonly work: Work;
  private readonly vain: VainSearches;
  private steps = 0;
  /** Orders of the open claims that the current one rests on. */
  private restsOn = new Set<number>();
  /** Claims that rest on open ones, with their orders, in the order in which they were proved. */
  private readonly provisional = new Map<string, ReadonlySet<number>>();
  /** Claims of the current proof that fail even with open ones taken for granted. */
  private readonly failed = new Map<string, readonly Doubt[]>();
  private readonly failures = new Map<string, number>();
  /** Claims taken for granted that are still to be proved. */
  private readonly putOff = new Map<string, () => readonly Doubt[]>();

  constructor(work: Work, vain: VainSearches) {
    this.work = work;
    this.vain = vain;
  }

  /** Proves the claims that a proof makes, and all that was put off on the way. */
  settle(prove: () => readonly Doubt[]): readonly Doubt[] {
    this.failed.clear();
    for (;;) {
      this.putOff.clear();
      this.provisional.clear();
      const doubts = this.fromTheTop(0, prove);
      const fails = this.provePutOff();
      // What was put off and fails is known now, and the proof is made once more without it.
      if (fails && doubts.length < mostDoubts) continue;
      if (!fails) for (const proved of this.provisional.keys()) this.settled.set(proved, []);
      return doubts;
    }
  }

  /** Proves something about a part of the value. */
  deeper<T>(prove: () => T): T {
    this.depth++;
    try {
      return prove();
    } finally {
      this.depth--;
    }
  }

  /**
   * What stands against a claim. It is proved once, or taken for granted. What is proved with claims that are still open stands until one of them
   * fails; what fails with their help fails without it. `later` proves it when it is put off; null when it can't be.
   * `isOfComponents`: it is about two components, so that it is met again wherever they are used.
   */
  claim(
    key: string,
    unproved: readonly Doubt[],
    prove: () => readonly Doubt[],
    later: (() => readonly Doubt[]) | null,
    isOfComponents: boolean,
  ): readonly Doubt[] {
    const known = this.settled.get(key) ?? this.failed.get(key);
    if (known !== undefined) return known;
    const above = this.open.get(key);
    if (above !== undefined) {
      if (above.depth >= this.depth) return unproved;
      this.restsOn.add(above.order);
      return [];
    }
    const rest = this.provisional.get(key);
    // About a part of what each open claim is about: whichever of them it rests on is about a larger value.
    if (rest !== undefined && this.depth > this.innermost) {
      for (const order of rest) this.restsOn.add(order);
      return [];
    }
    const isToPutOff = this.open.size > mostOpen && later !== null && this.depth > this.innermost;
    if (this.open.size > mostOfOneValue || (isToPutOff && this.depth > deepest)) return unproved;
    if (isToPutOff) {
      this.putOff.set(key, later);
      this.restsOn.add(onPutOff);
      return [];
    }
    this.step();
    const order = this.open.size;
    const [outer, around] = [this.restsOn, this.innermost];
    const before = this.provisional.size;
    this.restsOn = new Set();
    this.innermost = this.depth;
    this.open.set(key, { depth: this.depth, order });
    const doubts = eachOnce(this.whileWorkLasts(key, unproved, prove, isOfComponents)).slice(0, mostDoubts);
    this.open.delete(key);
    this.innermost = around;
    this.conclude(key, doubts, order, before);
    for (const order of this.restsOn) outer.add(order);
    this.restsOn = outer;
    return doubts;
  }

  /**
   * What is being proved of two components when the work is used up is not tried again: nobody would get further. It is
   * doubted from then on, wherever it is met.
   */
  private whileWorkLasts(
    key: string,
    unproved: readonly Doubt[],
    prove: () => readonly Doubt[],
    isOfComponents: boolean,
  ): readonly Doubt[] {
    try {
      return prove();
    } catch (error) {
      if (isOfComponents && error instanceof OutOfWork) {
        this.settled.set(
          key,
          unproved.map((doubt) => ({ ...doubt, origin: key, isUnfinished: true })),
        );
        this.vain.keep({ kind: "unknown", why: error.message, isUnfinished: true }, [key]);
      }
      throw error;
    }
  }

  private conclude(key: string, doubts: readonly Doubt[], order: number, before: number): void {
    const since = [...this.provisional].slice(before);
    this.restsOn.delete(order);
    if (doubts.length > 0) {
      for (const [other, rest] of since) if (rest.has(order)) this.provisional.delete(other);
      const failures = (this.failures.get(key) ?? 0) + 1;
      this.failures.set(key, failures);
      // What was taken for granted was not looked at: once more doubts may be found where it is no longer open.
      const isFinal = this.restsOn.size === 0 || failures >= mostFailures || this.steps > thorough;
      (isFinal ? this.settled : this.failed).set(key, doubts);
      // It fails whatever else holds.
      this.restsOn.clear();
      return;
    }
    for (const [other, rest] of since) {
      if (!rest.has(order)) continue;
      this.stands(other, new Set([...rest, ...this.restsOn].filter((one) => one !== order)));
    }
    // One that was proved before, for smaller values, rests on no more than it did.
    if (this.restsOn.size === 0 || !this.provisional.has(key)) this.stands(key, new Set(this.restsOn));
  }

  /** A claim is proved if those of the orders are. */
  private stands(key: string, rest: ReadonlySet<number>): void {
    if (rest.size > 0) {
      this.provisional.set(key, rest);
      return;
    }
    this.provisional.delete(key);
    this.settled.set(key, []);
  }

  step(): void {
    this.steps += 1;
    this.work.step();
  }

  private fromTheTop(depth: number, prove: () => readonly Doubt[]): readonly Doubt[] {
    this.depth = depth;
    this.innermost = -1;
    this.open.clear();
    this.restsOn = new Set();
    return prove();
  }

  /** Proves what was put off, each resting on all others; true when any of it fails. */
  private provePutOff(): boolean {
    let fails = false;
    // A map that grows while it is walked is walked to its new end.
    for (const [key, prove] of this.putOff) {
      if (this.provisional.has(key)) continue;
      if (this.fromTheTop(1, prove).length > 0) fails = true;
    }
    return fails;
  }
}
