import type { GatewayLoss } from "./gateway-loss.js";
import type { LossLog } from "./loss-recorder.js";

/** A server can make up the names of its capabilities each time it starts. */
const most = 1_000;

/** The losses that were found, each once. */
export class RecordedLosses {
  readonly #known = new Set<string>();
  readonly all: GatewayLoss[] = [];

  /**
   * @param log gets one entry for the losses of a message
   * @param report is called with them, too
   */
  constructor(
    readonly log: LossLog,
    readonly report: ((line: string, losses: readonly GatewayLoss[]) => void) | undefined,
  ) {}

  /** Adds losses of one message between two revisions, and reports those that are new. */
  add(losses: readonly GatewayLoss[]): void {
    const added = losses.filter((loss) => this.#isNew(loss));
    const [first] = added;
    if (!first) return;
    this.all.push(...added);
    const line = lineOf(first, added);
    const isFailure = added.some(({ kind }) => kind === "refuse" || kind === "unsupported");
    this.log(isFailure ? "warn" : "info", { losses: added }, line);
    this.report?.(line, added);
  }

  #isNew({ server, from, to, direction, method, kind, at }: GatewayLoss): boolean {
    const key = JSON.stringify([server, from, to, direction, method, kind, at]);
    if (this.#known.has(key) || this.#known.size >= most) return false;
    this.#known.add(key);
    return true;
  }
}

/** `tools/list from server "new" (2026-07-28) to clients of 2025-03-26 loses: Tool.outputSchema (The schema of structured content)` */
function lineOf({ server, from, to, direction, method }: GatewayLoss, losses: readonly GatewayLoss[]): string {
  const isDown = direction === "toClient";
  const ofServer = isDown ? from : to;
  const ofClient = isDown ? to : from;
  const serverName = `server "${server}"${ofServer === undefined ? "" : ` (${ofServer})`}`;
  const clients = `clients${ofClient === undefined ? "" : ` of ${ofClient}`}`;
  const way = isDown ? `from ${serverName} to ${clients}` : `from ${clients} to ${serverName}`;
  const lost = losses.map(({ at, text }) => `${at} (${text.replace(/\.$/, "")})`);
  return `${method} ${way} loses: ${lost.join(", ")}`;
}
