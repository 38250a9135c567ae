import { randomUUID } from "node:crypto";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { allChecks } from "../../conformance/checks/all-checks.ts";
import { mostCutOff, mostUnanswered } from "../../conformance/liveness/breaker.ts";
import { selfSigned } from "../../conformance/target/self-signed.ts";
import { constants } from "../../generated/constants.ts";
import { errorRows } from "../../generated/error-rows.ts";
import { operations } from "../../generated/operations.ts";
import { forwardingTo } from "./forwarding.ts";
import { otherCertificate } from "./other-certificate.ts";

/** A server that obeys, until it turns on the kit. */
export interface HostileTarget {
  readonly name: string;
  /** Checks that meet it; enough to see what becomes of the run. */
  readonly only: readonly string[];
  /** Requests that it answers as it should before it turns. */
  readonly sound: number;
  /** What it does from then on, in front of an obedient server at `url`. */
  readonly turns: (url: string, own: Server) => RequestListener;
  readonly tls?: true;
  /** What ends the run with it, for people. */
  readonly bound: string;
  /** Requests that it may be sent after it turned, at most. */
  readonly mostTurned: number;
  /** Exit codes that are sound. */
  readonly exits: readonly (0 | 1 | 2)[];
  /** Why the run was not finished; null when it is. */
  readonly interrupted: RegExp | null;
  /** Rules that nobody can have kept in front of the kit, and so must not pass. */
  readonly neverPass: readonly string[];
}

/** Checks at a time. */
export const jobs = 2;

/** The breaker's bound: three in a row, of as many as are under way together. */
export const threeInRow = mostUnanswered * jobs;
const silent: Omit<HostileTarget, "name" | "turns"> = {
  only: ["api-keys", "envelope"],
  sound: 40,
  mostTurned: threeInRow,
  bound: "three time-outs in a row",
  exits: [2],
  interrupted: /^target down since \S+Z, after [A-Z]+ \/\S+ \(\d+\)/,
  neverPass: [],
};

const feed = ["deliveries.feed-pages", "deliveries.feed-list", "api-keys.read-back"];
const isFeed = (request: { readonly url?: string | undefined }): boolean =>
  (request.url ?? "").split("?")[0] === operations.listDeliveryAttempts.path;

const forEver: RequestListener = () => undefined;

const drip: RequestListener = (_, response) => {
  response.writeHead(200, { "content-type": "application/json" });
  const dripping = setInterval(() => response.write(" "), 1_000);
  response.write("{");
  response.on("close", () => clearInterval(dripping));
};

const flood: RequestListener = (_, response) => {
  response.writeHead(200, { "content-type": "application/json" });
  response.write('{"success":true,"data":[');
  const record = `${JSON.stringify({ text: "x".repeat(64 * 1024) })},`;
  let left = 40 * 1024 * 1024;
  const pour = (): void => {
    while (left > 0 && !response.destroyed) {
      left -= record.length;
      if (!response.write(record)) return void response.once("drain", pour);
    }
    response.end("{}]}");
  };
  pour();
};

/** Small on the wire, sixty-four mebibytes when decoded. */
const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, " "));

/** Does something to some requests, the same ones in each run, and hands on the others. */
function sometimes(url: string, share: number, act: RequestListener): RequestListener {
  const hand = forwardingTo(url, {});
  let state = 1;
  return (request, response) => {
    state = (state * 48_271) % 2_147_483_647;
    (state / 2_147_483_647 < share ? act : hand)(request, response);
  };
}

/** In place of the feed, something else; all other requests are handed on. */
const feedIs =
  (answer: RequestListener) =>
  (url: string): RequestListener => {
    const hand = forwardingTo(url, {});
    return (request, response) => (isFeed(request) ? answer : hand)(request, response);
  };

/** Page after page, each with a record and a cursor that no other has. */
const pageAfterPage: RequestListener = (_, response) => {
  const id = randomUUID();
  response.writeHead(200, { "content-type": "application/json", [constants.requestIdHeader]: id });
  const meta = { next_cursor: `after-${id}`, total: 1, request_id: id };
  response.end(JSON.stringify({ success: true, data: [{ id }], meta }));
};

const internal = errorRows.InternalError;
const failing: RequestListener = (_, response) => {
  response.writeHead(internal.referenceStatus, {
    "content-type": "application/json",
    [constants.requestIdHeader]: "req_same",
  });
  const error = { code: internal.code, message: "It failed.", request_id: "req_same" };
  response.end(JSON.stringify({ success: false, error }));
};

export const hostileTargets: readonly HostileTarget[] = [
  { ...silent, name: "hangs", turns: () => forEver },
  { ...silent, name: "drips a byte a second", turns: () => drip },
  {
    ...silent,
    name: "is shut down",
    bound: "three refused connections in a row",
    mostTurned: 1,
    turns: (_, own) => (request) => {
      own.close();
      own.closeAllConnections();
      request.destroy();
    },
  },
  {
    ...silent,
    name: "gets another certificate",
    tls: true,
    bound: "three failed connections in a row",
    mostTurned: 1,
    turns: (_, own) => (request) => {
      if ("setSecureContext" in own && typeof own.setSecureContext === "function")
        own.setSecureContext(otherCertificate);
      own.closeAllConnections();
      request.destroy();
    },
  },
  {
    ...silent,
    name: "loses half of the answers",
    sound: 0,
    turns: (url) => sometimes(url, 0.5, forEver),
    bound: "three time-outs in a row, or the end of each check",
    mostTurned: 2_000,
    exits: [1, 2],
    interrupted: /down since|^$/,
  },
  {
    ...silent,
    name: "resets connections at random",
    sound: 0,
    turns: (url) => sometimes(url, 0.3, (request) => request.socket.resetAndDestroy()),
    bound: "the end of each check",
    // A check ends with the first call that it cannot do without.
    mostTurned: 3 * allChecks.length,
    exits: [1, 2],
    interrupted: null,
  },
  {
    ...silent,
    name: "resets every connection",
    turns: () => (request) => request.socket.resetAndDestroy(),
    bound: "twenty requests in a row that were cut off",
    mostTurned: mostCutOff * jobs,
  },
  {
    ...silent,
    name: "closes every connection",
    turns: () => (request) => request.socket.destroy(),
    bound: "twenty requests in a row that were cut off",
    mostTurned: mostCutOff * jobs,
  },
  {
    ...silent,
    name: "fails from the middle on",
    turns: () => failing,
    bound: "the end of each check",
    mostTurned: 2_000,
    exits: [0, 1],
    interrupted: null,
  },
  {
    ...silent,
    name: "redirects in a loop",
    sound: 0,
    turns: () => (request, response) => response.writeHead(302, { location: request.url ?? "/" }).end(),
    bound: "the end of each check, with no redirect followed",
    mostTurned: 2_000,
    exits: [1, 2],
    interrupted: null,
    neverPass: ["KEYC-01", "KEYG-01", "ENV-01", "ENV-03", "ENV-04"],
  },
  {
    ...silent,
    name: "has pages of forty megabytes",
    only: feed,
    sound: 0,
    turns: feedIs(flood),
    bound: "four mebibytes of each answer",
    mostTurned: 500,
    exits: [0],
    interrupted: null,
    neverPass: ["WHL-01", "WHL-22", "WHL-23", "ENV-20", "ENV-24"],
  },
  {
    ...silent,
    name: "has a feed without end",
    only: feed,
    sound: 0,
    turns: feedIs(pageAfterPage),
    bound: "500 pages of one feed",
    mostTurned: 20_000,
    exits: [0, 1],
    interrupted: null,
    neverPass: ["WHL-22", "WHL-23"],
  },
  {
    ...silent,
    name: "answers what decodes to far more than it sends",
    only: feed,
    sound: 0,
    turns: feedIs((_, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }).end(bomb);
    }),
    bound: "the bytes as they were sent: nothing is decoded",
    mostTurned: 500,
    // The kit asks for what is not encoded, so that this is no answer of JSON.
    exits: [1],
    interrupted: null,
    neverPass: ["WHL-01", "WHL-22", "WHL-23"],
  },
];

/** Starts a target in front of an obedient server and counts what it is asked after it turned. */
export async function startHostile(target: HostileTarget, url: string) {
  let asked = 0;
  let turned = 0;
  const sound = forwardingTo(url, {});
  const server: Server = target.tls ? createSecureServer(selfSigned, serve) : createServer(serve);
  const hostile = target.turns(url, server);
  function serve(...[request, response]: Parameters<RequestListener>): void {
    asked += 1;
    if (asked > target.sound) turned += 1;
    (asked > target.sound ? hostile : sound)(request, response);
  }
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${target.tls ? "https" : "http"}://127.0.0.1:${port}`,
    turned: () => turned,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
