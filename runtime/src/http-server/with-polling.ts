import type { HttpRequestInfo } from "../transport/message-extra.js";
import type { HttpRequest } from "./host-adapter.js";

type CloseStream = NonNullable<HttpRequestInfo["closeSSE"]>;

/** The HTTP request as handlers see it, with the functions that close streams so that the client reconnects. */
export function withPolling(
  request: HttpRequest,
  closeSSE: CloseStream,
  closeStandaloneSSE: CloseStream,
): HttpRequestInfo {
  const { url, remoteAddress, remotePort, httpVersion } = request;
  const header = (name: string): string | undefined => request.header(name);
  return { url, remoteAddress, remotePort, httpVersion, header, closeSSE, closeStandaloneSSE };
}
