import { isIPv6 } from "node:net";
import { addressKind } from "../../auth-node/address-kind.js";

/** An hour, in milliseconds. */
const hour = 3_600_000;

/** Most addresses that are counted one by one. */
const maxAddresses = 10_000;

interface Count {
  readonly since: number;
  used: number;
}

/** Bounds how often an address, and all together, may do something per hour, so that a flood from one address does not lock out others. */
export class AddressLimits {
  /** By address, the one that began its hour first in front. */
  readonly #counts = new Map<string, Count>();
  #total: Count = { since: -Infinity, used: 0 };

  constructor(
    readonly perAddress: number,
    readonly perHour: number,
    readonly now: () => number = Date.now,
  ) {}

  /** The number of addresses that are counted. */
  get size(): number {
    return this.#counts.size;
  }

  /**
   * Counts one use.
   * @param address undefined when it is not known: then only the limit of all addresses applies
   * @returns undefined, or the seconds after which the address may try again
   */
  use(address: string | undefined): number | undefined {
    const now = this.now();
    if (now - this.#total.since >= hour) this.#total = { since: now, used: 0 };
    const count = address === undefined ? undefined : this.#countOf(networkOf(address), now);
    if (count && count.used >= this.perAddress) return waitFrom(count.since, now);
    if (this.#total.used >= this.perHour) return waitFrom(this.#total.since, now);
    if (count) count.used++;
    this.#total.used++;
    return undefined;
  }

  #countOf(network: string, now: number): Count {
    const found = this.#counts.get(network);
    if (found && now - found.since < hour) return found;
    this.#counts.delete(network);
    for (const [key, { since }] of this.#counts) {
      if (now - since < hour && this.#counts.size < maxAddresses) break;
      this.#counts.delete(key);
    }
    const count = { since: now, used: 0 };
    this.#counts.set(network, count);
    return count;
  }
}

function waitFrom(since: number, now: number): number {
  return Math.max(1, Math.ceil((since + hour - now) / 1_000));
}

/** One site owns a whole /64 network of IPv6 addresses. */
function networkOf(address: string): string {
  const [plain = ""] = address.split("%");
  if (!isIPv6(plain)) return plain;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1];
  if (mapped !== undefined) return mapped;
  const [left = "", right] = plain.toLowerCase().split("::", 2);
  const head = left === "" ? [] : left.split(":");
  const tail = right === undefined || right === "" ? [] : right.split(":");
  const groups =
    right === undefined
      ? head
      : [...head, ...Array<string>(Math.max(0, 8 - head.length - tail.length)).fill("0"), ...tail];
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":");
}

/**
 * The public address that a connection comes from. Behind a reverse proxy, connections come from its address, which is not public
 * and says nothing about the client.
 */
export function publicAddress(address: string | undefined): string | undefined {
  return address === undefined || addressKind(address) ? undefined : address;
}
