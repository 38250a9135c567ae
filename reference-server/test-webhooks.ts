import { createHmac } from "node:crypto";
import { expect } from "vitest";
import { basePaths, constants } from "../generated/constants.ts";
import { eventTypes } from "../generated/events.ts";
import type { TestAnswer, TestOrganization, TestServer } from "./test-server.ts";
import type { Received } from "./testing/test-receiver.ts";

/** What endpoints subscribe to, and what happens, unless a test says otherwise. */
const usualTypes = eventTypes.filter((type) => type.startsWith("lookup."));

/** Where nothing listens, so that an attempt fails at once. */
export const nowhere = "http://127.0.0.1:1/hook";

export type TestWebhooks = ReturnType<typeof testWebhooks>;

/** Short ways to an organization's webhooks. */
export function testWebhooks(server: TestServer, { id, key }: Pick<TestOrganization, "id" | "key">) {
  const call = (method: string, path: string, body?: unknown) =>
    server.call(method, `${basePaths.api.slice(0, -1)}${path}`, {
      token: key,
      ...(body === undefined ? {} : { body }),
    });
  const sandbox = (method: string, path: string, body?: unknown) =>
    server.sandbox(method, `/organizations/${id}${path}`, body);
  return {
    call,
    sandbox,
    create: (url: unknown = nowhere, events: unknown = usualTypes) => call("POST", "/webhooks", { url, events }),
    /** Creates an endpoint that must come about, and gives it. */
    async endpoint(url: string = nowhere, events: readonly string[] = usualTypes) {
      return dataOf(await call("POST", "/webhooks", { url, events }), 201);
    },
    /** Its new secret. */
    async rotate(endpointId: string): Promise<string> {
      return dataOf(await call("POST", `/webhooks/${endpointId}/rotate-secret`), 200).secret;
    },
    async emit(data: object = {}, type: string | undefined = usualTypes[0]) {
      return dataOf(await sandbox("POST", "/events", { type, data }), 200);
    },
    async force(endpointId: string, answers: readonly object[], repeatLast = false) {
      const body = { answers, repeat_last: repeatLast };
      return dataOf(await sandbox("PUT", `/webhooks/${endpointId}/answers`, body), 200);
    },
    async change(endpointId: string, change: object) {
      return dataOf(await sandbox("PATCH", `/webhooks/${endpointId}`, change), 200);
    },
    async advance(seconds = 0) {
      return dataOf(await sandbox("POST", "/advance", { seconds }), 200);
    },
    list: (query = "") => call("GET", `/webhooks/deliveries${query}`),
    /** Records of the feed's first page. */
    async feed(query = "?limit=200") {
      return dataOf(await call("GET", `/webhooks/deliveries${query}`), 200);
    },
    replay: (attemptId: string, body?: unknown) => call("POST", `/webhooks/deliveries/${attemptId}/replay`, body),
    async digest(): Promise<string> {
      return dataOf(await sandbox("GET", "/state"), 200).digest;
    },
  };
}

/** The payload of a success. */
export function dataOf(answer: TestAnswer, status: number) {
  expect([answer.status, answer.body?.error ?? null]).toEqual([status, null]);
  return answer.body.data;
}

/** Which of the secrets the signatures of a delivery are made with, in the order of the signatures. */
export function signedWith({ headers, body }: Received, secrets: Readonly<Record<string, string>>): readonly string[] {
  const [time = "", ...signatures] = String(headers[constants.signatureHeader.toLowerCase()]).split(",");
  const content = `${time.replace(/^t=/, "")}.${body.toString()}`;
  return signatures.map((signature) => {
    const [name = "unknown"] =
      Object.entries(secrets).find(([, secret]) => signature === `v1=${hmac(secret, content)}`) ?? [];
    return name;
  });
}

const hmac = (secret: string, content: string): string =>
  createHmac("sha256", Buffer.from(secret, "base64")).update(content).digest("hex");
