/** Measures what a gateway costs between clients and servers, writes the results, and fails when a goal is missed. */
import type { Form } from "../http/forms.js";
import { type Effort, effort } from "../shared/effort.js";
import { goal } from "../shared/goal.js";
import { machine, publish, quick } from "../shared/results.js";
import { ratios, spreadOf } from "../shared/rounds.js";
import { makeStage } from "../shared/stage.js";
import { goalTable, spread, table } from "../shared/tables.js";
import type { Revision } from "../shared/traffic.js";
import { type CallRatios, callRatios, type Chain, type Costs, measureCalls, spreadsOf } from "./measure-calls.js";
import { measureFronts } from "./measure-fronts.js";
import { measureLists, servers, tools } from "./measure-lists.js";

/** In some processes V8 optimises the same code better than in others. */
const starts = quick ? 1 : 3;
const perStart: Effort = { ...effort, rounds: quick ? 2 : 5 };
const handshake: Revision = "2025-11-25";
const stateless: Revision = "2026-07-28";
const revisions = [handshake, stateless];

const chains: readonly Chain[] = revisions.flatMap((client) => [
  { name: `direct, ${client}`, client, server: client, hasGateway: false },
  ...revisions.map((server) => ({
    name: client === server ? `gateway, ${client}` : `gateway, client ${client}, server ${server}`,
    client,
    server,
    hasGateway: true,
  })),
]);

/** The chains with a gateway, with the costs of their calls relative to direct calls of the client. */
function rowsOf(costs: readonly Costs[]): readonly { readonly chain: Chain; readonly ratios: CallRatios }[] {
  const directOf = (revision: Revision): Costs =>
    costs[chains.findIndex(({ client, hasGateway }) => client === revision && !hasGateway)] as Costs;
  return chains.flatMap((chain, at) =>
    chain.hasGateway ? { chain, ratios: callRatios(costs[at] as Costs, directOf(chain.client)) } : [],
  );
}

function callTable(costs: readonly Costs[]): readonly string[] {
  const rows = rowsOf(costs);
  return table(
    ["", "client", "gateway", "server", "all", "relative to direct", "the same without the client"],
    chains.map((chain, at) => {
      const { client, gateway, server, sum } = spreadsOf(costs[at] as Costs);
      const relative = rows.find((row) => row.chain === chain)?.ratios;
      return [
        chain.name,
        spread(client, 1),
        chain.hasGateway ? spread(gateway, 1) : "",
        spread(server, 1),
        spread(sum, 1),
        relative ? spread(relative.all) : "",
        relative ? spread(relative.withoutClient) : "",
      ];
    }),
  );
}

const forms: readonly { readonly form: Form; readonly name: string }[] = [
  { form: { kind: "sessions", reply: "sse" }, name: `clients ${handshake}, SSE` },
  { form: { kind: "stateless", reply: "json" }, name: `clients ${stateless}, JSON` },
];

const stage = await makeStage(import.meta.dirname);
try {
  const concurrent = await measureCalls(stage, chains, 64, starts, perStart);
  const sequential = await measureCalls(stage, chains, 1, 1, perStart);
  const fronts = [];
  for (const { form, name } of forms) {
    const costs = await measureFronts(stage, form, effort);
    fronts.push({ name, ...costs, ratio: ratios(costs.gateway, costs.proxy) });
  }
  const lists = [];
  for (const revision of revisions) {
    const costs = await measureLists(stage, revision, effort);
    lists.push({ revision, ...costs, ratio: ratios(costs.many, costs.one) });
  }

  const goals = [
    ...rowsOf(concurrent).map(({ chain: { client, server }, ratios: { all } }) =>
      client === server
        ? goal(`a call of ${client} through the gateway: CPU relative to a direct call`, 2.5, all.median)
        : goal(
            `a call of ${client} through the gateway to a server of ${server}: CPU relative to a direct call of ${client}`,
            3.5,
            all.median,
          ),
    ),
    ...fronts.map(({ name, ratio }) =>
      goal(`HTTP in front of a server on stdio, ${name}: CPU of the gateway relative to mcp-proxy`, 0.2, ratio.median),
    ),
    ...lists.map(({ revision, ratio }) =>
      goal(`tools/list of ${revision}, ${servers} servers: CPU relative to one server`, 3, ratio.median),
    ),
  ];
  const lines = [
    "# The gateway",
    "",
    `${machine}. Microseconds of CPU of whole processes: all threads, user and system. Each figure is the median of the rounds, with ` +
      "minimum and maximum in parentheses. Ratios are within a round, in which all subjects take turns.",
    "",
    "## Goals",
    "",
    ...goalTable(goals),
    "",
    "## Calls over stdio",
    "",
    `Client, gateway and server are processes of their own, with our client and our server. 64 calls in flight, ${starts * perStart.rounds} ` +
      `rounds, started ${starts} times. The goals are about the sum of all processes, relative to client and server without a gateway. ` +
      "Without the client means: gateway and server, relative to the server alone.",
    "",
    ...callTable(concurrent),
    "",
    `One call at a time, ${perStart.rounds} rounds:`,
    "",
    ...callTable(sequential),
    "",
    "## HTTP in front of a server on stdio",
    "",
    `The process that listens, without its server, with 32 clients. ${effort.rounds} rounds.`,
    "",
    ...table(
      ["", "mcp-proxy", "gateway", "relative to mcp-proxy"],
      fronts.map(({ name, proxy, gateway, ratio }) => [
        name,
        spread(spreadOf(proxy), 1),
        spread(spreadOf(gateway), 1),
        spread(ratio),
      ]),
    ),
    "",
    "## Lists",
    "",
    `A warm tools/list over stdio: a gateway in front of ${servers} servers of its process with ${tools / servers} tools each, and one ` +
      `server with ${tools} tools. ${effort.rounds} rounds.`,
    "",
    ...table(
      ["", "one server", "gateway", "relative to one server"],
      lists.map(({ revision, one, many, ratio }) => [
        revision,
        spread(spreadOf(one), 1),
        spread(spreadOf(many), 1),
        spread(ratio),
      ]),
    ),
    "",
  ];
  const figures = chains.map(({ name }, at) => ({
    name,
    concurrent: spreadsOf(concurrent[at] as Costs),
    sequential: spreadsOf(sequential[at] as Costs),
  }));
  await publish("gateway", lines, { node: process.versions.node, calls: figures, fronts, lists, goals });
} finally {
  stage.remove();
}
