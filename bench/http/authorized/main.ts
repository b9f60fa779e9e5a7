/** Measures calls with access tokens and with DPoP proofs against the same calls without, and fails when a goal is missed. */
import { join } from "node:path";
import { effort } from "../../shared/effort.js";
import { goal } from "../../shared/goal.js";
import { machine, publish } from "../../shared/results.js";
import { spreadOf } from "../../shared/rounds.js";
import { makeStage } from "../../shared/stage.js";
import { goalTable, spread, table } from "../../shared/tables.js";
import { median } from "../../validators/figures.js";
import { Issuer } from "../credentials.js";
import { type Form, nameOf } from "../forms.js";
import { measureForm, type ServerRow } from "../measure.js";
import type { Subject } from "../subjects.js";
import { measureWebCrypto, webCryptoTable } from "../webcrypto.js";

const open = "without authorization";
const verified = "without authorization, one `verify` in the handler";
const bearer = "with a bearer token";
const dpop = "with a DPoP proof";
const form: Form = { kind: "stateless", reply: "json" };
/** How often all servers are started: in some processes V8 optimises the same code better than in others, by up to 5 %. */
const starts = 4;

const issuer = await Issuer.create();
const args = [JSON.stringify(issuer.jwks)];
const does = (): boolean => true;
const subjects: readonly Subject[] = [
  { name: open, script: "mcpwright", does },
  { name: verified, script: "mcpwright-verify", does },
  { name: bearer, script: "mcpwright-authorized", does, args, credentials: () => issuer.bearer() },
  { name: dpop, script: "mcpwright-authorized", does, args, credentials: () => issuer.dpop() },
];

const stage = await makeStage(join(import.meta.dirname, ".."));
try {
  const rows: ServerRow[] = [];
  for (let start = 0; start < starts; start++)
    rows.push(...(await measureForm(stage, { ...effort, rounds: Math.ceil(effort.rounds / 2) }, form, subjects, open)));
  const operations = await measureWebCrypto(effort);
  /** CPU microseconds per call, of each round. */
  const cpuOf = (name: string): readonly number[] => rows.flatMap((row) => (row.name === name ? row.rounds : []));
  const base = cpuOf(open);
  const timesOpen = (cpu: readonly number[]): readonly number[] => cpu.map((one, round) => one / (base[round] ?? NaN));
  const servers = subjects.map(({ name }) => ({
    name,
    cpuMicroseconds: spreadOf(cpuOf(name)),
    timesOpen: spreadOf(timesOpen(cpuOf(name))),
  }));
  const inHandler = cpuOf(verified).map((one, round) => one - (base[round] ?? NaN));
  const inLoop = operations[0]?.cpuMicroseconds.median ?? NaN;
  const beyond = (verify: (round: number) => number): number =>
    median(timesOpen(cpuOf(dpop).map((one, round) => one - verify(round))));
  const lessLoop = beyond(() => inLoop);
  const goals = [
    goal(
      "a verified, cached JWT: CPU per call, relative to the same call without authorization",
      1.15,
      median(timesOpen(cpuOf(bearer))),
    ),
    goal(
      "DPoP: CPU per call less one verify, relative to the same call without authorization",
      1.5,
      beyond((round) => inHandler[round] ?? NaN),
    ),
  ];
  const lines = [
    "# Calls with authorization",
    "",
    `${machine}. ${nameOf(form)}, over \`serveHttp\`. Each figure is the median of ${base.length} rounds, with minimum and maximum in ` +
      `parentheses; all servers were started ${starts} times. They take turns; ratios are within a round. CPU is the time of the whole ` +
      "process: all threads.",
    "",
    "## Goals",
    "",
    ...goalTable(goals),
    "",
    `One \`verify\` in a handler takes ${median(inHandler).toFixed(0)} µs: the second server below less the first, in the same round. The ` +
      `goal uses it, because a call with a proof pays it. In a loop it takes ${inLoop.toFixed(0)} µs; with that figure, the DPoP call ` +
      `would be ${lessLoop.toFixed(2)} times the call without.`,
    "",
    "## Servers",
    "",
    ...table(
      ["call", "CPU µs", "relative"],
      servers.map(({ name, cpuMicroseconds, timesOpen: times }) => [name, spread(cpuMicroseconds), spread(times)]),
    ),
    "",
    "## WebCrypto",
    "",
    "In a loop, one at a time, in a process that does nothing else.",
    "",
    ...webCryptoTable(operations),
    "",
  ];
  await publish("authorized-http", lines, { goals, lessLoop, servers, operations });
} finally {
  stage.remove();
}
