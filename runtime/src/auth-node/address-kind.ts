import { BlockList, isIPv4 } from "node:net";

/**
 * The kind of an address that is not public: `loopback` leads to this machine, and `private` into a local network; `reserved` are
 * link-local addresses, which include the metadata of clouds, and multicast, unspecified and documentation addresses.
 */
export type AddressKind = "loopback" | "private" | "reserved";

type Subnet = readonly [network: string, prefix: number];

/** Special addresses (IANA special-purpose address registries, RFC 6890). */
const v4: Readonly<Record<AddressKind, readonly Subnet[]>> = {
  loopback: [["127.0.0.0", 8]],
  private: [
    ["10.0.0.0", 8],
    ["172.16.0.0", 12],
    ["192.168.0.0", 16],
    // Shared by the customers of a provider (RFC 6598).
    ["100.64.0.0", 10],
  ],
  reserved: [
    ["0.0.0.0", 8],
    // Link-local; 169.254.169.254 has the metadata of cloud machines.
    ["169.254.0.0", 16],
    // A public address that only machines of Azure reach: their agent.
    ["168.63.129.16", 32],
    ["192.0.0.0", 24],
    ["192.0.2.0", 24],
    ["192.88.99.0", 24],
    ["198.18.0.0", 15],
    ["198.51.100.0", 24],
    ["203.0.113.0", 24],
    ["224.0.0.0", 4],
    ["240.0.0.0", 4],
  ],
};

/** All addresses outside 2000::/3 are special. */
const v6: Readonly<Record<AddressKind, readonly Subnet[]>> = {
  loopback: [["::1", 128]],
  private: [["fc00::", 7]],
  reserved: [
    ["::", 3],
    ["4000::", 2],
    ["8000::", 1],
    // Protocol assignments, with Teredo.
    ["2001::", 23],
    ["2001:db8::", 32],
    ["3fff::", 20],
  ],
};

/** Addresses that contain an IPv4 address, to which they lead: the prefix, and the index of its first group. */
const embeddings: readonly (readonly [...Subnet, group: number])[] = [
  // IPv4-mapped, NAT64 (RFC 6052), 6to4 (RFC 3056).
  ["::ffff:0:0", 96, 6],
  ["64:ff9b::", 96, 6],
  ["2002::", 16, 1],
];

const lists = { ipv4: blockLists(v4, "ipv4"), ipv6: blockLists(v6, "ipv6") };
const embeddingLists = embeddings.map(
  ([network, prefix, group]) => [blockList([[network, prefix]], "ipv6"), group] as const,
);

/** Returns the kind of an IP address; undefined for a public one. */
export function addressKind(address: string): AddressKind | undefined {
  // An address of one network interface has its name at the end.
  const bare = address.split("%", 1)[0] ?? "";
  if (isIPv4(bare)) return kindIn(lists.ipv4, bare, "ipv4");
  const embedded = embeddingLists.find(([list]) => list.check(bare, "ipv6"));
  return embedded ? addressKind(embeddedAddress(bare, embedded[1])) : kindIn(lists.ipv6, bare, "ipv6");
}

function kindIn(
  kinds: readonly (readonly [AddressKind, BlockList])[],
  address: string,
  family: "ipv4" | "ipv6",
): AddressKind | undefined {
  return kinds.find(([, list]) => list.check(address, family))?.[0];
}

/** Returns the IPv4 address in two of the eight groups of an IPv6 address. */
function embeddedAddress(address: string, group: number): string {
  // The parser of URLs writes all spellings in one way, the last groups in hexadecimal, too.
  const [head = "", tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const groups = (text: string): readonly string[] => (text === "" ? [] : text.split(":"));
  const before = groups(head);
  const after = groups(tail ?? "");
  const all = [...before, ...new Array<string>(8 - before.length - after.length).fill("0"), ...after];
  return all
    .slice(group, group + 2)
    .map((text) => Number.parseInt(text, 16))
    .flatMap((number) => [number >> 8, number & 0xff])
    .join(".");
}

function blockLists(
  kinds: Readonly<Record<AddressKind, readonly Subnet[]>>,
  family: "ipv4" | "ipv6",
): readonly (readonly [AddressKind, BlockList])[] {
  return (["loopback", "private", "reserved"] as const).map((kind) => [kind, blockList(kinds[kind], family)]);
}

function blockList(subnets: readonly Subnet[], family: "ipv4" | "ipv6"): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of subnets) list.addSubnet(network, prefix, family);
  return list;
}
