/** Measures calls with access tokens and with DPoP proofs against the same calls without, and fails when a goal is missed. */
import { join } from "node:path";
import { effort } from "../../shared/effort.js";
import { goal } from "../../shared/goal.js";
import { machine, publish } from "../../shared/results.js";
import { makeStage } from "../../shared/stage.js";
import { goalTable, spread, table } from "../../shared/tables.js";
import { Issuer } from "../credentials.js";
import { type Form, nameOf } from "../forms.js";
import { measureForm } from "../measure.js";
import type { Subject } from "../subjects.js";
import { measureWebCrypto, webCryptoTable } from "../webcrypto.js";

const open = "without authorization";
const bearer = "with a bearer token";
const dpop = "with a DPoP proof";
const form: Form = { kind: "stateless", reply: "json" };

const issuer = await Issuer.create();
const args = [JSON.stringify(issuer.jwks)];
const does = (): boolean => true;
const subjects: readonly Subject[] = [
  { name: open, script: "mcpwright", does },
  { name: bearer, script: "mcpwright-authorized", does, args, credentials: () => issuer.bearer() },
  { name: dpop, script: "mcpwright-authorized", does, args, credentials: () => issuer.dpop() },
];

const stage = await makeStage(join(import.meta.dirname, ".."));
try {
  const servers = await measureForm(stage, effort, form, subjects, open);
  const operations = await measureWebCrypto(effort);
  const cpu = (name: string): number => servers.find((row) => row.name === name)?.cpuMicroseconds.median ?? NaN;
  const timesOpen = (name: string): number => servers.find((row) => row.name === name)?.timesFloor.median ?? NaN;
  const verify = operations[0]?.cpuMicroseconds.median ?? NaN;
  const goals = [
    goal(
      "a verified, cached JWT: CPU per call, relative to the same call without authorization",
      1.15,
      timesOpen(bearer),
    ),
    goal(
      "DPoP: CPU per call less one verify, relative to the same call without authorization",
      1.5,
      (cpu(dpop) - verify) / cpu(open),
    ),
  ];
  const lines = [
    "# Calls with authorization",
    "",
    `${machine}. ${nameOf(form)}, over \`serveHttp\`. Each figure is the median of ${effort.rounds} rounds, with minimum and maximum in ` +
      "parentheses. The servers take turns; ratios are within a round. CPU is the time of the whole process: all threads.",
    "",
    "## Goals",
    "",
    ...goalTable(goals),
    "",
    "## Servers",
    "",
    ...table(
      ["call", "CPU µs", "relative"],
      servers.map(({ name, cpuMicroseconds, timesFloor }) => [name, spread(cpuMicroseconds), spread(timesFloor)]),
    ),
    "",
    "## WebCrypto",
    "",
    ...webCryptoTable(operations),
    "",
  ];
  await publish("authorized-http", lines, { goals, servers, operations });
} finally {
  stage.remove();
}
