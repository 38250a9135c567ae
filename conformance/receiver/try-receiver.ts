import { Agent, request } from "undici";
import type { PreflightFailure } from "../target/preflight-failure.ts";
import type { ReceiverSettings } from "../target/target.ts";
import { openReceiver } from "./receiver.ts";

export type ReceiverTrial =
  | {
      readonly ok: true;
      /** Address that the target would be told. */
      readonly url: string;
      /** Whether that address leads to the receiver from where the kit runs; from elsewhere is not for it to tell. */
      readonly fromHere: boolean;
    }
  | { readonly ok: false; readonly failure: PreflightFailure };

/** Starts a receiver, delivers to it once under its address, and ends it again. `timeout` in milliseconds. */
export async function tryReceiver(settings: ReceiverSettings, timeout: number): Promise<ReceiverTrial> {
  const signal = AbortSignal.timeout(timeout);
  const opened = await openReceiver(settings, { patience: timeout, signal });
  if (!opened.ok) return opened;
  const { receiver } = opened;
  // Whether its certificate is trusted is for the target to see.
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
  try {
    const inbox = receiver.path();
    await request(inbox.url, { method: "POST", body: "{}", dispatcher, signal }).catch(() => null);
    return { ok: true, url: receiver.url, fromHere: inbox.deliveries().length > 0 };
  } finally {
    await Promise.all([dispatcher.destroy(), receiver.close()]);
  }
}

/** Why a run could not start this receiver; null when it can. A port of one's own choice is free a moment later too. */
export async function receiverFailure(settings: ReceiverSettings): Promise<PreflightFailure | null> {
  const opened = await openReceiver(settings, { patience: 0, signal: new AbortController().signal });
  if (!opened.ok) return opened.failure;
  await opened.receiver.close();
  return null;
}
