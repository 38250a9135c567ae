import { BlockList, isIP } from "node:net";

/**
 * IPv4 that is not for everybody: IANA's special-purpose registry, multicast and reserved space, and Azure's host
 * agent, which has an address that looks public. Other clouds keep their metadata in these ranges.
 */
const specialIpv4 = blockList("ipv4", [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["168.63.129.16", 32],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.31.196.0", 24],
  ["192.52.193.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["192.175.48.0", 24],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
]);

/**
 * All IPv6 that is handed out for general use. Outside of it lie loopback, link-local, unique-local and multicast
 * addresses, and every form that carries an IPv4 address inside: mapped, compatible, translated (NAT64).
 */
const globalIpv6 = blockList("ipv6", [["2000::", 3]]);

/** Within it: protocol assignments with Teredo, documentation, 6to4, which carries an IPv4 address, and AS112. */
const specialIpv6 = blockList("ipv6", [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["2620:4f:8000::", 48],
  ["3fff::", 20],
]);

const loopbackIpv4 = blockList("ipv4", [["127.0.0.0", 8]]);
const loopbackIpv6 = blockList("ipv6", [["::1", 128]]);

/** Whether anybody on the internet could be reached at this literal address. */
export function isPublic(address: string): boolean {
  switch (familyOf(address)) {
    case "ipv4":
      return !specialIpv4.check(address, "ipv4");
    case "ipv6":
      return globalIpv6.check(address, "ipv6") && !specialIpv6.check(address, "ipv6");
    case null:
      return false;
  }
}

/** Whether this literal address is the machine itself. */
export function isLoopback(address: string): boolean {
  switch (familyOf(address)) {
    case "ipv4":
      return loopbackIpv4.check(address, "ipv4");
    case "ipv6":
      return loopbackIpv6.check(address, "ipv6");
    case null:
      return false;
  }
}

/** Null for what is no address, and for one with a zone, which has a meaning on this machine only. */
function familyOf(address: string): "ipv4" | "ipv6" | null {
  if (address.includes("%")) return null;
  switch (isIP(address)) {
    case 4:
      return "ipv4";
    case 6:
      return "ipv6";
    default:
      return null;
  }
}

function blockList(family: "ipv4" | "ipv6", subnets: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of subnets) list.addSubnet(network, prefix, family);
  return list;
}
