import type { Random } from "./random.ts";
import type { SoakOrder } from "./serve-soaked.ts";
import { ServerFault, type SoakedServer, startSoakedServer } from "./soaked-server.ts";

interface Place {
  server: SoakedServer;
  /** Its address while it serves. */
  url: string | null;
}

/** Servers on one store, each of which is killed and started again. */
export class Fleet {
  readonly #order: SoakOrder;
  readonly #random: Random;
  readonly #places: readonly Place[];
  /** Of servers that are replaced by now. */
  readonly #earlierFaults: string[] = [];

  /** Begins to start so many. */
  constructor(order: SoakOrder, size: number, random: Random) {
    this.#order = order;
    this.#random = random;
    this.#places = Array.from({ length: size }, () => ({ server: startSoakedServer(order), url: null }));
  }

  get size(): number {
    return this.#places.length;
  }

  /** The address of one that serves; null when there is none. */
  any(): string | null {
    const urls = this.#places.flatMap(({ url }) => (url === null ? [] : [url]));
    return urls.length === 0 ? null : this.#random.oneOf(urls);
  }

  /** Resolves when all serve. Rejects when one cannot, or has ended by itself. */
  async allServe(): Promise<void> {
    await Promise.all(
      this.#places.map(async (place) => {
        place.url = await place.server.serving;
      }),
    );
    const [fault] = this.faults();
    if (fault !== undefined) throw new ServerFault(fault);
  }

  /** Sends SIGKILL to these at once, and resolves when they are gone. */
  async kill(victims: readonly number[]): Promise<void> {
    const places = this.#placesOf(victims);
    for (const place of places) place.url = null;
    await Promise.all(places.map(({ server }) => server.kill()));
  }

  /** Begins to start these again. */
  restart(victims: readonly number[]): void {
    for (const place of this.#placesOf(victims)) {
      this.#earlierFaults.push(...faultsOf(place));
      place.server = startSoakedServer(this.#order);
    }
  }

  /** What ended without being killed. */
  faults(): readonly string[] {
    return [...this.#earlierFaults, ...this.#places.flatMap(faultsOf)];
  }

  async close(): Promise<void> {
    await this.kill([...this.#places.keys()]);
  }

  #placesOf(victims: readonly number[]): readonly Place[] {
    return victims.flatMap((index) => this.#places[index] ?? []);
  }
}

const faultsOf = ({ server }: Place): readonly string[] => [server.fault()].filter((fault) => fault !== null);
