import type { MethodHandlers } from "../../connection/dispatch-table.js";
import type { ClientExtension } from "../../client/client-extension.js";
import type { ServerContext } from "../../server/contracts.js";
import type { ServerExtension } from "../../server/server-extension.js";
import type { ResourceUris } from "../composition/resource-uris.js";
import type { UriMap } from "../composition/result-uris.js";
import type { ForwardedRequest } from "../forward/forwarded-request.js";
import type { GatewayLoss } from "../losses/gateway-loss.js";
import type { MissingServer } from "../lists/missing-server.js";

type Result = Record<string, unknown>;

/** The servers that have an extension, and those that could not be asked. */
export interface ServersWithExtension {
  readonly servers: readonly string[];
  readonly missing: readonly MissingServer[];
}

/** What an extension uses of a gateway. */
export interface ExtensionHost {
  /** The URIs of the resources that clients can list now. */
  readonly resourceUris: (context: ServerContext) => Promise<ResourceUris>;
  /**
   * Sends a request to a server, and gives the URIs in its result the form that clients know.
   * @throws ProtocolError the error of the server, or one that says why there is no response
   */
  readonly call: (
    context: ServerContext,
    server: string,
    request: ForwardedRequest,
    mapResult: (result: Result, map: UriMap) => object,
  ) => Promise<object>;
  /** The servers that declare an extension, in their order. */
  readonly serversWith: (context: ServerContext, id: string) => Promise<ServersWithExtension>;
}

/** What an extension adds to a gateway. */
export interface GatewayExtensionHandlers {
  /** The handlers of its methods. */
  readonly handlers: MethodHandlers;
  /** Called with the results that it adds to methods of the revision, by their type. Clients get them as they are. */
  readonly added?: Readonly<Record<string, (result: Result, context: ServerContext, server: string) => void>>;
}

/** An extension whose messages pass through a gateway: `tasksThrough()` and `skillsThrough()` create them. */
export interface GatewayExtension {
  /** Towards clients. */
  readonly server: ServerExtension;
  /** Towards servers. One that clients declare is declared for those clients alone. */
  readonly client: ClientExtension;
  /** The messages of servers with the extension that do not pass. Default: all pass. */
  readonly unsupported?: readonly Omit<GatewayLoss, "server" | "from" | "to">[];
  attachGateway(host: ExtensionHost): GatewayExtensionHandlers;
}

/** Whether clients declare an extension, so that servers get its messages only on behalf of those clients. */
export function isDeclared({ client }: GatewayExtension): boolean {
  return client.declaredBy !== "server";
}
