import type { MessageConverter } from "../connection/message-converter.js";
import type { ClientRequestHandlers } from "./client-request-handlers.js";
import type { PendingUrlElicitations } from "./handshake/url-elicitation.js";
import type { ResponseCache } from "./response-cache.js";

export interface RequestPipelineOptions {
  readonly maxRounds: number;
  readonly cache: ResponseCache | undefined;
  readonly cacheKey: string;
  readonly principal: string | undefined;
  readonly onInvalidItem: ((item: unknown, method: string) => void) | undefined;
  readonly urlElicitations: PendingUrlElicitations;
  /** Agrees on another revision, because the server has dropped the one in use. Returns whether there is one. */
  readonly renegotiate: () => Promise<boolean>;
  readonly requestHandlers: ClientRequestHandlers;
  /** Learns anew what requests of this method repeat in headers. Returns whether there is something to learn. */
  readonly refreshHeaders: (method: string) => Promise<boolean>;
  /** Results of servers of other revisions. */
  readonly resultConverter: MessageConverter;
}
