/** A program whose bundle has a budget. */
export interface Program {
  readonly name: string;
  readonly text: string;
  /** The most bytes of its bundle: minified, with dependencies, gzipped. */
  readonly most: number;
}

const tool = `server.registerTool("hello", {}, () => ({ content: [{ type: "text", text: "Hello" }] }));`;

const stdioServer = `
  import { McpServer } from "@mcpwright/runtime/server";
  import { serveStdio } from "@mcpwright/runtime/stdio";
  const server = new McpServer({ name: "one", version: "1.0.0" });
  ${tool}
  serveStdio(server);`;

const stdioClient = `
  import { Client } from "@mcpwright/runtime/client";
  import { StdioClientTransport } from "@mcpwright/runtime/stdio";
  const client = new Client({ name: "one", version: "1.0.0" });
  await client.connect(new StdioClientTransport({ command: "server" }));
  await client.callTool({ name: "hello" });`;

const httpServer = `
  import { McpServer } from "@mcpwright/runtime/server";
  import { serveHttp } from "@mcpwright/runtime/node";
  const server = new McpServer({ name: "one", version: "1.0.0" });
  ${tool}
  await serveHttp(server, { port: 3000 });`;

/** The same program with the `/core` entries and a single revision. */
export function withOne(text: string, revision: string, side: "serverSide" | "clientSide"): string {
  return `import { ${side} } from "@mcpwright/protocol/${revision}";${text}`
    .replace(/runtime\/(server|client)"/, 'runtime/$1/core"')
    .replace('version: "1.0.0" }', `version: "1.0.0" }, { revisions: [${side}] }`);
}

/**
 * The bytes of the errors that name invalid members: the option `findIssues` in every program, and in the default entries the
 * shapes of one side of all revisions with their interpreter.
 */
const refusals = { option: 700, server: 3_400, client: 4_900 } as const;

/** The bytes of the check of a pair's JSON Schema, which every server contains. */
const pairs = 700;

/** The smallest programs that serve or call: no schema library, so that the bundles contain only our code. */
export const programs = {
  stdioServer: { name: "stdio server, all revisions", text: stdioServer, most: 34_000 + refusals.server + pairs },
  stdioClient: { name: "stdio client, all revisions", text: stdioClient, most: 33_000 + refusals.client },
  stdioServerOne: {
    name: "stdio server, 2026-07-28 only",
    text: withOne(stdioServer, "2026-07-28", "serverSide"),
    most: 28_000 + refusals.option + pairs,
  },
  stdioClientOne: {
    name: "stdio client, 2026-07-28 only",
    text: withOne(stdioClient, "2026-07-28", "clientSide"),
    most: 25_000 + refusals.option,
  },
  httpServer: { name: "HTTP server, all revisions", text: httpServer, most: 43_000 + refusals.server + pairs },
} as const satisfies Record<string, Program>;
