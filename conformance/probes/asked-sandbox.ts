import { advanceClock, createOrganization, deleteOrganization } from "../../generated/client/sandbox-organizations.ts";
import type { OrganizationRequest } from "../../generated/models/sandbox-organizations.ts";
import type { Transport } from "../../generated/runtime/transport.ts";
import { checkSignal } from "../liveness/deadline.ts";

/** What the sandbox does where a breach is asked about. */
export interface AskedSandbox {
  /** Moves the clock of an organization by so many seconds. */
  moveClock(organization: string, seconds: number): Promise<unknown>;
  /** Makes an organization; null where the sandbox makes none so, or gives it no key by itself. */
  make(settings: OrganizationRequest): Promise<MadeAnew | null>;
}

/** An organization that was made to ask once more. */
export interface MadeAnew {
  /** Value of the `Authorization` header that calls in its name. */
  readonly authorization: string;
  remove(): Promise<unknown>;
}

/** Milliseconds for a call of the sandbox: what is due on the way of a clock has so long to run. */
const longestCall = 2_000;

/** Asks the sandbox apart from the run's own way there, whose breaker decides verdicts. Null where there is none. */
export function askedSandbox(
  sandbox: Pick<Transport, "baseUrl" | "token"> | null,
  ended: AbortSignal,
): AskedSandbox | null {
  if (sandbox === null) return null;
  const { baseUrl, token } = sandbox;
  const transport = () => ({ baseUrl, token, timeout: longestCall, signal: checkSignal() ?? ended });
  return {
    moveClock: (id, seconds) => advanceClock(transport(), { path: { id }, body: { seconds } }),
    async make(body) {
      const made = await createOrganization(transport(), { body });
      if (!made.ok) return null;
      const { id, key } = made.data;
      const remove = () => deleteOrganization({ ...transport(), signal: ended }, { path: { id } });
      if (key !== undefined) return { authorization: `Bearer ${key.plaintext}`, remove };
      await remove();
      return null;
    },
  };
}
