import { constants } from "../../generated/constants.ts";
import { operations } from "../../generated/operations.ts";
import type { CheckContext, CreatedKey } from "../context/context.ts";
import { dataOf, type Exchange, objectOf } from "../exchange/exchange.ts";
import { Blocked } from "../outcome/verdict.ts";
import type { Credential } from "../provision/tenant.ts";

/**
 * Id under which a rotated key is found from now on. The document says neither whether the key keeps its own nor where
 * the answer shows it: where the target says, else in the payload or in a part of that.
 */
export function idAfterRotation(t: CheckContext, exchange: Exchange, before: string): string {
  const data = objectOf(shapedData(t, exchange)) ?? {};
  const ids = [data, ...Object.values(data)].map((part) => objectOf(part)?.id);
  return ids.find((id) => typeof id === "string") ?? before;
}

/**
 * The key after a successful rotation. The document does not show the form of that answer, so a secret is whatever
 * in it looks like one and is longer than the prefix of a key; blocks when nothing does.
 */
export function rotatedKey(
  t: CheckContext,
  exchange: Exchange,
  before: Pick<CreatedKey, "credential" | "data" | "id">,
): Credential {
  const { prefix } = before.data;
  const shortest = typeof prefix === "string" ? prefix.length : constants.liveKeyPrefix.length;
  const [token] = textsIn(shapedData(t, exchange))
    .filter((text) => text.startsWith(constants.liveKeyPrefix) && text.length > shortest)
    .sort((one, other) => other.length - one.length);
  if (token === undefined) {
    throw new Blocked(
      "the answer to a rotation shows no secret that the kit recognizes",
      "answer the new secret as plaintext of the key, or name its place under shapes.rotateApiKey.response in the target file",
      "server",
    );
  }
  return { ...before.credential, name: "rotated key", token, id: idAfterRotation(t, exchange, before.id) };
}

const shapedData = (t: CheckContext, exchange: Exchange): unknown =>
  t.shapeResponse(operations.rotateApiKey.id, dataOf(exchange));

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
