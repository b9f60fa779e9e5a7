/**
 * Compares published servers on our packages with the same servers on version 1 of the official SDK: `npm run compat:servers -- [part of a name]...
 * [--all]`. npm installs the servers of `test/compat/servers` twice, once with `overrides` that put our packages in the place of the SDK. Both get the
 * same questions, and all answers must be equal, except for known differences. `--all` prints these, too.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { pack } from "../../packages.js";
import { installPinned, pinnedVersion } from "../../pinned.js";
import { aliases, aliasFolder } from "../aliases.js";
import { differencesOf, printDifference } from "./compare.js";
import { type Difference, type KnownDifference, knownDifferences } from "./known.js";
import { type Exchange, interview } from "./questions.js";
import { type PublishedServer, servers } from "./servers.js";
import { startSession } from "./talk.js";
import { npmCommand } from "../../npm.js";

const pinned = resolve(import.meta.dirname, "../../../test/compat/servers");
const { values, positionals } = parseArgs({
  options: { all: { type: "boolean", default: false } },
  allowPositionals: true,
});
const wanted = servers.filter(
  ({ name }) => positionals.length === 0 || positionals.some((part) => name.includes(part)),
);
if (wanted.length === 0) throw new Error(`no server matches ${positionals.join(", ")}`);

installPinned(pinned);
const stage = mkdtempSync(join(tmpdir(), "mcpwright-servers-"));
const seen = new Set<KnownDifference>();
let failed = 0;
try {
  installOurs(stage);
  for (const server of wanted) await compare(server);
  await assertNoOther();
  for (const known of knownDifferences) {
    if (seen.has(known)) console.log(`described difference: ${known.reason}`);
    else if (wanted.length === servers.length) {
      console.log(`no server differs any more in this: ${known.reason}`);
      failed += 1;
    }
  }
} finally {
  rmSync(stage, { recursive: true, force: true, maxRetries: 5 });
}
if (failed > 0) process.exitCode = 1;

/** Installs the servers in the pinned versions; npm resolves their dependency on the official SDK to our package. */
function installOurs(folder: string): void {
  const sdk = aliases.find(({ name }) => name === "sdk");
  if (!sdk) throw new Error("there is no alias for the official SDK 1.x");
  const ours = ["@mcpwright/protocol", "@mcpwright/runtime", "@mcpwright/compat"];
  const tarballs = pack(folder, ["generated", "runtime", "compat", aliasFolder(sdk)]).map((path) => `file:${path}`);
  const { dependencies } = JSON.parse(readFileSync(join(pinned, "package.json"), "utf8")) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  const manifest = {
    private: true,
    dependencies: { ...dependencies, ...Object.fromEntries(ours.map((name, index) => [name, tarballs[index]])) },
    overrides: { "@modelcontextprotocol/sdk": tarballs.at(-1) },
  };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--silent", "--prefer-offline"];
  execFileSync(...npmCommand(["install", "--prefix", folder, ...options]), { stdio: "inherit" });
}

async function compare({ name, ...server }: PublishedServer): Promise<void> {
  const official = await answersOf({ name, ...server }, pinned);
  const differences = differencesOf(name, official, await answersOf({ name, ...server }, stage));
  const unknown: Difference[] = [];
  for (const difference of differences) {
    const known = knownDifferences.find(({ covers }) => covers(difference));
    if (known) seen.add(known);
    else unknown.push(difference);
  }
  const counts = [`${official.length - differences.length} of ${official.length} answers are equal`];
  if (differences.length > unknown.length) counts.push(`${differences.length - unknown.length} differ as described`);
  if (unknown.length > 0) counts.push(`${unknown.length} DIFFER`);
  console.log(`${name} ${pinnedVersion(pinned, name) ?? ""}: ${counts.join(", ")}`);
  for (const difference of values.all ? differences : unknown) console.log(printDifference(difference));
  if (unknown.length > 0 || official.some(({ answer }) => "missing" in answer)) failed += 1;
}

/** Makes our package unusable, so that a server that contains another copy of the SDK shows itself by answering. */
async function assertNoOther(): Promise<void> {
  rmSync(join(stage, "node_modules/@mcpwright/compat/dist"), { recursive: true });
  for (const { name, ...server } of wanted) {
    const answers = await answersOf({ name, ...server, questions: () => [] }, stage, true);
    if (answers.every(({ answer }) => "missing" in answer)) continue;
    console.log(`${name} does not import the SDK from the package that overrides replace`);
    failed += 1;
  }
}

async function answersOf(server: PublishedServer, installed: string, isShort = false): Promise<readonly Exchange[]> {
  // Both get a folder of the same name, since answers contain it.
  const folder = join(stage, "files");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const session = startSession({
    command: [process.execPath, join(installed, "node_modules", server.program), ...server.args(folder)],
    cwd: folder,
    environment: server.environment(folder),
  });
  try {
    if (!isShort) return await interview(session, server.questions(folder));
    const question = { method: "ping" };
    return [{ question, answer: await session.ask(question) }];
  } finally {
    await session.end();
  }
}
