import { LOGGING_SET_LEVEL, NOTIFICATIONS_MESSAGE } from "@mcpwright/protocol/names";
import type { LoggingLevel } from "../authoring.js";
import { hasCapability } from "../connection/capability.js";
import { reportDeprecated } from "../connection/deprecation.js";
import type { RequestPipeline } from "./request-pipeline.js";
import type { SendOptions } from "./send-options.js";

/** The highest level: servers that cannot stop logging send the fewest messages with it. */
const highest: LoggingLevel = "emergency";

/** The log level that the client asks servers for, over all its connections. */
export class ClientLogLevel {
  #level: LoggingLevel | "off" | undefined;

  constructor(readonly listener: { readonly onerror?: (error: Error) => void }) {}

  async set(level: LoggingLevel | "off", requests: RequestPipeline, options?: SendOptions): Promise<void> {
    const { connection } = requests;
    const { profile, receives } = connection.side;
    reportDeprecated(this.listener, NOTIFICATIONS_MESSAGE, receives.notifications[NOTIFICATIONS_MESSAGE]?.deprecated);
    const next = level === "off" ? undefined : level;
    if (profile.logLevel === "request") connection.logLevel = next;
    else await requests.send(LOGGING_SET_LEVEL, { level: next ?? highest }, options);
    this.#level = level;
  }

  /** Asks a new connection for the same level. A failure is reported to `onerror`. */
  async restore(requests: RequestPipeline | undefined): Promise<void> {
    const { connection } = requests ?? {};
    if (!requests || !this.#level || !hasCapability(connection?.negotiated?.serverCapabilities, "server.logging"))
      return;
    await this.set(this.#level, requests).catch((error: unknown) => connection?.report(error));
  }
}
