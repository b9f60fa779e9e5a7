/**
 * Tests the pages of `mcpwright diff --format html` in Chromium: `npm run test:pages`. It uses them as a reader would: in light
 * and dark colours, in wide and narrow windows, with and without scripts. Fails when a page has a problem.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { diff } from "../../generator/commands/diff/diff.js";
import { formatDiff } from "../../generator/commands/diff/formats/format-report.js";
import { knownRevisions } from "../../generator/shared/sources/schema-folder.js";
import { findChromium, flags } from "../hosts/find-chromium.js";

interface View {
  readonly name: string;
  readonly flags: readonly string[];
  readonly dark: boolean;
}

const views: readonly View[] = [
  { name: "light, wide", flags: ["--window-size=1280,900", "--blink-settings=preferredColorScheme=1"], dark: false },
  { name: "dark, wide", flags: ["--window-size=1280,900", "--blink-settings=preferredColorScheme=0"], dark: true },
  { name: "light, narrow", flags: ["--window-size=500,900", "--blink-settings=preferredColorScheme=1"], dark: false },
  { name: "dark, narrow", flags: ["--window-size=500,900", "--blink-settings=preferredColorScheme=0"], dark: true },
];

interface Seen {
  readonly total: number;
  readonly dark: boolean;
  readonly width: number;
  readonly problems: readonly string[];
}

const root = join(import.meta.dirname, "../..");
const probe = readFileSync(join(root, "test/pages/fixtures/probe.js"), "utf8");
/** Records violations of the content policy and errors of scripts. It runs before the page's own script. */
const early = `<script>window.earlyProblems = [];
addEventListener("error", (event) => earlyProblems.push(event.message));
addEventListener("securitypolicyviolation", (event) => earlyProblems.push(event.violatedDirective + " " + event.blockedURI));
</script>`;

const folder = mkdtempSync(join(tmpdir(), "mcpwright-pages-"));
const failures: string[] = [];
try {
  const revisions = knownRevisions();
  for (const [index, after] of revisions.slice(1).entries()) {
    const before = revisions[index] ?? "";
    const page = await formatDiff(await diff({ before, after }), "html");
    for (const view of views) tell(`${before} to ${after}, ${view.name}`, await problemsOf(page, view));
    tell(`${before} to ${after}, without scripts`, await problemsWithoutScripts(page));
  }
} finally {
  // Child processes of Chromium can still write files.
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}
process.exitCode = failures.length > 0 ? 1 : 0;

function tell(name: string, problems: readonly string[]): void {
  console.log(
    [`${problems.length === 0 ? "ok  " : "FAIL"} ${name}`, ...problems.map((text) => `     ${text}`)].join("\n"),
  );
  failures.push(...problems);
}

async function problemsOf(page: string, { flags: more, dark }: View): Promise<readonly string[]> {
  const probed = page
    .replace("<style>", () => `${early}\n<style>`)
    .replace("</body>", () => `<script>${probe}</script>\n</body>`);
  const dom = await show(probed, more);
  const report = /<pre id="probe">(.*)<\/pre>/s.exec(dom)?.[1];
  if (report === undefined) return ["the page was not probed"];
  const seen = JSON.parse(unescaped(report)) as Seen;
  return [...seen.problems, ...(seen.dark === dark ? [] : [`dark is ${seen.dark}`])];
}

/** Checks that all findings are visible, and that controls that need scripts are hidden. */
async function problemsWithoutScripts(page: string): Promise<readonly string[]> {
  const dom = await show(page.replace(/<script>.*<\/script>/s, ""), []);
  const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  const findings = /<li class="finding"/g;
  return [
    ...(count(dom, findings) === count(page, findings) && count(dom, findings) > 0 ? [] : ["findings are missing"]),
    ...(/<form[^>]* hidden/.test(dom) ? [] : ["filters are offered"]),
    ...(/<(section|details|li)[^>]* hidden/.test(dom) ? ["something is hidden"] : []),
  ];
}

/** The serialised elements of the page after it was rendered. */
async function show(page: string, more: readonly string[]): Promise<string> {
  const file = join(folder, "page.html");
  writeFileSync(file, page);
  const profile = mkdtempSync(join(folder, "profile-"));
  const args = [...flags, ...more, `--user-data-dir=${profile}`, "--dump-dom", pathToFileURL(file).href];
  const { stdout } = await promisify(execFile)(findChromium(), args, { maxBuffer: 64_000_000, timeout: 60_000 });
  return stdout;
}

function unescaped(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
}
