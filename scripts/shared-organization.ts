import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { otherKey } from "../conformance/arrangements/other-organization.ts";
import type { SandboxAccess, Target } from "../conformance/target/target.ts";
import { advanceClock, createOrganization, createOrganizationKey } from "../generated/client/sandbox-organizations.ts";
import type { ClockMode } from "../generated/models/sandbox-organizations.ts";
import type { Answer } from "../generated/runtime/transport.ts";
import { documentedScopes } from "../generated/scopes.ts";

/** A target of which the kit has two keys, and a hook that moves the time of both organizations. */
export interface SharedOrganization {
  readonly target: Target;
  close(): Promise<void>;
}

/** Offers a server with a sandbox as one of which there are two keys and nothing else: time runs by itself. */
export async function twoKeys(target: Target, sandbox: SandboxAccess): Promise<Target> {
  const [one, other] = [await organizationIn(sandbox, "real"), await organizationIn(sandbox, "real")];
  return { ...target, sandbox: null, key: one.key, secrets: { [otherKey.setting]: other.key } };
}

/** Offers a server with a sandbox as one without: all checks share what the keys give. */
export async function shareOrganization(target: Target, sandbox: SandboxAccess): Promise<SharedOrganization> {
  const [one, other] = [await organizationIn(sandbox, "manual"), await organizationIn(sandbox, "manual")];
  const hook = createServer(async (request, response) => {
    const { seconds } = JSON.parse(await text(request)) as { readonly seconds: number };
    for (const { id } of [one, other]) {
      dataOf(await advanceClock(sandbox, { path: { id }, body: { seconds } }));
    }
    response.end(JSON.stringify({ clock: "manual" }));
  });
  await new Promise<void>((resolve) => hook.listen(0, "127.0.0.1", resolve));
  const { port } = hook.address() as AddressInfo;
  return {
    target: {
      ...target,
      ...{ sandbox: null, key: one.key, secrets: { [otherKey.setting]: other.key } },
      hooks: { advance: { kind: "url", url: `http://127.0.0.1:${port}/` } },
    },
    close: () => new Promise((resolve) => hook.close(() => resolve())),
  };
}

async function organizationIn(
  sandbox: SandboxAccess,
  clock: ClockMode,
): Promise<{ readonly id: string; readonly key: string }> {
  const { id } = dataOf(await createOrganization(sandbox, { body: { clock } }));
  const scopes = [...documentedScopes];
  const { plaintext } = dataOf(await createOrganizationKey(sandbox, { path: { id }, body: { scopes } }));
  return { id, key: plaintext };
}

function dataOf<Data>(answer: Answer<Data>): Data {
  if (answer.ok) return answer.data;
  throw new Error(answer.error.message);
}
