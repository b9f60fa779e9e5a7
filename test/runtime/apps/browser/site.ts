import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { build } from "esbuild";
import type { Browser, Frame, Page } from "playwright-core";
import { sandboxPage } from "@mcpwright/runtime/apps/host";
import { onTestFinished } from "vitest";

const own = join(import.meta.dirname, "pages");
const official = join(import.meta.dirname, "../../../interop/apps/pages");
const scripts = new Map<string, Promise<string>>();

/** The script of a page, with all that it imports. Pages with the official library are in test/interop, where it is installed. */
export function scriptOf(name: string): Promise<string> {
  const known = scripts.get(name);
  if (known) return known;
  const built = build({
    entryPoints: [join(name.startsWith("official") ? official : own, `${name}.ts`)],
    bundle: true,
    format: "esm",
    platform: "browser",
    write: false,
    logLevel: "error",
  }).then(({ outputFiles }) => outputFiles[0]?.text ?? "");
  scripts.set(name, built);
  return built;
}

/** The HTML of an app with this script. */
export async function appHtml(name: string): Promise<string> {
  const script = (await scriptOf(name)).replaceAll("</script", "<\\/script");
  return `<!doctype html><style>body { margin: 0 } div { height: 150px }</style><div>App</div><script type="module">${script}</script>`;
}

async function listen(host: string, respond: RequestListener): Promise<{ server: Server; origin: string }> {
  const server = createServer(respond).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { server, origin: `http://${host}:${(server.address() as AddressInfo).port}` };
}

/** A server that apps must not reach: it counts all requests and connections for WebSockets. */
export async function forbiddenServer(): Promise<{ origin: string; requests: string[] }> {
  const requests: string[] = [];
  const { server, origin } = await listen("127.0.0.1", (request, response) => {
    requests.push(request.url ?? "");
    response.setHeader("access-control-allow-origin", "*").end("");
  });
  server.on("upgrade", (request, socket) => {
    requests.push(request.url ?? "");
    socket.destroy();
  });
  return { origin, requests };
}

/** A host with its sandbox on another origin, and the page of the host in a browser. */
export class Site {
  private constructor(
    readonly page: Page,
    readonly origin: string,
    readonly sandboxUrl: string,
  ) {}

  static async open(browser: Browser, hostScript: string): Promise<Site> {
    const script = await scriptOf(hostScript);
    const { origin } = await listen("127.0.0.1", (request, response) => {
      if (request.url === "/host.js") response.setHeader("content-type", "text/javascript").end(script);
      else
        response
          .setHeader("content-type", "text/html")
          .end(`<!doctype html><title>Host</title><body><script type="module" src="/host.js"></script>`);
    });
    const sandbox = await listen("localhost", (request, response) => {
      const { headers, html } = sandboxPage(request.url ?? "", { hostOrigins: [origin] });
      response.writeHead(200, headers).end(html);
    });
    const context = await browser.newContext();
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await page.goto(origin);
    await page.waitForFunction(() => "driver" in globalThis);
    return new Site(page, origin, `${sandbox.origin}/`);
  }

  /** The frame with the app, inside the sandbox. */
  async app(): Promise<Frame> {
    for (let times = 0; times < 500; times++) {
      const found = this.page
        .frames()
        .find(
          (frame) => frame.url().startsWith("about:srcdoc") && frame.parentFrame()?.url().startsWith(this.sandboxUrl),
        );
      if (found) return found;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error(
      `there is no app among ${this.page
        .frames()
        .map((frame) => frame.url())
        .join(", ")}`,
    );
  }

  events(): Promise<unknown[]> {
    return this.page.evaluate(() => [...driver.events]);
  }
}
