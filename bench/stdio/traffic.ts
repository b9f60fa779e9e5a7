/** What the load generator sends: the same texts to every server. */
export type Revision = "2025-11-25" | "2026-07-28";

const clientInfo = { name: "bench-client", version: "1.0.0" };
const booking = { city: "Kyoto", nights: 3, price: 120, breakfast: true, guests: ["Ada", "Grace"] };
const price = "Kyoto: 780";

const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": clientInfo,
};

/** A request without its id, which comes between the two parts. */
export interface Template {
  readonly before: string;
  readonly after: string;
}

export function textOf({ before, after }: Template, id: number): string {
  return `${before}${id}${after}`;
}

export function call(revision: Revision): Template {
  return template("tools/call", { name: "book", arguments: booking }, revision);
}

export function list(revision: Revision): Template {
  return template("tools/list", {}, revision);
}

export function opening(revision: Revision): Template {
  return revision === "2026-07-28"
    ? template("server/discover", {}, revision)
    : template("initialize", { protocolVersion: revision, capabilities: {}, clientInfo }, revision);
}

/** What follows the answer to the opening. */
export function opened(revision: Revision): string {
  return revision === "2026-07-28" ? "" : '{"jsonrpc":"2.0","method":"notifications/initialized"}\n';
}

function template(method: string, params: object, revision: Revision): Template {
  const all = revision === "2026-07-28" ? { ...params, _meta: meta } : params;
  return { before: '{"jsonrpc":"2.0","id":', after: `,"method":"${method}","params":${JSON.stringify(all)}}\n` };
}

/** @throws when a reply is not the one that the revision asks for */
export function checkCall(reply: unknown, id: number, revision: Revision): void {
  const { result } = reply as Reply;
  const right =
    (reply as Reply).id === id &&
    result?.content?.[0]?.text === price &&
    (revision !== "2026-07-28" || result.resultType === "complete");
  if (!right) throw new Error(`not the right answer: ${JSON.stringify(reply)}`);
}

export function checkList(reply: unknown, tools: number): void {
  const { result } = reply as Reply;
  const members = result?.tools?.map(({ inputSchema }) => Object.keys(inputSchema?.properties ?? {}).length);
  if (members?.length !== tools || members.some((count) => count !== 5))
    throw new Error(`not the right list: ${JSON.stringify(reply).slice(0, 500)}`);
}

interface Reply {
  readonly id?: unknown;
  readonly result?: {
    readonly resultType?: string;
    readonly content?: readonly { readonly text?: string }[];
    readonly tools?: readonly { readonly inputSchema?: { readonly properties?: object } }[];
  };
}
