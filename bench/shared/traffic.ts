/** The messages of the load generator, which are the same for every server. */
export type Revision = "2025-11-25" | "2026-07-28";

const clientInfo = { name: "bench-client", version: "1.0.0" };
export const booking = { city: "Kyoto", nights: 3, price: 120, breakfast: true, guests: ["Ada", "Grace"] };
export const bookCall = { name: "book", arguments: booking };
export const price = "Kyoto: 780";

/** A serialised request, split where its id goes. */
export interface Template {
  readonly before: string;
  readonly after: string;
}

export function textOf({ before, after }: Template, id: number): string {
  return `${before}${id}${after}`;
}

export function call(revision: Revision): Template {
  return request("tools/call", bookCall, revision);
}

export function list(revision: Revision): Template {
  return request("tools/list", {}, revision);
}

export function opening(revision: Revision, capabilities: object = {}): Template {
  return revision === "2026-07-28"
    ? request("server/discover", {}, revision, capabilities)
    : request("initialize", { protocolVersion: revision, capabilities, clientInfo }, revision);
}

/** The message that follows the response to the opening. */
export function opened(revision: Revision): string {
  return revision === "2026-07-28" ? "" : '{"jsonrpc":"2.0","method":"notifications/initialized"}\n';
}

export interface Params {
  readonly _meta?: object;
  readonly [member: string]: unknown;
}

/** The line feed at the end delimits messages on stdio; over HTTP it is JSON whitespace. */
export function request(method: string, params: Params, revision: Revision, capabilities: object = {}): Template {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": revision,
    "io.modelcontextprotocol/clientCapabilities": capabilities,
    "io.modelcontextprotocol/clientInfo": clientInfo,
    ...params._meta,
  };
  const all = revision === "2026-07-28" ? { ...params, _meta: meta } : params;
  return { before: '{"jsonrpc":"2.0","id":', after: `,"method":"${method}","params":${JSON.stringify(all)}}\n` };
}

/** @throws when a reply is not the expected one of the revision */
export function checkCall(reply: unknown, id: number, revision: Revision): void {
  const { result } = reply as Reply;
  const right =
    (reply as Reply).id === id &&
    result?.content?.[0]?.text === price &&
    (revision !== "2026-07-28" || result.resultType === "complete");
  if (!right) throw new Error(`unexpected reply: ${JSON.stringify(reply)}`);
}

export function checkList(reply: unknown, tools: number): void {
  const { result } = reply as Reply;
  const members = result?.tools?.map(({ inputSchema }) => Object.keys(inputSchema?.properties ?? {}).length);
  if (members?.length !== tools || members.some((count) => count !== 5))
    throw new Error(`unexpected list: ${JSON.stringify(reply).slice(0, 500)}`);
}

interface Reply {
  readonly id?: unknown;
  readonly result?: {
    readonly resultType?: string;
    readonly content?: readonly { readonly text?: string }[];
    readonly tools?: readonly { readonly inputSchema?: { readonly properties?: object } }[];
  };
}
