import { describe, expect, it } from "vitest";
import { isLoopback, isPublic } from "./public-address.ts";

/** First and last address of ranges that are not for everybody, and neighbours that are. */
const ranges: readonly (readonly [name: string, inside: readonly string[], outside: readonly string[]])[] = [
  ["this network", ["0.0.0.0", "0.0.0.1", "0.255.255.255"], ["1.0.0.0"]],
  ["private, 10/8", ["10.0.0.0", "10.255.255.255"], ["9.255.255.255", "11.0.0.0"]],
  ["carrier-grade NAT", ["100.64.0.0", "100.100.100.200", "100.127.255.255"], ["100.63.255.255", "100.128.0.0"]],
  ["loopback", ["127.0.0.0", "127.0.0.1", "127.255.255.255"], ["126.255.255.255", "128.0.0.0"]],
  [
    "link-local and metadata",
    ["169.254.0.0", "169.254.169.254", "169.254.255.255"],
    ["169.253.255.255", "169.255.0.0"],
  ],
  ["private, 172.16/12", ["172.16.0.0", "172.31.255.255"], ["172.15.255.255", "172.32.0.0"]],
  ["protocol assignments", ["192.0.0.0", "192.0.0.192", "192.0.0.255"], ["191.255.255.255", "192.0.1.0"]],
  ["documentation 1", ["192.0.2.0", "192.0.2.255"], ["192.0.3.0"]],
  ["6to4 relay", ["192.88.99.0", "192.88.99.255"], ["192.88.98.255", "192.88.100.0"]],
  ["private, 192.168/16", ["192.168.0.0", "192.168.255.255"], ["192.167.255.255", "192.169.0.0"]],
  ["benchmarks", ["198.18.0.0", "198.19.255.255"], ["198.17.255.255", "198.20.0.0"]],
  ["documentation 2", ["198.51.100.0", "198.51.100.255"], ["198.51.99.255", "198.51.101.0"]],
  ["documentation 3", ["203.0.113.0", "203.0.113.255"], ["203.0.112.255", "203.0.114.0"]],
  ["multicast and reserved", ["224.0.0.1", "239.255.255.255", "240.0.0.0", "255.255.255.255"], ["223.255.255.255"]],
  ["Azure's host agent", ["168.63.129.16"], ["168.63.129.15", "168.63.129.17"]],
  ["unspecified and loopback, IPv6", ["::", "::1"], []],
  [
    "IPv4 inside: compatible, mapped",
    ["::8.8.8.8", "::127.0.0.1", "::ffff:8.8.8.8", "::ffff:127.0.0.1", "::ffff:a00:1"],
    [],
  ],
  ["IPv4 inside: translated", ["::ffff:0:127.0.0.1", "64:ff9b::7f00:1", "64:ff9b::8.8.8.8", "64:ff9b:1::a00:1"], []],
  ["IPv4 inside: 6to4, Teredo", ["2002:7f00:1::", "2002:a9fe:a9fe::1", "2001:0:7f00:1::"], ["2003::1", "2001:200::1"]],
  ["discard only", ["100::", "100::1"], []],
  ["documentation, IPv6", ["2001:db8::1", "3fff::1"], ["2001:db9::1", "2a00:1450:4001::1"]],
  ["unique local and metadata", ["fc00::1", "fd00:ec2::254", "fd20:ce::254"], []],
  ["link-local and site-local", ["fe80::1", "febf::1", "fec0::1"], []],
  ["a zone", ["fe80::1%eth0", "2a00:1450:4001::1%1"], []],
  ["multicast, IPv6", ["ff02::1", "ff0e::1"], []],
  ["segment routing, unassigned", ["5f00::1", "4000::1"], []],
  ["no address", ["", "localhost", "1.2.3", "0x7f000001", "1.2.3.4 ", "[::1]", "2130706433"], []],
];

describe("public addresses", () => {
  it.each(ranges)("do not include %s", (_name, inside, outside) => {
    expect(inside.filter(isPublic)).toEqual([]);
    expect(outside.filter((address) => !isPublic(address))).toEqual([]);
  });
});

describe("loopback addresses", () => {
  it("are this machine's, in plain spelling", () => {
    expect(["127.0.0.1", "127.255.255.255", "::1"].filter((address) => !isLoopback(address))).toEqual([]);
    const others = ["128.0.0.1", "10.0.0.1", "0.0.0.0", "::", "::ffff:127.0.0.1", "::127.0.0.1", "localhost", ""];
    expect(others.filter(isLoopback)).toEqual([]);
  });
});
