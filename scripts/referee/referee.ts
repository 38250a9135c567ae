import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { operationOf } from "../../conformance/sending/sender.ts";
import { constants } from "../../generated/constants.ts";
import { startChildServer } from "../child-server.ts";
import { differences } from "./differences.ts";

/** One answer on a route of the contract, and what the referee said of it. */
export interface Refereed {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** Id of the difference for which the request was kept from Prism; null when it was not. */
  readonly keptFrom: string | null;
  /** Whether the answer has the mark that every answer of the server has; Prism's own answers have it not. */
  readonly identified: boolean;
  readonly violations: readonly Violation[];
}

/** As Prism reports it in a header of the answer. */
export interface Violation {
  /** `request` or `response`, then the place in it. */
  readonly location: readonly string[];
  readonly severity: string;
  readonly code?: string | number;
  readonly message: string;
}

export interface Referee {
  /** Where the kit sends its requests. */
  readonly url: string;
  readonly refereed: readonly Refereed[];
  close(): Promise<void>;
}

const root = join(import.meta.dirname, "../..");
const header = "sl-violations";

/** Room for the header, of which Prism sends 8 KiB at most. */
const maxHeaderSize = 64 * 1024;

/**
 * Puts Prism's validation proxy before the server for requests to operations of the contract, and notes its verdict on
 * each answer. Other requests go to the server itself: the document says nothing about them.
 */
export async function startReferee(upstream: string): Promise<Referee> {
  const prism = await startChildServer(
    [
      join(root, "node_modules/.bin/prism"),
      ...["proxy", join(root, "generated/openapi.yaml"), upstream],
      ...["--port", "0", "--cors=false", "--errors=false"],
    ],
    "Prism is listening on",
  );
  const refereed: Refereed[] = [];
  const agent = new Agent({ keepAlive: true });
  const server = createServer(async (incoming, outgoing) => {
    const { method = "", url: path = "" } = incoming;
    const body = await buffer(incoming);
    const relayed = { contentType: incoming.headers["content-type"], body: body.toString() };
    const operation = operationOf(method, path);
    const kept = differences.find(({ applies }) => applies(relayed)) ?? null;
    const to = operation === null || kept !== null ? upstream : prism.url;
    relay({ incoming, outgoing, body, to, agent }, (answer) => {
      if (operation === null) return;
      const identified = answer.headers[constants.requestIdHeader.toLowerCase()] !== undefined;
      const known = { operation, method, path, status: answer.statusCode ?? 0, identified };
      refereed.push({ ...known, keptFrom: kept?.id ?? null, violations: violationsIn(answer) });
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    refereed,
    async close() {
      server.closeAllConnections();
      agent.destroy();
      await new Promise((resolve) => server.close(resolve));
      await prism.close();
    },
  };
}

interface Relayed {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly body: Buffer;
  readonly to: string;
  readonly agent: Agent;
}

function relay({ incoming, outgoing, body, to, agent }: Relayed, note: (answer: IncomingMessage) => void): void {
  const { method, url, headers } = incoming;
  const sent = request(to + url, { method, headers, agent, maxHeaderSize }, (answer) => {
    note(answer);
    const { [header]: _, ...rest } = answer.headers;
    outgoing.writeHead(answer.statusCode ?? 502, rest);
    answer.pipe(outgoing);
  });
  sent.on("error", () => outgoing.destroy());
  sent.end(body);
}

/** What stands behind the violations in a header that was too long for all of them. */
const cutOff: Violation = {
  location: ["response"],
  severity: "Error",
  message: "Prism cut its list of violations off",
};

/** Violations that Prism reports. A list that it cut off counts as one of the response: nobody knows what was in it. */
function violationsIn({ headers }: IncomingMessage): readonly Violation[] {
  const text = headers[header];
  if (text === undefined) return [];
  try {
    return JSON.parse(String(text));
  } catch {
    return [cutOff];
  }
}
