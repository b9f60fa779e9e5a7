import { lookup as systemLookup, type LookupAddress } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { AuthorizationError } from "../auth.js";
import { SdkError } from "../jsonrpc/errors.js";
import { parseUrl } from "../jsonrpc/parse-url.js";
import { type AddressKind, addressKind } from "./address-kind.js";

export interface AddressGuardOptions {
  /**
   * Hosts that may have a loopback or private address: names such as `auth.corp.example`, or IP addresses, without a port. Name
   * only hosts that you chose yourself. An address that is reserved, such as those with the metadata of clouds, must be named
   * itself. The function is called with the host as URLs spell it, and the kind of its address. Default: none.
   */
  readonly allow?: readonly string[] | ((host: string, kind: AddressKind) => boolean);
  /** Resolves host names. Default: `lookup` of `node:dns`, which asks the operating system. */
  readonly lookup?: LookupFunction;
}

/** Refuses connections to addresses that are not public. */
export class AddressGuard {
  readonly #allow: (host: string, kind: AddressKind) => boolean;
  readonly #lookup: LookupFunction;

  /** @throws SdkError `INVALID_CONFIGURATION` when an entry of `allow` is not a host */
  constructor({ allow = [], lookup = systemLookup }: AddressGuardOptions) {
    this.#allow = typeof allow === "function" ? allow : oneOf(allow.map(canonicalHost));
    this.#lookup = lookup;
  }

  /** Checks a host that is an IP address: it is not looked up. @throws AuthorizationError `insecure-url` */
  assertLiteral(url: URL): void {
    const host = hostOf(url);
    if (isIP(host)) this.#assertAddress(host, host);
  }

  /** Resolves a name for a connection. The connection gets only addresses that were checked. */
  resolve(...[host, options, callback]: Parameters<LookupFunction>): void {
    this.#lookup(host, options, (error, found, family) => {
      callback(error ?? this.#refusal(host, found), found, family);
    });
  }

  #refusal(host: string, found: string | readonly LookupAddress[]): Error | null {
    try {
      for (const { address } of typeof found === "string" ? [{ address: found }] : found)
        this.#assertAddress(host, address);
      return null;
    } catch (error) {
      return error as Error;
    }
  }

  #assertAddress(host: string, address: string): void {
    const kind = addressKind(address);
    if (!kind) return;
    // The owner of a name decides where it leads, so a name opens no reserved address.
    if ((kind !== "reserved" || host === address) && this.#allow(host, kind)) return;
    throw new AuthorizationError(
      "insecure-url",
      `${host} ${host === address ? "is" : `has the address ${address},`} a ${kind} address, to which a server must not direct this program. If you trust it, name the host in the option allow of guardedFetch`,
    );
  }
}

function oneOf(hosts: readonly string[]): (host: string) => boolean {
  const allowed = new Set(hosts);
  return (host) => allowed.has(host);
}

/** The host of a URL as lookups spell it: IPv6 addresses without brackets. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "");
}

function canonicalHost(entry: string): string {
  const bare = entry.replace(/^\[(.*)\]$/, "$1");
  const host = isIP(bare) === 6 ? `[${bare}]` : /^[^\s/\\?#@:]+$/.test(bare) ? bare : "";
  const url = parseUrl(`http://${host}`);
  if (url) return hostOf(url);
  throw new SdkError(
    "INVALID_CONFIGURATION",
    `allow must contain host names or IP addresses without scheme and port, not ${JSON.stringify(entry)}`,
  );
}
