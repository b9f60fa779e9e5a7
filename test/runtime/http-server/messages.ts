import type { Answer, Host, Sent } from "./hosts.js";

export const R1 = "2024-11-05";
export const R2 = "2025-03-26";
export const R3 = "2025-06-18";
export const R4 = "2025-11-25";
export const R5 = "2026-07-28";
export const streamable = [R2, R3, R4] as const;

export const BOTH = "application/json, text/event-stream";
export const VERSION = "io.modelcontextprotocol/protocolVersion";
export const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

export interface Message {
  readonly jsonrpc: "2.0";
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export function request(id: unknown, method: string, params?: object): object {
  return { jsonrpc: "2.0", id, method, ...(params && { params }) };
}

export function notification(method: string, params?: object): object {
  return { jsonrpc: "2.0", method, ...(params && { params }) };
}

/** A POST without the headers that a revision requires. */
export function plain(body: unknown, more: Partial<Sent> = {}): Sent {
  const headers = { accept: BOTH, "content-type": "application/json", ...more.headers };
  return { ...more, body, headers };
}

export function claim(capabilities: object = {}, version: unknown = R5): Readonly<Record<string, unknown>> {
  return { [VERSION]: version, [CAPABILITIES]: capabilities };
}

const names: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
};

export interface Modern {
  readonly capabilities?: object;
  readonly meta?: object;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly principal?: Sent["principal"];
}

/** A stateless-era request with all required headers. */
export function modern(id: unknown, method: string, params: object = {}, more: Modern = {}): Sent {
  const _meta = { ...claim(more.capabilities), ...more.meta };
  const name = (params as Record<string, unknown>)[names[method] ?? ""];
  return plain(request(id, method, { ...params, _meta }), {
    principal: more.principal,
    headers: {
      "mcp-protocol-version": R5,
      "mcp-method": method,
      ...(typeof name === "string" && { "mcp-name": name }),
      ...more.headers,
    },
  });
}

export function call(id: unknown, name: string, args?: object, more?: Modern): Sent {
  return modern(id, "tools/call", { name, ...(args && { arguments: args }) }, more);
}

export function initialize(version: string, capabilities: object = {}): object {
  const clientInfo = { name: "raw", version: "1" };
  return request(0, "initialize", { protocolVersion: version, capabilities, clientInfo });
}

/** The client side of a handshake-era session. */
export class RawSession {
  constructor(
    readonly host: Host,
    readonly id: string,
    readonly version: string,
    readonly principal: Sent["principal"],
  ) {}

  get headers(): Readonly<Record<string, string | undefined>> {
    return { "mcp-session-id": this.id, ...(this.version >= R3 && { "mcp-protocol-version": this.version }) };
  }

  /** Returns a POST of this session. */
  sent(body: unknown): Sent {
    return plain(body, { headers: this.headers, principal: this.principal });
  }

  post(body: unknown): Promise<Answer> {
    return this.host.send(this.sent(body));
  }

  call(id: unknown, name: string, args: object = {}, meta?: object): Promise<Answer> {
    return this.post(request(id, "tools/call", { name, arguments: args, ...(meta && { _meta: meta }) }));
  }

  /** Opens a stream, or resumes one. */
  get(lastEventId?: string): Promise<Answer> {
    const headers = { accept: "text/event-stream", ...this.headers, "last-event-id": lastEventId };
    return this.host.send({ method: "GET", headers, principal: this.principal });
  }

  delete(): Promise<Answer> {
    return this.host.send({ method: "DELETE", headers: this.headers, principal: this.principal });
  }
}

/** Opens a session with a handshake. */
export async function open(
  host: Host,
  version: string,
  { capabilities = {}, principal }: { capabilities?: object; principal?: Sent["principal"] } = {},
): Promise<RawSession> {
  const opening = await host.send(plain(initialize(version, capabilities), { principal }));
  const session = new RawSession(host, opening.header("mcp-session-id") ?? "", version, principal);
  const accepted = await session.post(notification("notifications/initialized"));
  if (opening.status !== 200 || accepted.status !== 202) throw new Error(`no session: ${await opening.text()}`);
  return session;
}

export const turn = (ms = 0): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits until a condition is true. */
export async function until(done: () => boolean, what = "it never came to be"): Promise<void> {
  for (let turns = 0; !done(); turns++) {
    if (turns > 5_000) throw new Error(what);
    await turn(2);
  }
}
