/** The page of `mcpwright dev --ui` in Chromium, with a server that is edited while it runs, and with a hostile one. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium, type Locator, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { findChromium, flags } from "../../../../../scripts/hosts/find-chromium.js";
import { commandLine } from "../../../../cli/command-line.js";
import { temporaryFolder } from "../../../../support/temporary-folder.js";
import { attack, hostileText } from "./hostile-server.js";
import { serverText } from "./tried-server.js";

/** A folder for the screenshots of the tests, to look at them. */
const { DEV_PAGE_SCREENSHOTS: screenshots } = process.env;

let browser: Browser;
beforeAll(async () => {
  browser = await chromium.launch({ executablePath: findChromium(), args: [...flags] });
});
afterAll(() => browser.close());

interface Opened {
  readonly page: Page;
  /** Replaces the text of the server, which restarts it. */
  readonly edit: (text: string) => void;
  /** Errors of the page, and the origins that it has loaded something from. */
  readonly problems: readonly string[];
  readonly origins: ReadonlySet<string>;
  /** Ends the command. */
  readonly end: () => Promise<void>;
}

/** Runs `mcpwright dev --ui` with a server, and opens the page at the address that the command prints. */
async function openPage(text: string): Promise<Opened> {
  const folder = temporaryFolder("dev-page");
  const file = join(folder, "server.mjs");
  writeFileSync(join(folder, "package.json"), '{"type": "module"}');
  writeFileSync(file, text);
  const [program = "", ...words] = commandLine(["dev", "server.mjs", "--ui"], "bundle");
  const child = spawn(program, words, { cwd: folder, stdio: "pipe" });
  const exited = once(child, "exit");
  const end = async (): Promise<void> => {
    child.stdin.end();
    await exited;
  };
  onTestFinished(end);
  const url = await new Promise<string>((resolve, reject) => {
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (part: string) => {
      said += part;
      const [address] = /http:\/\/127\.0\.0\.1:\d+\/#\S+/.exec(said) ?? [];
      if (address !== undefined) resolve(address);
    });
    child.once("exit", () => reject(new Error(`the command has ended: ${said}`)));
  });
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, colorScheme: "light" });
  page.setDefaultTimeout(20_000);
  onTestFinished(() => page.close());
  const problems: string[] = [];
  const origins = new Set<string>();
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => problems.push(message.text()));
  page.on("request", (request) => origins.add(new URL(request.url()).origin));
  await page.goto(url);
  return { page, edit: (changed) => writeFileSync(file, changed), problems, origins, end };
}

/** Opens a tool, prompt or resource of the list. */
async function open(page: Page, title: string): Promise<Locator> {
  const item = page.locator(".item", { has: page.locator("summary b", { hasText: title }) });
  await item.locator("summary").first().click();
  return item;
}

async function takeScreenshot(page: Page, name: string, fullPage = false): Promise<void> {
  if (screenshots !== undefined) await page.screenshot({ path: join(screenshots, `${name}.png`), fullPage });
}

const rows = (page: Page, text: string): Locator => page.locator("#rows > li:visible", { hasText: text });

test("a tool is called with a form, and its messages are shown with durations", async () => {
  const { page, problems, origins } = await openPage(serverText("Hello"));
  await page.getByText("tried 1.0.0 · 2026-07-28").waitFor();
  expect(page.url()).not.toContain("#");
  const greet = await open(page, "greet · Greet somebody");
  await greet.getByText("read-only").waitFor();
  await greet.getByLabel("name").fill("Ada");
  await greet.getByLabel("times (optional)").fill("many");
  await greet.getByRole("button", { name: "Call" }).click();
  await greet.getByText("Enter a number.").waitFor();
  await greet.getByLabel("times (optional)").fill("2");
  await greet.getByLabel("tone (optional)").selectOption("formal");
  await greet.getByLabel("city").fill("Rome");
  await greet.getByLabel("tags (optional)").fill('["a"]');
  await greet.getByLabel("name").press("Control+Enter");
  await greet.getByText("Hello Ada, Hello Ada").waitFor();
  const args = '{"name":"Ada","times":2,"tone":"formal","place":{"city":"Rome"},"tags":["a"]}';
  await greet.getByText(args).first().waitFor();

  await greet.getByRole("button", { name: "Edit as JSON" }).click();
  expect(JSON.parse(await greet.getByLabel("Arguments as JSON").inputValue())).toEqual(JSON.parse(args));
  await greet.getByLabel("Arguments as JSON").fill('{"name": "Bob", "other": 1}');
  await greet.getByRole("button", { name: "Edit as fields" }).click();
  await greet.getByText("The fields cannot show all of this.").waitFor();
  await greet.getByRole("button", { name: "Call" }).click();
  await greet.getByText('{"name":"Bob","other":1}').first().waitFor();

  await page.getByLabel("Text or method").fill("tools/call");
  await expect.poll(() => rows(page, "greet").count()).toBe(4);
  const [request, response] = [rows(page, "greet").nth(0), rows(page, "greet").nth(1)];
  await expect.poll(() => response.textContent()).toMatch(/\d ms/);
  expect(await request.textContent()).toMatch(/→tools\/callgreet.*\d ms/);
  await response.locator("summary").click();
  await response.getByText('"Hello Ada, Hello Ada').waitFor();
  await response.getByRole("button", { name: /Request \d+/ }).click();
  await request.getByText('"tone": "formal"').waitFor();
  await page.getByLabel("Direction").selectOption("From the server");
  await expect.poll(() => rows(page, "greet").count()).toBe(2);
  await page.getByLabel("Text or method").fill("");
  await page.getByLabel("Direction").selectOption("Both directions");
  await takeScreenshot(page, "light");
  await page.getByRole("button", { name: "Clear" }).click();
  await page.getByText("No messages yet.").waitFor();
  expect(problems).toEqual([]);
  expect(origins).toEqual(new Set([new URL(page.url()).origin]));
});

test("a changed server shows its changed tools, keeps what was entered, and what it prints is between the messages", async () => {
  const { page, edit, problems } = await openPage(serverText("Hello"));
  const greet = await open(page, "greet");
  await greet.getByLabel("name").fill("Ada");
  edit(serverText("Good day"));
  await greet.getByText("Says Good day to somebody.").first().waitFor();
  expect(await greet.getByLabel("name").inputValue()).toBe("Ada");
  await greet.getByRole("button", { name: "Call" }).click();
  await greet.getByText("Good day Ada").waitFor();
  await rows(page, "restarted the server: server.mjs changed").first().waitFor();
  await rows(page, "started with Good day").first().waitFor();

  edit("throw new Error('a typing error');");
  await rows(page, "a typing error").first().waitFor();
  await rows(page, "next change of a file starts the server again").first().waitFor();
  await greet.getByRole("button", { name: "Call" }).click();
  await greet.getByText("Error -32603").waitFor();
  edit(serverText("Good evening"));
  await greet.getByText("Says Good evening to somebody.").first().waitFor();
  await takeScreenshot(page, "restarts");
  expect(problems).toEqual([]);
});

test("progress, cancelling, images, prompts, resources and questions of the server", async () => {
  const { page, problems } = await openPage(serverText("Hello"));
  const wait = await open(page, "wait");
  await wait.getByRole("button", { name: "Call" }).click();
  await wait.getByText(/\d+ of 1000: step \d+/).waitFor();
  await wait.getByRole("button", { name: "Cancel" }).click();
  await wait.getByText("Cancelled", { exact: true }).waitFor();
  await rows(page, "the wait was cancelled").first().waitFor();

  const paint = await open(page, "paint");
  await paint.getByRole("button", { name: "Call" }).click();
  await expect.poll(() => page.evaluate("document.querySelector('#tools img')?.naturalWidth")).toBe(16);
  await paint.getByText('"width": 16').first().waitFor();

  const fail = await open(page, "fail");
  await fail.getByRole("button", { name: "Call" }).click();
  await fail.getByText("The tool failed").waitFor();

  const asking = await open(page, "ask");
  await asking.getByRole("button", { name: "Call" }).click();
  const question = page.locator(".question");
  await question.getByRole("button", { name: "Send" }).click();
  await question.getByText("This is required.").waitFor();
  await takeScreenshot(page, "question");
  await page.emulateMedia({ colorScheme: "dark" });
  await takeScreenshot(page, "dark");
  await page.setViewportSize({ width: 420, height: 900 });
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(420);
  await takeScreenshot(page, "narrow", true);
  await question.getByLabel("colour").selectOption("green");
  await question.getByRole("button", { name: "Send" }).click();
  await asking.getByText('accept {"colour":"green"}').waitFor();

  await page.getByRole("tab", { name: "Tools" }).press("ArrowRight");
  const review = await open(page, "review");
  await review.getByLabel("code").fill("x = 1");
  await review.getByRole("button", { name: "Get" }).click();
  await review.getByText("Review x = 1").waitFor();
  await page.getByRole("tab", { name: "Resources" }).click();
  const readme = await open(page, "readme");
  await readme.getByRole("button", { name: "Read" }).click();
  await readme.getByText("# Readme").waitFor();
  expect(problems).toEqual([]);
});

test("texts of a server stay text, and messages that break the schema are marked", async () => {
  const { page, problems, origins } = await openPage(hostileText);
  const tool = await open(page, attack);
  await tool.getByRole("button", { name: "Call" }).click();
  await tool.getByText("resource_link").first().waitFor();
  await page.getByRole("tab", { name: "Resources" }).click();
  await page.locator("#resources .item b", { hasText: "javascript:" }).waitFor();
  await page.getByRole("tab", { name: "Tools" }).click();
  await page.getByText("Instructions").click();

  await page.getByLabel("Problems only").check();
  const marked = rows(page, "2 problems");
  await marked.locator("summary").click();
  await marked.getByText("$.params.level").waitFor();
  const link = marked.getByRole("link", { name: "specification" }).first();
  expect(await link.getAttribute("href")).toMatch(/^https:\/\/modelcontextprotocol\.io\//);
  await rows(page, "stdout, not a message: <img").waitFor();
  await takeScreenshot(page, "hostile");
  expect(await page.locator("img, script:not([src]), a[href^=javascript]").count()).toBe(0);
  expect(await page.title()).toBe("server.mjs · mcpwright dev");
  expect(problems).toEqual([]);
  expect(origins).toEqual(new Set([new URL(page.url()).origin]));
});

test("a page keeps its token when it is loaded again, another has none, and both say when the command has ended", async () => {
  const { page, end } = await openPage(serverText("Hello"));
  await page.getByText("tried 1.0.0").waitFor();
  await page.reload();
  await page.getByText("tried 1.0.0").waitFor();
  const other = await browser.newPage();
  onTestFinished(() => other.close());
  await other.goto(page.url());
  await other.getByText("Open the address that mcpwright dev has printed.").waitFor();
  expect(await other.locator("#rows > li").count()).toBe(0);
  await end();
  await page.getByText("mcpwright dev does not respond.").waitFor();
});
