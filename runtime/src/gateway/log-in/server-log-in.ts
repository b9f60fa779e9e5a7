import type { Tool } from "../../authoring.js";
import type { AuthProvider } from "../../http-client/auth-provider.js";
import type { StateSealer } from "../../request-state/state-sealer.js";
import type { ServerContext } from "../../server/contracts.js";
import type { ItemOrigin } from "../composition/join-items.js";
import type { JoinedItems } from "../lists/joined-items.js";

/** How each user of a gateway logs in at one of its servers: `server()` of what `createUserLogIn` returns makes it. */
export interface ServerLogIn {
  /** Called for each server of a gateway that has the option. @throws SdkError `INVALID_CONFIGURATION` @internal */
  attachServer(target: LogInTarget): AttachedLogIn;
  /**
   * @param servers the names of all servers at which users log in
   * @param nameOf the name that clients see for a tool of a server
   * @internal
   */
  toolsFor(servers: readonly string[], nameOf: (server: string, name: string) => string): LogInTools;
}

/** What the log-in at a server needs of the gateway. */
export interface LogInTarget {
  /** The name of the server. */
  readonly name: string;
  readonly url: URL;
  /** Seals with the `stateKeys` of the gateway. */
  readonly sealer: Pick<StateSealer, "open" | "seal">;
  report(error: Error): void;
  /** Called when a user has logged in: the connections of before are not used any more. */
  loggedIn(user: string): void;
}

/** The log-in of the users at one server. A user is identified by issuer and subject, as one text. */
export interface AttachedLogIn {
  /** Returns the user who sent a request; undefined when the client was not authenticated. */
  userOf(context: Pick<ServerContext, "extra">): string | undefined;
  /**
   * Returns what authorizes the requests of a user.
   * @throws an error that means a missing log-in, when that is known without a request to the server; SdkError without a user
   */
  providerFor(user: string | undefined): Promise<AuthProvider>;
  /** Whether an error means that the user has to log in first. */
  isMissing(error: unknown): boolean;
  /** Whether an error concerns the authorization of one user only. */
  isOfUser(error: unknown): boolean;
  /**
   * Waits for the log-in that the client was asked for in the round before.
   * @returns the result when the user refused it
   * @throws ProtocolError the same
   */
  resume(context: ServerContext): Promise<object | undefined>;
  /**
   * Asks for the log-in.
   * @param isWanted whether the client has called the tool that starts the log-in
   * @returns a result that asks for it
   * @throws ProtocolError in revisions and for clients where an error asks for it
   */
  ask(context: ServerContext, isWanted: boolean): Promise<object>;
  /** Called when the gateway no longer has the server: its links are of no use from then on. */
  detach(): void;
}

/** The tools that start log-ins. */
export interface LogInTools {
  /** Adds a tool for each of these servers, under a name that no other has. */
  addTo(joined: JoinedItems<Tool>, servers: readonly string[]): JoinedItems<Tool>;
  /** Returns the tool of this name, also when it is not listed because the user has logged in. */
  find(name: string): ItemOrigin<Tool> | undefined;
  /** Whether a tool starts a log-in. */
  has(tool: ItemOrigin<Tool>): boolean;
  /** The result for a user who has logged in. */
  loggedIn(server: string): Record<string, unknown>;
}

/** What a round of a request says about the log-in that was asked for, in its `requestState`. */
export interface AskedLogIn {
  readonly server: string;
  /** Identifies the log-in. */
  readonly nonce: string;
  /** The key of the input request. */
  readonly key: string;
}
