import { randomUUID } from "node:crypto";
import { createServer, type RequestListener } from "node:http";
import type { PreflightFailure } from "../../conformance/target/preflight-failure.ts";

/** A server that serves nothing of the contract and answers every request alike. */
export interface DegenerateServer {
  readonly name: string;
  readonly answer: RequestListener;
  /** How the kit finds out before it starts; null where only a run can tell. */
  readonly stoppedBy: PreflightFailure["kind"] | null;
}

const json =
  (status: number, body: (requestId: string) => unknown): RequestListener =>
  (_request, response) => {
    const requestId = `req_${randomUUID()}`;
    response.writeHead(status, { "content-type": "application/json", "x-request-id": requestId });
    response.end(JSON.stringify(body(requestId)));
  };

const text =
  (status: number, type: string, body: string): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { "content-type": type });
    response.end(body);
  };

const refusal = (code: string) => (requestId: string) => ({
  success: false,
  error: { code, message: "No.", request_id: requestId },
});

export const degenerateServers: readonly DegenerateServer[] = [
  { name: "200 {}", answer: json(200, () => ({})), stoppedBy: "no-envelope" },
  { name: "plain 404", answer: text(404, "text/plain", "not found"), stoppedBy: "not-json" },
  { name: "plain 500", answer: text(500, "text/plain", "oops"), stoppedBy: "server-error" },
  { name: "hang", answer: () => undefined, stoppedBy: "slow-head" },
  { name: "HTML 200", answer: text(200, "text/html", "<!doctype html><title>hello</title>"), stoppedBy: "not-json" },
  { name: "nonsense", answer: json(200, () => ({ success: true, data: { colour: "red" } })), stoppedBy: null },
  { name: "always 401", answer: json(401, refusal("UNAUTHORIZED")), stoppedBy: "refused-secret" },
  { name: "always 404", answer: json(404, refusal("NOT_FOUND")), stoppedBy: null },
];

/** Starts a server on any free port. */
export async function startDegenerate(answer: RequestListener) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
