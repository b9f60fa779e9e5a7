/** Starts the servers of one test, and connects clients to them. */
import type { AuthProvider } from "@mcpwright/runtime/client/http";
import { Client } from "@mcpwright/runtime/client";
import {
  StreamableHTTPClientTransport,
  type StreamableHTTPClientTransportOptions,
} from "@mcpwright/runtime/client/http";
import { onTestFinished } from "vitest";
import { type AuthServer, type AuthServerOptions, startAuthServer } from "../auth-server/auth-server.js";
import {
  type ProtectedServer,
  type ProtectedServerOptions,
  startProtectedServer,
} from "../auth-server/protected-server.js";

export interface Servers {
  readonly auth: AuthServer;
  readonly server: ProtectedServer;
}

/** Both servers, until the test has finished. */
export async function startServers(options: AuthServerOptions, served: ProtectedServerOptions = {}): Promise<Servers> {
  const auth = await startAuthServer(options);
  onTestFinished(() => auth.close());
  const server = await startProtectedServer(auth, served);
  onTestFinished(() => server.close());
  return { auth, server };
}

/** A connected client, until the test has finished. */
export async function connect(
  { url }: ProtectedServer,
  authProvider: AuthProvider,
  options: Pick<StreamableHTTPClientTransportOptions, "maxRetryWaitMs"> = {},
): Promise<Client> {
  const client = new Client({ name: "desk", version: "1.0.0" });
  onTestFinished(() => client.close());
  await client.connect(new StreamableHTTPClientTransport(url, { ...options, authProvider }));
  return client;
}

/** Calls a tool. @returns its text */
export async function call(client: Client, name: "read" | "write"): Promise<string> {
  const { content } = await client.callTool({ name });
  return content.map((block) => (block.type === "text" ? block.text : block.type)).join("\n");
}
