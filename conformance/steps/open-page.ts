import { Agent, request } from "undici";
import type { Exchange } from "../exchange/exchange.ts";
import { checkSignal } from "../liveness/deadline.ts";

/** Milliseconds for the whole page. */
const patience = 5_000;

/**
 * Opens a page that an answer gives the address of, as whoever follows a link does: its status. Null where the page is
 * not with the API, since nobody else's server is to be called, or cannot be had. The call is none of the API, so no
 * monitor minds it, and its address, which may be a secret, is not recorded.
 */
export async function openPage(url: string | null, { request: { url: api } }: Exchange): Promise<number | null> {
  if (url === null || !URL.canParse(url, api)) return null;
  const page = new URL(url, api);
  if (page.origin !== new URL(api).origin) return null;
  // Named explicitly: proxy variables of the environment must not stand between kit and target.
  const dispatcher = new Agent();
  const late = AbortSignal.timeout(patience);
  const ends = checkSignal();
  try {
    const signal = ends === null ? late : AbortSignal.any([ends, late]);
    const { statusCode, body } = await request(page, { dispatcher, signal });
    await body.dump();
    return statusCode;
  } catch (error) {
    ends?.throwIfAborted();
    if (error instanceof Error) return null;
    throw error;
  } finally {
    await dispatcher.destroy();
  }
}
