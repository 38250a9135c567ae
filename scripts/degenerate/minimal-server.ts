import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { type Choices, referenceChoices } from "../../generated/choices.ts";
import * as sandbox from "../../generated/client/sandbox-organizations.ts";
import type { Answer } from "../../generated/runtime/transport.ts";
import { scopes } from "../../generated/scopes.ts";
import { createServer } from "../../reference-server/server.ts";
import { openSqlite } from "../../reference-server/store/engine/sqlite.ts";

/** What a customer of a server without a sandbox can have. */
export interface MinimalServer {
  readonly url: string;
  readonly key: string;
  /** What else there is, by name in a target file. */
  readonly secrets: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Nothing that the document does not ask for. */
const bare: Choices = { ...referenceChoices, wwwAuthenticate: "omitted", labelRule: "optional" };

/** Arranges two organizations through one server's sandbox, then serves the same database without one. */
export async function startMinimal(): Promise<MinimalServer> {
  const folder = mkdtempSync(join(tmpdir(), "bylaw-minimal-"));
  const sandboxToken = randomBytes(16).toString("hex");
  const serve = async (more: { readonly sandboxToken?: string }) => {
    const store = await openSqlite(join(folder, "bylaw.sqlite"));
    return createServer({ store, choices: bare, log: pino({ level: "silent" }), production: true, ...more });
  };
  const first = await serve({ sandboxToken });
  const { url } = await first.listen({ host: "127.0.0.1", port: 0 });
  const transport = { baseUrl: url, token: sandboxToken, timeout: 10_000 };

  const organization = async () => dataOf(await sandbox.createOrganization(transport, { body: {} }));
  const newKey = async (id: string) =>
    dataOf(await sandbox.createOrganizationKey(transport, { path: { id }, body: { scopes } }));
  const ours = await organization();
  const revoked = await newKey(ours.id);
  await sandbox.revokeOrganizationKey(transport, { path: { id: ours.id, key_id: revoked.id } });
  const given = {
    key: (await newKey(ours.id)).plaintext,
    secrets: {
      other_key: (await newKey((await organization()).id)).plaintext,
      session_token: dataOf(await sandbox.createSession(transport, { path: { id: ours.id }, body: {} })).token,
      revoked_key: revoked.plaintext,
    },
  };
  await first.close();

  const server = await serve({});
  return {
    ...given,
    url: (await server.listen({ host: "127.0.0.1", port: 0 })).url,
    async close() {
      await server.close();
      rmSync(folder, { recursive: true });
    },
  };
}

function dataOf<Data>(answer: Answer<Data>): Data {
  if (answer.ok) return answer.data;
  throw new Error(`The sandbox answered ${answer.status} ${answer.error.code}.`);
}
