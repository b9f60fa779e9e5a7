import { join } from "node:path";
import type { Outcome, Target } from "../../test/interop/target.js";
import { RedisServer } from "../../test/redis/redis-server.js";
import { type Command, run, type Running, startOnPort, startServer } from "./children.js";
import { inspect } from "./inspector.js";
import { pinnedNode } from "../pinned.js";
import * as lacks from "./known-gaps.js";
import type { KnownGap, Pairing } from "./pairing.js";
import { interopFolder, modulesFolder } from "./paths.js";
import { protectedPairings } from "./protected-pairings.js";
import type { Stage } from "./stage.js";

const oldest = "2024-11-05";
const newestWithHandshake = "2025-11-25";
const stateless = "2026-07-28";
const sessions = ["2025-03-26", "2025-06-18", newestWithHandshake];
const handshake = [oldest, ...sessions];

/** The time-out for all features of a target together. */
const patienceMs = 60_000;

/** The address of a server, and the features to test. */
type Aim = Omit<Target, "revision">;

export interface Pairings {
  readonly all: readonly Pairing[];
  /** Stops the servers that were started. */
  readonly end: () => Promise<void>;
}

/** All pairings. */
export function listPairings(stage: Stage): Pairings {
  const node = pinnedNode(interopFolder);
  const running = new Map<string, Promise<Running>>();
  const once = (start: (command: Command) => Promise<Running>, command: Command): Promise<Running> => {
    const key = command.join(" ");
    const known = running.get(key) ?? start(command);
    running.set(key, known);
    return known;
  };
  let redis: Promise<RedisServer> | undefined;
  const peer = (name: string, ...args: string[]): Command => [node, stage.program(name), ...args];
  const ours = (...args: string[]): Command => [process.execPath, stage.program("servers/mcpwright"), ...args];
  const published = (name: string, ...args: string[]): Command => [
    node,
    join(modulesFolder, `@modelcontextprotocol/server-${name}/dist/index.js`),
    ...args,
  ];

  const talk = async (client: Command, target: object): Promise<readonly Outcome[]> => {
    const { code, stdout, stderr } = await run([...client, JSON.stringify(target)], patienceMs);
    if (code === 0) return JSON.parse(stdout) as readonly Outcome[];
    return [{ feature: "running", problem: `the client exited with ${code}: ${stderr.trim().slice(-500)}` }];
  };

  /** Our client and a server of another implementation. */
  const calling = (
    name: string,
    transport: string,
    revisions: readonly string[],
    aim: () => Aim | Promise<Aim>,
    theirs: readonly KnownGap[] = [],
  ): Pairing => ({
    peer: name,
    role: "server",
    transport,
    revisions,
    knownGaps: theirs,
    // For the last revision, our client negotiates, as it does by default.
    tryIt: async (revision) =>
      talk([process.execPath, stage.program("clients/mcpwright")], {
        ...(await aim()),
        revision,
        findOut: revision === revisions.at(-1),
      }),
  });

  /** Our client and the fixture server, written with another package. */
  const callingFixture = (
    name: string,
    transport: string,
    revisions: readonly string[],
    program: string,
    path: string,
    theirs: readonly KnownGap[] = [],
  ): Pairing => {
    const aim = async (): Promise<Aim> => {
      if (path === "") return { suite: "fixture", transport: "stdio", command: peer(`servers/${program}`, "stdio") };
      const { url } = await once(startServer, peer(`servers/${program}`, "http"));
      return { suite: "fixture", transport: path === "/sse" ? "sse" : "http", url: url + path };
    };
    return {
      ...calling(name, transport, revisions, aim, theirs),
      // The official client must find the same known gaps of the server.
      ...(theirs.length > 0 && {
        control: async () => talk(peer("clients/sdk1"), { ...(await aim()), revision: newestWithHandshake }),
      }),
    };
  };

  /** Our client, which has to log in, and a server that another package protects. */
  const loggingIn = (name: string, revisions: readonly string[], program: string): Pairing => ({
    peer: name,
    role: "server",
    transport: "HTTP",
    revisions,
    knownGaps: [],
    async tryIt(revision) {
      // Each revision has its own server, because it counts the log-ins.
      const { url } = await once(startServer, peer(`servers/${program}`, revision));
      const target = { url: `${url}/mcp`, revision, findOut: revision === revisions.at(-1) };
      return talk([process.execPath, stage.program("clients/log-in")], target);
    },
  });

  /** Our server and a client of another implementation. */
  const serving = (
    name: string,
    client: string,
    transport: Target["transport"],
    revisions: readonly string[],
    theirs: readonly KnownGap[] = [],
  ): Pairing => ({
    peer: name,
    role: "client",
    transport: titles[transport],
    revisions,
    knownGaps: theirs,
    async tryIt(revision) {
      const target = { suite: "fixture", transport, revision } as const;
      // When a transport has several revisions, clients negotiate the newest. For the others, the server offers only one.
      const only = revisions.length > 1 && revision === revisions.at(-1) ? [] : [revision];
      if (transport === "stdio") return talk(peer(`clients/${client}`), { ...target, command: ours("stdio", ...only) });
      const { url } = await once(startServer, ours("http", ...only));
      return talk(peer(`clients/${client}`), { ...target, url: `${url}/mcp` });
    },
  });

  /** The same with our server at three nodes, which share a Redis. */
  const servingAtNodes = (
    name: string,
    client: string,
    transport: "http" | "sse",
    revisions: readonly string[],
    theirs: readonly KnownGap[] = [],
  ): Pairing => ({
    peer: name,
    role: "client",
    transport: `${titles[transport]}, three nodes`,
    revisions,
    knownGaps: theirs,
    async tryIt(revision) {
      redis ??= RedisServer.start();
      const only = revision === stateless ? "" : revision;
      const { url } = await once(startServer, ours("http", only, (await redis).url));
      return talk(peer(`clients/${client}`), { suite: "fixture", transport, revision, url: `${url}/mcp` });
    },
  });

  /** Our server and the Inspector's command line. */
  const inspecting = (transport: Target["transport"], revisions: readonly string[]): Pairing => ({
    peer: "Inspector",
    role: "client",
    transport: titles[transport],
    revisions,
    knownGaps: lacks.inspector,
    async tryIt(revision) {
      const home = stage.newFolder();
      const only = transport === "sse" ? [revision] : [];
      if (transport === "stdio") return inspect(node, { revision, home, target: ["--", ...ours("stdio", ...only)] });
      const { url } = await once(startServer, ours("http", ...only));
      return inspect(node, { revision, home, target: ["--transport", transport, "--server-url", `${url}/mcp`] });
    },
  });

  /** Our server with tasks, and the official task client. */
  const servingTasks = (transport: "stdio" | "http"): Pairing => ({
    peer: "ext-tasks on SDK 2.x",
    role: "client",
    transport: titles[transport],
    revisions: [newestWithHandshake, stateless],
    knownGaps: [],
    async tryIt(revision) {
      const server = [process.execPath, stage.program("servers/tasks"), transport, revision] as const;
      const target = { transport, revision };
      if (transport === "stdio") return talk(peer("clients/ext-tasks"), { ...target, command: server });
      const { url } = await once(startServer, server);
      return talk(peer("clients/ext-tasks"), { ...target, url: `${url}/mcp` });
    },
  });

  /** Our server with apps, and the official client with the helpers for hosts. */
  const servingApps = (transport: "stdio" | "http"): Pairing => ({
    peer: "ext-apps on SDK 2.x",
    role: "client",
    transport: titles[transport],
    revisions: [newestWithHandshake, stateless],
    knownGaps: [],
    async tryIt(revision) {
      const server = [process.execPath, stage.program("servers/apps"), transport, revision] as const;
      const target = { transport, revision };
      if (transport === "stdio") return talk(peer("clients/ext-apps"), { ...target, command: server });
      const { url } = await once(startServer, server);
      return talk(peer("clients/ext-apps"), { ...target, url: `${url}/mcp` });
    },
  });

  /** Our client, and a server whose apps the official helpers register. */
  const callingApps: Pairing = {
    peer: "ext-apps on SDK 2.x",
    role: "server",
    transport: "stdio",
    revisions: [newestWithHandshake, stateless],
    knownGaps: [],
    tryIt: async (revision) => {
      const target = { transport: "stdio", revision, command: peer("servers/ext-apps") };
      return talk([process.execPath, stage.program("clients/apps")], target);
    },
  };

  /** Our client, and an official server with skills. */
  const callingSkills = (transport: "stdio" | "http"): Pairing => ({
    peer: "skills of SDK 2.x",
    role: "server",
    transport: titles[transport],
    revisions: [newestWithHandshake, stateless],
    knownGaps: [],
    async tryIt(revision) {
      const client = [process.execPath, stage.program("clients/skills")] as const;
      if (transport === "stdio")
        return talk(client, { transport, revision, command: peer("servers/sdk2-skills", transport) });
      const { url } = await once(startServer, peer("servers/sdk2-skills", transport));
      return talk(client, { transport, revision, url: `${url}/mcp` });
    },
  });

  /** Our server with skills, and the official client. */
  const servingSkills = (transport: "stdio" | "http"): Pairing => ({
    peer: "skills of SDK 2.x",
    role: "client",
    transport: titles[transport],
    revisions: [newestWithHandshake, stateless],
    knownGaps: [],
    async tryIt(revision) {
      const server = [process.execPath, stage.program("servers/skills"), transport, revision] as const;
      const target = { transport, revision };
      if (transport === "stdio") return talk(peer("clients/sdk2-skills"), { ...target, command: server });
      const { url } = await once(startServer, server);
      return talk(peer("clients/sdk2-skills"), { ...target, url: `${url}/mcp` });
    },
  });

  const everything = (transport: "http" | "sse", path: string, mode: string) => async (): Promise<Aim> => {
    const { url } = await once(startOnPort, published("everything", mode));
    return { suite: "everything", transport, url: url + path };
  };

  const all: readonly Pairing[] = [
    callingFixture("SDK 1.x", "stdio", handshake, "sdk1", ""),
    callingFixture("SDK 1.x", "HTTP", sessions, "sdk1", "/mcp"),
    callingFixture("SDK 1.x", "HTTP, JSON", [newestWithHandshake], "sdk1", "/json", lacks.jsonReplies),
    callingFixture("SDK 1.x", "HTTP+SSE", [oldest, newestWithHandshake], "sdk1", "/sse"),
    callingFixture("SDK 2.x", "stdio", [...handshake, stateless], "sdk2", ""),
    callingFixture("SDK 2.x", "HTTP", [...sessions, stateless], "sdk2", "/mcp"),
    callingFixture(
      "SDK 2.x",
      "HTTP, no sessions",
      [newestWithHandshake, stateless],
      "sdk2",
      "/stateless",
      lacks.withoutSessions([newestWithHandshake]),
    ),
    callingApps,
    callingSkills("stdio"),
    callingSkills("http"),
    loggingIn("SDK 2.x, protected", [newestWithHandshake, stateless], "sdk2-protected"),
    callingFixture("fastmcp", "stdio", handshake, "fastmcp", "", lacks.fastmcp),
    callingFixture("fastmcp", "HTTP", sessions, "fastmcp", "/mcp", lacks.fastmcpHttp),
    callingFixture("fastmcp", "HTTP+SSE", [oldest, newestWithHandshake], "fastmcp", "/sse", lacks.fastmcp),
    // To an unknown revision, it replies with the older one.
    callingFixture("mcp-lite", "HTTP", ["2025-06-18", "2025-03-26"], "mcp-lite", "/mcp", lacks.mcpLite),
    {
      peer: "mcp-lite",
      role: "server",
      transport: "stdio",
      revisions: ["2025-06-18"],
      knownGaps: lacks.mcpLiteStdio,
      async tryIt() {
        const { code, stderr } = await run(peer("servers/mcp-lite", "stdio"), patienceMs);
        return [code === 0 ? { feature: "opening" } : { feature: "opening", problem: stderr.trim() }];
      },
    },
    calling(
      "server-everything",
      "stdio",
      handshake,
      () => ({ suite: "everything", transport: "stdio", command: published("everything", "stdio") }),
      lacks.everything,
    ),
    calling("server-everything", "HTTP", sessions, everything("http", "/mcp", "streamableHttp"), lacks.everything),
    calling("server-everything", "HTTP+SSE", [oldest, newestWithHandshake], everything("sse", "/sse", "sse")),
    calling("server-filesystem", "stdio", handshake, () => ({
      suite: "filesystem",
      transport: "stdio",
      command: published("filesystem"),
      folder: stage.newFolder(),
    })),
    calling("server-memory", "stdio", handshake, () => ({
      suite: "memory",
      transport: "stdio",
      command: published("memory"),
      env: { MEMORY_FILE_PATH: join(stage.newFolder(), "graph.jsonl") },
    })),
    serving("SDK 1.x", "sdk1", "stdio", handshake, lacks.lateProgress),
    serving("SDK 1.x", "sdk1", "http", sessions),
    serving("SDK 1.x", "sdk1", "sse", [oldest], lacks.lateProgress),
    serving("SDK 2.x", "sdk2", "stdio", [...handshake, stateless], lacks.lateProgress),
    serving("SDK 2.x", "sdk2", "http", [...sessions, stateless]),
    serving("SDK 2.x", "sdk2", "sse", [oldest], lacks.lateProgress),
    servingAtNodes("SDK 1.x", "sdk1", "sse", [oldest], lacks.lateProgress),
    servingAtNodes("SDK 1.x", "sdk1", "http", [newestWithHandshake]),
    servingAtNodes("SDK 2.x", "sdk2", "http", [newestWithHandshake, stateless]),
    servingTasks("stdio"),
    servingTasks("http"),
    servingApps("stdio"),
    servingApps("http"),
    servingSkills("stdio"),
    servingSkills("http"),
    inspecting("stdio", [newestWithHandshake, stateless]),
    inspecting("http", [newestWithHandshake, stateless]),
    inspecting("sse", [oldest]),
    ...protectedPairings({
      node,
      peer,
      ours: (...args) => [process.execPath, stage.program("servers/protected"), ...args],
      talk,
      newFolder: () => stage.newFolder(),
    }),
  ];
  return {
    all,
    async end() {
      await Promise.allSettled([...running.values()].map(async (server) => (await server).end()));
      await (await redis)?.remove();
    },
  };
}

const titles = { stdio: "stdio", http: "HTTP", sse: "HTTP+SSE" } as const;
