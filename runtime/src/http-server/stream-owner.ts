import type { Profile } from "@mcpwright/protocol/contract";
import type { EndpointContext } from "./endpoint-context.js";
import type { ClientKey } from "./shared-limit.js";
import type { StreamEvents } from "./server-backplane.js";

/** The members of a session that its streams use. */
export interface StreamOwner<Stream> {
  readonly endpoint: Pick<EndpointContext, "options" | "maxQueuedBytes">;
  /** The client of the session. */
  readonly client: ClientKey;
  readonly profile: Profile | undefined;
  /** Keeps sent messages, where the revision lets clients resume streams. */
  readonly streamEvents: StreamEvents | undefined;
  report(error: unknown): void;
  /** Called when no client reads the stream any more. */
  onDetached(stream: Stream): void;
  /** Called when nothing more will be sent on the stream. */
  onFinished(stream: Stream): void;
}
