import { carriesProtocolVersion } from "../jsonrpc/protocol-version-meta.js";
import { assertOwner } from "./assert-owner.js";
import type { EndpointContext } from "./endpoint-context.js";
import type { HttpRequest, Responder } from "./host-adapter.js";
import { LegacySseSession } from "./legacy-sse-session.js";
import { HttpRejection, shuttingDownRejection } from "./rejection.js";
import type { SsePost, SseSessions } from "./sse-streams.js";

/** The query parameter with the stream id in the URL that HTTP+SSE clients post to. Not `sessionId`, which hosts may use. */
const streamParam = "sseSession";

/** The sessions of HTTP+SSE clients of an endpoint, by the id of their stream. Bounded by `maxStreams`. */
export class LegacySseSessions extends Map<string, LegacySseSession> implements SseSessions {
  /** @param postPath the path to which clients post. Default: that of the stream */
  constructor(
    readonly endpoint: EndpointContext,
    readonly postPath: string | undefined,
  ) {
    super();
  }

  /** Opens the stream of a client. @throws HttpRejection */
  open(request: HttpRequest, responder: Responder): void {
    const { node } = this.endpoint.server;
    if (node) node.sseStreams.open(this, request, responder);
    else this.start(crypto.randomUUID(), request, responder);
  }

  start(id: string, request: HttpRequest, responder: Responder): void {
    const { endpoint, postPath } = this;
    if (endpoint.isDraining) throw shuttingDownRejection();
    if (!endpoint.streams.hasRoom(endpoint.limits.clientOf(request))) throw new HttpRejection(503, "Too many streams");
    // The query of the client's URL, which may contain keys, is needed in later requests.
    const [path = "", search] = request.url.split(/\?(.*)/s);
    const query = new URLSearchParams(search);
    query.set(streamParam, id);
    const postUrl = `${postPath ?? path}?${query.toString()}`;
    this.set(id, new LegacySseSession(endpoint, id, request, responder, postUrl));
  }

  /** Handles a POST that names a stream. Returns whether it did. @throws HttpRejection */
  post(http: HttpRequest, message: unknown, responder: Responder, bytes: number): boolean {
    const at = http.url.indexOf("?");
    const id = at < 0 ? null : new URLSearchParams(http.url.slice(at)).get(streamParam);
    if (id === null) return false;
    const { server, originPolicy } = this.endpoint;
    const post = { message, bytes, http, principal: http.principal };
    if (!this.has(id)) {
      if (server.node?.sseStreams.post(this, id, post, http, responder)) return true;
      if (carriesProtocolVersion(message)) return false;
    }
    this.receive(id, post);
    responder.respond(202, originPolicy.headers(http));
    return true;
  }

  receive(id: string, post: SsePost): void {
    assertOwner(this.get(id), post).receive(post);
  }
}
