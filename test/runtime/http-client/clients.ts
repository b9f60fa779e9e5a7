import { onTestFinished } from "vitest";
import { Client } from "../../../runtime/src/client.js";
import { StreamableHTTPClientTransport } from "../../../runtime/src/client/http.js";
import type { ClientOptions, ConnectOptions } from "../../../runtime/src/client/core.js";
import type { StreamableHTTPClientTransportOptions } from "../../../runtime/src/client/http.js";
import type { FakeServer } from "./fake-server.js";

/** Options with short delays. */
export const quick = { initialReconnectionDelay: 5, maxReconnectionDelay: 20, maxRetries: 3 };

export interface Connected {
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport;
  readonly errors: Error[];
}

/** A client to connect to a server. */
export function clientFor(
  { url }: Pick<FakeServer, "url">,
  options: StreamableHTTPClientTransportOptions = {},
  clientOptions: ClientOptions = {},
): Connected {
  const errors: Error[] = [];
  const client = new Client(
    { name: "client", version: "1" },
    { onerror: (error) => void errors.push(error), ...clientOptions },
  );
  const transport = new StreamableHTTPClientTransport(url, { reconnectionOptions: quick, ...options });
  onTestFinished(() => client.close());
  return { client, transport, errors };
}

export async function connected(
  server: Pick<FakeServer, "url">,
  options: ConnectOptions = {},
  transportOptions: StreamableHTTPClientTransportOptions = {},
  clientOptions: ClientOptions = {},
): Promise<Connected> {
  const made = clientFor(server, transportOptions, clientOptions);
  await made.client.connect(made.transport, options);
  return made;
}
