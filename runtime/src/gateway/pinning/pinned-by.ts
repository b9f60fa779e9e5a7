import { SdkError } from "../../jsonrpc/errors.js";
import type { PinningPolicy } from "./apply-policy.js";
import type { SurfaceChange } from "./compare-with-lock.js";
import type { GatewayLock } from "./gateway-lock.js";
import type { GatewayPinning, PinnedConnection, PinningTarget } from "./gateway-pinning.js";
import { PinnedSurface } from "./pinned-surface.js";
import { ChangeReports } from "./change-reports.js";

export interface PinnedByOptions {
  /** What happens when a server shows something that the lock does not contain. Default: `"refuse"`. */
  readonly policy?: PinningPolicy;
  /** Called once with each set of changes of a server, besides the report to `onerror`. */
  readonly onchange?: (changes: readonly SurfaceChange[]) => void;
}

/** The option `pinning` of a gateway. */
export interface Pinning extends GatewayPinning {
  readonly policy: PinningPolicy;
  /** What was approved. */
  readonly lock: GatewayLock;
  /**
   * Replaces what was approved. Each server is compared with it before its next request; call `gateway.update` with the same servers, so that
   * clients request the lists again.
   */
  update(lock: GatewayLock): void;
}

const policies: readonly PinningPolicy[] = ["refuse", "quarantine", "report"];

/**
 * Pins the tools, prompts and instructions of all servers of a gateway. Before a server is used, what it shows is compared with the lock, and
 * again when it notifies of changes. Changes are reported to `onerror` as a diff, once each.
 *
 * Servers that do not notify of changes are compared when a client requests a list, and before a request if the last comparison is a minute
 * ago. Resources are not pinned.
 * @example
 * ```ts
 * const lock = await parseLock(await readFile("gateway.lock.json", "utf8")); // written with lockServers() and formatLock()
 * const gateway = createGateway({ servers, pinning: pinnedBy(lock, { policy: "quarantine" }) });
 * ```
 * @throws SdkError `INVALID_CONFIGURATION` for an unknown policy
 */
export function pinnedBy(lock: GatewayLock, { policy = "refuse", onchange }: PinnedByOptions = {}): Pinning {
  if (!policies.includes(policy))
    throw new SdkError(
      "INVALID_CONFIGURATION",
      `policy of pinnedBy must be one of ${policies.join(", ")}, not ${JSON.stringify(policy)}`,
    );
  const reports = new ChangeReports(policy, onchange);
  let current = lock;
  return {
    policy,
    get lock() {
      return current;
    },
    update(next) {
      current = next;
    },
    attachConnection(target: PinningTarget): PinnedConnection {
      return new PinnedSurface(target, policy, () => current, reports);
    },
  };
}
