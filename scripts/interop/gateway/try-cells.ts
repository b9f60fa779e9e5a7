import { join } from "node:path";
import type { CellTarget } from "../../../test/interop/gateway/cell-target.js";
import type { GatewayTarget } from "../../../test/interop/gateway/gateway-target.js";
import type { Outcome } from "../../../test/interop/target.js";
import { pinnedNode } from "../../pinned.js";
import { type Command, run, type Running, startOnPort, startServer } from "../children.js";
import { interopFolder, modulesFolder } from "../paths.js";
import type { Stage } from "../stage.js";
import { type GatewayCell, judge } from "./judge.js";
import { lostFeatures } from "./losses.js";
import type { ClientSide, ServerSide } from "./sides.js";

/** The number of servers that are tried at the same time. The clients of a server come one after the other. */
const atOnce = 5;

/** How long a call, and a feature, may take, in milliseconds. The first call starts the server. */
const callMs = 30_000;
const featureMs = 90_000;

/** The time-out for a client program and all its gateways, in milliseconds. */
const patienceMs = 600_000;

/** A server, and the clients that it is tried with. */
export interface Pairs {
  readonly server: ServerSide;
  readonly clients: readonly ClientSide[];
}

/** Tries clients with servers, through gateways. */
export async function tryGateways(pairs: readonly Pairs[], stage: Stage): Promise<readonly GatewayCell[]> {
  const found: (readonly GatewayCell[])[] = [];
  const queue = [...pairs.entries()];
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [place, one] = next;
      found[place] = await tryServer(one, stage);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return found.flat();
}

async function tryServer({ server, clients }: Pairs, stage: Stage): Promise<readonly GatewayCell[]> {
  const running: Running[] = [];
  const started = async (starting: Promise<Running>): Promise<string> => {
    const one = await starting;
    running.push(one);
    return one.url;
  };
  try {
    const target = await gatewayTarget(server, stage, started);
    const gateway = (transport: string): Command => [
      process.execPath,
      stage.program("servers/gateway"),
      transport,
      JSON.stringify(target),
    ];
    const url = `${await started(startServer(gateway("http")))}/mcp`;
    const found: GatewayCell[] = [];
    for (const program of ["mcpwright", "sdk1", "sdk2"] as const) {
      const those = clients.filter((client) => client.program === program);
      if (those.length === 0) continue;
      const targets = those.map((client) => cellTarget(client, server, stage, { url, command: gateway("stdio") }));
      const outcomes = await tryClients(program, targets, stage);
      for (const [at, client] of those.entries())
        for (const outcome of outcomes[at] ?? [{ feature: "opening", problem: "the client program has no outcome" }])
          found.push(judge(client, server, outcome));
    }
    return found;
  } finally {
    await Promise.allSettled(running.map((one) => one.end()));
  }
}

async function tryClients(
  program: ClientSide["program"],
  targets: readonly CellTarget[],
  stage: Stage,
): Promise<readonly (readonly Outcome[])[]> {
  const node = program === "mcpwright" ? process.execPath : pinnedNode(interopFolder);
  const command: Command = [node, stage.program(`clients/gateway-${program}`), JSON.stringify(targets)];
  const { code, stdout, stderr } = await run(command, patienceMs);
  if (code === 0) return JSON.parse(stdout) as readonly (readonly Outcome[])[];
  const problem = `the client exited with ${code}: ${stderr.trim().slice(-500)}`;
  return targets.map(() => [{ feature: "opening", problem }]);
}

function cellTarget(
  client: ClientSide,
  server: ServerSide,
  stage: Stage,
  { url, command }: { readonly url: string; readonly command: Command },
): CellTarget {
  const { transport, revision, isLegacy = false } = client;
  const { suite, revision: serverRevision } = server;
  return {
    suite,
    transport,
    revision,
    serverRevision,
    isLegacy,
    lost: lostFeatures(client, server),
    timeoutMs: callMs,
    patienceMs: featureMs,
    ...(transport === "stdio" ? { command } : { url }),
    ...(suite === "filesystem" && { folder: stage.newFolder() }),
  };
}

/** How the gateway reaches the server. Servers over HTTP are started; those over stdio the gateway starts itself. */
async function gatewayTarget(
  { program, suite, transport, revision }: ServerSide,
  stage: Stage,
  started: (starting: Promise<Running>) => Promise<string>,
): Promise<GatewayTarget> {
  const node = pinnedNode(interopFolder);
  if (suite !== "fixture") {
    const script = join(modulesFolder, `@modelcontextprotocol/server-${program}/dist/index.js`);
    if (transport === "stdio") {
      const env: Record<string, string> =
        program === "memory" ? { MEMORY_FILE_PATH: join(stage.newFolder(), "graph.jsonl") } : {};
      return { command: [node, script, ...(program === "everything" ? ["stdio"] : [])], env };
    }
    const origin = await started(startOnPort([node, script, transport === "sse" ? "sse" : "streamableHttp"]));
    return { url: `${origin}/${transport === "sse" ? "sse" : "mcp"}` };
  }
  const isOurs = program === "mcpwright";
  const command = (mode: string): Command => [
    isOurs ? process.execPath : node,
    stage.program(`servers/${program}`),
    mode,
    ...(isOurs ? [revision] : []),
  ];
  if (transport === "stdio") return { command: command("stdio"), env: { INTEROP_FOLDER: stage.newFolder() } };
  return { url: `${await started(startServer(command("http")))}/mcp` };
}
