import type { LookupAddress } from "node:dns";
import { describe, expect, it } from "vitest";
import { AddressBlocked, guardedConnect, guardedLookup, NameUnresolved } from "./guarded-connect.ts";
import type { ResolveName } from "./resolve-name.ts";

const outside = { loopback: false };

type Found = string | readonly LookupAddress[];

/** What a socket would connect to. */
const lookUp = (resolve: ResolveName, all = true, policy = outside): Promise<Found> =>
  new Promise((done, failed) => {
    guardedLookup(policy, resolve)("name.example", { all }, (problem, address) =>
      problem === null ? done(address) : failed(problem),
    );
  });

describe("a look-up for a socket", () => {
  it("gives all public addresses of the name", async () => {
    const resolve = async () => ["8.8.8.8", "2a00:1450:4001:800::200e"];
    expect(await lookUp(resolve)).toEqual([
      { address: "8.8.8.8", family: 4 },
      { address: "2a00:1450:4001:800::200e", family: 6 },
    ]);
    expect(await lookUp(resolve, false)).toBe("8.8.8.8");
  });

  it.each([
    ["loopback", ["127.0.0.1"]],
    ["metadata", ["169.254.169.254"]],
    ["IPv6 metadata", ["fd00:ec2::254"]],
    ["a mapped address", ["::ffff:10.0.0.1"]],
    ["a link-local address with its zone", ["fe80::1%eth0"]],
    ["an inside address behind a public one", ["8.8.8.8", "10.0.0.1"]],
    ["another name", ["localhost"]],
    ["nothing", []],
  ])("refuses a name that leads to %s", async (_what, addresses) => {
    await expect(lookUp(async () => addresses)).rejects.toThrow(AddressBlocked);
    await expect(lookUp(async () => addresses, false)).rejects.toThrow(AddressBlocked);
  });

  it("asks once, and gives what it checked, whatever the name leads to a moment later", async () => {
    const answers = [["8.8.8.8"], ["127.0.0.1"]];
    const rebinding: ResolveName = async () => answers.shift() ?? [];
    expect(await lookUp(rebinding)).toEqual([{ address: "8.8.8.8", family: 4 }]);
    expect(answers).toHaveLength(1);
    await expect(lookUp(rebinding)).rejects.toThrow(AddressBlocked);
  });

  it("tells nothing of what it found", async () => {
    const problem: unknown = await lookUp(async () => ["10.9.8.7"]).catch((reason: unknown) => reason);
    expect(String(problem)).not.toContain("10.9");
  });

  it("fails when nobody knows the name", async () => {
    await expect(lookUp(() => Promise.reject(new Error("ESERVFAIL")))).rejects.toThrow(NameUnresolved);
  });
});

describe("a connection", () => {
  it.each(["127.0.0.1", "::1", "169.254.169.254", "::ffff:10.0.0.1"])(
    "to the literal %s is not begun",
    async (hostname) => {
      // Nobody looks literal addresses up.
      const connect = guardedConnect(outside, () => Promise.reject(new Error("asked")), 1_000);
      const target = { hostname, host: hostname, protocol: "http:", port: "1" };
      const problem = await new Promise((resolve) => connect(target, (...outcome) => resolve(outcome[0])));
      expect(problem).toBeInstanceOf(AddressBlocked);
    },
  );
});
