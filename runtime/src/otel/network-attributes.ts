import type { Attributes } from "@opentelemetry/api";
import { parseUrl } from "../jsonrpc/parse-url.js";
import type { HttpRequestInfo } from "../transport/message-extra.js";
import type { Transport } from "../transport/transport.js";

/** What a message and its transport say of the network. */
export interface NetworkAttributes {
  readonly protocol: Attributes;
  /** The address of the server: an attribute of messages that are sent, and of a client's sessions. */
  readonly server: Attributes;
  /** The address of the client: an attribute of the spans of messages that are received. */
  readonly client: Attributes;
}

const none: Attributes = {};

/** What a transport says: its kind of network, or the URL of the server. */
export function networkOfTransport({ network, serverId }: Transport): NetworkAttributes {
  if (network) return { protocol: { "network.transport": network }, server: none, client: none };
  const url = serverId === undefined ? undefined : parseUrl(serverId);
  if (url?.protocol !== "http:" && url?.protocol !== "https:") return { protocol: none, server: none, client: none };
  return {
    protocol: { "network.transport": "tcp", "network.protocol.name": "http" },
    server: {
      "server.address": url.hostname.replace(/^\[(.*)\]$/, "$1"),
      "server.port": Number(url.port || (url.protocol === "https:" ? 443 : 80)),
    },
    client: none,
  };
}

/** What the HTTP request says that contained a message. */
export function networkOfRequest({ httpVersion, remoteAddress, remotePort }: HttpRequestInfo): NetworkAttributes {
  return {
    protocol: {
      "network.transport": "tcp",
      "network.protocol.name": "http",
      // OpenTelemetry writes "2" and "3".
      ...(httpVersion !== undefined && { "network.protocol.version": httpVersion.replace(/^([23])\.0$/, "$1") }),
    },
    server: none,
    client: {
      ...(remoteAddress !== undefined && { "client.address": remoteAddress }),
      ...(remoteAddress !== undefined && remotePort !== undefined && { "client.port": remotePort }),
    },
  };
}
