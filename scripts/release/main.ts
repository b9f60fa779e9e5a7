/**
 * Checks a release and publishes it: `npm run release -- [--dry-run]`. The packages are built, packed, checked, installed in an
 * empty folder and used there. A dry run also lists the obstacles to publishing, but fails only for defects.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join, sep } from "node:path";
import { parseArgs } from "node:util";
import { contract } from "../../generator/pipeline/emit/shared-files.js";
import { checkTarball, pack, packageFolders } from "../packages.js";
import { changelogFindings } from "./checks/changelog.js";
import { contractFindings } from "./checks/contract.js";
import { fileFindings } from "./checks/files.js";
import { byLicence, forTools, forUsers, installedIn, licenceFindings } from "./checks/licences.js";
import { provenanceFindings } from "./checks/provenance.js";
import { readinessFindings } from "./checks/readiness.js";
import { versionFindings } from "./checks/versions.js";
import { defect, type Finding, printFinding } from "./finding.js";
import { isAlias, type Package, readPackages, root } from "./manifest.js";
import { type Packed, publish } from "./publish.js";
import { outputOf, runIn } from "./run.js";
import { unpack } from "./tarball.js";
import { smokeTest } from "./smoke-test.js";

const { values } = parseArgs({ options: { "dry-run": { type: "boolean", default: false } } });
const isDryRun = values["dry-run"];
const run = runIn(root);

const packages = readPackages();
const rootPackage = packages.find(({ folder }) => folder === ".") ?? missing();
const { version } = rootPackage.manifest;

const stated = [
  ...versionFindings(packages),
  ...changelogFindings(
    readFileSync(join(root, "CHANGELOG.md"), "utf8"),
    version,
    new Date().toISOString().slice(0, 10),
  ),
  // Aliases repeat the fields of compat.
  ...provenanceFindings(packages.filter((one) => !isAlias(one))),
  ...surroundings(),
];
if (isDryRun || stated.length === 0) {
  const folder = mkdtempSync(join(tmpdir(), "mcpwright-release-"));
  try {
    release(folder);
  } catch (error) {
    console.error(`\n${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
} else {
  report(stated);
  console.log("\nNothing was built or published. To check the packages anyway, run npm run release -- --dry-run.");
  process.exitCode = 1;
}

function release(folder: string): void {
  outputOf(run("npm", ["run", "--silent", "build"]), "npm run build");
  const tarballs = pack(folder, packageFolders);
  const packed: readonly (Packed & Package)[] = packages.map((one, index) => ({
    ...one,
    tarball: tarballs[index] ?? missing(),
  }));
  const findings = [
    ...stated,
    ...tarballs.flatMap(judgement),
    ...packed.flatMap((one) => contentFindings(one, folder)),
    ...useFindings(packed, join(folder, "trial")),
    ...licences("the repository's tools", join(root, "node_modules"), forTools),
  ];
  report(findings);
  if (findings.some(({ kind }) => kind === "defect" || !isDryRun)) process.exitCode = 1;
  else if (!isDryRun) publish(packed, run, (line) => console.log(line));
}

function contentFindings(one: Packed & Package, folder: string): readonly Finding[] {
  const files = unpack(one.tarball, join(folder, "unpacked", one.manifest.name.replace("/", "-")));
  console.log(`${one.manifest.name} ${one.manifest.version}: ${files.length} files`);
  return fileFindings(one, files, [root + sep, homedir() + sep]);
}

function useFindings(packed: readonly (Packed & Package)[], folder: string): readonly Finding[] {
  console.log("\nIn an empty folder:");
  try {
    const { contract: numbers, modules } = smokeTest(folder, packed, rootPackage, (line) => console.log(`  ${line}`));
    console.log(`contract: ${contract}`);
    const ours = { "generator/pipeline/emit/shared-files.ts": contract, "generated/manifest.json": ofManifest() };
    return [...contractFindings({ ...ours, ...numbers }), ...licences("what a user installs", modules, forUsers)];
  } catch (error) {
    return [failure("use in an empty folder", error)];
  }
}

function judgement(tarball: string): readonly Finding[] {
  try {
    checkTarball(tarball);
    return [];
  } catch (error) {
    return [failure("publint and attw", error)];
  }
}

function failure(where: string, error: unknown): Finding {
  return defect(
    where,
    error instanceof Error ? error.message : String(error),
    "Fix it: users would get the same error.",
  );
}

function licences(where: string, modules: string, allowed: ReadonlySet<string>): readonly Finding[] {
  const installed = installedIn(modules);
  console.log(`licences of ${where}:`);
  for (const [license, names] of byLicence(installed))
    console.log(`  ${license} (${names.length})${allowed === forUsers ? `: ${names.join(", ")}` : ""}`);
  return licenceFindings(where, installed, allowed);
}

function surroundings(): readonly Finding[] {
  const changes = outputOf(run("git", ["status", "--porcelain"]), "git status");
  const tags = outputOf(run("git", ["tag", "--points-at", "HEAD"]), "git tag")
    .split("\n")
    .filter((tag) => tag !== "");
  return readinessFindings({ changes, tags, environment: process.env }, version, rootPackage.manifest.repository?.url);
}

function ofManifest(): unknown {
  return (JSON.parse(readFileSync(join(root, "generated/manifest.json"), "utf8")) as { readonly contract?: unknown })
    .contract;
}

function report(findings: readonly Finding[]): void {
  for (const [kind, title] of [
    ["defect", "Wrong with the packages:"],
    ["obstacle", "Cannot be published because:"],
  ] as const) {
    const some = findings.filter((finding) => finding.kind === kind);
    console.log(some.length > 0 ? `\n${[title, ...some.map(printFinding)].join("\n")}` : `\n${title} nothing found`);
  }
}

function missing(): never {
  throw new Error('packageFolders does not contain the root "."');
}
