import { hash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { constants } from "../../generated/constants.ts";
import type { Moments } from "./moments.ts";
import type { Random } from "./random.ts";

/** One request that came in whole. */
export interface Receipt {
  readonly sha256: string;
  readonly bytes: number;
  readonly signature: string;
  /** What was answered; null for nothing. */
  readonly status: number | null;
}

/** All that came in of one event at one address. */
export interface Received {
  readonly path: string;
  readonly eventId: string;
  readonly receipts: Receipt[];
}

export interface SoakReceiver {
  /** Addresses begin with it. */
  readonly url: string;
  /** By path and event id. */
  readonly received: ReadonlyMap<string, Received>;
  /** Ids of the messages that came to the carrier, whose address is `url` and `carrierPath`. */
  readonly handedOver: ReadonlySet<string>;
  /** Requests that came in and are not answered. */
  open(): number;
  close(): Promise<void>;
}

/** How a receiver treats an event: in turn what its requests are answered, the last for all later ones. */
type Treatment = readonly (number | "late" | "hang" | "reset")[];

/** Addresses that begin with it hang at first. */
export const hangingPath = "/hanging";

/** Where the carrier is: its requests hold the id of a message. */
export const carrierPath = "/carrier";

const hanging: Treatment = ["hang", 200];

/** With how many of a thousand events each is used. */
const treatments: readonly (readonly [permille: number, treatment: Treatment])[] = [
  [100, ["late"]],
  [50, [500, 200]],
  [30, ["reset", 200]],
  [5, ["hang", 200]],
  [25, [500]],
  [10, [410]],
  [780, [200]],
];

/** Milliseconds that a late answer takes at most. */
const latest = 200;

/** Begins to receive, and tells of each event that comes in: of its first request and of later ones. */
export async function startSoakReceiver(
  random: Random,
  moments: Moments,
  came: (path: string, body: unknown) => void,
): Promise<SoakReceiver> {
  const received = new Map<string, Received>();
  const handedOver = new Set<string>();
  const chosen = new Map<string, Treatment>();
  let open = 0;

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const path = request.url ?? "";
    if (path === carrierPath) {
      handedOver.add(body.toString());
      moments.happens("a message is handed over");
      return void response.writeHead(204).end();
    }
    const eventId = headerOf(request, constants.eventIdHeader);
    const key = receivedKey(path, eventId);
    const known = received.get(key) ?? { path, eventId, receipts: [] };
    received.set(key, known);
    const treatment = chosen.get(key) ?? (path.startsWith(hangingPath) ? hanging : treatmentAt(random.between(0, 999)));
    chosen.set(key, treatment);
    const answer = treatment[Math.min(known.receipts.length, treatment.length - 1)] ?? 200;
    known.receipts.push({
      sha256: hash("sha256", body),
      bytes: body.length,
      signature: headerOf(request, constants.signatureHeader),
      status: answer === "hang" || answer === "reset" ? null : answer === "late" ? 200 : answer,
    });
    came(path, JSON.parse(body.toString()));
    open++;
    response.once("close", () => open--);
    response.once("finish", () => moments.happens("a delivery is answered"));
    moments.happens("a delivery arrives");
    await respond(response, answer);
  }

  async function respond(response: ServerResponse, answer: Treatment[number]): Promise<void> {
    switch (answer) {
      case "hang":
        return;
      case "reset":
        return void response.socket?.resetAndDestroy();
      case "late":
        await pause(random.between(1, latest));
        return void response.writeHead(200).end("late");
      default:
        return void response.writeHead(answer).end("answered");
    }
  }

  const server = createServer((request, response) => {
    // A request that breaks off in the middle is none: its sender was killed.
    receive(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    handedOver,
    open: () => open,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

export const receivedKey = (path: string, eventId: string): string => `${path} ${eventId}`;

function treatmentAt(point: number): Treatment {
  let passed = 0;
  for (const [permille, treatment] of treatments) {
    passed += permille;
    if (point < passed) return treatment;
  }
  return [200];
}

const headerOf = ({ headers }: IncomingMessage, name: string): string => String(headers[name.toLowerCase()] ?? "");
