/**
 * Checks the built site: `npm run test:site -- [--built]`. It builds the site (`--built`: takes that of the last build), serves it on
 * the loopback interface, and reads its HTML and uses its pages in Chromium as readers do: on a phone, in both themes, with the
 * keyboard, without scripts. Fails when a page has a problem.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { isHandWritten } from "../docs/check/check-pages.js";
import { RepositoryPages } from "../docs/read/repository-pages.js";
import { findChromium, flags } from "../hosts/find-chromium.js";
import { checkHtml } from "./checks/check-html.js";
import { checkKeyboard } from "./checks/check-keyboard.js";
import { checkPages, type SiteProblem } from "./checks/check-pages.js";
import { checkSearch } from "./checks/check-search.js";
import { checkWithoutScripts } from "./checks/check-without-scripts.js";
import { firstPageBudget, measureFirstPage } from "./checks/first-page.js";
import { htmlFiles, serveSite } from "./serve-site.js";

/** Generated pages that are opened in the browser, one of each kind. */
const samples = [
  "/404.html",
  "/reference/api/README.html",
  "/reference/api/hono.html",
  "/reference/errors/",
  "/reference/revisions/losses.html",
  "/gateway-matrix.html",
  "/project/readme.html",
];
/** Reports of `mcpwright diff` are served as they are, and have checks of their own: `npm run test:pages`. */
const reports = /^\/reference\/revisions\/\d.*-to-.*\.html$/;

const root = join(import.meta.dirname, "../..");
const folder = join(root, "docs/.vitepress/dist");
const { values } = parseArgs({ options: { built: { type: "boolean" } } });
if (values.built !== true)
  execFileSync(process.execPath, [join(root, "node_modules/vitepress/bin/vitepress.js"), "build", "docs"], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
  });

const failures: string[] = [];
const site = await serveSite(folder);
const browser = await chromium.launch({ executablePath: findChromium(), args: [...flags] });
try {
  const files = htmlFiles(folder).filter((file) => file !== "/404.html");
  report(
    `HTML of ${files.length} pages`,
    files.flatMap((file) => checkFile(file)),
  );
  const written = new RepositoryPages(root).pages.filter(isHandWritten).map(pathOf);
  const opened = [...written, ...samples];
  report(`${opened.length} pages in Chromium`, (await checkPages(browser, site.origin, opened)).map(print));
  report("reading without scripts", await checkWithoutScripts(browser, site.origin, written.slice(0, 5)));
  report("keyboard", await checkKeyboard(browser, site.origin));
  report("search", await checkSearch(browser, site.origin));
  for (const path of ["/", "/zh/"]) {
    const { total, parts } = await measureFirstPage(browser, site, path);
    const problems = total > firstPageBudget ? [`it may load ${firstPageBudget} bytes:`, ...parts] : [];
    report(`${path} loads ${total} bytes as the first page`, problems);
  }
} finally {
  await browser.close();
  site.close();
}
process.exitCode = failures.length > 0 ? 1 : 0;

function checkFile(file: string): readonly string[] {
  const html = readFileSync(join(folder, file), "utf8");
  return reports.test(file) && !html.includes("VPContent") ? [] : checkHtml(html).map((text) => `${file}: ${text}`);
}

/** The path in the site of a page of `docs/`. */
function pathOf(page: string): string {
  return `/${page
    .replace(/^docs\//, "")
    .replace(/(^|\/)README\.md$/, "$1")
    .replace(/\.md$/, ".html")}`;
}

function print({ path, message }: SiteProblem): string {
  return `${path}: ${message}`;
}

function report(name: string, problems: readonly string[]): void {
  console.log(
    [`${problems.length === 0 ? "ok  " : "FAIL"} ${name}`, ...problems.map((text) => `     ${text}`)].join("\n"),
  );
  failures.push(...problems);
}
