import { verifySignature } from "../arrangements/verified-signature.ts";
import { joinedHeaders } from "../exchange/delivery.ts";
import type { VerifyHook } from "../receiver/signer.ts";
import type { HookCaller } from "./hook-caller.ts";

/** The target's judgement of signatures; null where it has none. */
export const signatureHook = (hooks: HookCaller): VerifyHook | null =>
  hooks.has(verifySignature)
    ? async (delivery, secret) => {
        const headers = Object.entries(joinedHeaders(delivery)).map(([name, value]) => [name.toLowerCase(), value]);
        const body = delivery.body.toString("base64");
        const answer = await hooks.ask(verifySignature, { headers: Object.fromEntries(headers), body, secret });
        return answer.valid === true;
      }
    : null;
