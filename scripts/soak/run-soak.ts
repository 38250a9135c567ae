import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { Agent } from "undici";
import { Fleet } from "./fleet.ts";
import { brokenInvariants } from "./invariants.ts";
import { KeyedSends } from "./keyed-sends.ts";
import { type Kill, kill } from "./kills.ts";
import { Ledger } from "./ledger.ts";
import { killMoments, Moments } from "./moments.ts";
import { type Random, randomFrom } from "./random.ts";
import { saturate } from "./saturate.ts";
import { Messenger } from "./send-messages.ts";
import { settle } from "./settle.ts";
import type { SoakDatabase } from "./soak-database.ts";
import { carrierPath, type SoakReceiver, startSoakReceiver } from "./soak-receiver.ts";
import {
  prepareCrowd,
  prepareNeighbour,
  prepareOrganizations,
  type SoakedOrganization,
} from "./soaked-organizations.ts";
import { ServerFault } from "./soaked-server.ts";
import { Writer } from "./write-events.ts";

export interface SoakOptions {
  /** Kills, and real seconds in which they happen: it ends with whichever comes first. */
  readonly rounds: number;
  readonly seconds: number;
  readonly seed: number;
  /** Id of a planted fault; null for the server as it is. */
  readonly fault: string | null;
  readonly signal: AbortSignal;
  readonly progress: (progress: SoakProgress) => void;
}

export interface SoakProgress {
  readonly kills: number;
  readonly rounds: number;
  readonly promised: number;
  readonly waiting: number;
}

/** Where servers keep their data, and how many of them share it. */
export interface SoakPlace {
  /** As `openStore` takes it. */
  readonly store: string;
  readonly servers: number;
  readonly database: SoakDatabase;
}

export interface SoakResult {
  readonly kills: readonly Kill[];
  readonly ledger: Ledger;
  readonly sends: KeyedSends;
  readonly received: SoakReceiver["received"];
  /** Records, by their outcome. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** What was lost or half-written, a line each; none when all held. */
  readonly faults: readonly string[];
  readonly seconds: number;
}

/** Requests under way at once, at most. */
const writers = 8;

/** Starts that are cut off while the store is still empty: its tables are being made. */
const emptyStarts = 2;
const longestEmptyStart = 1_200;

/** Kills servers again and again while events are created and delivered and messages are sent, and looks for what is lost. */
export async function runSoak(place: SoakPlace, options: SoakOptions): Promise<SoakResult> {
  const { rounds, seed, fault, signal } = options;
  const random = randomFrom(seed);
  const moments = new Moments();
  const ledger = new Ledger();
  const dispatcher = new Agent();
  const receiver = await startSoakReceiver(random, moments, (path, body) => ledger.came(path, body));
  const sandboxToken = randomBytes(16).toString("hex");
  const sends = new KeyedSends();
  const start = Date.now();
  const order = { store: place.store, sandboxToken, carrier: `${receiver.url}${carrierPath}`, start, fault };
  const fleet = new Fleet(order, place.servers, random);
  const started = performance.now();
  const kills: Kill[] = [];
  try {
    await cutStarts(fleet, random);
    await fleet.allServe();
    const desk = { baseUrl: fleet.any() ?? "", token: sandboxToken, dispatcher };
    const organizations = await prepareOrganizations(desk, receiver.url);
    const faults = await disturb(organizations, await prepareNeighbour(desk, receiver.url));
    signal.throwIfAborted();
    if (faults.length > 0) return result(faults, {});
    await fleet.allServe();
    const crowd = await prepareCrowd({ ...desk, baseUrl: fleet.any() ?? "" }, receiver.url);
    const parts = { fleet, ledger, sends, receiver, sandboxToken, dispatcher, signal };
    const unfair = await saturate({ ...place, ...parts, crowd, moments, server: () => fleet.any() });
    const settled = await settle({ ...place, ...parts, organizations: [...organizations, ...crowd] });
    return result([...unfair, ...settled.faults], settled.outcomes);
  } catch (problem) {
    // A signal of a terminal ends the servers too.
    signal.throwIfAborted();
    if (problem instanceof ServerFault) return result([problem.message], {});
    throw problem;
  } finally {
    await fleet.close();
    await receiver.close();
    await dispatcher.destroy();
  }

  function result(faults: readonly string[], outcomes: SoakResult["outcomes"]): SoakResult {
    const seconds = (performance.now() - started) / 1000;
    return { kills, ledger, sends, received: receiver.received, outcomes, faults, seconds };
  }

  /** Has writers work and servers die. Gives what was found half-written after a kill, which ends it. */
  async function disturb(
    organizations: readonly SoakedOrganization[],
    neighbour: SoakedOrganization,
  ): Promise<readonly string[]> {
    const stop = new AbortController();
    const parts = { organizations, sandboxToken, ledger, moments, random, dispatcher, server: () => fleet.any() };
    const working = Array.from({ length: writers }, () => new Writer(parts));
    const senders = [...organizations.filter(({ clock }) => clock === "real"), neighbour];
    const messenger = new Messenger({ ...parts, organizations: senders, sends, start });
    const work = Promise.all([...working, messenger].map((one) => one.run(stop.signal)));
    const underway = () => ({
      requests: working.filter((writer) => writer.underway).length + messenger.underway,
      deliveries: receiver.open(),
    });
    const end = performance.now() + options.seconds * 1000;
    try {
      // Whoever waits below hears of a writer that fails.
      return await Promise.race([killAll(), work.then(() => [])]);
    } finally {
      stop.abort();
      await work;
    }

    async function killAll(): Promise<readonly string[]> {
      while (kills.length < rounds && performance.now() < end && !signal.aborted) {
        const moment = killMoments[kills.length % killMoments.length] ?? "any time";
        const struck = await kill(moment, { fleet, moments, random, underway });
        kills.push(struck);
        options.progress({ kills: kills.length, rounds, promised: ledger.deliveries, waiting: ledger.waiting });
        const isDown = struck.victims.length === fleet.size;
        const broken = await brokenInvariants(isDown ? place.database.readLeft : place.database.read);
        fleet.restart(struck.victims);
        await fleet.allServe();
        if (broken.length > 0) return broken.map((fault) => `after kill ${kills.length} (${struck.moment}): ${fault}`);
      }
      return [];
    }
  }
}

async function cutStarts(fleet: Fleet, random: Random): Promise<void> {
  const all = Array.from({ length: fleet.size }, (_, index) => index);
  for (let start = 0; start < emptyStarts; start++) {
    await pause(random.between(0, longestEmptyStart));
    await fleet.kill(all);
    fleet.restart(all);
  }
}
