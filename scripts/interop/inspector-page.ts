import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Browser, Page } from "playwright-core";
import { BrowserUser, startBrowser } from "../../test/auth-server/browser-user.js";
import { same } from "../../test/interop/feature.js";
import type { Outcome } from "../../test/interop/target.js";
import { freePort } from "../free-port.js";
import { eraOf, inspectorScript } from "./inspector.js";
import type { ProtectedReach } from "./inspector-log-in.js";
import { type Feature, LogInEvents, tryFeatures } from "./log-in-features.js";

/** How long a step in the page may take, in milliseconds. */
const patienceMs = 15_000;

/** Logs in with the Inspector's web page in Chromium. */
export async function logInWithPage(
  node: string,
  { revision, origin, home }: ProtectedReach,
): Promise<readonly Outcome[]> {
  const port = await freePort();
  const apiToken = crypto.randomUUID();
  const target = ["--transport", "http", "--server-url", `${origin}/mcp`, "--protocol-era", eraOf(revision)];
  const inspector = spawn(node, [inspectorScript, "--web", ...target], {
    stdio: ["ignore", "ignore", "ignore"],
    env: {
      ...process.env,
      HOME: home,
      CLIENT_PORT: String(port),
      MCP_SANDBOX_PORT: String(await freePort()),
      MCP_INSPECTOR_API_TOKEN: apiToken,
      MCP_INSPECTOR_SECRET_STORE: "memory",
      MCP_AUTO_OPEN_ENABLED: "false",
    },
  });
  const exit = once(inspector, "exit");
  let browser: Browser | undefined;
  try {
    browser = await startBrowser();
    const url = `http://127.0.0.1:${port}/?MCP_INSPECTOR_API_TOKEN=${apiToken}`;
    return await tryFeatures(featuresOf(new BrowserUser(browser), url, origin));
  } finally {
    await browser?.close();
    inspector.kill();
    await exit;
  }
}

function featuresOf(user: BrowserUser, url: string, origin: string): readonly Feature[] {
  const events = new LogInEvents(origin);
  let page: Page | undefined;
  const opened = (): Page => {
    if (!page) throw new Error("the page did not open");
    return page;
  };

  /** Connects, or disconnects. The log-in leads to other pages and back. */
  const flip = async (): Promise<void> =>
    opened()
      .getByRole("switch", { name: /^Connect/ })
      .dispatchEvent("click");
  const connected = async (): Promise<void> =>
    opened().locator('[data-testid="connection-status"][data-status="connected"]').waitFor();

  /** Waits for a page of the authorization server, and answers it. */
  const answer = async (): Promise<void> => {
    await opened().waitForURL(({ pathname }) => /^\/(interaction|consent)\//.test(pathname));
    await user.answer(opened());
    await connected();
  };

  /** Calls a tool that it shows in its list. */
  const call = async (tool: string): Promise<void> => {
    await opened().getByText("Tools", { exact: true }).click();
    await opened().getByText(tool, { exact: true }).first().click();
    await execute();
  };
  const execute = (): Promise<void> => opened().getByRole("button", { name: "Execute Tool" }).click();
  const result = (tool: string): Promise<void> => opened().getByText(`${tool} by ada`, { exact: true }).waitFor();

  return [
    [
      "log-in",
      async () => {
        page = await openPage(user, url);
        await events.next();
        await flip();
        await answer();
        await call("read");
        await result("read");
        same("the events", await events.next(), ["register", "page", "granted authorization_code"]);
      },
    ],
    [
      "refresh",
      async () => {
        await events.expire();
        // The form of a tool is not shown next to its result.
        await opened().getByText("write", { exact: true }).first().click();
        await call("read");
        await result("read");
        same("the events", await events.next(), ["granted refresh_token"]);
      },
    ],
    [
      "step-up",
      async () => {
        await call("write");
        await opened().getByRole("button", { name: "Authorize" }).click();
        await answer();
        await execute();
        await result("write");
        same("the events", await events.next(), ["page", "granted authorization_code"]);
      },
    ],
    [
      "second connection",
      async () => {
        await opened().getByText("Servers", { exact: true }).click();
        await flip();
        await opened().locator('[data-testid="connection-status"][data-status="disconnected"]').waitFor();
        await flip();
        await connected();
        await call("write");
        await result("write");
        same("the events", await events.next(), []);
      },
    ],
  ];
}

/** Opens the page as soon as its server listens. */
async function openPage(user: BrowserUser, url: string): Promise<Page> {
  for (const end = performance.now() + patienceMs; ;) {
    try {
      const page = await user.open(url);
      page.setDefaultTimeout(patienceMs);
      return page;
    } catch (error) {
      if (performance.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
