import { Client, type Dispatcher, Pool } from "undici";
import { constants } from "../../generated/constants.ts";

/** The bytes and headers of a request that is much like a delivery. */
const body = Buffer.from(
  JSON.stringify({
    id: `${constants.eventIdPrefix}018f4e9a-2222-7000-8000-00000000000b`,
    type: "an.event",
    created_at: "2026-01-01T00:00:00.000Z",
    api_version: "2026-01-01",
    org_id: "018f4e9a-4444-7000-8000-00000000000d",
    data: { line_type: constants.mobileLine, carrier: "Example Wireless", number: "+12025550123" },
  }),
);
const headers = {
  "Content-Type": "application/json",
  "User-Agent": "bench",
  [constants.eventIdHeader]: `${constants.eventIdPrefix}018f4e9a-2222-7000-8000-00000000000b`,
  [constants.eventTypeHeader]: "an.event",
  [constants.signatureHeader]: `t=1767225600,v1=${"0".repeat(64)}`,
};

/** Sends so many requests, so many of them at once, by undici and nothing else. */
export async function sendBare(url: string, requests: number, atOnce: number, kept: boolean): Promise<void> {
  const pool = new Pool(url, { connections: atOnce });
  let left = requests;
  const worker = async (): Promise<void> => {
    while (left-- > 0) await (kept ? send(pool, false) : sendAlone(url));
  };
  try {
    await Promise.all(Array.from({ length: atOnce }, worker));
  } finally {
    await pool.destroy();
  }
}

/** On a connection of its own, as a delivery is. */
async function sendAlone(url: string): Promise<void> {
  const client = new Client(url);
  try {
    await send(client, true);
  } finally {
    client.destroy().catch(() => undefined);
  }
}

async function send(dispatcher: Dispatcher, reset: boolean): Promise<void> {
  const answer = await dispatcher.request({ method: "POST", path: "/hook", headers, body, reset });
  await answer.body.dump();
}
