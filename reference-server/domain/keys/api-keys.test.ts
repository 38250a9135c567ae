import { describe, expect, it } from "vitest";
import type { Caller } from "../organizations/caller.ts";
import { newCustomer } from "../organizations/organization.ts";
import { type ApiKey, newKey, newKeySecret, refuseGrant, refuseRotation } from "./api-keys.ts";

const world = {
  randomBytes: (size: number) => Uint8Array.from({ length: size }, (_, index) => index),
  newId: () => "id",
};
const organization = newCustomer(world);

const holding = (...scopes: string[]): Caller => ({ kind: "key", id: "key", organization, scopes: new Set(scopes) });
const session: Caller = { kind: "session", id: "session", userId: "user", staff: false, organization };

const structureFirst = { unknownBeforeUnheld: "InvalidInput" } as const;
const policyFirst = { unknownBeforeUnheld: "Forbidden" } as const;

describe("granting scopes", () => {
  it("takes exactly what the caller holds", () => {
    expect(
      refuseGrant(holding("apikeys:read", "apikeys:write"), ["apikeys:write", "apikeys:read"], structureFirst),
    ).toBeNull();
    expect(refuseGrant(session, ["messages:send"], structureFirst)).toBeNull();
  });

  it("refuses what does not exist and what is not held, in the chosen order", () => {
    const caller = holding("apikeys:read");
    expect(refuseGrant(caller, ["no:scope"], policyFirst)?.row).toBe("InvalidInput");
    expect(refuseGrant(caller, ["messages:send"], structureFirst)?.row).toBe("Forbidden");
    expect(refuseGrant(caller, ["apikeys:read", "messages:send"], structureFirst)?.row).toBe("Forbidden");
    expect(refuseGrant(caller, ["messages:send", "no:scope"], structureFirst)?.row).toBe("InvalidInput");
    expect(refuseGrant(caller, ["no:scope", "messages:send"], policyFirst)?.row).toBe("Forbidden");
  });

  it("repeats a scope in a message only as far as it is short and on one line", () => {
    const message = refuseGrant(session, [`a:${"b".repeat(10_000)}\n`], structureFirst)?.message ?? "";
    expect(message.length).toBeLessThan(200);
    expect(message).not.toContain("\n");
  });
});

describe("rotating", () => {
  const secret = newKeySecret(world, { prefixLength: "17" });
  const key: ApiKey = newKey(
    { id: "id", organizationId: organization.id, label: "x", scopes: ["apikeys:read"], createdAt: 0 },
    secret,
  );

  it("needs a living key whose scopes the caller holds", () => {
    expect(refuseRotation(holding("apikeys:read"), key)).toBeNull();
    expect(refuseRotation(session, key)).toBeNull();
    expect(refuseRotation(session, null)?.row).toBe("NotFound");
    expect(refuseRotation(session, { ...key, revokedAt: 1 })?.row).toBe("Conflict");
    expect(refuseRotation(holding("apikeys:write"), key)?.row).toBe("Forbidden");
  });
});

describe("a new secret", () => {
  it("is shown by a prefix of the chosen length and kept as a hash", () => {
    const { plaintext, prefix, secretHash } = newKeySecret(world, { prefixLength: "12" });
    expect(prefix).toBe(plaintext.slice(0, 12));
    expect(secretHash).toMatch(/^[0-9a-f]{64}$/);
  });
});
