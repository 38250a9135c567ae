import type { CheckContext } from "../../context/context.ts";
import { type Exchange, isSuccess } from "../../exchange/exchange.ts";
import type { Credential } from "../../provision/tenant.ts";
import { readNumber } from "../../steps/phone-number.ts";
import { eventually } from "../../steps/settle.ts";

/** How a number is read once it is gone: its release may come later than the answer. What it is at last where it stays. */
export async function releasedNumber(t: CheckContext, as: Credential, id: string): Promise<Exchange> {
  let gone = await readNumber(t, as, id);
  await eventually(t, as.tenant, async () => {
    if (!isSuccess(gone)) return true;
    gone = await readNumber(t, as, id);
    return null;
  });
  return gone;
}
