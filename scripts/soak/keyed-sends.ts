import type { Message } from "../../generated/models/messages.ts";

/** Whose message it is, and under which key. Another organization may have one under the same key. */
export interface KeyOf {
  readonly organizationId: string;
  /** Idempotency key, and the text of the message. */
  readonly key: string;
}

/** What a client knows of a message that it sent under a key. */
export interface KeyedSend extends KeyOf {
  /** The first answer that took it, as it came; null while there is none. */
  readonly first: Message | null;
  /** The refusal of one that was not taken; null for none. */
  readonly refusal: string | null;
}

/** What was sent under keys, and what the answers said. */
export class KeyedSends {
  readonly #sends = new Map<string, KeyedSend>();
  /** Whether a message was canceled or could not be, by its id. */
  readonly #cancellations = new Map<string, boolean>();
  readonly #contradictions: string[] = [];
  #recovered = 0;

  /** A message is about to be sent under a key for the first time. */
  begin(of: KeyOf): void {
    this.#sends.set(nameOf(of), { ...of, first: null, refusal: null });
  }

  /** A send was answered with success; `wasThere` when a call before it, whose answer was lost, had made the message. */
  take(of: KeyOf, data: Message, wasThere: boolean): void {
    const first = this.#sends.get(nameOf(of))?.first ?? null;
    if (wasThere) this.#recovered++;
    if (first === null) this.#sends.set(nameOf(of), { ...of, first: data, refusal: null });
    else if (JSON.stringify(first) !== JSON.stringify(data))
      this.#contradictions.push(
        `${keyText(of)} was answered with message ${first.id} and then with ${data.id}, or with other values of it`,
      );
  }

  /** A send was refused, which none should be after one under its key was taken. */
  refuse(of: KeyOf, answer: string): void {
    const first = this.#sends.get(nameOf(of))?.first ?? null;
    if (first === null) this.#sends.set(nameOf(of), { ...of, first, refusal: answer });
    else this.#contradictions.push(`${keyText(of)} was answered with message ${first.id} and then with ${answer}`);
  }

  /** Another message was sent under a key that one was taken under, and was answered with success. */
  takeOther(of: KeyOf): void {
    this.#contradictions.push(`${keyText(of)} was answered with success for another text, too`);
  }

  /** The cancellation of a message was answered. */
  cancel(id: string, isCanceled: boolean): void {
    this.#cancellations.set(id, isCanceled);
  }

  get sends(): readonly KeyedSend[] {
    return [...this.#sends.values()];
  }

  get cancellations(): ReadonlyMap<string, boolean> {
    return this.#cancellations;
  }

  get contradictions(): readonly string[] {
    return this.#contradictions;
  }

  /** How many were taken by a server that was killed before it answered, so that another try got the answer. */
  get recovered(): number {
    return this.#recovered;
  }
}

/** What tells a send from all others. */
export const nameOf = ({ organizationId, key }: KeyOf): string => `${organizationId} ${key}`;

/** Words for a report. */
export const keyText = ({ organizationId, key }: KeyOf): string => `the key ${key} of organization ${organizationId}`;
