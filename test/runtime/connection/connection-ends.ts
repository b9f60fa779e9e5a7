/** Servers and clients with a test wire as the transport. */
import type { Side } from "@mcpwright/protocol/contract";
import { clientSides } from "@mcpwright/protocol/client-sides";
import { serverSides } from "@mcpwright/protocol/server-sides";
import type { ClientCapabilities } from "../../../runtime/src/authoring.js";
import { Client, type ClientOptions } from "../../../runtime/src/client.js";
import { ClientConnection } from "../../../runtime/src/client/client-connection.js";
import type { ConnectionOptions } from "../../../runtime/src/connection/connection-options.js";
import { DispatchTable } from "../../../runtime/src/connection/dispatch-table.js";
import { Server, type ServerOptions } from "../../../runtime/src/server.js";
import type { ServerConnection } from "../../../runtime/src/server/contracts.js";
import { notification, request, result, Wire, type Message } from "./wire.js";

export const R1 = "2024-11-05";
export const R2 = "2025-03-26";
export const R3 = "2025-06-18";
export const R4 = "2025-11-25";
export const R5 = "2026-07-28";
export const handshakeEra = [R1, R2, R3, R4];
export const all = [...handshakeEra, R5];

export const clientInfo = { name: "client", version: "1.0.0" };
export const serverInfo = { name: "server", version: "2.0.0" };
export const versionKey = "io.modelcontextprotocol/protocolVersion";
export const capabilitiesKey = "io.modelcontextprotocol/clientCapabilities";
export const infoKey = "io.modelcontextprotocol/clientInfo";
export const logLevelKey = "io.modelcontextprotocol/logLevel";
export const subscriptionKey = "io.modelcontextprotocol/subscriptionId";
export const serverInfoKey = "io.modelcontextprotocol/serverInfo";

export function serverSide(revision: string): Side {
  return find(serverSides, revision);
}

export function clientSide(revision: string): Side {
  return find(clientSides, revision);
}

function find(sides: readonly Side[], wanted: string): Side {
  const side = sides.find(({ revision }) => revision === wanted);
  if (!side) throw new Error(`${wanted} is not published`);
  return side;
}

export interface Served {
  readonly server: Server;
  readonly connection: ServerConnection;
  readonly wire: Wire;
  /** The errors passed to `onerror`. */
  readonly errors: Error[];
}

type ServeOptions = ServerOptions & { readonly revisions?: readonly Side[] };

/** Creates a server with one connection; the test acts as the client. */
export async function serve(
  options: ServeOptions = {},
  handlers: Parameters<Server["handle"]>[0] = {},
): Promise<Served> {
  const errors: Error[] = [];
  const capabilities = { tools: {} };
  const server = new Server(serverInfo, { capabilities, onerror: (error) => errors.push(error), ...options });
  server.handle(handlers);
  const wire = new Wire();
  return { server, wire, errors, connection: await server.connect(wire) };
}

/** Sends `initialize` and `notifications/initialized` to a server. */
export async function initialize(wire: Wire, revision: string, capabilities: object = {}): Promise<Message> {
  const answer = await wire.ask("initialize", "initialize", { protocolVersion: revision, capabilities, clientInfo });
  wire.receive(notification("notifications/initialized"));
  return answer;
}

/** Creates a server with one open session. */
export async function serveSession(
  revision: string,
  options?: ServeOptions,
  handlers?: Parameters<Server["handle"]>[0],
  capabilities?: object,
): Promise<Served> {
  const served = await serve(options, handlers);
  await initialize(served.wire, revision, capabilities);
  return served;
}

/** Creates a server with a client of a revision. */
export function serveEither(
  revision: string,
  handlers: Parameters<Server["handle"]>[0],
  options?: ServeOptions,
  capabilities?: object,
): Promise<Served> {
  return revision === R5 ? serve(options, handlers) : serveSession(revision, options, handlers, capabilities);
}

/** Returns params as a stateless-era client sends them. */
export function modern(params: object = {}, capabilities: object = {}, meta: object = {}): object {
  return { ...params, _meta: { [versionKey]: R5, [capabilitiesKey]: capabilities, [infoKey]: clientInfo, ...meta } };
}

/** Returns a call of the tool `name` in the form of a revision. */
export function call(id: string | number, revision: string, name = "t", capabilities: object = {}): object {
  return request(id, "tools/call", revision === R5 ? modern({ name }, capabilities) : { name });
}

/** Gives access to protected members of a connection. */
export class OpenClient extends ClientConnection {
  get waiting(): number {
    return this.pending.size;
  }

  get handling(): number {
    return this.inflight.size;
  }
}

export interface Connected {
  readonly client: OpenClient;
  readonly wire: Wire;
  readonly errors: Error[];
}

export interface ClientSetUp extends ConnectionOptions {
  readonly capabilities?: ClientCapabilities;
  readonly serverCapabilities?: object;
}

/** Creates a client connection with a negotiated revision; the test acts as the server. */
export async function clientOf(revision: string, setUp: ClientSetUp = {}): Promise<Connected> {
  const { capabilities = {}, serverCapabilities = { tools: {} }, ...options } = setUp;
  const errors: Error[] = [];
  const wire = new Wire();
  const side = clientSide(revision);
  const client = new OpenClient(wire, side, new DispatchTable(() => true), clientInfo, {
    capabilities,
    onerror: (error) => errors.push(error),
    ...options,
  });
  await client.open();
  client.setNegotiated({ side, serverCapabilities, serverInfo, instructions: undefined });
  return { client, wire, errors };
}

export interface HighClient {
  readonly client: Client;
  readonly wire: Wire;
  readonly errors: Error[];
}

/** Creates a connected `Client`; the test acts as the server. */
export async function connectClient(
  revision: string,
  options: ClientOptions = {},
  serverCapabilities: object = { tools: {}, resources: {}, prompts: {} },
): Promise<HighClient> {
  const errors: Error[] = [];
  const client = new Client(clientInfo, {
    revisions: [clientSide(revision)],
    onerror: (error) => errors.push(error),
    ...options,
  });
  const wire = new Wire();
  const connected = client.connect(wire);
  const { id = "" } = await wire.next();
  wire.receive(
    revision === R5
      ? result(id, discovered([R5], serverCapabilities))
      : result(id, { protocolVersion: revision, capabilities: serverCapabilities, serverInfo }),
  );
  await connected;
  wire.take();
  return { client, wire, errors };
}

export function discovered(supportedVersions: readonly string[], capabilities: object = {}): object {
  return { resultType: "complete", supportedVersions, capabilities, ttlMs: 0, cacheScope: "private" };
}

/** Returns the number of pending and of received requests of a server connection. */
export function openOf(connection: ServerConnection): { readonly waiting: number; readonly handling: number } {
  const size = (name: string): number => (Reflect.get(connection, name) as { readonly size: number }).size;
  return { waiting: size("pending"), handling: size("inflight") };
}
