import { isNotesProject, isOpenapiProject, notesFeatures, type ProjectOptions } from "./project-options.js";

/** The values of the template for `AGENTS.md`. */
export interface AgentsView {
  /** A sentence about the project. */
  readonly about: string;
  /** A command with which the result of a change can be seen, and what it does. */
  readonly try: string;
  readonly tryEffect: string;
  readonly places: readonly Place[];
  /** Whether the project has ESLint. */
  readonly lint: boolean;
  readonly server: boolean;
  /** Whether standard output carries the protocol. */
  readonly stdio: boolean;
  /** Whether it has generated code. */
  readonly sealed: boolean;
}

interface Place {
  readonly path: string;
  readonly text: string;
}

type Start = Exclude<ProjectOptions["start"], "minimal" | "server" | "http" | "http-auth">;

/** What coding agents need to know of a project; undefined for `minimal`, which is read faster than explained. */
export function agentsView(options: ProjectOptions): AgentsView | undefined {
  if (isOpenapiProject(options)) return { ...ofStart.openapi, ...server, lint: true };
  if (isNotesProject(options)) {
    const { stdio, http, auth, skills } = notesFeatures(options);
    return {
      about: `A Model Context Protocol server that stores notes, over ${stdio && http ? "stdio and HTTP" : http ? "HTTP" : "stdio"}.`,
      try: stdio
        ? "npx mcpwright inspect build/main.js --call search_notes"
        : "npx mcpwright inspect http://127.0.0.1:3000/mcp --call search_notes",
      tryEffect: stdio ? "starts the server and calls a tool." : "calls a tool of the server that `npm start` runs.",
      places: [
        { path: "src/server.ts", text: "creates the server and registers everything" },
        { path: "src/tools/", text: "a file for each tool; copy one to add another, and register it" },
        { path: "src/resources/", text: "a file for each resource" },
        { path: "src/prompts/", text: "a file for each prompt" },
        { path: "src/settings.ts", text: "all options and environment variables" },
        ...(auth ? [{ path: "src/authorization.ts", text: "which access tokens are accepted" }] : []),
        ...(auth ? [{ path: "src/scopes.ts", text: "the names of scopes; tools name those that they need" }] : []),
        ...(skills ? [{ path: "skills/", text: "a folder for each skill" }] : []),
        { path: "test/connect.ts", text: "connects a client to the server in the same process" },
      ],
      ...server,
      stdio,
      lint: true,
    };
  }
  return options.start === "minimal" ? undefined : ofStart[options.start];
}

const server = { server: true, stdio: true, sealed: false, lint: false } as const;
const connect: Place = { path: "test/connect.ts", text: "connects a client to the server in the same process" };
const inspected = "starts the server and calls a tool.";

const ofStart: Readonly<Record<Start, AgentsView>> = {
  tasks: {
    ...server,
    about: "A Model Context Protocol server over stdio with a tool that runs as a task.",
    try: "npx mcpwright inspect build/main.js --call write_report --arg pages=3 --task",
    tryEffect: "starts the server, and shows the states of the task and its result.",
    places: [{ path: "src/server.ts", text: "the tools" }, connect],
  },
  skills: {
    ...server,
    about: "A Model Context Protocol server over stdio that serves skills: folders with instructions for models.",
    try: "npx mcpwright inspect build/main.js --read skill://write-changelog/SKILL.md",
    tryEffect: "starts the server and reads a skill.",
    places: [
      { path: "skills/", text: "a folder for each skill, whose name is also the `name` in its `SKILL.md`" },
      { path: "src/server.ts", text: "the server, which can have tools, too" },
      connect,
    ],
  },
  cluster: {
    ...server,
    stdio: false,
    about:
      "A Model Context Protocol server over HTTP that runs as several processes, which share their state in Redis.",
    try: "npx mcpwright inspect http://127.0.0.1:3001/mcp --call take_ticket",
    tryEffect: "calls a tool of the node that `npm start -- 3001` runs.",
    places: [
      { path: "src/server.ts", text: "the tools; keep state in Redis, because each request can reach any node" },
      { path: "src/start-node.ts", text: "connects a node to Redis" },
      { path: "src/settings.ts", text: "all environment variables" },
      { path: "test/nodes.test.ts", text: "two nodes, and a client whose requests go to each in turn" },
    ],
  },
  gateway: {
    ...server,
    server: false,
    about: "A gateway over stdio that puts several Model Context Protocol servers behind one.",
    try: "npx mcpwright inspect build/main.js --call dice_roll --arg sides=20",
    tryEffect: inspected,
    places: [
      { path: "src/servers.ts", text: "the servers, and which of their tools clients see" },
      { path: "src/examples/", text: "two servers to be replaced" },
      connect,
    ],
  },
  extension: {
    ...server,
    sealed: true,
    about: "An extension of the Model Context Protocol: its schema, and a server and a client that know it.",
    try: "npx mcpwright inspect build/main.js --call brew_tea",
    tryEffect: inspected,
    places: [
      { path: "rank/schema.ts", text: "the types of the messages, from which the code is generated" },
      { path: "src/server.ts", text: "the server with the method `tools/rank`" },
      { path: "src/client.ts", text: "a client that calls it" },
    ],
  },
  client: {
    about: "A chat host that uses the tools of several Model Context Protocol servers.",
    try: 'npm start -- "npx -y @modelcontextprotocol/server-memory"',
    tryEffect: "connects to a server; type `call <tool> <JSON arguments>` to run a tool.",
    places: [
      { path: "src/host.ts", text: "connects to the servers" },
      { path: "src/chat.ts", text: "the conversation between user, model and tools" },
      { path: "src/models/", text: "the models; `create-model.ts` chooses one" },
      { path: "src/approvals.ts", text: "which commands the user has approved" },
      { path: "src/settings.ts", text: "all options and environment variables" },
    ],
    server: false,
    stdio: false,
    sealed: false,
    lint: true,
  },
  openapi: {
    ...server,
    about: "A Model Context Protocol server over stdio whose tools call an HTTP API.",
    try: "npx mcpwright inspect build/main.js",
    tryEffect: "starts the server and lists its tools.",
    places: [
      { path: "src/tools/", text: "the tools, one file per tag of the API" },
      { path: "src/schemas/", text: "schemas that several tools share" },
      { path: "src/server.ts", text: "which tools the server has" },
      { path: "src/schemes.ts", text: "how the API authenticates callers" },
      {
        path: "test/operations.json",
        text: "the operations as the API describes them; the mock of the tests checks by it",
      },
    ],
  },
};
