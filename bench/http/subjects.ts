import type { Credentials } from "./credentials.js";
import { type Form, forms, type Kind, nameOf, type ReplyForm } from "./forms.js";

/** A server that is measured. */
export interface Subject {
  readonly name: string;
  /** The script in `servers/`. */
  readonly script: string;
  readonly does: (form: Form) => boolean;
  /** Further arguments of the script. */
  readonly args?: readonly string[];
  /** Creates the credentials of its clients. Default: none. */
  readonly credentials?: () => Promise<Credentials>;
}

export const floor = "bare node:http";
export const ours = "mcpwright, serveHttp";
export const oursFetch = "mcpwright, fetch on @hono/node-server";
export const oursFetchPlain = "mcpwright, fetch on a plain bridge";

const all = (): boolean => true;
const only =
  (kinds: readonly Kind[], ...replies: readonly ReplyForm[]) =>
  ({ kind, reply }: Form): boolean =>
    kinds.includes(kind) && replies.includes(reply);

export const subjects: readonly Subject[] = [
  { name: floor, script: "raw", does: all },
  { name: ours, script: "mcpwright", does: all },
  { name: oursFetch, script: "mcpwright-fetch", does: all },
  { name: oursFetchPlain, script: "mcpwright-fetch-plain", does: all },
  { name: "bare fetch on @hono/node-server", script: "raw-fetch", does: all },
  { name: "bare fetch on a plain bridge", script: "raw-fetch-plain", does: all },
  { name: "SDK 1.x", script: "sdk1", does: only(["sessions", "no sessions"], "json", "sse") },
  { name: "SDK 2.x, transport", script: "sdk2", does: only(["sessions", "no sessions"], "json", "sse") },
  {
    name: "SDK 2.x, createMcpHandler",
    script: "sdk2-handler",
    does: (form) => only(["stateless"], "json", "sse")(form) || only(["no sessions"], "sse")(form),
  },
  { name: "mcp-lite", script: "mcp-lite", does: only(["sessions", "no sessions"], "sse") },
  { name: "fastmcp", script: "fastmcp", does: only(["sessions", "no sessions"], "json", "sse") },
];

export const formNames: readonly string[] = forms.map(nameOf);

/** The packages whose versions are in the report. */
export const packages: Readonly<Record<string, readonly string[]>> = {
  "SDK 1.x": ["@modelcontextprotocol/sdk"],
  "SDK 2.x": ["@modelcontextprotocol/server"],
  "mcp-lite": ["mcp-lite"],
  fastmcp: ["fastmcp"],
  bridge: ["@hono/node-server"],
};
