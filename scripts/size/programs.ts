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

const protectedServer = httpServer
  .replace(
    "const server",
    `import { jwtVerifier, requireBearerAuth } from "@mcpwright/runtime/auth/server";
  const verifier = jwtVerifier({ issuer: "https://auth.example.com" });
  const authorization = requireBearerAuth({ resource: "https://example.com/mcp", verifier });
  const server`,
  )
  .replace("port: 3000", "port: 3000, authorization");

/** A client over HTTP, with a provider of authorization. */
const httpClient = (imports = "", options = ""): string => `
  import { Client } from "@mcpwright/runtime/client";
  import { StreamableHTTPClientTransport } from "@mcpwright/runtime/client/http";${imports}
  const client = new Client({ name: "one", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport("http://localhost:3000/mcp"${options}));
  await client.callTool({ name: "hello" });`;

/** The same program with tasks. */
const withTasks = (text: string, entry: string): string =>
  text
    .replace("const ", `import { tasks } from "@mcpwright/runtime/${entry}";\n  const `)
    .replace('version: "1.0.0" }', 'version: "1.0.0" }, { extensions: [tasks()] }');

/** The client, which lists skills in place of the call. */
const skillClient = stdioClient
  .replace("const ", `import { skills, SkillsClient } from "@mcpwright/runtime/skills/client";\n  const `)
  .replace('version: "1.0.0" }', 'version: "1.0.0" }, { extensions: [skills()] }')
  .replace(/await client\.callTool.*/, "await new SkillsClient(client, { parseFrontmatter: JSON.parse }).list();");

/** The same program with the `/core` entries and a single revision. */
export function withOne(text: string, revision: string, side: "serverSide" | "clientSide"): string {
  return `import { ${side} } from "@mcpwright/protocol/${revision}";${text}`
    .replace(/runtime\/(server|client)"/, 'runtime/$1/core"')
    .replace('version: "1.0.0" }', `version: "1.0.0" }, { revisions: [${side}] }`);
}

/**
 * Why the budgets are larger than those of the first complete runtime (34, 33, 28, 25 and 43 kB). Errors that name invalid
 * members need the option `findIssues` in every program, and in the default entries the shapes of one side of all revisions. All
 * programs bound the values of a message, check what they are about to send, and explain wrong options. Servers check the schemas
 * and cache hints of authors; clients repeat harmless requests. HTTP servers bound each client's share, watch for clients
 * that take nothing, and read the bodies of rejected requests.
 */
const added = {
  refusals: { option: 700, server: 3_400, client: 4_900 },
  checks: { server: 4_400, client: 2_515, http: 6_700 },
  /** The place of the option `authorization` in each request; what it does is a value that programs pass. */
  authorization: 450,
  /**
   * The places of the option `backplane`. In servers on any transport: changes, calls that wait at another node, what other nodes change in
   * a session, and, 45 bytes of it, the tools that nodes compare and the clock by which a `requestState` expires; over HTTP also the record of a
   * session, sessions of other nodes, POSTs of HTTP+SSE for streams of another node, the refusal of requests of sessions that go on at
   * another node, which is 80 bytes, and errors for the requests of a stream whose messages could not be stored, which are 145. Everything
   * else is in the value that programs pass. In clients: the prefix that ids of requests can have.
   */
  backplane: { server: 480, http: 1_025, client: 15 },
  /** `session.store`, which opens the data of a session with the first key; everything else comes with the keys. 20 bytes are `session.id`. */
  sessionStore: 150,
  /**
   * The places of the option `extensions`; everything else is in the extensions. Before compression, it added 1,350 bytes to servers: 450
   * around tools, with the error for `task` on a server without tasks, 250 for capabilities by revision and the hooks of the server, 210 for
   * streams of notifications, 130 for input requests. It added 1,350 bytes to clients: 650 for interceptors of requests and
   * handlers, 130 for results in the form of their revision and capabilities by revision, 250 for the modules that were split off.
   * After compression, 100 bytes of servers and 50 of clients ask the row of a notification or a stream whether the peer has declared its extension.
   * 75 bytes of servers list other tools for some clients, and let an extension stop `connect`. 25 bytes let an extension register resources
   * on an `McpServer`; 15 bytes of clients ask the row of a request whether the server has declared the setting that it needs. 20 bytes of
   * servers call `instructions` if it is a function; 30 bytes of servers and 55 of clients cancel a request that is passed on, without the
   * cost of a signal. Gateways need both.
   */
  extensions: { server: 900, client: 430 },
  /**
   * The place of the option `rateLimits` before each request, and of refusals in responses over HTTP: status and `Retry-After`. The limits are
   * values that programs pass. Clients over HTTP wait and send again what a server refuses.
   */
  rateLimits: { server: 60, http: 200, client: 290 },
  /**
   * The option `logger`, of which 150 bytes pass errors on without what clients sent, its check, and the counts that nothing else needs.
   * Over HTTP also refused requests, bytes that wait, and whether a session goes on at other nodes.
   */
  logger: { server: 340, http: 125 },
  /**
   * The places of the option `telemetry` in all programs: each sent and each received message, requests that end without a response,
   * input requests in results, and the end of a connection; and the check of the option. On Node, HTTP servers also read the port and the
   * version of HTTP. In servers also the input requests that a stateless handler awaits.
   */
  telemetry: { server: 215, client: 165 },
  /** Over HTTP, the place where a server is made for a request; everything else is in `serverPerClient`. */
  serverPerClient: 35,
  /** In clients, the option `prior` of `connect` and the result that it needs, and handlers for the notifications of streams. */
  prior: 60,
  /** In clients, the option `cacheMode` of requests, and `completeUrlElicitations` with an error that has the URLs. */
  callerChoices: 200,
  /** Slots for the requests in flight, which a `Map` would keep from being collected young. */
  requestSlots: 150,
} as const;

/** A server of all revisions over stdio. */
const serverOverStdio =
  34_000 +
  added.refusals.server +
  added.checks.server +
  added.extensions.server +
  added.telemetry.server +
  added.backplane.server +
  added.rateLimits.server +
  added.logger.server +
  added.sessionStore +
  added.requestSlots;

/** A server of all revisions over HTTP. */
const serverOverHttp =
  43_000 +
  added.refusals.server +
  added.checks.http +
  added.backplane.http +
  added.rateLimits.server +
  added.logger.server +
  added.rateLimits.http +
  added.logger.http +
  added.sessionStore +
  added.requestSlots +
  added.serverPerClient +
  added.authorization +
  added.extensions.server +
  added.telemetry.server;

/**
 * What a server contains that accepts access tokens. `jose` is 9 kB of it; then come key sets, DPoP proofs, challenges, scopes by
 * request, and streams that end with the authentication. 150 bytes let a gateway decide about scopes when a request runs.
 */
const tokens = 22_450;

/** A client of all revisions, on any transport. */
const client =
  33_000 +
  added.refusals.client +
  added.checks.client +
  added.extensions.client +
  added.telemetry.client +
  added.prior +
  added.callerChoices +
  added.requestSlots;

/**
 * A client over HTTP: that of stdio, with streams that are resumed, header params and the fallback to HTTP+SSE. Log-ins added
 * 1,040 bytes to it: authorizations that requests share, time-outs that pause for them, and tokens that no error shows. 25 bytes send the
 * response to a request of the server again when its connection broke.
 */
const clientOverHttp = client + added.rateLimits.client + 6_525;

/**
 * What a log-in adds. `oauth4webapi` and `jose` are 10 kB of it; the rest is discovery, which no library does for all revisions,
 * the checks of everything that is received, storage, refresh and step-up. A user's log-in also registers the client, and has a page.
 */
const logIn = { service: 28_500, user: 40_000 } as const;

/**
 * What tasks of all revisions add. On servers: the store in memory, the runner with restarts, and both generations of methods;
 * 3.5 kB are the predicates of the extension, and of the types of 2026-07-28 that its messages contain. On clients: the call that waits for
 * a task by polls or on a stream, and answers its questions.
 */
const tasks = { server: 14_535, client: 6_900 } as const;

/**
 * What the layering of any extension contains since one side alone can declare an extension, and since requests can need a setting of it.
 */
const declarations = 125;

/**
 * The same server with the skills of a folder. It contains the walk through the folder, checks of names, URIs, limits and links, digests,
 * pages, the predicates of the extension, URI templates, and how changes during a load are found.
 */
const skillServer = stdioServer
  .replace(
    "const ",
    `import { skills } from "@mcpwright/runtime/skills";
  import { skillFolder } from "@mcpwright/runtime/skills/node";
  const catalog = await skillFolder("skills", { parseFrontmatter: JSON.parse });
  const `,
  )
  .replace('version: "1.0.0" }', 'version: "1.0.0" }, { extensions: [skills(catalog)] }');

/** A gateway: a server and a client with all revisions, the transport of the client over HTTP, and what joins them, which is 23 kB. */
const gateway = `import { createGateway } from "@mcpwright/runtime/gateway";
  import { createMcpHandler } from "@mcpwright/runtime/server/http";
  export default createMcpHandler(createGateway({ servers: { docs: { url: "https://docs.example.com/mcp" } } }));`;

/**
 * The places of the options of a gateway; what the options do is in the values that programs pass. `losses`: each message that passes, and
 * requests for what was lost. `status`: the counters of the status page. `scopes`: which servers and tools a request can see. `guards`: limits and the audit log.
 * `lists`: the text of lists that were sent. `logIn`: connections and lists of one user, and requests that end with a question for a
 * log-in. `speed`: slots for the requests in flight, and the latest list and capabilities, which most requests share.
 */
const gatewayOptions = {
  losses: 420,
  status: 200,
  scopes: 1_700,
  guards: 250,
  lists: 250,
  logIn: 1_050,
  speed: 300,
} as const;

/** The same server with the app of a tool. It contains the check of `_meta.ui`, and the code that lays an extension over revisions. */
const appServer = stdioServer
  .replace(
    "const ",
    `import { apps, registerAppResource, registerAppTool } from "@mcpwright/runtime/apps";
  const `,
  )
  .replace('version: "1.0.0" }', 'version: "1.0.0" }, { extensions: [apps()] }')
  .replace(
    'server.registerTool("hello", {}',
    'registerAppTool(server, "hello", { _meta: { ui: { resourceUri: "ui://one" } } }',
  )
  .replace(
    "serveStdio(server)",
    'registerAppResource(server, "One", "ui://one", {}, "<b>One</b>");\n  serveStdio(server)',
  );

/** The script of an app: it runs in a page, and contains nothing of clients and servers. */
const appPage = `
  import { App, applyHostStyles } from "@mcpwright/runtime/apps/app";
  const app = new App(
    { name: "one", version: "1.0.0" },
    { onToolResult: (result) => console.log(result), onContextChange: applyHostStyles },
  );
  await app.connect();
  await app.callTool({ name: "hello" });`;
/**
 * What skills add: on clients, to list, read and verify them, the predicates of the extension, what lays it over the revisions, and which
 * answers a change makes outdated.
 */
const skills = { client: 6_360 } as const;

/** The page of a host with a client, without the client. */
const hostPage = `
  import { mountApp, readApp } from "@mcpwright/runtime/apps/host";
  const resource = await readApp(globalThis.client, "ui://one");
  const app = await mountApp({
    info: { name: "one", version: "1.0.0" },
    client: globalThis.client,
    resource,
    frame: document.createElement("iframe"),
    container: document.body,
    sandboxUrl: "https://sandbox.example.com/",
    consent: () => true,
  });
  app.sendToolInput({});`;

/** The smallest programs that serve or call: no schema library, so that the bundles contain only our code. */
export const programs = {
  stdioServer: {
    name: "stdio server, all revisions",
    text: stdioServer,
    most: serverOverStdio,
  },
  stdioClient: {
    name: "stdio client, all revisions",
    text: stdioClient,
    most: client + added.backplane.client,
  },
  taskServer: {
    name: "stdio server with tasks",
    text: withTasks(stdioServer, "tasks"),
    most: serverOverStdio + tasks.server + declarations,
  },
  appServer: {
    name: "stdio server with apps",
    text: appServer,
    most: serverOverStdio + 3_850 + declarations,
  },
  skillServer: {
    name: "stdio server with skills",
    text: skillServer,
    most: serverOverStdio + 11_450,
  },
  taskClient: {
    name: "stdio client with tasks",
    text: withTasks(stdioClient, "tasks/client"),
    most: client + tasks.client + declarations,
  },
  skillClient: {
    name: "stdio client with skills",
    text: skillClient,
    most: client + skills.client,
  },
  stdioServerOne: {
    name: "stdio server, 2026-07-28 only",
    text: withOne(stdioServer, "2026-07-28", "serverSide"),
    most:
      28_000 +
      added.refusals.option +
      added.checks.server +
      added.backplane.server +
      added.extensions.server +
      added.rateLimits.server +
      added.logger.server +
      added.requestSlots +
      added.telemetry.server,
  },
  stdioClientOne: {
    name: "stdio client, 2026-07-28 only",
    text: withOne(stdioClient, "2026-07-28", "clientSide"),
    most:
      25_000 +
      added.refusals.option +
      added.checks.client +
      added.extensions.client +
      added.telemetry.client +
      added.callerChoices +
      700,
  },
  httpServer: {
    name: "HTTP server, all revisions",
    text: httpServer,
    most: serverOverHttp,
  },
  gateway: {
    name: "gateway over HTTP",
    text: gateway,
    most:
      110_300 +
      gatewayOptions.losses +
      gatewayOptions.status +
      gatewayOptions.scopes +
      gatewayOptions.guards +
      gatewayOptions.lists +
      gatewayOptions.logIn +
      gatewayOptions.speed,
  },
  protectedServer: {
    name: "HTTP server with authorization",
    text: protectedServer,
    most: serverOverHttp + tokens,
  },
  hostPage: { name: "page that shows apps, without its client", text: hostPage, most: 10_200 },
  appPage: { name: "page of an app", text: appPage, most: 6_000 },
  httpClient: { name: "HTTP client, all revisions", text: httpClient(), most: clientOverHttp },
  serviceClient: {
    name: "HTTP client that logs in as a service",
    text: httpClient(
      `import { ClientCredentialsProvider } from "@mcpwright/runtime/auth";`,
      `, { authProvider: new ClientCredentialsProvider({ clientId: "one", clientSecret: "secret" }) }`,
    ),
    most: clientOverHttp + logIn.service,
  },
  userClient: {
    name: "HTTP client that logs a user in",
    text: httpClient(
      `import { InteractiveProvider } from "@mcpwright/runtime/auth/node";`,
      `, { authProvider: new InteractiveProvider({ clientName: "one" }) }`,
    ),
    most: clientOverHttp + logIn.user,
  },
} as const satisfies Record<string, Program>;
