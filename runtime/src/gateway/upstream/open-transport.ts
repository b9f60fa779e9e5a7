import { StreamableHTTPClientTransport } from "../../client/http.js";
import { InMemoryTransport } from "../../index.js";
import type { AuthProvider } from "../../http-client/auth-provider.js";
import type { Transport } from "../../transport/transport.js";
import type { GatewaySource } from "../gateway-options.js";

/**
 * Creates the transport of a new connection to a server.
 * @param authProvider authorizes the requests to a URL. Default: as the options say
 */
export async function openTransport(
  { url, http, server, transport }: GatewaySource,
  authProvider?: AuthProvider,
): Promise<Transport> {
  if (transport) return transport();
  if (server) {
    const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
    await server.connect(serverEnd);
    return clientEnd;
  }
  return new StreamableHTTPClientTransport(String(url), authProvider ? { ...http, authProvider } : http);
}
