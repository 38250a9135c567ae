import { type Doubt, eachOnce, mostDoubts } from "./doubt.ts";
import { OutOfWork, type Work } from "./work.ts";

/** Steps of all proofs of two documents after which each takes a short cut. */
const thorough = 60_000;
const deepest = 2_000;
/** Claims proved inside of each other; beyond, one about components is put off, for the stack's sake. */
const mostOpen = 100;

/** Earlier than any open claim. */
const onPutOff = -1;

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
  private steps = 0;
  /** Order of the earliest open claim that the current one rests on. */
  private restsOn = Infinity;
  /** Claims that rest on open ones, with the order of the earliest, in the order in which they were proved. */
  private readonly provisional = new Map<string, number>();
  /** Claims of the current proof that fail even with open ones taken for granted. */
  private readonly failed = new Map<string, readonly Doubt[]>();
  /** Claims taken for granted that are still to be proved. */
  private readonly putOff = new Map<string, () => readonly Doubt[]>();

  constructor(work: Work) {
    this.work = work;
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
   */
  claim(
    key: string,
    unproved: readonly Doubt[],
    prove: () => readonly Doubt[],
    later: (() => readonly Doubt[]) | null,
  ): readonly Doubt[] {
    const known = this.settled.get(key) ?? this.failed.get(key);
    if (known !== undefined) return known;
    const above = this.open.get(key);
    if (above !== undefined) {
      if (above.depth >= this.depth) return unproved;
      this.restsOn = Math.min(this.restsOn, above.order);
      return [];
    }
    const rest = this.provisional.get(key);
    // About a part of what each open claim is about: whichever of them it rests on is about a larger value.
    if (rest !== undefined && this.depth > this.innermost) {
      this.restsOn = Math.min(this.restsOn, rest);
      return [];
    }
    if (this.open.size > mostOpen) {
      if (later === null || this.depth <= this.innermost || this.depth > deepest) return unproved;
      this.putOff.set(key, later);
      this.restsOn = onPutOff;
      return [];
    }
    this.step();
    const order = this.open.size;
    const [outer, around] = [this.restsOn, this.innermost];
    const before = this.provisional.size;
    this.restsOn = Infinity;
    this.innermost = this.depth;
    this.open.set(key, { depth: this.depth, order });
    const doubts = eachOnce(this.whileWorkLasts(key, unproved, prove, later !== null)).slice(0, mostDoubts);
    this.open.delete(key);
    this.innermost = around;
    this.conclude(key, doubts, order, before);
    this.restsOn = Math.min(outer, this.restsOn);
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
        this.work.keep({ kind: "unknown", why: error.message, isUnfinished: true }, [key]);
      }
      throw error;
    }
  }

  private conclude(key: string, doubts: readonly Doubt[], order: number, before: number): void {
    const since = [...this.provisional].slice(before);
    const isAlone = this.restsOn >= order;
    if (doubts.length > 0) {
      for (const [other] of since) this.provisional.delete(other);
      // What was taken for granted was not looked at: once more doubts may be found where it is no longer open.
      const isFinal = isAlone || this.steps > thorough;
      (isFinal ? this.settled : this.failed).set(key, doubts);
    } else if (isAlone) {
      for (const [other] of since) {
        this.provisional.delete(other);
        this.settled.set(other, []);
      }
      this.settled.set(key, doubts);
    } else {
      for (const [other, rest] of since) this.provisional.set(other, Math.min(rest, this.restsOn));
      // One that was proved before, for smaller values, rests on no more than it did.
      if (!this.provisional.has(key)) this.provisional.set(key, this.restsOn);
    }
    if (isAlone) this.restsOn = Infinity;
  }

  step(): void {
    this.steps += 1;
    this.work.step();
  }

  private fromTheTop(depth: number, prove: () => readonly Doubt[]): readonly Doubt[] {
    this.depth = depth;
    this.innermost = -1;
    this.open.clear();
    this.restsOn = Infinity;
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
