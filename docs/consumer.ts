// A consumer of the API, by the generated client: npx tsx docs/consumer.ts http://127.0.0.1:8080 <key>
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { captureConsent } from "../generated/client/consents.ts";
import { listMessagesPages, sendMessage } from "../generated/client/messages.ts";
import { createWebhookEndpoint, rotateEndpointSecret, testWebhookEndpoint } from "../generated/client/webhooks.ts";
import { verifyDelivery } from "../generated/delivery.ts";
import type { Answer } from "../generated/runtime/transport.ts";

const [baseUrl = "", token = ""] = process.argv.slice(2);
const server = { baseUrl, token, timeout: 10_000 };

function dataOf<Data>({ status, requestId, ...answer }: Answer<Data>): Data {
  if (answer.ok) return answer.data;
  throw new Error(`${status} ${answer.error.code}: ${answer.error.message} (request ${requestId})`);
}

/** Sends a text; tried again with the same key, it is sent once. */
async function send(to: string, body: string): Promise<void> {
  const headers = { "idempotency-key": randomUUID() };
  for (;;) {
    const answer = await sendMessage(server, { headers, body: { to, body, bypass_quiet_hours: true } });
    if (answer.ok) return console.log(`sent ${answer.data.id}`);
    switch (answer.error.row) {
      case "RateLimited":
        console.log(`limited, again in ${answer.retryAfter} s`);
        await wait((answer.retryAfter ?? 1) * 1000);
        break;
      case "ConsentRequired":
        console.log("no consent yet");
        dataOf(await captureConsent(server, { body: { phone_number: to, source: "web form" } }));
        break;
      case "QuietHours":
        return console.log(`quiet until ${answer.error.details.next_send_at}`);
      default:
        dataOf(answer);
    }
  }
}

let secret = "";
const receiver = createServer(async (request, response) => {
  const delivery = verifyDelivery({ headers: request.headers, body: await buffer(request) }, secret);
  console.log(delivery.ok ? `verified ${delivery.event.id}` : `refused a delivery: ${delivery.reason}`);
  response.writeHead(delivery.ok ? 204 : 401).end(() => receiver.close());
});
await once(receiver.listen(0, "127.0.0.1"), "listening");
const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
const { id } = dataOf(await createWebhookEndpoint(server, { body: { url, events: ["api_key.created"] } }));
({ secret } = dataOf(await rotateEndpointSecret(server, { path: { id } })));
dataOf(await testWebhookEndpoint(server, { path: { id } }));

await Promise.all(["Hello.", "Here I am.", "Goodbye."].map((text) => send("+12025550123", text)));
for await (const { data } of listMessagesPages(server, { query: { limit: 1 } }))
  for (const message of data) console.log(`listed ${message.id}`);
