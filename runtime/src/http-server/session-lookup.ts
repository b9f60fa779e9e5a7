import { SESSION_ID } from "../http/headers.js";
import type { EndpointContext } from "./endpoint-context.js";
import type { HttpRequest } from "./host-adapter.js";
import { HttpSession } from "./http-session.js";
import type { HttpSessions } from "./http-sessions.js";
import { principalKey } from "./principal-key.js";
import { shuttingDownRejection, tooManySessionsRejection } from "./rejection.js";

/** The form of the ids of sessions: other ids are not looked up. */
const sessionId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Finds sessions that other nodes have opened. */
export class SessionLookup {
  readonly #running = new Map<string, Promise<void>>();

  constructor(
    readonly endpoint: EndpointContext,
    readonly sessions: HttpSessions<HttpSession>,
  ) {}

  /**
   * Makes sure that this node knows the session that a request names, if there is one.
   * @returns a promise when that takes time. It rejects with an HttpRejection when there is no room, or with the error of the backplane.
   * @throws HttpRejection when this node is shutting down
   */
  prepare(request: HttpRequest): Promise<void> | undefined {
    const id = request.header(SESSION_ID);
    if (id === undefined) return undefined;
    const session = this.sessions.get(id);
    // Requests of other principals are rejected, and must not keep the session.
    if (session) return session.owner === principalKey(request.principal) ? session.prepare() : undefined;
    if (!sessionId.test(id)) return undefined;
    this.#assertOpen();
    const running = this.#running.get(id);
    // The request that started the lookup may have had another principal. The session may have changed since it was read.
    if (running) return running.then(() => this.prepare(request));
    const lookup = this.#find(id, request).finally(() => this.#running.delete(id));
    this.#running.set(id, lookup);
    return lookup;
  }

  async #find(id: string, request: HttpRequest): Promise<void> {
    const { server, limits } = this.endpoint;
    const record = await server.node?.sessions.find(id);
    const owner = principalKey(request.principal);
    if (!record || record.owner !== owner) return;
    this.#assertOpen();
    const client = limits.clientOf(request);
    const seconds = this.sessions.makeRoom(client);
    if (seconds !== undefined) throw tooManySessionsRejection(seconds);
    const session = new HttpSession(this.endpoint, id, owner, client, request);
    if (!session.restore(record)) return session.release();
    this.sessions.add(session);
    this.sessions.onUsed(session);
  }

  /** A session that is made later would not be closed. */
  #assertOpen(): void {
    if (this.endpoint.isDraining) throw shuttingDownRejection();
  }
}
