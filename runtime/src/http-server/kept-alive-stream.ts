import type { SwapRemoveItem } from "../collections/swap-remove-set.js";
import type { ClientKey } from "./shared-limit.js";

/** A stream that stays open for later messages. */
export interface StandingStream {
  /** Ends the response, because the authentication has expired. The client may open another one. */
  expire(): void;
}

/** A response that is pending or stays open. */
export interface KeptAliveStream extends SwapRemoveItem, StandingStream {
  /** `performance.now()` of the last write. */
  lastSentAt: number;
  readonly client: ClientKey;
  /** Writes a keep-alive comment, if the response can be a stream. */
  sendKeepAlive(): void;
  /** Watches for a disconnect of the client, if that ends the request. Called repeatedly when no comments are written. */
  watchDisconnect(): void;
}
