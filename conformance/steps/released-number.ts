import type { CheckContext } from "../context/context.ts";
import { type Exchange, isSuccess, summaryOf } from "../exchange/exchange.ts";
import { Blocked } from "../outcome/verdict.ts";
import type { Credential } from "../provision/tenant.ts";
import { readNumber } from "./phone-number.ts";
import { eventuallyByClock } from "./settle.ts";
import { isToBeDone } from "./to-be-done.ts";

/**
 * How a number is read once its release has taken effect, which may come later than the answer; as it is read at last
 * where it stays. Blocks where it stays and the release was answered as one that is still to be done.
 */
export async function releasedNumber(
  t: CheckContext,
  as: Credential,
  id: string,
  released: Exchange,
): Promise<Exchange> {
  let gone = await readNumber(t, as, id);
  await eventuallyByClock(t, as.tenant, "the release of a number", async () => {
    if (!isSuccess(gone)) return true;
    gone = await readNumber(t, as, id);
    return null;
  });
  if (isSuccess(gone) && isToBeDone(released))
    throw new Blocked(
      `a release that was answered ${summaryOf(released)} had not taken effect in time`,
      "raise timing.poll_timeout, the time that the target takes to show an effect, in the target file",
    );
  return gone;
}
