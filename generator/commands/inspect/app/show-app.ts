import { accessSync, constants, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { toolApp } from "@mcpwright/runtime/apps";
import { type AppResource, readApp } from "@mcpwright/runtime/apps/host";
import { openBrowser } from "@mcpwright/runtime/auth/node";
import type { CallToolResult, Tool } from "@mcpwright/runtime/client";
import { SdkError } from "@mcpwright/runtime/errors";
import { fail } from "../../../shared/diagnostics/diagnostic.js";
import { escapeLine } from "../../../shared/command/escape-controls.js";
import type { ServerSession } from "../../../shared/sessions/open-session.js";
import type { AppPlace } from "./page-data.js";
import { serveAppPages } from "./app-pages.js";
import { withPage } from "./chromium.js";
import { findChromium } from "./find-chromium.js";

/** A listed tool with the URI of its app. @throws DiagnosticError app-missing */
export function appOf(name: string, tools: readonly Tool[]): { readonly tool: Tool; readonly uri: string } {
  const withApps = tools.flatMap((tool) => {
    const { resourceUri: uri } = toolApp(tool);
    return uri === undefined ? [] : [{ tool, uri }];
  });
  const names = withApps.map(({ tool }) => tool.name).join(", ");
  const isListed = tools.some((tool) => tool.name === name);
  return (
    withApps.find(({ tool }) => tool.name === name) ??
    fail("app-missing", {
      tool: name,
      reason: isListed ? "the tool names none in _meta.ui.resourceUri" : "the server does not list the tool",
      hint: names === "" ? "No tool of the server has an app." : `Tools with an app: ${escapeLine(names, 1_000)}.`,
    })
  );
}

export interface ShownApp {
  readonly tool: Tool;
  readonly uri: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly result: CallToolResult;
}

export interface Screenshot {
  readonly path: string;
  /** The browser that takes it. */
  readonly browser: string;
}

export interface ShowOptions {
  /** Default: the app is shown in the user's browser until `signal` or `ended` is aborted. */
  readonly screenshot?: Screenshot;
  /** Milliseconds until the app must be ready. Default: `10_000`. */
  readonly readyTimeoutMs?: number;
  /** Whether to open the browser. Default: `true`; the address of the page is printed in any case. */
  readonly openBrowser?: boolean;
  readonly tell: (line: string) => void;
  readonly signal?: AbortSignal;
  /** Aborted when the connection closes. */
  readonly ended: AbortSignal;
}

/** Finds the browser for a screenshot, and checks its file, before a tool is called. @throws DiagnosticError app-* */
export function prepareScreenshot(path: string): Screenshot {
  const browser = findChromium();
  try {
    accessSync(dirname(resolve(path)), constants.W_OK);
  } catch (error) {
    fail("app-screenshot-unwritable", { path, reason: (error as Error).message });
  }
  return { path, browser };
}

/** Shows the app of a tool with the result of a call. @throws DiagnosticError app-* */
export async function showApp({ client, run }: ServerSession, app: ShownApp, options: ShowOptions): Promise<void> {
  const { tool, uri, arguments: args, result } = app;
  const { screenshot, tell, signal, ended } = options;
  const resource = await run(`the app ${uri}`, () => read(client, tool.name, uri));
  const { readyTimeoutMs = 10_000 } = options;
  const data = { tool: tool as never, arguments: args, result: result as never, resource, readyTimeoutMs };
  const pages = await serveAppPages(data, client);
  const failIfEnded = async (): Promise<void> => {
    if (ended.aborted) await run(`the app ${uri}`, () => Promise.reject(ended.reason as Error));
  };
  try {
    const over = AbortSignal.any(signal ? [signal, ended] : [ended]);
    if (screenshot) {
      const shot = withPage(screenshot.browser, pages.url, (page) => shoot(page, uri), over);
      // A browser that is stopped because the connection has ended is not what went wrong.
      const image = await shot.catch(async (error: unknown) => {
        await failIfEnded();
        throw error;
      });
      save(screenshot.path, image);
      tell(`wrote ${screenshot.path}`);
      return;
    }
    const isOpen = options.openBrowser !== false && (await openBrowser(pages.url));
    tell(`${isOpen ? "showing" : "open this page to see"} the app ${escapeLine(uri)}: ${pages.url}`);
    tell("press Ctrl-C to stop");
    await new Promise<void>((resolve) => {
      if (over.aborted) resolve();
      else over.addEventListener("abort", () => resolve(), { once: true });
    });
    await failIfEnded();
  } finally {
    await pages.close();
  }
}

async function read(client: Parameters<typeof readApp>[0], tool: string, uri: string): Promise<AppResource> {
  try {
    return await readApp(client, uri);
  } catch (error) {
    if (!(error instanceof SdkError) || error.code !== "INVALID_RESULT") throw error;
    return fail("app-missing", { tool, reason: error.message, hint: "This is a bug in the server." });
  }
}

async function shoot(page: Parameters<Parameters<typeof withPage>[2]>[0], uri: string): Promise<Buffer> {
  try {
    return await page.screenshot((await page.evaluate("globalThis.appShown")) as AppPlace);
  } catch (error) {
    return fail("app-silent", { uri, reason: escapeLine((error as Error).message.replace(/\n[^]*/, ""), 400) });
  }
}

function save(path: string, image: Buffer): void {
  try {
    writeFileSync(path, image);
  } catch (error) {
    fail("app-screenshot-unwritable", { path, reason: (error as Error).message });
  }
}
