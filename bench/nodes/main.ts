/** Measures what sessions at several nodes with Redis cost, writes the results, and fails when a goal is missed. */
import type { Form } from "../http/forms.js";
import { effort } from "../shared/effort.js";
import { goal } from "../shared/goal.js";
import { machine, publish, quick } from "../shared/results.js";
import { ratios, spreadOf } from "../shared/rounds.js";
import { makeStage } from "../shared/stage.js";
import { goalTable, spread, table } from "../shared/tables.js";
import { countCallCommands, countFirstCalls } from "./count-commands.js";
import { type Cost, measureCosts, type Subject } from "./measure-cpu.js";
import { interactions, type InteractionRow, measureInteraction } from "./measure-interactions.js";
import { Redis } from "./redis.js";

/** In some processes V8 optimises the same code better than in others. */
const starts = quick ? 1 : 4;
const rounds = quick ? 2 : 5;
const json: Form = { kind: "sessions", reply: "json" };
const sse: Form = { kind: "sessions", reply: "sse" };
const stateless: Form = { kind: "stateless", reply: "json" };

const subjects = [
  { name: "one node without a backplane, JSON", form: json, nodes: 1, hasRedis: false },
  { name: "one node with Redis, JSON", form: json, nodes: 1, hasRedis: true },
  { name: "three nodes with Redis, JSON", form: json, nodes: 3, hasRedis: true },
  { name: "one node without a backplane, SSE", form: sse, nodes: 1, hasRedis: false },
  { name: "one node with Redis, SSE", form: sse, nodes: 1, hasRedis: true },
] as const satisfies readonly Subject[];

async function redisVersion(): Promise<string> {
  const redis = await Redis.start();
  await redis.server.remove();
  return redis.version;
}

function sums({ nodes, redis }: Cost): readonly number[] {
  return nodes.map((one, round) => one + (redis[round] ?? NaN));
}

const stage = await makeStage(import.meta.dirname);
try {
  const commands = [
    { name: "2026-07-28, three nodes", ...(await countCallCommands(stage, stateless, 3)) },
    { name: "in a session, three nodes, JSON", ...(await countCallCommands(stage, json, 3)) },
    { name: "in a session, three nodes, SSE", ...(await countCallCommands(stage, sse, 3)) },
  ] as const;
  const firstCalls = await countFirstCalls(stage, quick ? 2 : 10);

  const ofStarts: (readonly Cost[])[] = [];
  for (let start = 0; start < starts; start++)
    ofStarts.push(await measureCosts(stage, { ...effort, rounds }, subjects));
  const costOf = (subject: number): Cost => ({
    nodes: ofStarts.flatMap((costs) => costs[subject]?.nodes ?? []),
    redis: ofStarts.flatMap((costs) => costs[subject]?.redis ?? []),
  });
  const rows = subjects.map(({ name }, at) => {
    const rounds = costOf(at);
    return { name, nodes: spreadOf(rounds.nodes), redis: spreadOf(rounds.redis), rounds };
  });
  const timesAlone = ratios(costOf(1).nodes, costOf(0).nodes);
  const timesOne = ratios(sums(costOf(2)), sums(costOf(1)));

  const interactionRows: InteractionRow[] = [];
  for (const one of interactions) interactionRows.push(await measureInteraction(stage, one, quick ? 2 : 11, 500));

  const goals = [
    goal("a call of 2026-07-28: commands to Redis", 0, commands[0].perCall),
    goal("a call in a session that the node has cached, JSON: commands to Redis", 1, commands[1].perCall),
    ...firstCalls.map(({ name, roundTrips }) =>
      goal(`${name}: round trips to Redis, the worst of ${roundTrips.length}`, 3, Math.max(...roundTrips)),
    ),
    goal("a call in a session: CPU of a node with Redis, relative to one without", 1.5, timesAlone.median),
    goal("a call in a session: CPU of three nodes and Redis, relative to one node and Redis", 1.15, timesOne.median),
  ];
  const lines = [
    "# Several nodes",
    "",
    `${machine}, Redis ${await redisVersion()}, one tool with five input members.`,
    "",
    "## Goals",
    "",
    ...goalTable(goals),
    "",
    "## Commands to Redis",
    "",
    "The sessions are cached at all nodes. Each client sends each call to the next node.",
    "",
    ...table(
      ["call", "commands per call"],
      [...commands, ...interactionRows].map(({ name, perCall }) => [name, perCall.toFixed(2)]),
    ),
    "",
    "Until the response to the first call, in a session that another node has opened:",
    "",
    ...table(
      ["call", "round trips", "commands"],
      firstCalls.map((row) => [row.name, spread(spreadOf(row.roundTrips), 0), spread(spreadOf(row.commands), 0)]),
    ),
    "",
    "## CPU per call",
    "",
    `Microseconds: medians of ${starts * rounds} rounds, with minimum and maximum in parentheses. All were started ${starts} times, and take ` +
      "turns. CPU of the nodes is the sum of all their threads. Each node has the load of 32 clients; a client sends each call to the " +
      `next node. Ratios are within a round: ${spread(timesAlone)} with Redis to without it, at one node; ${spread(timesOne)} three ` +
      "nodes to one, with Redis.",
    "",
    ...table(
      ["", "nodes", "Redis"],
      rows.map(({ name, nodes, redis }) => [name, spread(nodes, 1), spread(redis, 1)]),
    ),
    "",
    "Of two nodes, with 32 clients:",
    "",
    ...table(
      ["", "nodes", "Redis"],
      interactionRows.map(({ name, nodes, redis }) => [name, spread(nodes, 1), spread(redis, 1)]),
    ),
    "",
  ];
  await publish("nodes", lines, {
    node: process.versions.node,
    goals,
    commands,
    firstCalls,
    rows,
    timesAlone,
    timesOne,
    interactions: interactionRows,
  });
} finally {
  stage.remove();
}
