import type { Client } from "../../client.js";
import type { Logger } from "../../connection/logger.js";
import type { ServerContext } from "../../server/contracts.js";
import type { GatewayLoss } from "./gateway-loss.js";

/** Losses that have another reason than the revisions. */
export type OtherLoss = "question" | "logMessage" | "logLevel" | "subscription";

/** A connection to a server, as losses depend on it. */
export interface LossyConnection {
  readonly server: string;
  readonly client: Pick<Client, "era" | "getNegotiatedProtocolVersion" | "getServerCapabilities">;
  readonly isStateless: boolean;
  /** Whether the server has log messages. */
  readonly canLog: boolean;
  readonly options: { readonly isolation?: string };
  readonly events: { readonly extensions: readonly PassedExtension[] };
}

/** An extension whose messages pass through a gateway, as losses depend on it. */
export interface PassedExtension {
  readonly client: { readonly id: string };
  readonly unsupported?: readonly Omit<GatewayLoss, "server" | "from" | "to">[];
}

/** The servers whose lists were joined. */
export interface ListedServers {
  /** Those from which the parts of the list are. */
  connections(): Iterable<LossyConnection>;
  /** Whether the gateway has the server, and the client may use it: by its scopes, and by the log-in of its user. */
  mayKnow(server: string): boolean;
}

/** Finds the losses of a gateway while it passes messages on. All methods are cheap for messages of which they know the losses. */
export interface LossRecorder {
  readonly losses: readonly GatewayLoss[];
  /** A connection is open, so that the capabilities of the server are known. */
  opened(connection: LossyConnection): void;
  /** The client gets the result of its request. */
  answered(connection: LossyConnection, context: ServerContext): void;
  /**
   * The client gets a list that was joined.
   * @returns what adds the losses to the result, if the client has requested them
   * @throws ProtocolError -32602 if the request for losses is malformed
   */
  listed(list: object, context: ServerContext, from: ListedServers): ((result: object) => object) | undefined;
  /** A client of a revision gets a question of the server, and the server the answer. */
  asked(connection: LossyConnection, clientRevision: string, method: string): void;
  /** A client of a revision gets a notification of the server. */
  notified(connection: LossyConnection, clientRevision: string, method: string): void;
  lost(loss: OtherLoss, connection: LossyConnection, method: string): void;
}

/** Writes an entry for losses. */
export type LossLog = (level: keyof Logger, details: object, message: string) => void;

/** The option `losses` of a gateway: `conversionLosses()` creates it. */
export interface LossRecording {
  /** Called once by the gateway. */
  start(log: LossLog): LossRecorder;
}
