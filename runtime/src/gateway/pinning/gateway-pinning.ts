import type { Client } from "../../client.js";
import type { ProtocolError } from "../../jsonrpc/errors.js";
import type { ForwardedRequest } from "../forward/forwarded-request.js";
import type { Catalog, ListItems, ListName } from "../upstream/catalog.js";

/** Decides what clients may use of a server, by what was approved: `pinnedBy()` creates it. */
export interface GatewayPinning {
  /** Called with each new connection to a server. */
  attachConnection(connection: PinningTarget): PinnedConnection;
}

/** What pinning uses of a connection to a server. */
export interface PinningTarget {
  /** The name of the server. */
  readonly server: string;
  readonly client: Client;
  readonly catalog: Catalog;
  readonly report: (error: Error) => void;
}

/** A connection to a server whose tools, prompts and instructions are compared with those that were approved. */
export interface PinnedConnection {
  /** Whether all of them were compared, and the server has not changed them since. */
  readonly isCompared: boolean;
  /** Whether nothing of the server may be used over this connection. */
  readonly isRefused: boolean;
  /** The instructions that clients may get. */
  readonly instructions: string | undefined;
  /**
   * Compares what was not compared, or has changed since.
   * @param meta the `_meta` of the requests for lists
   * @throws SdkError `NOT_APPROVED` when the server is refused, and the error of a list that the server does not send
   */
  compare(meta: object): Promise<void>;
  /**
   * Returns the items of a list that clients may use; the same object if they may use all.
   * @throws SdkError `NOT_APPROVED` when the server is refused
   */
  approve<Name extends ListName>(list: Name, items: readonly ListItems[Name][]): readonly ListItems[Name][];
  /** The items of a list that clients may not use. */
  withheld<Name extends ListName>(list: Name): readonly ListItems[Name][];
  /** The error of a request for an item that clients may not use over this connection. */
  problemOf(request: ForwardedRequest): ProtocolError | undefined;
  /** Whether the server may send a question outside of requests. */
  mayAsk(method: string): boolean;
}
