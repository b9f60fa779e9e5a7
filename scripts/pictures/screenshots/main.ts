/**
 * Takes the screenshots of the documentation in Chromium: `npm run docs:screenshots`. Each shows a page in the light theme, and below it in
 * the dark one.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { findChromium, flags } from "../../hosts/find-chromium.js";

const root = join(import.meta.dirname, "../../..");
const images = join(root, "docs/images");
const program = join(root, "dist/cli.js");

const folder = mkdtempSync(join(tmpdir(), "screenshots-"));
const browser = await chromium.launch({ executablePath: findChromium(), args: [...flags] });
try {
  await run(["new", "weather", "--yes"], folder, ended);
  const project = join(folder, "weather");
  symlinkSync(join(root, "node_modules"), join(project, "node_modules"));
  await run(["dev", "src/main.ts", "--no-types", "--ui"], project, async (url) => {
    await capture(browser, await url, { name: "dev-page", width: 760, height: 422 }, useTool);
  });
  const servers = Object.fromEntries(
    ["weather", "chart"].map((name) => [
      name,
      { command: "npx", args: ["tsx", join(root, `examples/${name}/main.ts`)], cwd: root },
    ]),
  );
  writeFileSync(join(folder, "gateway.json"), JSON.stringify({ mcpServers: servers }));
  await run(["gateway", "gateway.json", "--http", "0", "--status"], folder, async (url) => {
    const address = new URL(await url);
    await run(["inspect", address.href], folder, ended);
    await capture(
      browser,
      new URL("/status", address).href,
      { name: "gateway-status", width: 980, height: 350 },
      async (page) => {
        await page.getByText("connected").first().waitFor();
      },
    );
  });
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}

/** Runs a command until `use` has ended. @param use gets the URL that the command prints */
async function run(
  args: readonly string[],
  cwd: string,
  use: (url: Promise<string>, child: ChildProcess) => Promise<void>,
): Promise<void> {
  const child = spawn(process.execPath, [program, ...args], { cwd, stdio: ["pipe", "pipe", "pipe"] });
  const url = new Promise<string>((resolve, reject) => {
    let said = "";
    const read = (part: Buffer): void => {
      said += part.toString();
      const [address] = /http:\/\/127\.0\.0\.1:\d+\/\S+/.exec(said) ?? [];
      if (address !== undefined) resolve(address);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("exit", () => reject(new Error(`mcpwright ${args.join(" ")} has ended: ${said}`)));
  });
  url.catch(() => undefined);
  try {
    await use(url, child);
  } finally {
    if (child.exitCode === null) {
      child.stdin.end();
      child.kill("SIGINT");
      await once(child, "exit");
    }
  }
}

/** Calls the tool of the project with the form of the page. */
async function useTool(page: Page): Promise<void> {
  const item = page.locator(".item", { has: page.locator("summary b", { hasText: "greet" }) });
  await item.locator("summary").first().click();
  await item.getByLabel("name").fill("Ada");
  await item.getByRole("button", { name: "Call" }).click();
  await item.getByText("Hello, Ada!").first().waitFor();
}

async function capture(
  browser: Browser,
  url: string,
  { name, width, height }: { readonly name: string; readonly width: number; readonly height: number },
  use: (page: Page) => Promise<void>,
): Promise<void> {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: "light" });
  page.setDefaultTimeout(60_000);
  await page.goto(url);
  await use(page);
  const shots: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    shots.push((await page.screenshot()).toString("base64"));
  }
  const both = await browser.newPage({ viewport: { width, height: 2 * height } });
  const pictures = shots.map((shot) => `<img style="display:block" src="data:image/png;base64,${shot}">`);
  await both.setContent(`<body style="margin:0">${pictures.join("")}</body>`);
  await both.screenshot({ path: join(images, `${name}.png`) });
  await Promise.all([page.close(), both.close()]);
}

async function ended(_url: Promise<string>, child: ChildProcess): Promise<void> {
  await once(child, "exit");
}
