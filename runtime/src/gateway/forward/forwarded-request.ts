import type { Meta } from "../../jsonrpc/message-types.js";

/** A request to a server, on behalf of a client. */
export interface ForwardedRequest {
  readonly method: string;
  /** The params for the server, with the `_meta` of the client. */
  readonly params: Readonly<Record<string, unknown>> & { readonly _meta?: Meta };
  /** Whether the server may ask for input. */
  readonly isCall: boolean;
  /** Whether the limits of the server do not apply. */
  readonly isUnlimited?: boolean;
  /** The URI in the client's request, for errors about it. */
  readonly uri?: string;
}
